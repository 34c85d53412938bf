import { compareLabels, type Report, type ReportModel, type ScoreRow } from '@holdfast/core';
import { inline } from './inline.ts';
import { cardMeasures, cell, emptyReasons, measure, titles } from './measures.ts';
import { columns, table } from './table.ts';

const headings = new Map([
  ['scenario', 'By Application Scenario'],
  ['decision_task', 'By Decision Task'],
  ['answer_format', 'By Answer Format'],
  ['dataset', 'By Source Dataset'],
]);

/** What the engine calls the row of questions without a label. */
const UNLABELLED = '(none)';

/** The card's tables of one model: a section for each slice, with the overall row last. */
export function breakdowns({ slices, datasets }: Report, { scores }: ReportModel): string[] {
  const overall = scores.rows.find(row => row.slice === 'overall');
  const named = new Set([...slices, ...scores.rows.map(row => row.slice)]);
  named.delete('overall');
  const samples = new Set(datasets.filter(({ origin }) => origin === 'sample').map(({ id }) => id));
  return [...named].flatMap(slice => {
    const rows = scores.rows
      .filter(row => row.slice === slice)
      .sort((left, right) => compareLabels(left.label, right.label));
    const shown = overall === undefined ? rows : [...rows, overall];
    return [
      `### ${headings.get(slice) ?? `By ${inline(slice)}`}`,
      table(
        columns('Category', 'Included Questions', 'Excluded Questions', ...cardMeasures.map(name => titles.get(name)!)),
        shown.map(row => [
          category(row, samples),
          ...counts(row),
          ...cardMeasures.map(name => cell(measure(row, name))),
        ]),
      ),
      ...emptyReasons(shown, cardMeasures),
      ...(rows.some(row => row.label === UNLABELLED) ? [`${UNLABELLED}: questions without a label of this kind.`] : []),
    ];
  });
}

function category({ slice, label }: ScoreRow, samples: ReadonlySet<string>): string {
  return slice === 'dataset' && samples.has(label) ? `${inline(label)} (sample rows)` : inline(label);
}

function counts({ included, excluded }: ScoreRow): string[] {
  return [String(included), String(excluded)];
}
