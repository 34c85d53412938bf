/** `numerator / denominator`; null where the denominator is 0, so that an undefined share never reads as 0 or NaN. */
export function ratio(numerator: number, denominator: number): number | null {
  return denominator === 0 ? null : numerator / denominator;
}
