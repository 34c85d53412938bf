import { sum } from './sum.ts';

/** The variance with divisor n - 1; null for fewer than two values. */
export function sampleVariance(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const centre = sum(values) / values.length;
  return sum(values.map(value => (value - centre) ** 2)) / (values.length - 1);
}
