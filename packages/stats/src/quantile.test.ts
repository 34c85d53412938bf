import { expect, it } from 'vitest';
import { mean } from './mean.ts';
import { quantile } from './quantile.ts';
import { sum } from './sum.ts';

it.each([
  [0, 1],
  [0.25, 1.75],
  [0.5, 3],
  [1, 10],
])('has the type 7 quantile at %d', (level, expected) => {
  expect(quantile([1, 2, 4, 10], level)).toBe(expected);
});

it('refuses no values and levels outside [0, 1]', () => {
  expect(() => quantile([], 0.5)).toThrow(RangeError);
  expect(() => quantile([1], 1.1)).toThrow(RangeError);
});

it('sums without losing small values beside large ones', () => {
  expect(sum([1, 1e100, 1, -1e100])).toBe(2);
  expect(sum([])).toBe(0);
  expect(mean(new Array(10).fill(0.1))).toBe(0.1);
  expect(mean([])).toBe(null);
});
