import type { Report, ReportDataset, ReportModel } from '@holdfast/core';
import { inline } from './inline.ts';
import { cell, emptyReasons, measure, titles } from './measures.ts';
import { modelSection } from './model-section.ts';
import { columns, table } from './table.ts';

/** The whole report. The same report gives the same bytes. */
export function document(report: Report): string {
  const blocks = [
    `# ${inline(report.recipe)}`,
    ...sampleWarning(report.datasets),
    ...reading(report),
    '## Data',
    datasetTable(report.datasets),
    ...(report.notes.length === 0 ? [] : ['Notes:', report.notes.map(note => `- ${inline(note)}`).join('\n')]),
    ...(report.models.length < 2 ? [] : sideBySide(report.models)),
    ...report.models.flatMap(model => modelSection(report, model)),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function sampleWarning(datasets: readonly ReportDataset[]): string[] {
  const samples = datasets.filter(({ origin }) => origin === 'sample').map(({ id }) => inline(id));
  if (samples.length === 0) return [];
  return [
    `> **Sample rows: ${samples.join(', ')}.** These are sample rows written for this project, not the benchmark. ` +
      'Scores on them show that everything works and say nothing about a model.',
  ];
}

function reading({ versions, seed, models }: Report): string[] {
  const policies = [...new Set(models.map(({ scores }) => scores.missing))];
  const thresholds = [...new Set(models.map(({ scores }) => scores.threshold))];
  return [
    table(
      [{ title: 'Protocol' }, { title: '' }],
      [
        ['Versions of each question', `${versions.length}: ${versions.map(inline).join(', ')}`],
        ['Threshold', thresholds.map(threshold => `abstains with confidence below ${threshold}`).join('; ')],
        ['Missing policy', policies.map(policy => policyText[policy]).join('; ')],
        ['Seed', String(seed)],
      ],
    ),
    '**Strict** asks that every version of a question passes, **mean** averages over its versions. ' +
      '**Abstention-aware** lets a decision pass that is right or abstains: abstaining always would score 100 %, so it ' +
      'is read with the **abstention rate**, with the **selective accuracy** (right among what was answered) and with ' +
      'the **lift** (what it gains over abstaining at random as often). Intervals are 95 % and take questions of one ' +
      'group as dependent. Overall is weighted by question.',
  ];
}

const policyText = {
  exclude_question: 'a question with a failed or missing version is left out (exclude_question)',
  count_as_wrong: 'a failed or missing version counts as wrong and answered (count_as_wrong)',
} as const;

const originText = {
  upstream: "upstream's files",
  sample: '**sample rows written for this project, not the benchmark**',
  own: "the user's own files",
} as const;

function datasetTable(datasets: readonly ReportDataset[]): string {
  return table(
    [
      { title: 'Dataset' },
      { title: 'Title' },
      { title: 'Origin' },
      { title: 'Questions', align: 'right' },
      { title: 'Skipped', align: 'right' },
      { title: 'License' },
    ],
    datasets.map(({ id, title, origin, questions, skipped, license }) => [
      inline(id),
      inline(title),
      originText[origin],
      String(questions),
      String(skipped),
      inline(license),
    ]),
  );
}

const compared = [...titles.keys()].filter(name => !name.endsWith('_bound'));

function sideBySide(models: readonly ReportModel[]): string[] {
  const rows = models.flatMap(({ id, scores }) => {
    const row = scores.rows.find(({ slice }) => slice === 'overall');
    return row === undefined ? [] : [{ id, row }];
  });
  const differing = new Set(rows.map(({ row }) => row.included)).size > 1;
  return [
    '## Models Side by Side',
    table(
      columns('Model', 'Included Questions', 'Excluded Questions', ...compared.map(name => titles.get(name)!)),
      rows.map(({ id, row }) => [
        inline(id),
        String(row.included),
        String(row.excluded),
        ...compared.map(name => cell(measure(row, name))),
      ]),
    ),
    ...emptyReasons(
      rows.map(({ row }) => row),
      compared,
    ),
    ...(differing ? ['**The models are scored on different questions**, since their failures differ.'] : []),
    'Each model has its own definition of confidence, so one threshold does not mean the same for two of them: compare ' +
      'abstention-aware numbers only at similar abstention rates.',
  ];
}
