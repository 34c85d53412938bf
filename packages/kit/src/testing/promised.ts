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

/** Which promises a plugin breaks: for tests of the suites themselves. */
export async function brokenPromises(promises: readonly Promised[]): Promise<string[]> {
  const found: string[] = [];
  for (const { promise, broken } of promises) {
    try {
      if ((await broken()).length > 0) found.push(promise);
    } catch {
      found.push(promise);
    }
  }
  return found;
}
