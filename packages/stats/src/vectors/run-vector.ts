import { mismatches } from './compare.ts';
import { registry } from './registry.ts';
import type { Vector } from './vector-file.ts';

/** What became of a vector; `detail` says where a failed one differs. */
export type VectorOutcome =
  { readonly status: 'pass' } | { readonly status: 'fail'; readonly detail: string } | { readonly status: 'unknown' };

/** Runs one vector against the metric it names. Never throws: a metric that refuses the input fails the vector. */
export function runVector({ metric, input, expected }: Vector): VectorOutcome {
  const compute = Object.hasOwn(registry, metric) ? registry[metric] : undefined;
  if (compute === undefined) return { status: 'unknown' };
  let actual: unknown;
  try {
    actual = compute(input as never);
  } catch (error) {
    return { status: 'fail', detail: `the metric refused the input (${String(error)})` };
  }
  const [first, ...others] = mismatches(expected, actual);
  if (first === undefined) return { status: 'pass' };
  const where = first.where === '' ? 'the result' : first.where;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return { status: 'fail', detail: `${where} expected ${show(first.expected)}, actual ${show(first.actual)}${more}` };
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}
