import { describe, expect, it } from 'vitest';
import { json, type Answer, type Question } from '@holdfast/core';
import { answerProblem } from './validate-answer.ts';

const question = (ids: readonly string[]): Question => ({
  id: 'decision',
  type: 'choice',
  instructions: json.string('Which?'),
  options: ids.map(id => ({ id, description: json.value(null) })),
});
const answer = (changes: Partial<Answer>): Answer => ({
  question_id: 'decision',
  choice: 'a',
  probabilities: [
    ['a', 0.6],
    ['b', 0.4],
  ],
  confidence: 0.2,
  served_model: null,
  usage: null,
  request_id: null,
  exchange: null,
  ...changes,
});
const problem = (changes: Partial<Answer>, ids = ['a', 'b'], decimals = 2) =>
  answerProblem(answer(changes), question(ids), decimals);

describe('an answer', () => {
  it.each<[string, Partial<Answer>]>([
    ['in full', {}],
    ['without confidence', { confidence: null }],
    ['without probabilities', { probabilities: null }],
    [
      'in another order',
      {
        probabilities: [
          ['b', 0.4],
          ['a', 0.6],
        ],
      },
    ],
    [
      'of rounded probabilities',
      {
        probabilities: [
          ['a', 0.6],
          ['b', 0.39],
        ],
      },
    ],
    [
      'with a tie',
      {
        probabilities: [
          ['a', 0.5],
          ['b', 0.5],
        ],
        choice: 'b',
      },
    ],
    [
      'with a choice a rounding below the top',
      {
        probabilities: [
          ['a', 0.5],
          ['b', 0.5000005],
        ],
      },
    ],
    [
      'sure of itself',
      {
        probabilities: [
          ['a', 1],
          ['b', 0],
        ],
        confidence: 1,
      },
    ],
  ])('%s is valid', (_, changes) => {
    expect(problem(changes)).toBeNull();
  });

  it.each<[string, Partial<Answer>, string]>([
    ['an unknown choice', { choice: 'c' }, 'the choice "c" is not one of the options'],
    ['a choice in other case', { choice: 'A' }, 'is not one of the options'],
    ['an empty choice', { choice: '' }, 'is not one of the options'],
    ['a confidence above 1', { confidence: 1.2 }, 'the confidence 1.2'],
    ['a negative confidence', { confidence: -0.01 }, 'the confidence -0.01'],
    ['a confidence that is no number', { confidence: Number.NaN }, 'the confidence NaN'],
    [
      'an unknown option',
      {
        probabilities: [
          ['a', 0.6],
          ['b', 0.3],
          ['c', 0.1],
        ],
      },
      'name "c"',
    ],
    ['a missing option', { probabilities: [['a', 1]] }, 'leave out "b"'],
    [
      'a repeated option',
      {
        probabilities: [
          ['a', 0.6],
          ['a', 0.6],
          ['b', 0.4],
        ],
      },
      'name "a" twice',
    ],
    [
      'an infinite probability',
      {
        probabilities: [
          ['a', Infinity],
          ['b', 0],
        ],
      },
      'the probability Infinity',
    ],
    [
      'a negative probability',
      {
        probabilities: [
          ['a', 1.1],
          ['b', -0.1],
        ],
      },
      'the probability 1.1',
    ],
    [
      'a sum of 0.9',
      {
        probabilities: [
          ['a', 0.5],
          ['b', 0.4],
        ],
      },
      'sum to 0.9',
    ],
    ['a choice that is not the largest', { choice: 'b' }, 'has not the largest probability'],
  ])('is refused for %s', (_, changes, message) => {
    expect(problem(changes)).toContain(message);
  });

  it.each([2, 3, 16, 255])('of %i options may be off by K·0.5·10^-d and no more', count => {
    const ids = Array.from({ length: count }, (_, at) => `o${at}`);
    const share = 1 / count;
    const pairs = (excess: number) => ids.map((id, at) => [id, share + (at === 0 ? excess : 0)] as [string, number]);
    const budget = count * 0.5 * 1e-4;
    expect(problem({ choice: 'o0', probabilities: pairs(Math.min(budget, 1 - share)) }, ids, 4)).toBeNull();
    expect(problem({ choice: 'o0', probabilities: pairs(budget + 1e-8) }, ids, 4)).toContain('further from 1');
  });

  it('takes three rounded values and one high one of sixteen at four decimals, not at six', () => {
    const three: [string, number][] = [
      ['a', 0.1843],
      ['b', 0.5277],
      ['c', 0.2879],
    ];
    expect(problem({ choice: 'b', probabilities: three }, ['a', 'b', 'c'], 4)).toBeNull();
    const ids = Array.from({ length: 16 }, (_, at) => `o${at}`);
    const sixteen = ids.map((id, at) => [id, at === 0 ? 0.0629 : 0.0625] as [string, number]);
    expect(problem({ choice: 'o0', probabilities: sixteen }, ids, 4)).toBeNull();
    expect(problem({ choice: 'o0', probabilities: sixteen }, ids, 6)).toContain('sum to');
  });
});
