/** One instruction, word for word as a dataset gives it, and rewrites of it that ask for the same decision. */
export interface Family {
  readonly instruction: string;
  /** Each read against the instruction by a person: same task, same limits, nothing of an answer. At least 8. */
  readonly rewrites: readonly string[];
}
