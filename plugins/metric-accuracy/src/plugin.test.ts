import {
  type Decision,
  HoldfastError,
  type JudgedQuestion,
  type MetricContext,
  type MetricValue,
} from '@holdfast/core';
import { testMetric } from '@holdfast/kit/testing';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import plugin from './plugin.ts';

testMetric(plugin);

const metric = plugin.create({}, { env: () => undefined, folder: '' });
const versions = ['v0_original', 'v1_order'];
const context: MetricContext = { versions, threshold: 0.5, missing: 'exclude_question' };

/** Right or wrong with a confidence (`+0.9`, `-0.2`, `+?` without one), failed (`!`) or missing (`_`). */
type Outcome = string;

function judged(base_id: string, outcomes: readonly Outcome[], group_id = base_id): JudgedQuestion {
  return {
    base_id,
    group_id,
    dataset: 'own',
    labels: {},
    versions: outcomes.map((outcome, index) => ({
      version: versions[index]!,
      built: true,
      record_id: `${base_id}::${versions[index]}`,
      option_ids: ['a', 'b'],
      canonical_ids: ['a', 'b'],
      gold: 'a',
      canonical_gold: 'a',
      decision: decision(outcome),
    })),
    exclusions: outcomes.flatMap(outcome =>
      outcome === '!' ? ['failed_request' as const] : outcome === '_' ? ['missing_prediction' as const] : [],
    ),
  };
}

function decision(outcome: Outcome): Decision | null {
  if (outcome === '_') return null;
  if (outcome === '!') return { status: 'failed', choice: null, confidence: null } as Decision;
  const confidence = outcome.endsWith('?') ? null : Number(outcome.slice(1));
  return { status: 'ok', choice: outcome.startsWith('+') ? 'a' : 'b', confidence } as Decision;
}

function score(questions: readonly JudgedQuestion[], change: Partial<MetricContext> = {}) {
  const tally = metric.start({ ...context, ...change });
  for (const question of questions) tally.add(question);
  return tally.finish();
}

const table = (values: readonly MetricValue[]) =>
  values.map(value => {
    if (value.reason !== null) return `${value.name} ${value.reason}`;
    if (value.kind === 'rate') return `${value.name} ${value.numerator}/${value.denominator}`;
    return `${value.name} ${'value' in value ? value.value : ''}`;
  });

