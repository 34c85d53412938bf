import {
  json,
  type JsonInput,
  type JudgedQuestion,
  type Metric,
  type MetricContext,
  type MetricValue,
  type Plugin,
} from '@holdfast/core';
import { frozen } from './frozen.ts';
import { judgedQuestions, metricContext } from './judged-questions.ts';
import { make, pluginPromises, type Making } from './plugin-promises.ts';
import { holdTo, type Promised } from './promised.ts';
import { seededRandom } from './seeded-random.ts';

/** Holds a metric plugin to its contract. */
export function testMetric(plugin: Plugin<'metric'>, setup: Making = {}): void {
  holdTo(`metric ${plugin.name}`, metricPromises(plugin, setup));
}

/** Rows that have brought metrics down. */
const rows: readonly [name: string, questions: readonly JudgedQuestion[]][] = [
  ['mixed', judgedQuestions(60)],
  ['a single question', judgedQuestions(1, { failed: 0 })],
  ['a single group', judgedQuestions(9, { groupSize: 100 })],
  ['all right', judgedQuestions(12, { accuracy: 1, failed: 0 })],
  ['all wrong', judgedQuestions(12, { accuracy: 0, failed: 0 })],
  ['all failed', judgedQuestions(12, { failed: 1 })],
  ['without confidence', judgedQuestions(12, { confidence: false })],
  ['without probabilities', judgedQuestions(12, { probabilities: false })],
  ['without either', judgedQuestions(12, { confidence: false, probabilities: false, failed: 0 })],
];

export function metricPromises(plugin: Plugin<'metric'>, setup: Making): Promised[] {
  const metric = () => make(plugin, setup);
  const everywhere =
    (check: (values: readonly MetricValue[], questions: readonly JudgedQuestion[]) => readonly string[]) => () =>
      (['exclude_question', 'count_as_wrong'] as const).flatMap(missing =>
        rows.flatMap(([name, questions]) =>
          check(tally(metric(), questions, { ...metricContext, missing }), questions).map(
            problem => `${name}, ${missing}: ${problem}`,
          ),
        ),
      );
  const names = (values: readonly MetricValue[]) => values.map(({ name }) => name);
  return [
    ...pluginPromises(plugin, 'metric', setup),
    {
      promise: 'gives values with unique names in snake_case, the same ones for every row',
      broken() {
        const known = names(tally(metric(), judgedQuestions(60)));
        return [
          ...(known.length > 0 ? [] : ['it gives no value']),
          ...known.filter(name => !/^[a-z][a-z0-9_]*$/.test(name)).map(name => `${name} is not in snake_case`),
          ...known.filter((name, at) => known.indexOf(name) !== at).map(name => `${name} stands twice`),
          ...rows
            .filter(([, questions]) => names(tally(metric(), questions)).join() !== known.join())
            .map(([name, questions]) => `${name} has ${names(tally(metric(), questions)).join(', ')}`),
        ];
      },
    },
    {
      promise: 'gives null with a reason where there is no question: never 0, never NaN',
      broken: () =>
        tally(metric(), []).flatMap(value => [
          ...(value.reason === null ? [`${value.name} has no reason`] : []),
          ...('value' in value && value.value !== null ? [`${value.name} is ${value.value}`] : []),
          ...('interval' in value && value.interval !== null ? [`${value.name} has an interval`] : []),
          ...(value.kind === 'rate'
            ? value.denominator === 0
              ? []
              : [`${value.name} is of ${value.denominator}`]
            : []),
          ...(value.kind !== 'rate' && value.n !== 0 ? [`${value.name} is of ${value.n}`] : []),
        ]),
    },
    {
      promise: 'gives the same for any order of the questions',
      broken() {
        const random = seededRandom('order');
        return rows.flatMap(([name, questions]) => {
          const first = tally(metric(), questions);
          const second = tally(metric(), random.shuffle(questions));
          return first.flatMap((value, at) =>
            alike(value, second[at]) ? [] : [`${name}: ${value.name} is ${spell(value)}, then ${spell(second[at])}`],
          );
        });
      },
    },
    {
      promise: 'gives finite numbers that JSON can hold, and a reason exactly where a value is null',
      broken: everywhere(values => values.flatMap(valueProblems)),
    },
    {
      promise: 'gives rates that are their numerator by their denominator, within their interval, from 0 to 1',
      broken: everywhere(values => values.flatMap(value => (value.kind === 'rate' ? rateProblems(value) : []))),
    },
    {
      promise: 'changes nothing of the questions, and keeps rows apart',
      broken() {
        const [, questions] = rows[0]!;
        const one = metric();
        const before = JSON.stringify(questions);
        const [left, right] = [one.start(metricContext), one.start(metricContext)];
        for (const question of frozen(questions)) {
          left.add(question);
          if (question.labels['scenario'] === 'Even') right.add(question);
        }
        const even = tally(
          metric(),
          questions.filter(({ labels }) => labels['scenario'] === 'Even'),
        );
        return [
          ...(JSON.stringify(questions) === before ? [] : ['a question is another one afterwards']),
          ...(same(left.finish(), tally(metric(), questions)) ? [] : ['a second row changes the first']),
          ...(same(right.finish(), even) ? [] : ['a first row changes the second']),
        ];
      },
    },
  ];
}

