import { ratio } from '../ratio.ts';
import { sum } from '../sum.ts';

export interface FleissKappa {
  p_bar: number | null;
  p_e: number | null;
  kappa: number | null;
}

/**
 * Fleiss' kappa of `labels[item][rating]`, every item rated equally often; null where only one label occurs or an item
 * has fewer than two ratings. Throws a RangeError unless the items have the same number of ratings.
 * Fleiss 1971, https://doi.org/10.1037/h0031619
 */
export function fleissKappa(labels: readonly (readonly string[])[]): FleissKappa {
  const items = labels.length;
  const ratings = labels[0]?.length ?? 0;
  if (labels.some(row => row.length !== ratings)) throw new RangeError('Every item needs the same number of ratings.');
  const agreeing = sum(labels.map(row => sumOfSquares(row) - ratings));
  const pairs = items * ratings * (ratings - 1);
  const chance = sumOfSquares(labels.flat());
  const all = (items * ratings) ** 2;
  const observed = ratio(agreeing, pairs);
  const expected = ratio(chance, all);
  return {
    p_bar: observed,
    p_e: expected,
    kappa: observed === null || expected === null || chance === all ? null : (observed - expected) / (1 - expected),
  };
}

function sumOfSquares(labels: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return sum([...counts.values()].map(count => count * count));
}
