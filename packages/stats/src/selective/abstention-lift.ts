import { ratio } from '../ratio.ts';

/** Counts of decisions: all, right, abstained, and right although abstained. */
export interface AbstentionCounts {
  readonly decisions: number;
  readonly right: number;
  readonly abstained: number;
  readonly rightAbstained: number;
}

/**
 * What abstaining gained over abstaining at random at the same rate: AAA - (1 - (1 - accuracy)(1 - abstention rate)),
 * reduced to whole numbers (right * abstained - right and abstained * decisions) / decisions². Value null without decisions.
 */
export function abstentionLift({ decisions, right, abstained, rightAbstained }: AbstentionCounts) {
  const numerator = right * abstained - rightAbstained * decisions;
  const denominator = decisions * decisions;
  return { value: ratio(numerator, denominator), numerator, denominator };
}