describe('the accuracy of the card', () => {
  it('counts strictly and on average, and leaves out questions without every decision', () => {
    const values = score([
      judged('q1', ['+0.9', '+0.5']),
      judged('q2', ['+0.9', '-0.6']),
      judged('q3', ['-0.4', '-0.49']),
      judged('q4', ['+0.9', '!']),
      judged('q5', ['_', '-0.1']),
    ]);
    expect(table(values)).toEqual([
      'strict_accuracy 1/3',
      'mean_accuracy 3/6',
      'strict_abstention_aware_accuracy 2/3',
      'mean_abstention_aware_accuracy 5/6',
      'abstention_rate 2/6',
      'selective_accuracy 3/4',
      'abstention_lift 0.16666666666666666',
      'strict_lower_bound 1/5',
      'strict_upper_bound 3/5',
    ]);
    expect(values[6]).toMatchObject({ kind: 'number', n: 6, interval: null });
  });

  it('counts what is missing as wrong and answered where the recipe says so', () => {
    const questions = [judged('q1', ['+0.9', '+0.2']), judged('q2', ['!', '+0.9']), judged('q3', ['_', '-0.1'])];
    expect(table(score(questions, { missing: 'count_as_wrong' }))).toEqual([
      'strict_accuracy 1/3',
      'mean_accuracy 3/6',
      'strict_abstention_aware_accuracy 1/3',
      'mean_abstention_aware_accuracy 4/6',
      'abstention_rate 2/6',
      'selective_accuracy 2/4',
      'abstention_lift 0',
      'strict_lower_bound 1/3',
      'strict_upper_bound 1/3',
    ]);
  });

  it.each<[string, JudgedQuestion[], string[]]>([
    [
      'no question',
      [],
      [
        'strict_accuracy no_included_question',
        'abstention_rate no_included_question',
        'abstention_lift no_included_question',
        'strict_lower_bound no_included_question',
      ],
    ],
    [
      'only excluded questions',
      [judged('q1', ['!', '_'])],
      [
        'strict_accuracy no_included_question',
        'abstention_rate no_included_question',
        'abstention_lift no_included_question',
        'strict_lower_bound 0/1',
      ],
    ],
    [
      'one decision without confidence',
      [judged('q1', ['+0.9', '+?']), judged('q2', ['+1', '+1'])],
      [
        'strict_accuracy 2/2',
        'abstention_rate confidence_missing',
        'abstention_lift confidence_missing',
        'strict_lower_bound 2/2',
      ],
    ],
    [
      'a decision without confidence in an excluded question',
      [judged('q1', ['!', '+?']), judged('q2', ['+1', '+1'])],
      ['strict_accuracy 1/1', 'abstention_rate 0/2', 'abstention_lift 0', 'strict_lower_bound 1/2'],
    ],
  ])('says why there is no value: %s', (_, questions, expected) => {
    const names = ['strict_accuracy', 'abstention_rate', 'abstention_lift', 'strict_lower_bound'];
    expect(table(score(questions).filter(({ name }) => names.includes(name)))).toEqual(expected);
  });

  it('has no selective accuracy where everything abstains', () => {
    const values = score([judged('q1', ['+0.1', '-0.1'])]);
    expect(table(values)).toContain('selective_accuracy nothing_answered');
    expect(table(values)).toContain('abstention_rate 2/2');
  });

  it('takes a wider interval for questions of one group', () => {
    const outcomes = Array.from({ length: 40 }, (_, index): Outcome[] => (index % 8 < 4 ? ['+1', '+1'] : ['-1', '-1']));
    const width = (size: number) => {
      const [strict] = score(outcomes.map((outcome, at) => judged(`q${at}`, outcome, `g${Math.floor(at / size)}`)));
      const [low, high] = (strict as Extract<MetricValue, { kind: 'rate' }>).interval!;
      return high - low;
    };
    expect(width(4)).toBeGreaterThan(1.5 * width(1));
  });

  it('gives the same result in any order', () => {
    const outcome = fc.constantFrom<Outcome>('+0.9', '+0.1', '-0.9', '-0.1', '+0.5', '!', '_');
    const questions = fc.array(fc.tuple(fc.tuple(outcome, outcome), fc.constantFrom('g1', 'g2', 'g3')), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(questions, fc.constantFrom('exclude_question', 'count_as_wrong'), (rows, missing) => {
        const list = rows.map(([outcomes, group], index) => judged(`q${index}`, outcomes, group));
        const policy = missing as MetricContext['missing'];
        expect(score(list.toReversed(), { missing: policy })).toEqual(score(list, { missing: policy }));
      }),
    );
  });

  it.each<[string, Partial<JudgedQuestion>]>([
    ['counts although a version is not decided', { ...judged('q', ['+1', '_']), exclusions: [] }],
    ['is excluded although every version is decided', { ...judged('q', ['+1', '+1']), exclusions: ['failed_request'] }],
  ])('refuses a question that %s', (problem, question) => {
    try {
      score([question as JudgedQuestion]);
      expect.unreachable();
    } catch (error) {
      expect(HoldfastError.is(error) && error.code).toBe('SCORE_INVALID');
      expect(String(error)).toContain(problem);
    }
  });

  it('looks at planned versions only', () => {
    expect(table(score([judged('q', ['+1', '-1'])], { versions: ['v0_original'] }))[0]).toBe('strict_accuracy 1/1');
  });
});
