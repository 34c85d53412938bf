import { mean } from '../mean.ts';

/** By k, the chance that k versions drawn without replacement are all right (hat) or at least one is (at). */
export interface PassCurves {
  pass_hat_k: Record<string, number | null>;
  pass_at_k: Record<string, number | null>;
}

/**
 * pass^k and pass@k of `correctCounts[question]` right answers of `versions`, for k = 1..versions. pass^1 is mean
 * accuracy and pass^versions strict accuracy, so recipes with other numbers of versions share one axis.
 * Throws a RangeError for a count outside 0..versions.
 * Yao et al. 2024 (tau-bench), https://arxiv.org/abs/2406.12045
 */
export function passHatK(versions: number, correctCounts: readonly number[]): PassCurves {
  if (correctCounts.some(count => !(Number.isInteger(count) && count >= 0 && count <= versions))) {
    throw new RangeError(`A count of right answers lies in 0..${versions}.`);
  }
  const curves: PassCurves = { pass_hat_k: {}, pass_at_k: {} };
  for (let k = 1; k <= versions; k++) {
    const allWrong = mean(correctCounts.map(count => shareOfSubsets(versions - count, versions, k)));
    curves.pass_hat_k[k] = mean(correctCounts.map(count => shareOfSubsets(count, versions, k)));
    curves.pass_at_k[k] = allWrong === null ? null : 1 - allWrong;
  }
  return curves;
}

// C(some, k) / C(all, k) factor by factor: the binomials themselves would overflow.
function shareOfSubsets(some: number, all: number, k: number): number {
  let share = 1;
  for (let i = 0; i < k && share > 0; i++) share *= (some - i) / (all - i);
  return share;
}
