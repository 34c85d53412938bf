import { ratio } from '../ratio.ts';

/**
 * The mean of +1 for an answered right decision, 0 for an abstention and -cost for an answered wrong one; abstaining
 * means a confidence below `threshold`. Unlike AAA it is not won by abstaining always. Null without decisions; throws a
 * RangeError if the lengths differ.
 * Whitehead et al. 2022, https://arxiv.org/abs/2204.13631; Kalai et al. 2025, https://arxiv.org/abs/2509.04664
 */
export function costScore(
  confidence: readonly number[],
  correct: readonly number[],
  { threshold, cost }: { threshold: number; cost: number },
): number | null {
  if (confidence.length !== correct.length) throw new RangeError('Each decision needs a confidence and a correctness.');
  let [right, wrong] = [0, 0];
  confidence.forEach((value, i) => {
    if (value < threshold) return;
    if (correct[i] === 1) right++;
    else wrong++;
  });
  return ratio(right - cost * wrong, confidence.length);
}
