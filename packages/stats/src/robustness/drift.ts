import { mean } from '../mean.ts';
import { sum } from '../sum.ts';

/** Movement of option probabilities, a number a question, and the means (null without questions). */
export interface Drift {
  total_variation: number[];
  mean_total_variation: number | null;
  js_divergence_bits: number[];
  mean_js_divergence_bits: number | null;
}

/**
 * Total variation and Jensen-Shannon divergence between two distributions a question, aligned by canonical id: movement
 * is seen before the choice flips. Throws a RangeError if shapes differ. Lin 1991, https://doi.org/10.1109/18.61115
 */
export function drift(original: readonly (readonly number[])[], perturbed: readonly (readonly number[])[]): Drift {
  if (original.length !== perturbed.length || original.some((p, i) => p.length !== perturbed[i]!.length)) {
    throw new RangeError('Both versions need a probability for the same options.');
  }
  const variation = original.map((p, i) => sum(p.map((x, j) => Math.abs(x - perturbed[i]![j]!))) / 2);
  const divergence = original.map((p, i) => {
    const q = perturbed[i]!;
    const middle = p.map((x, j) => (x + q[j]!) / 2);
    return (relativeEntropy(p, middle) + relativeEntropy(q, middle)) / 2;
  });
  return {
    total_variation: variation,
    mean_total_variation: mean(variation),
    js_divergence_bits: divergence,
    mean_js_divergence_bits: mean(divergence),
  };
}

function relativeEntropy(p: readonly number[], middle: readonly number[]): number {
  return sum(p.map((x, j) => (x === 0 ? 0 : x * Math.log2(x / middle[j]!))));
}
