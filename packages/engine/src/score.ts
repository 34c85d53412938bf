import { join } from 'node:path';
import {
  HoldfastError,
  ORIGINAL,
  compareLabels,
  readRecord,
  type Decision,
  type DecisionRecord,
  type ExclusionReason,
  type JudgedQuestion,
  type JudgedVersion,
  type Metric,
  type MetricContext,
  type ScoreRow,
  type Scores,
  type Tally,
} from '@holdfast/core';
import { atLine, openBytes, readLines } from '@holdfast/kit';
import { DecisionIndex } from './read-decisions.ts';

/** What a model's journal came to, beside the scores. */
export interface ModelSummary {
  /** Records that have a decision, failed ones included. */
  readonly decisions: number;
  readonly planned: number;
  readonly failures: readonly { readonly kind: string; readonly count: number }[];
  /** Model ids that answers named, in the order of the plan. */
  readonly served_models: readonly string[];
  /** Decisions in which the served model was another than in the one before, in the order of the plan. */
  readonly served_model_changes: number;
}

export interface ScoreOptions {
  readonly model: string;
  readonly versions: readonly string[];
  readonly slices: readonly string[];
  readonly threshold: number;
  readonly missing: MetricContext['missing'];
  readonly metrics: readonly Metric[];
}

/**
 * Scores one model's decisions in the order of the plan, so that the result does not depend on the order in which
 * they were made. Throws SCORE_INVALID where decisions and records do not belong together.
 */
export async function scoreModel(
  recordsFolder: string,
  modelFolder: string,
  options: ScoreOptions,
): Promise<{ scores: Scores; summary: ModelSummary }> {
  const decisions = await DecisionIndex.open(join(modelFolder, 'decisions.jsonl'));
  try {
    return await scoreDecisions(join(recordsFolder, 'versions.jsonl'), decisions, options);
  } finally {
    await decisions.close();
  }
}

async function scoreDecisions(
  file: string,
  decisions: DecisionIndex,
  options: ScoreOptions,
): Promise<{ scores: Scores; summary: ModelSummary }> {
  const table = new ScoreTable(options);
  const tallies = new SummaryTally();
  let question: { record: DecisionRecord; decision: Decision | null }[] = [];
  let planned = 0;
  const judge = () => {
    if (question.length > 0) table.add(judgeQuestion(question, options.versions));
    question = [];
  };
  for await (const { bytes, number } of readLines(openBytes(file), { file })) {
    let record: DecisionRecord;
    try {
      record = readRecord(bytes);
    } catch (error) {
      throw atLine(error, { file, line: number });
    }
    if (!options.versions.includes(record.version)) continue;
    planned++;
    const decision = await decisions.get(record.id);
    tallies.add(decision);
    if (question.length > 0 && question[0]!.record.base_id !== record.base_id) judge();
    question.push({ record: withoutState(record), decision });
  }
  judge();
  if (tallies.decisions < decisions.size) {
    const sentence = `model ${options.model} holds decisions on records that are not in ${file}; they belong to another run`;
    throw new HoldfastError('SCORE_INVALID', sentence);
  }
  return { scores: table.finish(), summary: { planned, ...tallies.finish() } };
}

/** The state is the size of the record and is not looked at: without it, views of whole chunks can go. */
function withoutState(record: DecisionRecord): DecisionRecord {
  return { ...record, state: record.instructions };
}

type Judged = { readonly record: DecisionRecord; readonly decision: Decision | null };

function judgeQuestion(judged: readonly Judged[], planned: readonly string[]): JudgedQuestion {
  const original = (judged.find(({ record }) => record.version === ORIGINAL) ?? judged[0]!).record;
  const versions = planned.map(version => {
    const found = judged.find(({ record }) => record.version === version);
    return { ...judgeVersion(version, found ?? { record: original, decision: null }), built: found !== undefined };
  });
  const exclusions = versions.flatMap<ExclusionReason>(({ decision }) => {
    if (decision === null) return ['missing_prediction'];
    return decision.status === 'failed' ? ['failed_request'] : [];
  });
  const { base_id, group_id, dataset, labels } = original;
  return { base_id, group_id, dataset, labels, versions, exclusions };
}

