import { describe, expect, it } from 'vitest';
import { decimalPercent, percent, points } from './percent.ts';

const rate = (numerator: number | null, denominator: number) => ({
  kind: 'rate' as const,
  name: 'r',
  value: numerator === null || denominator === 0 ? null : numerator / denominator,
  numerator,
  denominator,
  interval: null,
  reason: null,
});

describe('a percentage', () => {
  it.each<[number | null, number, string]>([
    [1471, 1974, '74.52%'],
    [1, 32, '3.13%'],
    [1, 3, '33.33%'],
    [2, 3, '66.67%'],
    [0, 7, '0.00%'],
    [7, 7, '100.00%'],
    [1, 20_000, '0.01%'],
    [1, 20_001, '0.00%'],
    [201, 20_000, '1.01%'],
    [9_007_199_254_740_990, 9_007_199_254_740_991, '100.00%'],
    [0, 0, 'n/a'],
    [null, 12, 'n/a'],
  ])('of %d in %d is %s', (numerator, denominator, text) => expect(percent(rate(numerator, denominator))).toBe(text));

  it('of weights is rounded from the value', () => expect(percent(rate(0.5, 1.5))).toBe('33.33%'));

  it.each([
    [0.74521, '74.52%'],
    [0, '0.00%'],
    [-1e-9, '0.00%'],
  ])('of %d is %s', (value, text) => expect(decimalPercent(value)).toBe(text));

  it.each([
    [0.16667, '+16.67 points'],
    [-0.01, '-1.00 points'],
    [-1e-9, '0.00 points'],
    [1e-9, '0.00 points'],
  ])('as a difference of %d is %s', (value, text) => expect(points(value)).toBe(text));
});
