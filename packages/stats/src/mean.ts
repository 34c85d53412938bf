import { sum } from './sum.ts';

/** The arithmetic mean; null where there is nothing to average. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length;
}
