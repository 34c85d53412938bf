import { sum } from '../sum.ts';

/** Confidences made from probabilities; null where one option alone makes them meaningless. */
export interface ConfidenceProxies {
  top: number;
  normalized_top: number | null;
  entropy: number | null;
  margin: number | null;
}

/**
 * Stand-ins for adapters whose provider returns no confidence. A report must name the one it used and never mix it with
 * provided confidence. Throws a RangeError for no probabilities.
 */
export function confidenceProxies(probabilities: readonly number[]): ConfidenceProxies {
  const [top, second] = [...probabilities].sort((a, b) => b - a);
  if (top === undefined) throw new RangeError('A confidence needs at least one probability.');
  const options = probabilities.length;
  if (second === undefined) return { top, normalized_top: null, entropy: null, margin: null };
  const entropy = -sum(probabilities.map(p => (p === 0 ? 0 : p * Math.log(p))));
  return {
    top,
    normalized_top: clip((top - 1 / options) / (1 - 1 / options)),
    entropy: clip(1 - entropy / Math.log(options)),
    margin: top - second,
  };
}

function clip(value: number): number {
  return Math.min(1, Math.max(0, value));
}
