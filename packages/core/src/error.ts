/** Every way in which Holdfast can fail on purpose. Anything else that is thrown is a bug of ours and keeps its stack. */
export const errorCodes = [
  'RECIPE_INVALID',
  'PLUGIN_NOT_FOUND',
  'PLUGIN_MISFIT',
  'RECORD_INVALID',
  'UPSTREAM_INVALID',
  'HASH_MISMATCH',
  'IDENTITY_MISMATCH',
  'MODEL_FAILED',
  'SCORE_INVALID',
  'CORPUS_INVALID',
  'STORAGE_FAILED',
  'RUN_LOCKED',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** What went wrong between a request and a valid answer. A failure of any kind is counted and never scored as wrong. */
export const failureKinds = [
  'throttled',
  'overloaded',
  'timeout',
  'connection',
  'over_length',
  'refused',
  'invalid_answer',
  'auth',
  'over_budget',
] as const;

export type FailureKind = (typeof failureKinds)[number];

/** What a program may want to know of an error beside its sentence: places, ids, statuses. Never a secret. */
export interface ErrorFacts {
  readonly [fact: string]: unknown;
}

const marker = Symbol.for('holdfast.error');

/**
 * An error that somebody can act on. The message is one sentence with the fact in it and, where there is one, the
 * remedy; `facts` hold the same for programs. Recognised by a marker, since plugins may carry their own copy of core.
 */
export class HoldfastError extends Error {
  readonly code: ErrorCode;
  readonly facts: ErrorFacts;
  readonly [marker] = true;

  constructor(code: ErrorCode, message: string, { cause, facts = {} }: { cause?: unknown; facts?: ErrorFacts } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'HoldfastError';
    this.code = code;
    this.facts = facts;
  }

  /** Whether `value` is a HoldfastError of any copy of this package. */
  static is(value: unknown): value is HoldfastError {
    return typeof value === 'object' && value !== null && (value as { [marker]?: unknown })[marker] === true;
  }
}

/** The facts of a MODEL_FAILED error: what decides whether the request is tried again, and what is kept of it. */
export interface FailureFacts extends ErrorFacts {
  readonly kind: FailureKind;
  /** Whether the same request may succeed later. The engine bounds how often it is tried. */
  readonly retryable: boolean;
  /** HTTP status, where an answer came. */
  readonly status?: number;
  /** How long the server asked to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** What came back, kept as evidence. */
  readonly exchange?: unknown;
}

/** A MODEL_FAILED error: the only way in which an adapter says that a request brought no usable answer. */
export function modelFailed(message: string, facts: FailureFacts, cause?: unknown): HoldfastError {
  return new HoldfastError('MODEL_FAILED', message, cause === undefined ? { facts } : { cause, facts });
}
