import { sum } from '../sum.ts';

/** A group of decisions: how many, their mean probability and their accuracy. */
export interface CalibrationBin {
  count: number;
  meanProbability: number;
  accuracy: number;
}

/** The bin of the decisions at `indices`, which are at least one. */
export function calibrationBin(
  probabilities: readonly number[],
  correct: readonly number[],
  indices: readonly number[],
): CalibrationBin {
  const count = indices.length;
  return {
    count,
    meanProbability: sum(indices.map(i => probabilities[i]!)) / count,
    accuracy: sum(indices.map(i => correct[i]!)) / count,
  };
}

/** Expected and maximum calibration error over non-empty bins; null without any. */
export function calibrationGap(bins: readonly CalibrationBin[]): { ece: number | null; mce: number | null } {
  if (bins.length === 0) return { ece: null, mce: null };
  const gaps = bins.map(bin => Math.abs(bin.meanProbability - bin.accuracy));
  const n = sum(bins.map(bin => bin.count));
  return { ece: sum(gaps.map((gap, i) => (gap * bins[i]!.count) / n)), mce: Math.max(...gaps) };
}
