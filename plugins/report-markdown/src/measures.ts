import type { MetricValue, NullReason, ScoreRow } from '@holdfast/core';
import { decimalPercent, percent, points } from './percent.ts';

/** The measures of the accuracy metric in the order in which they are read, with their titles. */
export const titles: ReadonlyMap<string, string> = new Map([
  ['strict_accuracy', 'Strict Accuracy'],
  ['mean_accuracy', 'Mean Accuracy'],
  ['strict_abstention_aware_accuracy', 'Strict Abstention-Aware Accuracy'],
  ['mean_abstention_aware_accuracy', 'Mean Abstention-Aware Accuracy'],
  ['abstention_rate', 'Abstention Rate'],
  ['selective_accuracy', 'Selective Accuracy'],
  ['abstention_lift', 'Abstention Lift'],
  ['strict_lower_bound', 'Strict Accuracy if every excluded question were wrong'],
  ['strict_upper_bound', 'Strict Accuracy if every excluded question were right'],
]);

/** The columns of the card's tables. */
export const cardMeasures = [
  'strict_accuracy',
  'mean_accuracy',
  'strict_abstention_aware_accuracy',
  'mean_abstention_aware_accuracy',
] as const;

export function measure({ metrics }: ScoreRow, name: string): MetricValue | undefined {
  return metrics.find(metric => metric.name === name);
}

/** The value as a cell; `n/a` where there is none. */
export function cell(metric: MetricValue | undefined): string {
  if (metric === undefined) return 'n/a';
  if (metric.kind === 'rate') return percent(metric);
  if (metric.kind !== 'number' || metric.value === null) return 'n/a';
  return metric.name === 'abstention_lift' ? points(metric.value) : String(metric.value);
}

/** The 95 % interval as a cell; empty where there is none. */
export function intervalCell(metric: MetricValue | undefined): string {
  if (metric === undefined || !('interval' in metric) || metric.interval === null) return '';
  const bound =
    metric.kind === 'rate'
      ? decimalPercent
      : metric.name === 'abstention_lift'
        ? points
        : (value: number) => `${value}`;
  return `${bound(metric.interval[0])} to ${bound(metric.interval[1])}`;
}

/** The whole numbers behind a rate, or how much stands behind a number. */
export function countCell(metric: MetricValue | undefined): string {
  if (metric === undefined) return '';
  if (metric.kind !== 'rate') return `n = ${metric.n}`;
  return metric.numerator === null ? '' : `${metric.numerator} of ${metric.denominator}`;
}

/** Why cells of a table are empty, a sentence each. */
export function emptyReasons(rows: readonly ScoreRow[], names: readonly string[]): string[] {
  const values = rows.flatMap(row => names.map(name => measure(row, name)));
  const reasons = new Set(values.map(value => (value === undefined ? 'not_computed' : value.reason)));
  return [...sentences].flatMap(([reason, sentence]) => (reasons.has(reason) ? [sentence] : []));
}

const sentences = new Map<NullReason | 'not_computed', string>([
  ['no_included_question', 'n/a: no question of the row could be scored, which is neither 0 % nor 100 %.'],
  [
    'confidence_missing',
    'n/a: the model gave no confidence with at least one decision of the row, so that abstention is not defined there. ' +
      'The top probability is never put in its place.',
  ],
  ['nothing_answered', 'n/a: every decision of the row abstained, so that there is no answer to be right or wrong.'],
  ['too_few_clusters', 'n/a: too few groups of questions.'],
  ['not_defined', 'n/a: not defined for these questions.'],
  ['not_computed', 'n/a: the recipe does not compute it.'],
]);
