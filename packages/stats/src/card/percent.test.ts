import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { percent } from './percent.ts';

describe('percent', () => {
  it.each([
    [1, 8, '12.50%'],
    [1, 160, '0.63%'], // 0.625: away from zero, where half-even gives 0.62
    [-1, 160, '-0.63%'],
    [1, 20000, '0.01%'], // 0.005, which a double holds as slightly more
    [1, 20001, '0.00%'],
    [-1, 1_000_000, '0.00%'],
    [201, 40000, '0.50%'],
    [5, 4, '125.00%'],
    [0, 3, '0.00%'],
    [0, 0, 'n/a'],
    [3, 0, 'n/a'],
    [null, 7, 'n/a'],
    [7, null, 'n/a'],
    [9007199254740993n, 18014398509481986n, '50.00%'],
  ])('of %s / %s reads %s', (numerator, denominator, expected) => {
    expect(percent(numerator, denominator)).toBe(expected);
  });

  it('refuses numbers that are not whole', () => {
    expect(() => percent(0.5, 2)).toThrow(RangeError);
  });

  it('is within half a hundredth of the quotient', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1e6 }), fc.integer({ min: 1, max: 1e6 }), (numerator, denominator) => {
        const shown = Number(percent(numerator, denominator).slice(0, -1));
        expect(Math.abs(shown - (100 * numerator) / denominator)).toBeLessThanOrEqual(0.005 + 1e-8 * shown);
      }),
    );
  });
});