function judgeVersion(
  version: string,
  { record: { id, options, gold }, decision }: Judged,
): Omit<JudgedVersion, 'built'> {
  const option_ids = options.map(option => option.id);
  const canonical_ids = options.map(option => option.canonical_id);
  if (decision?.status === 'ok' && !option_ids.includes(decision.choice!)) {
    const sentence = `the decision on ${id} chose ${JSON.stringify(decision.choice)}, which is not an option of that record`;
    throw new HoldfastError('SCORE_INVALID', sentence);
  }
  const canonical_gold = canonical_ids[option_ids.indexOf(gold)]!;
  return { version, record_id: id, option_ids, canonical_ids, gold, canonical_gold, decision };
}

class SummaryTally {
  decisions = 0;
  readonly #failures = new Map<string, number>();
  readonly #served = new Set<string>();
  #changes = 0;
  #last: string | null = null;

  add(decision: Decision | null): void {
    if (decision === null) return;
    this.decisions++;
    const { failure, served_model } = decision;
    if (failure !== null) this.#failures.set(failure.kind, (this.#failures.get(failure.kind) ?? 0) + 1);
    if (served_model === null) return;
    if (this.#last !== null && this.#last !== served_model) this.#changes++;
    this.#last = served_model;
    this.#served.add(served_model);
  }

  finish(): Omit<ModelSummary, 'planned'> {
    return {
      decisions: this.decisions,
      failures: [...this.#failures].sort().map(([kind, count]) => ({ kind, count })),
      served_models: [...this.#served],
      served_model_changes: this.#changes,
    };
  }
}

/** A label of the question's own: a slice may be called `constructor`. */
function labelOf({ labels }: JudgedQuestion, slice: string): string {
  return Object.hasOwn(labels, slice) ? (labels[slice] ?? '(none)') : '(none)';
}

interface Row {
  readonly slice: string;
  readonly label: string;
  questions: number;
  excluded: number;
  failed_requests: number;
  readonly exclusions: Record<ExclusionReason, number>;
  readonly tallies: readonly Tally[];
}

/** The rows of a score table, each with its own running metrics. */
class ScoreTable {
  readonly #options: ScoreOptions;
  readonly #overall: Row;
  readonly #slices: Map<string, Map<string, Row>>;

  constructor(options: ScoreOptions) {
    this.#options = options;
    this.#overall = this.#row('overall', 'Overall');
    this.#slices = new Map(options.slices.map(slice => [slice, new Map<string, Row>()]));
  }

  add(question: JudgedQuestion): void {
    this.#count(this.#overall, question);
    for (const [slice, rows] of this.#slices) {
      const label = slice === 'dataset' ? question.dataset : labelOf(question, slice);
      let row = rows.get(label);
      if (row === undefined) rows.set(label, (row = this.#row(slice, label)));
      this.#count(row, question);
    }
  }

  finish(): Scores {
    const rows = [...this.#slices.values()].flatMap(slice =>
      [...slice.values()].sort((left, right) => compareLabels(left.label, right.label)),
    );
    const { model, threshold, missing, versions } = this.#options;
    return {
      protocol: 'holdfast-scores/1',
      model,
      threshold,
      missing,
      versions,
      rows: [this.#overall, ...rows].map(row => this.#finishRow(row)),
    };
  }

  #row(slice: string, label: string): Row {
    const { versions, threshold, missing, metrics } = this.#options;
    return {
      slice,
      label,
      questions: 0,
      excluded: 0,
      failed_requests: 0,
      exclusions: { failed_request: 0, missing_prediction: 0 },
      tallies: metrics.map(metric => metric.start({ versions, threshold, missing })),
    };
  }

  #count(row: Row, question: JudgedQuestion): void {
    row.questions++;
    // What was never asked is not wrong: such a question counts under neither policy.
    const asked = question.versions.every(({ built }) => built);
    const counted = this.#options.missing === 'count_as_wrong' ? asked : question.exclusions.length === 0;
    if (!counted) row.excluded++;
    row.failed_requests += question.exclusions.filter(reason => reason === 'failed_request').length;
    // One reason a question: where a request failed and another is missing, the failure is what happened.
    const reason = question.exclusions.find(found => found === 'failed_request') ?? question.exclusions[0];
    if (reason !== undefined) row.exclusions[reason]++;
    if (!asked && this.#options.missing === 'count_as_wrong') return;
    for (const tally of row.tallies) tally.add(question);
  }

  #finishRow({ tallies, slice, label, questions, ...counts }: Row): ScoreRow {
    const metrics = tallies.flatMap(tally => tally.finish());
    const names = metrics.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) {
      throw new HoldfastError(
        'SCORE_INVALID',
        `two metrics are named ${twice}; remove one of their plugins from the recipe`,
      );
    }
    return { slice, label, questions, included: questions - counts.excluded, ...counts, metrics };
  }
}
