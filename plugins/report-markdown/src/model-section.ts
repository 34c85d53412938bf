import type { Report, ReportModel, ScoreRow } from '@holdfast/core';
import { breakdowns } from './breakdown.ts';
import { inline } from './inline.ts';
import { cell, countCell, emptyReasons, intervalCell, measure, titles } from './measures.ts';
import { columns, table } from './table.ts';

/** All that is said of one model: the headline, who it was, what to know of it, and the card's tables. */
export function modelSection(report: Report, model: ReportModel): string[] {
  const overall = model.scores.rows.find(row => row.slice === 'overall');
  return [
    `## ${inline(model.id)}`,
    ...servedChange(model),
    ...(overall === undefined ? ['There are no scores.'] : headline(overall, model)),
    identity(model).join('\n'),
    ...(model.caveats.length === 0 ? [] : ['What to know of these numbers:', list(model.caveats.map(inline))]),
    ...breakdowns(report, model),
    ...(overall === undefined ? [] : furtherMeasures(overall)),
  ];
}

function headline(row: ScoreRow, model: ReportModel): string[] {
  const names = [...titles.keys()];
  const lone = names.some(name => {
    const metric = measure(row, name);
    return metric?.kind === 'rate' && metric.value !== null && metric.interval === null;
  });
  return [
    table(
      columns('Overall', 'Value', '95 % interval', 'Counts'),
      names.map(name => {
        const metric = measure(row, name);
        return [titles.get(name)!, cell(metric), intervalCell(metric), countCell(metric)];
      }),
    ),
    ...emptyReasons([row], names),
    ...(lone ? ['No interval: questions of a single group tell nothing about how much others would differ.'] : []),
    list(outcomes(row, model)),
  ];
}

/** Said before any number: a run that was served by several models mixes them in all of its scores. */
function servedChange({ served_models: served, served_model_changes: changes }: ReportModel): string[] {
  if (served.length < 2) return [];
  const names = served.map(inline).join(', then ');
  const times = changes === 1 ? 'once' : `${changes} times`;
  return [
    `> **The served model changed ${times} during this run: ${names}.** Every number below mixes the answers of ` +
      `${served.length} models.`,
  ];
}

function outcomes(row: ScoreRow, { failures, decisions, planned }: ReportModel): string[] {
  const failed = failures.reduce((sum, { count }) => sum + count, 0);
  const kinds = failures.map(({ kind, count }) => `${inline(kind)} ${count}`).join(', ');
  const { failed_request, missing_prediction } = row.exclusions;
  return [
    `Questions: ${row.questions}, of which ${row.included} included and ${row.excluded} excluded ` +
      `(questions without a valid decision on every version: ${failed_request} with a failed one, ${missing_prediction} with a missing one).`,
    `Decisions: ${decisions} of ${planned} planned, of which ${failed} failed${failed === 0 ? '' : ` (${kinds})`}. ` +
      'A failure is never scored as a wrong choice unless the missing policy says so.',
  ];
}

function identity({ identity, plugin, plugin_version, served_models, confidence }: ReportModel): string[] {
  const { model, endpoint, confidence: definition, ...options } = identity;
  const rows = [
    ['Model asked for', valueText(model)],
    ['Served models', served_models.length === 0 ? 'not reported' : served_models.map(inline).join(', then ')],
    ['Endpoint', endpoint === null || endpoint === undefined ? 'none: runs in this process' : valueText(endpoint)],
    ['Plugin', `${inline(plugin)} ${inline(plugin_version)}`],
    ['Confidence', confidenceText(confidence, definition)],
    ...Object.entries(options).map(([name, value]) => [inline(name), valueText(value)]),
  ];
  return [table([{ title: 'Identity' }, { title: '' }], rows)];
}

function confidenceText(confidence: ReportModel['confidence'], definition: unknown): string {
  if (confidence === 'none') return 'none: abstention is not defined';
  return definition === undefined || definition === null
    ? 'as the provider returned it, by its own definition; not the top probability'
    : `${valueText(definition)}: defined by the plugin, see below`;
}

function valueText(value: unknown): string {
  return inline(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none'));
}

/** What other metrics found on all questions. Series and tables are for other reports. */
function furtherMeasures({ metrics }: ScoreRow): string[] {
  const others = metrics.filter(({ name }) => !titles.has(name));
  if (others.length === 0) return [];
  const single = others.filter(metric => metric.kind === 'rate' || metric.kind === 'number');
  const larger = others.filter(metric => metric.kind === 'series' || metric.kind === 'table').map(({ name }) => name);
  return [
    '### Further Measures',
    ...(single.length === 0
      ? []
      : [
          table(
            columns('Overall', 'Value', '95 % interval', 'Counts'),
            single.map(metric => [
              inline(metric.name),
              metric.reason === null ? cell(metric) : `n/a (${metric.reason})`,
              intervalCell(metric),
              countCell(metric),
            ]),
          ),
        ]),
    ...(larger.length === 0 ? [] : [`In scores.json only: ${larger.map(inline).join(', ')}.`]),
  ];
}

function list(items: readonly string[]): string {
  return items.map(item => `- ${item}`).join('\n');
}
