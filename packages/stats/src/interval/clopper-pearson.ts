import { bisect } from '../bisect.ts';
import { incompleteBeta } from '../distribution/incomplete-beta.ts';
import { upperPoint } from './upper-point.ts';
import type { Interval } from './wilson.ts';

/**
 * The exact binomial interval of `successes` of `trials`, both whole; null for no trials. It covers at least `level`,
 * usually more. Clopper and Pearson 1934, https://doi.org/10.1093/biomet/26.4.404
 */
export function clopperPearsonInterval(successes: number, trials: number, level = 0.95): Interval | null {
  const tail = 1 - upperPoint(level);
  if (trials === 0) return null;
  if (!Number.isInteger(successes) || !Number.isInteger(trials) || successes < 0 || successes > trials) {
    throw new RangeError(`${successes} of ${trials} is not a count of successes.`);
  }
  const failures = trials - successes;
  return [
    successes === 0 ? 0 : bisect(0, 1, p => incompleteBeta(p, successes, failures + 1) < tail),
    failures === 0 ? 1 : bisect(0, 1, p => incompleteBeta(1 - p, failures, successes + 1, p) > tail),
  ];
}
