import type { Answer } from './answer.ts';
import type { ModelRequest, Question } from './request.ts';

/** What a model can take and what its answers are held to. */
export interface ModelLimits {
  readonly primitives: readonly Question['type'][];
  /** Most options of one question. */
  readonly maxOptions: number;
  /** Null where no limit is known. */
  readonly maxInputTokens: number | null;
  /** Whether answers carry the server's own confidence. */
  readonly confidence: 'provided' | 'none';
  /** To how many decimals probabilities are rounded: decides how far their sum may be from 1. */
  readonly probabilityDecimals: number;
}

/** What is asked for, and every option that changes answers. Never a secret. */
export interface ModelIdentity {
  readonly model: string;
  readonly endpoint: string | null;
  readonly [option: string]: string | number | boolean | null;
}

/**
 * Decides. One answer a question, in the questions' order. Throws MODEL_FAILED (see `modelFailed`) where there is no
 * usable answer. Obeys the signal. Does not retry, cache, log or judge: the engine does, alike for all.
 */
export interface ModelAdapter {
  readonly identity: ModelIdentity;
  readonly limits: ModelLimits;
  /** What a reader of the scores must know, such as that they are not calibrated. */
  readonly caveats?: readonly string[];
  /** How many requests at once make sense where the recipe does not say. */
  readonly concurrency?: number;
  decide(request: ModelRequest, signal: AbortSignal): Promise<readonly Answer[]>;
  close?(): Promise<void>;
}
