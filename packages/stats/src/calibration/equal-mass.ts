import { calibrationBin, calibrationGap } from './calibration-gap.ts';
import { equalCuts } from './equal-cuts.ts';

/** Calibration over bins of equal size; bins without a decision are left out. */
export interface EqualMassCalibration {
  ece: number | null;
  mce: number | null;
  counts: number[];
}

/**
 * Expected and maximum calibration error of the chosen options' probabilities over `bins` bins that hold nearly the
 * same number of decisions. Throws a RangeError for lengths that differ or no bins.
 * Nixon et al. 2019, https://arxiv.org/abs/1904.01685
 */
export function equalMassCalibration(
  probabilities: readonly number[],
  correct: readonly number[],
  bins: number,
): EqualMassCalibration {
  if (probabilities.length !== correct.length)
    throw new RangeError('Each decision needs a probability and a correctness.');
  const filled = equalCuts(probabilities, bins).map(indices => calibrationBin(probabilities, correct, indices));
  return { ...calibrationGap(filled), counts: filled.map(bin => bin.count) };
}
