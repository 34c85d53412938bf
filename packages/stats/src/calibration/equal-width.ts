import { calibrationBin, calibrationGap } from './calibration-gap.ts';

/** Calibration over bins of equal width; an empty bin has null in place of its mean and accuracy. */
export interface EqualWidthCalibration {
  ece: number | null;
  mce: number | null;
  counts: number[];
  bin_mean_p: (number | null)[];
  bin_accuracy: (number | null)[];
}

/**
 * Expected and maximum calibration error of the chosen options' probabilities (not of a provider's confidence) over
 * `bins` bins of equal width, left-closed, the last one closed. Throws a RangeError for a probability outside [0, 1],
 * lengths that differ or no bins. Guo et al. 2017, https://arxiv.org/abs/1706.04599
 */
export function equalWidthCalibration(
  probabilities: readonly number[],
  correct: readonly number[],
  bins: number,
): EqualWidthCalibration {
  if (probabilities.length !== correct.length)
    throw new RangeError('Each decision needs a probability and a correctness.');
  if (!(Number.isInteger(bins) && bins > 0)) throw new RangeError(`There cannot be ${bins} bins.`);
  const members = Array.from({ length: bins }, (): number[] => []);
  probabilities.forEach((p, i) => {
    if (!(p >= 0 && p <= 1)) throw new RangeError(`A probability lies in [0, 1], not at ${p}.`);
    members[Math.min(bins - 1, Math.floor(p * bins))]!.push(i);
  });
  const filled = members.map(indices =>
    indices.length === 0 ? null : calibrationBin(probabilities, correct, indices),
  );
  return {
    ...calibrationGap(filled.filter(bin => bin !== null)),
    counts: members.map(indices => indices.length),
    bin_mean_p: filled.map(bin => bin?.meanProbability ?? null),
    bin_accuracy: filled.map(bin => bin?.accuracy ?? null),
  };
}
