import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { consistency } from './consistency.ts';
import { dependence } from './dependence.ts';
import { drift } from './drift.ts';
import { operatorDelta } from './operator-delta.ts';
import { passHatK } from './pass-hat-k.ts';

const matrix = fc
  .integer({ min: 1, max: 6 })
  .chain(m =>
    fc.array(fc.array(fc.constantFrom(0, 1), { minLength: m, maxLength: m }), { minLength: 1, maxLength: 15 }),
  );

describe('consistency', () => {
  it('counts flips against the original, not errors', () => {
    expect(
      consistency([
        ['x', 'x', 'y'],
        ['z', 'z', 'z'],
      ]),
    ).toEqual({
      flip_rate_by_version: [0, 0.5],
      mean_flip_rate: 0.25,
      any_flip_rate: 0.5,
      all_agree_rate: 0.5,
      pairwise_agreement: 4 / 6,
      mean_distinct_choices: 1.5,
    });
  });

  it('has nothing to compare in one version or no question', () => {
    expect(consistency([['x']])).toMatchObject({
      flip_rate_by_version: [],
      mean_flip_rate: null,
      pairwise_agreement: null,
    });
    expect(consistency([])).toMatchObject({ any_flip_rate: null, mean_distinct_choices: null });
  });
});

describe('operatorDelta', () => {
  it('shows flips behind a delta of 0', () => {
    expect(operatorDelta([1, 0, 1], [0, 1, 1])).toMatchObject({
      delta: 0,
      b_correct_to_wrong: 1,
      c_wrong_to_correct: 1,
      exact_p: 1,
      mid_p: 1,
      failure_given_original_correct: 0.5,
      repair_given_original_wrong: 1,
    });
  });

  it('has null where nothing was right, wrong or paired', () => {
    expect(operatorDelta([1], [1])).toMatchObject({ se_paired: null, repair_given_original_wrong: null });
    expect(operatorDelta([0, 0], [0, 1])).toMatchObject({ failure_given_original_correct: null });
    expect(operatorDelta([], [])).toMatchObject({ delta: null, exact_p: 1 });
  });
});

describe('passHatK', () => {
  it('begins at mean accuracy, ends at strict accuracy and never rises', () => {
    fc.assert(
      fc.property(matrix, rows => {
        const m = rows[0]!.length;
        const { pass_hat_k, pass_at_k } = passHatK(
          m,
          rows.map(row => row.filter(y => y === 1).length),
        );
        expect(pass_hat_k[1]).toBeCloseTo(rows.flat().filter(y => y === 1).length / rows.flat().length, 12);
        expect(pass_hat_k[m]).toBeCloseTo(rows.filter(row => !row.includes(0)).length / rows.length, 12);
        for (let k = 2; k <= m; k++) {
          expect(pass_hat_k[k]).toBeLessThanOrEqual(pass_hat_k[k - 1]! + 1e-12);
          expect(pass_at_k[k]).toBeGreaterThanOrEqual(pass_at_k[k - 1]! - 1e-12);
        }
      }),
    );
  });

  it('refuses more right answers than versions', () => {
    expect(() => passHatK(2, [3])).toThrow(RangeError);
  });
});

describe('dependence', () => {
  it('keeps strict accuracy between the bounds', () => {
    fc.assert(
      fc.property(matrix, rows => {
        const { observed_strict, frechet_lower, frechet_upper } = dependence(rows);
        expect(observed_strict).toBeGreaterThanOrEqual(frechet_lower!);
        expect(observed_strict).toBeLessThanOrEqual(frechet_upper!);
      }),
    );
  });

  it('has a negative correlation where versions always disagree, and none where nothing varies', () => {
    expect(
      dependence([
        [1, 0],
        [0, 1],
      ]).icc_anova,
    ).toBe(-1);
    expect(
      dependence([
        [1, 1],
        [1, 1],
      ]).icc_anova,
    ).toBe(null);
    expect(dependence([[1, 0]]).icc_anova).toBe(null);
    expect(dependence([])).toMatchObject({ version_accuracy: [], observed_strict: null, frechet_upper: null });
  });
});

describe('drift', () => {
  it('is 0 for the same and 1 for disjoint distributions', () => {
    expect(
      drift(
        [
          [1, 0],
          [0.5, 0.5],
        ],
        [
          [0, 1],
          [0.5, 0.5],
        ],
      ),
    ).toEqual({
      total_variation: [1, 0],
      mean_total_variation: 0.5,
      js_divergence_bits: [1, 0],
      mean_js_divergence_bits: 0.5,
    });
    expect(() => drift([[1]], [[0.5, 0.5]])).toThrow(RangeError);
  });
});
