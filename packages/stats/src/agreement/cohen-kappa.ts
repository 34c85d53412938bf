import { ratio } from '../ratio.ts';
import { sum } from '../sum.ts';

export interface CohenKappa {
  p_o: number | null;
  p_e: number | null;
  kappa: number | null;
}

/**
 * Cohen's kappa of two raters over nominal labels; null where both always use one label (or nothing was rated).
 * Throws a RangeError if the lengths differ. Cohen 1960, https://doi.org/10.1177/001316446002000104
 */
export function cohenKappa(a: readonly string[], b: readonly string[]): CohenKappa {
  const n = a.length;
  if (b.length !== n) throw new RangeError('Both raters need a label for each item.');
  const labels = new Set([...a, ...b]);
  const count = (list: readonly string[], label: string) => list.filter(other => other === label).length;
  // Whole numbers, so that chance agreement of exactly 1 is recognised as such.
  const chance = sum([...labels].map(label => count(a, label) * count(b, label)));
  const observed = a.filter((label, i) => label === b[i]).length;
  return {
    p_o: ratio(observed, n),
    p_e: ratio(chance, n * n),
    kappa: ratio(observed * n - chance, n * n - chance),
  };
}