function tally(
  metric: Metric,
  questions: readonly JudgedQuestion[],
  context: MetricContext = metricContext,
): readonly MetricValue[] {
  const running = metric.start(context);
  for (const question of questions) running.add(question);
  return running.finish();
}

function valueProblems(value: MetricValue): string[] {
  const { name, reason } = value;
  const problems: string[] = [];
  try {
    json.value(value as unknown as JsonInput);
  } catch (error) {
    problems.push(`${name}: ${(error as Error).message}`);
  }
  const empty = 'value' in value ? value.value === null : value.rows.length === 0;
  if (empty && reason === null) problems.push(`${name} is null without a reason`);
  if (!empty && reason !== null) problems.push(`${name} has a value and the reason ${reason}`);
  if ('interval' in value && value.interval !== null) {
    const [low, high] = value.interval;
    if (!(low <= high)) problems.push(`${name} has the interval ${low} to ${high}`);
    if (value.value === null) problems.push(`${name} has an interval and no value`);
  }
  const n = value.kind === 'rate' ? value.denominator : value.n;
  if (!(Number.isFinite(n) && n >= 0)) problems.push(`${name} is of ${n}`);
  if ('columns' in value && value.rows.some(row => row.length !== value.columns.length)) {
    problems.push(`${name} has a row that does not fit its columns`);
  }
  return problems;
}

function rateProblems({ name, value, numerator, denominator, interval }: MetricValue & { kind: 'rate' }): string[] {
  const problems: string[] = [];
  if (numerator !== null && !(numerator >= 0 && numerator <= denominator + 1e-9)) {
    problems.push(`${name} is ${numerator} of ${denominator}`);
  }
  if (value !== null && !(value >= 0 && value <= 1)) problems.push(`${name} is ${value}`);
  if (value !== null && denominator === 0) problems.push(`${name} is ${value} of nothing`);
  if (value !== null && numerator !== null && Math.abs(value - numerator / denominator) > 1e-9) {
    problems.push(`${name} is ${value}, not ${numerator} of ${denominator}`);
  }
  if (interval !== null && !(interval[0] >= 0 && interval[1] <= 1))
    problems.push(`${name} has the interval ${String(interval)}`);
  if (value !== null && interval !== null && !(interval[0] - 1e-9 <= value && value <= interval[1] + 1e-9)) {
    problems.push(`${name} is ${value}, outside of ${String(interval)}`);
  }
  return problems;
}

/** The same but for the last bits of a sum. */
function alike(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number') {
    return left === right || Math.abs(left - right) <= 1e-12 * Math.max(1, Math.abs(left));
  }
  if (typeof left !== 'object' || left === null || typeof right !== 'object' || right === null) return left === right;
  const [ours, theirs] = [Object.entries(left), Object.entries(right)];
  return (
    ours.length === theirs.length &&
    ours.every(([name, value]) => alike(value, (right as Record<string, unknown>)[name]))
  );
}

function same(left: readonly MetricValue[], right: readonly MetricValue[]): boolean {
  return spell(left) === spell(right);
}

function spell(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
