import { describe, expect, it } from 'vitest';
import { cardBreakdown } from './card-breakdown.ts';
import type { CardInput } from './card-rows.ts';
import { compareCodePoints } from './code-point-order.ts';

const key = { gold: 'a', options: ['a', 'b'] };
const input: CardInput = {
  planned_versions: ['v'],
  questions: { q1: key, q2: key, q3: key, q4: key },
  rows: [
    ['q1', 'v', 'ok', 'b', 0.9],
    ['q2', 'v', 'ok', 'b', 0.2],
    ['q3', 'v', 'ok', 'a', null],
  ],
};

describe('cardBreakdown', () => {
  it('averages over labels that have the score, and names the first of the worst', () => {
    const result = cardBreakdown(input, { q1: 'z', q2: 'y', q3: 'x', q4: 'w' });
    expect(Object.keys(result.groups)).toEqual(['w', 'x', 'y', 'z']);
    expect(result.macro_average).toEqual({
      strict_accuracy: 1 / 3,
      mean_accuracy: 1 / 3,
      strict_aaa: 0.5,
      mean_aaa: 0.5,
    });
    expect(result.macro_groups).toEqual({ strict_accuracy: 3, mean_accuracy: 3, strict_aaa: 2, mean_aaa: 2 });
    expect(result.worst_group).toEqual({ strict_accuracy: 'y', mean_accuracy: 'y', strict_aaa: 'z', mean_aaa: 'z' });
    expect(result.intention_to_treat_strict).toEqual({ lower: 1 / 4, upper: 2 / 4 });
    expect(result.overall).not.toHaveProperty('exclusion_reasons');
  });

  it('has nulls for no questions, and leaves one without a label to the overall row', () => {
    expect(cardBreakdown({ ...input, questions: {}, rows: [] }, {})).toMatchObject({
      groups: {},
      macro_average: { strict_accuracy: null },
      macro_groups: { strict_accuracy: 0 },
      worst_group: { strict_accuracy: null },
      intention_to_treat_strict: { lower: null, upper: null },
    });
    expect(cardBreakdown(input, { q1: 'z' })).toMatchObject({ groups: { z: {} }, overall: { included_questions: 3 } });
  });
});

describe('compareCodePoints', () => {
  it.each([
    ['a', 'b', -1],
    ['a', 'a', 0],
    ['ab', 'a', 1],
    ['', 'a', -1],
    ['Z', 'a', -1],
    ['\u{1f600}', '\uff5e', 1],
  ])('puts %j and %j in order', (a, b, sign) => {
    expect(Math.sign(compareCodePoints(a, b))).toBe(sign);
  });
});
