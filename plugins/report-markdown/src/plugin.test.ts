import type { ExclusionReason, MetricValue, NullReason, Report, ReportModel, ScoreRow } from '@holdfast/core';
import { testReport } from '@holdfast/kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from './plugin.ts';

testReport(plugin);

const rate = (name: string, numerator: number | null, denominator: number, reason: NullReason | null = null) =>
  ({
    kind: 'rate',
    name,
    value: numerator === null || denominator === 0 ? null : numerator / denominator,
    numerator,
    denominator,
    interval: numerator === null || denominator === 0 ? null : [0.25, 0.987654],
    reason,
  }) satisfies MetricValue;

/** The metrics of a row of `n` included questions; `confident` is false where a confidence is missing. */
function metrics(n: number, questions: number, confident = true): MetricValue[] {
  const reason = n === 0 ? 'no_included_question' : null;
  const missing = reason ?? (confident ? null : 'confidence_missing');
  const guarded = (name: string, numerator: number, denominator: number) =>
    rate(name, missing === null ? numerator : null, denominator, missing);
  return [
    rate('strict_accuracy', n - 1 < 0 ? 0 : n - 1, n, reason),
    rate('mean_accuracy', n === 0 ? 0 : 2 * n - 1, 2 * n, reason),
    guarded('strict_abstention_aware_accuracy', n, n),
    guarded('mean_abstention_aware_accuracy', 2 * n, 2 * n),
    guarded('abstention_rate', 1, 2 * n),
    guarded('selective_accuracy', 2 * n - 1, 2 * n - 1),
    {
      kind: 'number',
      name: 'abstention_lift',
      value: missing === null ? 0.12345 : null,
      n: 2 * n,
      interval: null,
      reason: missing,
    },
    rate('strict_lower_bound', n === 0 ? 0 : n - 1, questions),
    rate('strict_upper_bound', n === 0 ? questions : questions - 1, questions),
  ];
}

function row(slice: string, label: string, included: number, excluded = 0, confident = true): ScoreRow {
  const exclusions: Record<ExclusionReason, number> = { failed_request: excluded, missing_prediction: 0 };
  const questions = included + excluded;
  return {
    slice,
    label,
    questions,
    included,
    excluded,
    failed_requests: excluded,
    exclusions,
    metrics: metrics(included, questions, confident),
  };
}

const versions = ['v0_original', 'v1_order'];

function model(id: string, rows: readonly ScoreRow[], change: Partial<ReportModel> = {}): ReportModel {
  return {
    id,
    plugin: '@holdfast/model-lexical',
    plugin_version: '0.0.0',
    identity: { model: 'lexical-bm25', endpoint: null, k1: 1.2, confidence: 'normalized_top' },
    served_models: [],
    served_model_changes: 0,
    confidence: 'provided',
    caveats: ['A lexical model: it compares words | and understands nothing.'],
    failures: [],
    decisions: 12,
    planned: 12,
    scores: { protocol: 'holdfast-scores/1', model: id, threshold: 0.5, missing: 'exclude_question', versions, rows },
    ...change,
  };
}

const full: Report = {
  protocol: 'holdfast-report/1',
  recipe: 'two-models',
  seed: 7,
  datasets: [
    { id: 'bfcl', title: 'BFCL "multiple"', origin: 'sample', license: 'Apache-2.0', questions: 4, skipped: 1 },
    { id: 'own', title: 'Mine | <b>', origin: 'own', license: 'none', questions: 2, skipped: 0 },
    { id: 'web', title: 'Web', origin: 'upstream', license: 'MIT', questions: 1, skipped: 0 },
  ],
  versions,
  slices: ['scenario', 'decision_task', 'answer_format', 'dataset', 'team'],
  models: [
    model('lexical', [
      row('overall', 'Overall', 6, 1),
      row('scenario', 'Web and Browser Operations', 0, 1),
      row('scenario', 'Tool and API Interactions', 4),
      row('scenario', 'zoo`\n<i>', 2),
      row('decision_task', 'Action Selection', 6, 1),
      row('answer_format', 'Dynamic Candidate Selection', 6, 1),
      row('dataset', 'bfcl', 4),
      row('dataset', 'own', 2),
      row('dataset', 'web', 0, 1),
      row('team', '(none)', 6, 1),
    ]),
    model(
      'remote_1',
      [row('overall', 'Overall', 7, 0, false), row('dataset', 'bfcl', 4), row('dataset', 'own', 3, 0, false)],
      {
        plugin: '@holdfast/model-systemone',
        identity: { model: 'jev', endpoint: 'https://example.com/v1', temperature: null },
        served_models: ['jev-1.13.0', 'jev-1.14.0'],
        served_model_changes: 3,
        caveats: [],
        failures: [
          { kind: 'throttled', count: 2 },
          { kind: 'timeout', count: 1 },
        ],
        decisions: 14,
        planned: 16,
      },
    ),
  ],
  notes: ['v1_order: reverse_options does not apply to 1 questions; they are left out of all scores.', '- <b>note'],
};

async function written(report: Report, options = {}) {
  const files: [string, string][] = [];
  const reporter = plugin.create(plugin.options.parse(options), { env: () => undefined, folder: '' });
  await reporter.write(report, {
    write: (file, text) => {
      files.push([file, text]);
      return Promise.resolve();
    },
  });
  return files;
}

describe('the Markdown report', () => {
  it('is the golden file, twice the same', async () => {
    const [[file, text], ...others] = (await written(full)) as [[string, string]];
    expect(file).toBe('report.md');
    expect(others).toEqual([]);
    await expect(text).toMatchFileSnapshot('golden/report.md');
    expect(await written(full)).toEqual([[file, text]]);
  });

  it('goes to the file of the recipe, which is a plain name', async () => {
    expect((await written(full, { file: 'card.md' }))[0]![0]).toBe('card.md');
    expect(plugin.options.safeParse({ file: '../card.md' }).success).toBe(false);
  });

  it('has tables whose rows all have the cells of their heads', async () => {
    const [[, text]] = (await written(full)) as [[string, string]];
    let cells = 0;
    for (const line of text.split('\n')) {
      if (!line.startsWith('|')) cells = 0;
      else {
        const count = line.replace(/\\./g, '').split('|').length;
        if (cells !== 0) expect(count).toBe(cells);
        cells = count;
      }
    }
    expect(text).not.toMatch(/<(?!br)/);
  });

  it('says that there is nothing where there is nothing', async () => {
    const empty = { ...full, models: [model('m', [])], datasets: [], notes: [], slices: [] };
    const [[, text]] = (await written(empty)) as [[string, string]];
    expect(text).toContain('There are no scores.');
  });
});
