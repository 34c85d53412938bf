import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clopperPearsonInterval } from './clopper-pearson.ts';
import { wilsonInterval } from './wilson.ts';

const counts = fc.integer({ min: 1, max: 5000 }).chain(n => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));

describe('intervals of a share', () => {
  // From scipy's binomtest.
  it.each([
    { k: 0, n: 3, wilson: [0, 0.561497031755], exact: [0, 0.707598226179] },
    { k: 3, n: 3, wilson: [0.438502968245, 1], exact: [0.292401773821, 1] },
    { k: 7, n: 10, wilson: [0.396778147461, 0.892208732594], exact: [0.34754714994, 0.933260488822] },
  ])('are known for $k of $n', ({ k, n, wilson, exact }) => {
    expect(wilsonInterval(k, n)!.map(end => +end.toFixed(12))).toEqual(wilson);
    expect(clopperPearsonInterval(k, n)!.map(end => +end.toFixed(12))).toEqual(exact);
  });

  it('are null without trials', () => {
    expect([wilsonInterval(0, 0), clopperPearsonInterval(0, 0)]).toEqual([null, null]);
  });

  it('refuse more successes than trials, half a success for the exact one, and a level of 1', () => {
    expect(() => wilsonInterval(3, 2)).toThrow(RangeError);
    expect(() => clopperPearsonInterval(3, 2)).toThrow(RangeError);
    expect(() => clopperPearsonInterval(0.5, 2)).toThrow(RangeError);
    expect(() => wilsonInterval(1, 2, 1)).toThrow(RangeError);
  });

  it.each([
    ['Wilson', wilsonInterval],
    ['Clopper-Pearson', clopperPearsonInterval],
  ])('%s lies in [0, 1], contains the share and mirrors with it', (_, interval) => {
    fc.assert(
      fc.property(counts, ([k, n]) => {
        const [low, high] = interval(k, n)!;
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(k / n);
        expect(high).toBeGreaterThanOrEqual(k / n);
        const [mirrorLow, mirrorHigh] = interval(n - k, n)!;
        expect(Math.abs(1 - high - mirrorLow) + Math.abs(1 - low - mirrorHigh)).toBeLessThan(1e-12);
      }),
    );
  });

  it('widen with the level', () => {
    fc.assert(
      fc.property(counts, ([k, n]) => {
        const [narrow, wide] = [wilsonInterval(k, n, 0.8)!, wilsonInterval(k, n, 0.99)!];
        expect(wide[0]).toBeLessThanOrEqual(narrow[0]);
        expect(wide[1]).toBeGreaterThanOrEqual(narrow[1]);
      }),
    );
  });
});
