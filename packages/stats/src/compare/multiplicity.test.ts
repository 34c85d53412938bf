import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { benjaminiHochberg, holm } from './multiplicity.ts';

describe('adjusted p-values', () => {
  it('keep the order of input and never fall below their neighbours', () => {
    const rounded = (values: number[]) => values.map(value => +value.toFixed(12));
    expect(rounded(holm([0.04, 0.01, 0.03]))).toEqual([0.06, 0.03, 0.06]);
    expect(rounded(benjaminiHochberg([0.04, 0.01, 0.03]))).toEqual([0.04, 0.03, 0.04]);
    expect([holm([]), benjaminiHochberg([])]).toEqual([[], []]);
  });

  it('lie between the p-value and 1, Holm above Benjamini-Hochberg', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 }), ps => {
        const [strict, lenient] = [holm(ps), benjaminiHochberg(ps)];
        ps.forEach((p, i) => {
          expect(lenient[i]).toBeGreaterThanOrEqual(p * (1 - 1e-12));
          expect(strict[i]).toBeGreaterThanOrEqual(lenient[i]! * (1 - 1e-12));
          expect(strict[i]).toBeLessThanOrEqual(1);
        });
      }),
    );
  });
});
