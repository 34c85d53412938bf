import { fairCoinTail } from '../distribution/fair-coin.ts';

export interface McNemar {
  exact_p: number;
  mid_p: number;
}

/**
 * McNemar's exact and mid-p test of two discordant counts; both are 1 where b = c. Assumes independent pairs.
 * Throws a RangeError for counts that are not whole and non-negative.
 * Fagerland, Lydersen and Laake 2013, https://doi.org/10.1186/1471-2288-13-91
 */
export function mcnemar(b: number, c: number): McNemar {
  if (![b, c].every(count => Number.isSafeInteger(count) && count >= 0)) {
    throw new RangeError(`McNemar's test needs two counts, not ${b} and ${c}.`);
  }
  if (b === c) return { exact_p: 1, mid_p: 1 };
  const { equal, below } = fairCoinTail(Math.min(b, c), b + c);
  return { exact_p: Math.min(1, 2 * (below + equal)), mid_p: 2 * below + equal };
}
