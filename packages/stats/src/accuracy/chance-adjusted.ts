import { mean } from '../mean.ts';
import { ratio } from '../ratio.ts';
import { sum } from '../sum.ts';

/** Accuracy on a scale where guessing is 0 and perfection 1; null where a question leaves no choice. */
export interface ChanceAdjusted {
  accuracy: number | null;
  chance_accuracy: number | null;
  adjusted_pooled: number | null;
  adjusted_item_mean: number | null;
}

/** Adjusts correctness (0 or 1) for guessing among each question's options. Throws a RangeError if the lengths differ. */
export function chanceAdjusted(correct: readonly number[], optionCounts: readonly number[]): ChanceAdjusted {
  const n = correct.length;
  if (optionCounts.length !== n) throw new RangeError('Each question needs its number of options.');
  const chances = optionCounts.map(count => 1 / count);
  const guessed = sum(chances);
  return {
    accuracy: mean(correct),
    chance_accuracy: mean(chances),
    adjusted_pooled: ratio(sum(correct) - guessed, n - guessed),
    adjusted_item_mean: chances.includes(1) ? null : mean(correct.map((y, i) => (y - chances[i]!) / (1 - chances[i]!))),
  };
}
