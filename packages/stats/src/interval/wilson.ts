import { normalQuantile } from '../distribution/normal.ts';
import { upperPoint } from './upper-point.ts';

/** A two-sided interval, lower end first. */
export type Interval = readonly [low: number, high: number];

/**
 * The Wilson score interval of a share, inside [0, 1]; null for no trials. `successes` may be fractional, for an
 * effective sample. The lower end is exactly 0 when nothing succeeded, the upper exactly 1 when everything did.
 * Wilson 1927, https://doi.org/10.1080/01621459.1927.10502953
 */
export function wilsonInterval(successes: number, trials: number, level = 0.95): Interval | null {
  const z = normalQuantile(upperPoint(level));
  if (trials === 0) return null;
  if (!(successes >= 0 && successes <= trials)) throw new RangeError(`${successes} of ${trials} is not a share.`);
  const share = successes / trials;
  const square = z * z;
  const scale = 1 + square / trials;
  const centre = (share + square / (2 * trials)) / scale;
  const half = (z * Math.sqrt((share * (1 - share)) / trials + square / (4 * trials * trials))) / scale;
  return [
    successes === 0 ? 0 : Math.max(0, centre - half), //
    successes === trials ? 1 : Math.min(1, centre + half),
  ];
}
