/** Chance as an argument: the same seed, operator and question give the same sequence on every machine. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform among 0 … below − 1. */
  integer(below: number): number;
  /** A new list with the same items in a random order. */
  shuffle<Item>(items: readonly Item[]): Item[];
}
