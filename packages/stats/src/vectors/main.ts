import { runVector } from './run-vector.ts';
import type { Vector } from './vector-file.ts';

export { parseVectors, type Vector } from './vector-file.ts';

/** A line a vector, then the line of totals; `failed` counts metrics that do not exist too. */
export interface VectorRun {
  lines: string[];
  passed: number;
  failed: number;
}

/** Runs vectors and says how each went. Control characters of ids and metrics are shown as `?`. */
export function runVectors(vectors: readonly Vector[]): VectorRun {
  const outcomes = vectors.map(vector => ({ vector, outcome: runVector(vector) }));
  const passed = outcomes.filter(({ outcome }) => outcome.status === 'pass').length;
  const failed = outcomes.length - passed;
  const lines = outcomes.map(({ vector: { id, metric }, outcome }) => {
    if (outcome.status === 'pass') return `pass ${id}`;
    return outcome.status === 'fail' ? `fail ${id}: ${outcome.detail}` : `no such metric yet ${id} (${metric})`;
  });
  return {
    lines: [...lines.map(line => line.replace(/\p{Cc}/gu, '?')), `${passed} passed, ${failed} failed`],
    passed,
    failed,
  };
}
