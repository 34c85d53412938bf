import { studentTQuantile } from '../distribution/student-t.ts';
import { upperPoint } from './upper-point.ts';
import { type Interval, wilsonInterval } from './wilson.ts';

/** How an interval was made: from independent questions, from the spread of the clusters, or from the clusters' number. */
export type IntervalMethod = 'wilson' | 'cluster_t' | 'wilson_on_clusters';

/** Why there is no interval: nothing was counted, or one cluster tells nothing about the spread. */
export type IntervalReason = 'nothing_included' | 'one_cluster';

export interface RateInterval {
  interval: Interval | null;
  method: IntervalMethod | null;
  reason: IntervalReason | null;
  /** Clusters with a denominator above 0. */
  clusters: number;
  /** Fewer than 30 clusters: the interval is too narrow more often than its level says. */
  few_clusters: boolean;
}

/**
 * The interval of the rate sum(numerators) / sum(denominators), whose i-th entries are the whole counts of cluster i.
 * Wilson's when every cluster holds one question of score 0 or 1; otherwise the CR1 error of the ratio with Student's t
 * of G - 1 degrees, cut to [0, 1]. Exact integers carry the variance, so the order of clusters changes no bit.
 * Throws a RangeError for counts that are not whole or a numerator above its denominator.
 * Cameron, Gelbach and Miller 2008, https://doi.org/10.1162/rest.90.3.414
 */
export function rateInterval(
  numerators: ArrayLike<number>,
  denominators: ArrayLike<number>,
  level = 0.95,
): RateInterval {
  const upper = upperPoint(level);
  if (numerators.length !== denominators.length) throw new RangeError('Each numerator needs its denominator.');
  let clusters = 0;
  let [x, y, xx, xy, yy] = [0, 0, 0, 0, 0];
  let single = true;
  for (let i = 0; i < numerators.length; i++) {
    const numerator = numerators[i]!;
    const denominator = denominators[i]!;
    if (!(Number.isInteger(numerator) && Number.isInteger(denominator) && numerator >= 0 && numerator <= denominator)) {
      throw new RangeError(`${numerator} of ${denominator} is not a count of a cluster.`);
    }
    if (denominator === 0) continue;
    clusters++;
    if (denominator !== 1) single = false;
    x += denominator;
    y += numerator;
    xx += denominator * denominator;
    xy += denominator * numerator;
    yy += numerator * numerator;
  }
  const facts = { clusters, few_clusters: clusters < 30 };
  if (clusters === 0) return { interval: null, method: null, reason: 'nothing_included', ...facts };
  if (clusters === 1) return { interval: null, method: null, reason: 'one_cluster', ...facts };
  if (single) return { interval: wilsonInterval(y, x, level), method: 'wilson', reason: null, ...facts };

  const [X, Y] = [BigInt(x), BigInt(y)];
  // Sum over clusters of (numerator * X - denominator * Y)², the squared residuals of the ratio times X².
  const squares = BigInt(yy) * X * X - 2n * BigInt(xy) * X * Y + BigInt(xx) * Y * Y;
  if (squares === 0n) {
    // Clusters that all show the same rate do not prove an error of 0 (200 of 200 is no certainty). Each is then taken
    // as one observation, the most that can be claimed when questions of a cluster may all move together.
    return {
      interval: wilsonInterval((y / x) * clusters, clusters, level),
      method: 'wilson_on_clusters',
      reason: null,
      ...facts,
    };
  }
  const error = (Math.sqrt(Number(squares)) / (x * x)) * Math.sqrt(clusters / (clusters - 1));
  const half = studentTQuantile(upper, clusters - 1) * error;
  const rate = y / x;
  return {
    interval: [Math.max(0, rate - half), Math.min(1, rate + half)],
    method: 'cluster_t',
    reason: null,
    ...facts,
  };
}
