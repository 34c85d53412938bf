import type { JsonInput, JsonText } from '@holdfast/core';

/** One element that the next action could be performed on. */
export interface Candidate {
  /** Upstream's `data-webtasks-id`. */
  readonly uid: string;
  readonly description: JsonText;
  /** The element's place in the page; null where it is not said. */
  readonly xpath: string | null;
  /** Place in the ranking of upstream's candidate model, 1 the best; null where the file has none. */
  readonly rank: number | null;
}

/** One turn of a demonstration: what had been said and done, and what could be acted on. */
export interface Turn {
  readonly demo: string;
  readonly turn: number;
  readonly state: readonly (readonly [string, JsonText | JsonInput])[];
  /** In upstream's order. */
  readonly candidates: readonly Candidate[];
  /** What the human acted on. */
  readonly target: string;
  /** What is told of the turn beside the question, never to a model. */
  readonly notes: Readonly<Record<string, JsonInput>>;
}

/** A turn that asks nothing, and why. */
export interface NoTurn {
  readonly demo: string;
  readonly turn: number;
  readonly skipped: string;
}
