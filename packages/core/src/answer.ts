/** Tokens as the server counted them. Null where it did not say. */
export interface Usage {
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
}

/** What came back over the wire, kept as evidence: secrets and cookies already taken out. */
export interface Exchange {
  readonly status: number | null;
  readonly headers: readonly (readonly [string, string])[];
  /** The body as received. */
  readonly body: Uint8Array;
}

/**
 * One question's answer as the model gave it, before the engine has judged it: nothing repaired, nothing
 * renormalised. Probabilities are pairs in the order of the answer, so that any id and any duplicate is seen.
 */
export interface Answer {
  readonly question_id: string;
  readonly choice: string;
  readonly probabilities: readonly (readonly [id: string, probability: number])[] | null;
  /** The number that the server returned, by its own definition; null where it gave none. Never the top probability. */
  readonly confidence: number | null;
  readonly served_model: string | null;
  readonly usage: Usage | null;
  /** The server's id of the request, for its support. */
  readonly request_id: string | null;
  /** Null for models that run in this process. */
  readonly exchange: Exchange | null;
}
