/** One instruction, word for word as a dataset gives it, and rewrites of it that ask for the same decision. */
export interface Family {
  readonly instruction: string;
  /** At least 8, each read against the instruction: the same task, the same limits, nothing of an answer. */
  readonly rewrites: readonly string[];
}
