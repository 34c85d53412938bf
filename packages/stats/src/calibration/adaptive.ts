import { mean } from '../mean.ts';
import { calibrationBin } from './calibration-gap.ts';
import { equalCuts } from './equal-cuts.ts';

/**
 * Adaptive calibration error: the unweighted mean gap over all (class, range) cells, for classes that mean the same in
 * every question. `gold` holds class indices. Null without decisions; throws a RangeError if shapes differ.
 * Nixon et al. 2019, https://arxiv.org/abs/1904.01685
 */
export function adaptiveCalibrationError(
  probabilities: readonly (readonly number[])[],
  gold: readonly number[],
  ranges: number,
): number | null {
  const classes = probabilities[0]?.length ?? 0;
  if (probabilities.length !== gold.length || probabilities.some(row => row.length !== classes)) {
    throw new RangeError('Each decision needs a gold class and a probability for every class.');
  }
  const gaps: number[] = [];
  for (let k = 0; k < classes; k++) {
    const column = probabilities.map(row => row[k]!);
    const isGold = gold.map(index => (index === k ? 1 : 0));
    for (const indices of equalCuts(column, ranges)) {
      const bin = calibrationBin(column, isGold, indices);
      gaps.push(Math.abs(bin.meanProbability - bin.accuracy));
    }
  }
  return mean(gaps);
}
