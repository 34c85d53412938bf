import { describe, expect, it } from 'vitest';

/** One promise of a contract, and the sentences that say where it is broken: none where it is kept. */
export interface Promised {
  readonly promise: string;
  broken(): readonly string[] | Promise<readonly string[]>;
}

/** States the promises as tests. */
export function holdTo(title: string, promises: readonly Promised[]): void {
  describe(title, () => {
    it.each(promises.map(({ promise, broken }) => [promise, broken] as const))('%s', async (_, broken) => {
      expect(await broken()).toEqual([]);
    });
  });
}
