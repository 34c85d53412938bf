import type { JsonText } from './json/json-text.ts';

/** A candidate as a model sees it. */
export interface RequestOption {
  readonly id: string;
  /** Null text where the option has no description. */
  readonly description: JsonText;
}

/** One question on a state. A score question's options are its levels, lowest first. */
export interface Question {
  readonly id: string;
  readonly type: 'choice' | 'noul' | 'score';
  readonly instructions: JsonText;
  /** In the order in which the model is to see them: the order is part of the question. */
  readonly options: readonly RequestOption[];
}

/**
 * All that a model adapter learns of a record: no gold, no canonical id, no label, no name of a version or operator.
 * The id is a hash of what is shown, so it tells nothing more.
 */
export interface ModelRequest {
  readonly id: string;
  readonly state: JsonText;
  readonly questions: readonly Question[];
}
