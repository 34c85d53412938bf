import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalCdf, normalQuantile } from './normal.ts';

const relative = (actual: number, expected: number) => Math.abs(actual - expected) / Math.abs(expected);

describe('the standard normal', () => {
  // From mpmath at 40 digits: one point in each branch of the approximations, and the edges between them.
  it.each([
    [-20, 2.7536241186062337e-89],
    [-6, 9.865876450376981e-10],
    [-3, 0.0013498980316300945],
    [-1, 0.15865525393145705],
    [-0.3, 0.3820885778110474],
    [0, 0.5],
    [0.5, 0.6914624612740131],
    [1.959963984540054, 0.975],
    [8, 0.9999999999999993],
  ])('has its distribution function at %d', (x, expected) => {
    expect(relative(normalCdf(x), expected)).toBeLessThan(2e-15);
  });

  it('reaches 0 and 1 at the infinities and keeps NaN', () => {
    expect([normalCdf(-Infinity), normalCdf(Infinity), normalCdf(NaN)]).toEqual([0, 1, NaN]);
    expect([normalQuantile(0), normalQuantile(1), normalQuantile(0.5)]).toEqual([-Infinity, Infinity, 0]);
    expect([normalQuantile(-0.1), normalQuantile(1.1), normalQuantile(NaN)]).toEqual([NaN, NaN, NaN]);
  });

  it('is symmetric', () => {
    fc.assert(
      fc.property(fc.double({ min: -8, max: 8, noNaN: true }), x => {
        expect(Math.abs(normalCdf(x) + normalCdf(-x) - 1)).toBeLessThan(1e-15);
      }),
    );
  });

  it('returns to x when the quantile is taken of its distribution function', () => {
    fc.assert(
      // Above 4 the distribution function is too close to 1 for doubles to tell neighbours apart.
      fc.property(fc.double({ min: -37, max: 4, noNaN: true }), x => {
        expect(Math.abs(normalQuantile(normalCdf(x)) - x)).toBeLessThan(1e-11);
      }),
    );
  });
});
