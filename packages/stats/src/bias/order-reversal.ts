import { ratio } from '../ratio.ts';

/** Shares of questions by what reversing the options did to the choice; null without questions. */
export interface OrderReversal {
  canonical_agreement: number | null;
  /** Same place, other option: the cleanest sign of position bias. */
  position_stick_rate: number | null;
  other_flip_rate: number | null;
}

/**
 * Sorts each question into agreement, stick or other from the 0-based chosen places before and after reversal. The
 * middle of an odd number of options cannot move and counts as agreement. Throws a RangeError if the lengths differ.
 */
export function orderReversal(
  original: readonly number[],
  reversed: readonly number[],
  optionCounts: readonly number[],
): OrderReversal {
  const n = original.length;
  if (reversed.length !== n || optionCounts.length !== n) throw new RangeError('Each question needs both places.');
  let [agreeing, sticking] = [0, 0];
  original.forEach((position, i) => {
    if (reversed[i] === optionCounts[i]! - 1 - position) agreeing++;
    else if (reversed[i] === position) sticking++;
  });
  return {
    canonical_agreement: ratio(agreeing, n),
    position_stick_rate: ratio(sticking, n),
    other_flip_rate: ratio(n - agreeing - sticking, n),
  };
}
