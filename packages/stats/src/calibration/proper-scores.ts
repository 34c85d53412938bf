import { mean } from '../mean.ts';
import { sum } from '../sum.ts';

/** Scores that honest probabilities optimise; null without decisions. They depend on the number of options. */
export interface ProperScores {
  brier_multiclass: number | null;
  brier_top_label: number | null;
  nll: number | null;
}

/**
 * Brier scores (over all options, 0..2, and of the choice) and the negative log-likelihood with probabilities floored
 * at 1e-15, never renormalised. `gold` and `choice` are option indices; throws a RangeError where one names no option.
 * Brier 1950, https://doi.org/10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2
 */
export function properScores(
  probabilities: readonly (readonly number[])[],
  gold: readonly number[],
  choice: readonly number[],
): ProperScores {
  const of = (row: readonly number[], index: number | undefined): number => {
    const p = index === undefined ? undefined : row[index];
    if (p === undefined) throw new RangeError(`Option ${index} has no probability.`);
    return p;
  };
  return {
    brier_multiclass: mean(probabilities.map((row, i) => sum(row.map((p, k) => (p - (k === gold[i] ? 1 : 0)) ** 2)))),
    brier_top_label: mean(probabilities.map((row, i) => (of(row, choice[i]) - (choice[i] === gold[i] ? 1 : 0)) ** 2)),
    nll: mean(probabilities.map((row, i) => -Math.log(Math.max(of(row, gold[i]), 1e-15)))),
  };
}
