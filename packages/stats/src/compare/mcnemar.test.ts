import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mcnemar } from './mcnemar.ts';

describe('mcnemar', () => {
  it.each([
    [0, 0, 1, 1],
    [2, 2, 1, 1],
    [1, 2, 1, 0.625],
    [0, 3, 0.25, 0.125],
    [1, 5, 0.21875, 0.125],
  ])('of %d and %d is %d, mid-p %d', (b, c, exact_p, mid_p) => {
    expect(mcnemar(b, c)).toEqual({ exact_p, mid_p });
  });

  it('survives counts whose probabilities underflow', () => {
    // scipy: 2 * binom.cdf(5000, 10200, 0.5).
    expect(mcnemar(5000, 5200).exact_p).toBeCloseTo(0.0487879631268, 12);
    expect(mcnemar(0, 5000)).toEqual({ exact_p: 0, mid_p: 0 });
  });

  it('is symmetric, and mid-p at most the exact p', () => {
    const count = fc.nat({ max: 3000 });
    fc.assert(
      fc.property(count, count, (b, c) => {
        const { exact_p, mid_p } = mcnemar(b, c);
        expect(mcnemar(c, b)).toEqual({ exact_p, mid_p });
        expect(mid_p).toBeLessThanOrEqual(exact_p);
        expect(exact_p).toBeLessThanOrEqual(1);
        expect(mid_p).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('refuses what is no count', () => {
    expect(() => mcnemar(-1, 2)).toThrow(RangeError);
    expect(() => mcnemar(1.5, 2)).toThrow(RangeError);
  });
});
