import { abstentionLift } from './abstention-lift.ts';
import { ratio } from '../ratio.ts';

/** Abstention-aware scores at the threshold `t`, null where nothing was decided or answered. */
export interface SweepPoint {
  t: number;
  abstention_rate: number | null;
  mean_aaa: number | null;
  strict_aaa: number | null;
  selective_accuracy: number | null;
  aaa_lift_over_random: number | null;
}

/**
 * Abstention-aware accuracy at each threshold, from `confidence[question][version]` and `correct` of the same shape.
 * Throws a RangeError if the shapes differ.
 */
export function thresholdSweep(
  confidence: readonly (readonly number[])[],
  correct: readonly (readonly number[])[],
  thresholds: readonly number[],
): SweepPoint[] {
  if (confidence.length !== correct.length || confidence.some((row, q) => row.length !== correct[q]!.length)) {
    throw new RangeError('Each decision needs a confidence and a correctness.');
  }
  return thresholds.map(t => {
    let [decisions, right, abstained, rightAbstained, strict] = [0, 0, 0, 0, 0];
    confidence.forEach((row, q) => {
      let passes = true;
      row.forEach((value, v) => {
        const isRight = correct[q]![v] === 1;
        const abstains = value < t;
        decisions++;
        if (isRight) right++;
        if (abstains) abstained++;
        if (isRight && abstains) rightAbstained++;
        if (!isRight && !abstains) passes = false;
      });
      if (passes) strict++;
    });
    const passing = right + abstained - rightAbstained;
    return {
      t,
      abstention_rate: ratio(abstained, decisions),
      mean_aaa: ratio(passing, decisions),
      strict_aaa: ratio(strict, confidence.length),
      selective_accuracy: ratio(right - rightAbstained, decisions - abstained),
      aaa_lift_over_random: abstentionLift({ decisions, right, abstained, rightAbstained }).value,
    };
  });
}
