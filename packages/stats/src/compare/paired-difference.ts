import { normalCdf, normalQuantile } from '../distribution/normal.ts';
import { clusterSums } from '../interval/clustered-error.ts';
import type { Interval } from '../interval/wilson.ts';
import { sum } from '../sum.ts';

/** A minus B on the questions both answered; null where questions or clusters are too few or nothing varies. */
export interface PairedDifference {
  delta: number | null;
  clusters: number;
  se: number | null;
  z: number | null;
  p_two_sided: number | null;
  ci95: Interval | null;
}

/**
 * The difference of two models on the same questions with its CR1 clustered error, the i-th entries belonging together.
 * Throws a RangeError if the lengths differ. Miller 2024, https://arxiv.org/abs/2411.00640
 */
export function pairedDifference(
  scoresA: readonly number[],
  scoresB: readonly number[],
  clusters: readonly string[],
): PairedDifference {
  if (scoresA.length !== scoresB.length) throw new RangeError('Both models need a score for each question.');
  const differences = scoresA.map((score, i) => score - scoresB[i]!);
  const n = differences.length;
  const delta = n === 0 ? null : sum(differences) / n;
  const residuals = clusterSums(
    differences.map(difference => difference - (delta ?? 0)),
    clusters,
  );
  const groups = residuals.length;
  if (delta === null || groups < 2) {
    return { delta, clusters: groups, se: null, z: null, p_two_sided: null, ci95: null };
  }
  // What rounding leaves of a constant difference is no spread, and would make z astronomical.
  const noise = 1e-13 * sum(differences.map(Math.abs));
  const spread = sum(residuals.map(residual => (Math.abs(residual) <= noise ? 0 : residual * residual)));
  const se = Math.sqrt((groups / (groups - 1)) * spread) / n;
  if (se === 0) return { delta, clusters: groups, se, z: null, p_two_sided: null, ci95: [delta, delta] };
  const half = normalQuantile(0.975) * se;
  const z = delta / se;
  return {
    delta,
    clusters: groups,
    se,
    z,
    p_two_sided: 2 * normalCdf(-Math.abs(z)),
    ci95: [delta - half, delta + half],
  };
}
