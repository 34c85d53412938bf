import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusteredError } from './clustered-error.ts';

describe('clusteredError', () => {
  it('has 0 for clusters whose errors cancel, and never less', () => {
    expect(clusteredError([1, 0, 0, 1], ['a', 'a', 'b', 'b'])).toMatchObject({
      clusters: 2,
      se_clustered_cr0: 0,
      se_clustered_cr1: 0,
    });
  });

  it('has null where too few questions or clusters define an error', () => {
    expect(clusteredError([], [])).toEqual({
      mean: null,
      clusters: 0,
      se_iid: null,
      se_clustered_miller: null,
      se_clustered_cr0: null,
      se_clustered_cr1: null,
    });
    expect(clusteredError([1], ['a'])).toMatchObject({
      mean: 1,
      se_iid: null,
      se_clustered_miller: null,
      se_clustered_cr1: null,
    });
    expect(clusteredError([1, 0], ['a', 'a'])).toMatchObject({
      se_iid: 0.5,
      se_clustered_cr0: 0,
      se_clustered_cr1: null,
    });
  });

  it('refuses a score without a cluster', () => {
    expect(() => clusteredError([1, 0], ['a'])).toThrow(RangeError);
  });

  it('is the plain error in each form when every question is its own cluster', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(0, 0.5, 1), { minLength: 2, maxLength: 30 }), scores => {
        const { se_iid, se_clustered_miller, se_clustered_cr1 } = clusteredError(
          scores,
          scores.map((_, i) => `${i}`),
        );
        expect(se_clustered_miller).toBeCloseTo(se_iid!, 12);
        expect(se_clustered_cr1).toBeCloseTo(se_iid!, 12);
      }),
    );
  });

  it("agrees with Miller's sum over pairs, cut at 0", () => {
    const scored = fc.tuple(fc.constantFrom(0, 0.25, 1), fc.constantFrom('a', 'b', 'c'));
    fc.assert(
      fc.property(fc.array(scored, { minLength: 2, maxLength: 12 }), list => {
        const scores = list.map(([score]) => score);
        const names = list.map(([, name]) => name);
        const { mean, se_iid, se_clustered_miller } = clusteredError(scores, names);
        let pairs = 0;
        scores.forEach((x, i) =>
          scores.forEach((y, j) => {
            if (i !== j && names[i] === names[j]) pairs += (x - mean!) * (y - mean!);
          }),
        );
        const radicand = se_iid! ** 2 + pairs / scores.length ** 2;
        expect(se_clustered_miller! ** 2).toBeCloseTo(Math.max(0, radicand), 12);
      }),
    );
  });
});
