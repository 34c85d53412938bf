import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalQuantile } from './normal.ts';
import { studentTCdf, studentTQuantile } from './student-t.ts';

describe("Student's t", () => {
  // The printed tables, with more digits.
  it.each([
    [0.975, 1, 12.706204736174698],
    [0.975, 2, 4.30265272974946],
    [0.975, 5, 2.5705818356363146],
    [0.995, 10, 3.1692726726169506],
    [0.975, 29, 2.045229642132703],
    [0.025, 29, -2.045229642132703],
    [0.5, 3, 0],
  ])('has its quantile %d at %d degrees', (p, degrees, expected) => {
    expect(studentTQuantile(p, degrees)).toBeCloseTo(expected, 11);
  });

  it('nears the normal as degrees grow', () => {
    expect(studentTQuantile(0.975, 1e7)).toBeCloseTo(normalQuantile(0.975), 6);
  });

  it('returns to p when the distribution function is taken of its quantile', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-9, max: 1 - 1e-9, noNaN: true }),
        fc.integer({ min: 1, max: 3000 }),
        (p, degrees) => {
          expect(Math.abs(studentTCdf(studentTQuantile(p, degrees), degrees) - p)).toBeLessThan(1e-12);
        },
      ),
    );
  });

  it('refuses degrees that are not positive, and has no quantile outside [0, 1]', () => {
    expect(() => studentTQuantile(0.9, 0)).toThrow(RangeError);
    expect([studentTQuantile(1.5, 3), studentTQuantile(0, 3), studentTQuantile(1, 3)]).toEqual([
      NaN,
      -Infinity,
      Infinity,
    ]);
  });
});
