import { expect, it } from 'vitest';
import { scoreDecision } from './score-decision.ts';

it.each([
  ['a right sure answer', 'a', 0.8, { accuracy: 1, abstains: false, aaa: 1 }],
  ['a right unsure answer', 'a', 0.1, { accuracy: 1, abstains: true, aaa: 1 }],
  ['a wrong unsure answer', 'b', 0.1, { accuracy: 0, abstains: true, aaa: 1 }],
  ['a wrong answer at the threshold', 'b', 0.5, { accuracy: 0, abstains: false, aaa: 0 }],
  ['an answer without confidence', 'a', null, { accuracy: 1, abstains: null, aaa: null }],
])('scores %s', (_, choice, confidence, expected) => {
  expect(scoreDecision({ choice, gold: 'a', confidence })).toEqual(expected);
});
