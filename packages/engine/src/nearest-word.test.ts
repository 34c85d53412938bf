import { expect, it } from 'vitest';
import { nearestWord } from './nearest-word.ts';

it.each([
  ['perturbation', ['perturbations', 'models'], 'perturbations'],
  ['treshold', ['threshold', 'missing'], 'threshold'],
  ['bflc', ['bfcl', 'records'], 'bfcl'],
  ['ordre', ['order', 'label'], 'order'],
  ['xyz', ['order', 'label'], null],
  ['', ['order'], null],
])('takes %j among %j for %j', (given, words, expected) => {
  expect(nearestWord(given, words)).toBe(expected);
});
