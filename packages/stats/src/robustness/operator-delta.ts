import { mcnemar } from '../compare/mcnemar.ts';
import { ratio } from '../ratio.ts';
import { sampleVariance } from '../sample-variance.ts';

/** The paired effect of one operator on accuracy; null where there is nothing to divide by. */
export interface OperatorDelta {
  delta: number | null;
  b_correct_to_wrong: number;
  c_wrong_to_correct: number;
  se_paired: number | null;
  exact_p: number;
  mid_p: number;
  failure_given_original_correct: number | null;
  repair_given_original_wrong: number | null;
}

/**
 * Accuracy (0 or 1) of the original and of the perturbed version, the i-th entries being one question. A delta of 0 can
 * hide flips both ways, hence b and c. Throws a RangeError if the lengths differ.
 */
export function operatorDelta(original: readonly number[], perturbed: readonly number[]): OperatorDelta {
  const n = original.length;
  if (perturbed.length !== n) throw new RangeError('Each original needs its perturbed version.');
  const differences = original.map((score, i) => perturbed[i]! - score);
  const broken = differences.filter(difference => difference < 0).length;
  const repaired = differences.filter(difference => difference > 0).length;
  const right = original.filter(score => score === 1).length;
  const variance = sampleVariance(differences);
  return {
    delta: ratio(repaired - broken, n),
    b_correct_to_wrong: broken,
    c_wrong_to_correct: repaired,
    se_paired: variance === null ? null : Math.sqrt(variance / n),
    ...mcnemar(broken, repaired),
    failure_given_original_correct: ratio(broken, right),
    repair_given_original_wrong: ratio(repaired, n - right),
  };
}
