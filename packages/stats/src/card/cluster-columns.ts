/**
 * What is counted per cluster: questions of any fate, the included ones with their decisions, and of those the right
 * ones, the right and the wrong ones that abstain, and the questions that are right or pass in every version.
 */
export const clusterCounts = [
  'questions',
  'included',
  'decisions',
  'right',
  'rightAbstained',
  'wrongAbstained',
  'strict',
  'strictAaa',
] as const;

export type ClusterCount = (typeof clusterCounts)[number];

/** Whole counts by cluster in columns of 4 bytes, so that a cluster costs its name and 32 bytes however large it is. */
export class ClusterColumns {
  readonly #places = new Map<string, number>();
  #columns = makeColumns(64);

  /** How many clusters have been named. */
  get size(): number {
    return this.#places.size;
  }

  /** The place of `cluster` in every column; a new name gets the next one. */
  place(cluster: string): number {
    let place = this.#places.get(cluster);
    if (place === undefined) {
      place = this.#places.size;
      this.#places.set(cluster, place);
      if (place === this.#columns.questions.length) this.#grow();
    }
    return place;
  }

  add(count: ClusterCount, place: number, amount: number): void {
    this.#columns[count][place]! += amount;
  }

  /** Every column, a number a cluster. Views: read them before the next `place` or `add`. */
  all(): Record<ClusterCount, Uint32Array> {
    const views = clusterCounts.map(count => [count, this.#columns[count].subarray(0, this.size)]);
    return Object.fromEntries(views) as Record<ClusterCount, Uint32Array>;
  }

  #grow(): void {
    const larger = makeColumns(this.#columns.questions.length * 2);
    for (const count of clusterCounts) larger[count].set(this.#columns[count]);
    this.#columns = larger;
  }
}

function makeColumns(length: number): Record<ClusterCount, Uint32Array> {
  const columns = clusterCounts.map(count => [count, new Uint32Array(length)]);
  return Object.fromEntries(columns) as Record<ClusterCount, Uint32Array>;
}
