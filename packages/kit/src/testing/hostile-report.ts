import type { MetricValue, Report, ScoreRow, Scores } from '@holdfast/core';

/** Labels that break out of tables, pages, sheets and terminals. */
export const hostileLabels = [
  'a | b',
  '<script>alert(1)</script>',
  'two\nlines\r\nand\ttabs',
  'red \u001b[31m bell \u0007 \u009b1m',
  '=1+1',
  '+SUM(A1)',
  '-2',
  '@cmd',
  '"quoted", \'single\' & \\ `code` [link](javascript:alert(1)) ![x](y)',
  '# heading',
  'lone \ud800 surrogate',
  'hidden \u202e direction',
  '__proto__',
] as const;

/** A report whose every text is hostile somewhere, with values of every kind, nulls among them. */
export function hostileReport(): Report {
  const scores = (model: string): Scores => ({
    protocol: 'holdfast-scores/1',
    model,
    threshold: 0.5,
    missing: 'exclude_question',
    versions: ['v0_original', 'v1_order'],
    rows: [
      row('overall', 'Overall', 20),
      ...hostileLabels.map((label, at) => row('scenario', label, at)),
      ...hostileLabels.map((label, at) => row(label, `${label} ${at}`, 1)),
    ],
  });
  return {
    protocol: 'holdfast-report/1',
    recipe: 'hostile | <script>alert(1)</script>',
    seed: 7,
    datasets: hostileLabels.map((label, at) => ({
      id: `dataset-${at}`,
      title: label,
      origin: (['upstream', 'sample', 'own'] as const)[at % 3]!,
      license: label,
      questions: at,
      skipped: at % 2,
    })),
    versions: ['v0_original', 'v1_order'],
    slices: ['overall', 'scenario', ...hostileLabels],
    models: ['model-one', 'model-two'].map(id => ({
      id,
      plugin: 'test',
      plugin_version: '0.0.0',
      identity: { model: hostileLabels[1], endpoint: null, option: hostileLabels[3] },
      served_models: [...hostileLabels],
      served_model_changes: hostileLabels.length - 1,
      confidence: id === 'model-one' ? ('provided' as const) : ('none' as const),
      caveats: [...hostileLabels],
      failures: [{ kind: 'timeout', count: 2 }],
      decisions: 38,
      planned: 40,
      scores: scores(id),
    })),
    notes: [...hostileLabels],
  };
}

function row(slice: string, label: string, questions: number): ScoreRow {
  return {
    slice,
    label,
    questions,
    included: questions,
    excluded: 0,
    failed_requests: 0,
    exclusions: { failed_request: 0, missing_prediction: 0 },
    metrics: questions === 0 ? values.map(empty) : values,
  };
}

const rate = (name: string, numerator: number): MetricValue => ({
  kind: 'rate',
  name,
  value: numerator / 20,
  numerator,
  denominator: 20,
  interval: [numerator / 40, (numerator + 20) / 40],
  reason: null,
});

const values: readonly MetricValue[] = [
  rate('strict_accuracy', 20),
  rate('mean_accuracy', 15),
  rate('strict_abstention_aware_accuracy', 10),
  rate('mean_abstention_aware_accuracy', 9),
  rate('abstention_rate', 4),
  rate('selective_accuracy', 16),
  { kind: 'number', name: 'abstention_lift', value: -0.0125, n: 20, interval: [-0.1, 0.1], reason: null },
  rate('strict_lower_bound', 18),
  rate('strict_upper_bound', 20),
  { kind: 'number', name: 'test_number', value: 1e-7, n: 20, interval: null, reason: null },
  {
    kind: 'series',
    name: 'test_series',
    n: 20,
    columns: ['x', 'y'],
    rows: [
      [0, null],
      [1, 0.5],
    ],
    reason: null,
  },
  {
    kind: 'table',
    name: 'test_table',
    n: 20,
    columns: ['label', 'n'],
    rows: hostileLabels.map((label, at) => [label, at]),
    reason: null,
  },
];

function empty(value: MetricValue): MetricValue {
  const reason = 'no_included_question';
  if (value.kind === 'rate') return { ...value, value: null, numerator: 0, denominator: 0, interval: null, reason };
  if (value.kind === 'number') return { ...value, value: null, n: 0, interval: null, reason };
  return { ...value, n: 0, rows: [], reason };
}
