import { defineMetric, type JudgedQuestion, type Metric, type MetricValue } from '@holdfast/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { brokenPromises } from './promised.ts';
import { metricPromises, testMetric } from './test-metric.ts';

const isRight = ({ versions }: JudgedQuestion) => versions.every(({ decision }) => decision?.correct === true);

function metric(finish: (right: number, asked: number, first: string) => readonly MetricValue[] = values): Metric {
  return {
    start() {
      let right = 0;
      let asked = 0;
      let first = '';
      return {
        add(question) {
          if (first === '') first = question.base_id;
          asked++;
          if (isRight(question)) right++;
        },
        finish: () => finish(right, asked, first),
      };
    },
  };
}

function values(right: number, asked: number): MetricValue[] {
  const value = asked === 0 ? null : right / asked;
  const reason = asked === 0 ? ('no_included_question' as const) : null;
  return [
    { kind: 'rate', name: 'all_right', value, numerator: right, denominator: asked, interval: null, reason },
    { kind: 'number', name: 'asked', value: asked === 0 ? null : asked, n: asked, interval: null, reason },
  ];
}
const changed = (changes: object) =>
  metric((right, asked) => values(right, asked).map(value => ({ ...value, ...changes }) as MetricValue));

const plugin = (made: Metric) =>
  defineMetric({ name: 'all-right', summary: 'All versions right.', options: z.strictObject({}), create: () => made });

testMetric(plugin(metric()));

describe('the suite for metrics', () => {
  it('finds nothing in a good one', async () => {
    expect(await brokenPromises(metricPromises(plugin(metric()), {}))).toEqual([]);
  });

  let total = 0;
  it.each<[string, Metric, string[]]>([
    [
      'says 0 of nothing',
      metric((right, asked) =>
        values(right, asked).map(
          each => ({ ...each, value: each.kind === 'rate' ? (each.value ?? 0) : 1, reason: null }) as MetricValue,
        ),
      ),
      ['gives null with a reason'],
    ],
    [
      'says NaN of nothing',
      metric((right, asked) =>
        values(right, asked)
          .slice(0, 1)
          .map(each => ({ ...each, value: right / asked }) as MetricValue),
      ),
      ['gives null with a reason'],
    ],
    [
      'gives null without a reason',
      changed({ value: null, reason: null }),
      ['gives null with a reason', 'gives finite numbers'],
    ],
    ['gives a value with a reason', changed({ reason: 'not_defined' }), ['gives finite numbers']],
    ['gives infinity', changed({ value: Infinity, reason: null }), ['gives finite numbers']],
    ['gives a rate over 1', changed({ value: 1.5 }), ['gives rates']],
    ['gives more than all', changed({ numerator: 1e6 }), ['gives rates']],
    ['gives another quotient', changed({ value: 0.123 }), ['gives rates']],
    ['gives an interval elsewhere', changed({ interval: [0.2, 0.1] }), ['gives finite numbers', 'gives rates']],
    ['gives one name twice', changed({ name: 'same' }), ['gives values with unique names']],
    [
      'gives other names for other rows',
      metric((right, asked) => values(right, asked).slice(asked % 2)),
      ['gives values with unique names'],
    ],
    [
      'depends on the order',
      metric((right, asked, first) =>
        values(right, asked).map(each => ({ ...each, name: first === '' ? 'none' : first.replace('-', '_') })),
      ),
      ['gives the same for any order'],
    ],
    [
      'keeps one tally for all rows',
      { start: () => ({ add: () => void total++, finish: () => values(0, total) }) },
      ['changes nothing of the questions, and keeps rows apart', 'gives null with a reason'],
    ],
    [
      'changes questions',
      {
        start: () => ({
          add: question => void ((question as { dataset: string }).dataset = 'mine'),
          finish: () => values(0, 1),
        }),
      },
      ['changes nothing'],
    ],
    [
      'has a row that does not fit',
      metric((_, asked) => [
        {
          kind: 'table',
          name: 't',
          n: asked,
          columns: ['a'],
          rows: asked === 0 ? [] : [[1, 2]],
          reason: asked === 0 ? 'no_included_question' : null,
        },
      ]),
      ['gives finite numbers'],
    ],
  ])('finds one that %s', async (_, made, expected) => {
    const broken = await brokenPromises(metricPromises(plugin(made), {}));
    for (const start of expected) expect(broken.map(promise => promise.slice(0, start.length))).toContain(start);
  });
});
