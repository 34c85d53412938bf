import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusteredError } from './clustered-error.ts';
import { rateInterval } from './rate-interval.ts';
import { wilsonInterval } from './wilson.ts';

const clusters = fc.array(
  fc.integer({ min: 0, max: 12 }).chain(size => fc.tuple(fc.integer({ min: 0, max: size }), fc.constant(size))),
  { maxLength: 40 },
);
const columns = (list: [number, number][]) => [list.map(([k]) => k), list.map(([, n]) => n)] as const;

describe('rateInterval', () => {
  it("is Wilson's for one question of 0 or 1 a cluster", () => {
    expect(rateInterval([1, 0, 1, 1], [1, 1, 1, 1])).toEqual({
      interval: wilsonInterval(3, 4),
      method: 'wilson',
      reason: null,
      clusters: 4,
      few_clusters: true,
    });
  });

  it('uses the spread of the clusters otherwise, with t of G - 1', () => {
    // Rate 2/6; residuals 1/3, -2/3, 2/3, -1/3: CR0 0.175682, CR1 0.202860, t(3) 3.182446.
    const { interval, method } = rateInterval([1, 0, 1, 0], [2, 2, 1, 1]);
    expect(method).toBe('cluster_t');
    expect(interval![0]).toBe(0);
    expect(interval![1]).toBeCloseTo(1 / 3 + 3.182446305284263 * 0.2028602, 6);
  });

  it('falls back on the number of clusters where all show one rate', () => {
    expect(rateInterval([3, 2, 5], [3, 2, 5])).toMatchObject({
      interval: wilsonInterval(3, 3),
      method: 'wilson_on_clusters',
    });
    expect(rateInterval([1, 2], [2, 4])).toMatchObject({
      interval: wilsonInterval(1, 2),
      method: 'wilson_on_clusters',
    });
  });

  it('says why there is none', () => {
    expect(rateInterval([], [])).toMatchObject({
      interval: null,
      method: null,
      reason: 'nothing_included',
      clusters: 0,
    });
    expect(rateInterval([0], [0])).toMatchObject({ interval: null, reason: 'nothing_included', clusters: 0 });
    expect(rateInterval([3, 0], [4, 0])).toMatchObject({ interval: null, reason: 'one_cluster', clusters: 1 });
  });

  it('flags fewer than 30 clusters', () => {
    const ones = (count: number) => new Array<number>(count).fill(1);
    expect(rateInterval(ones(29), ones(29)).few_clusters).toBe(true);
    expect(rateInterval(ones(30), ones(30)).few_clusters).toBe(false);
  });

  it('refuses counts that are none', () => {
    expect(() => rateInterval([2], [1])).toThrow(RangeError);
    expect(() => rateInterval([0.5], [1])).toThrow(RangeError);
    expect(() => rateInterval([1], [1, 2])).toThrow(RangeError);
    expect(() => rateInterval([1], [1], 0)).toThrow(RangeError);
  });

  it('lies in [0, 1], contains the rate and does not know the order of clusters', () => {
    fc.assert(
      fc.property(clusters, list => {
        const result = rateInterval(...columns(list));
        expect(rateInterval(...columns([...list].reverse()))).toEqual(result);
        if (result.interval === null) return;
        const rate = list.reduce((total, [k]) => total + k, 0) / list.reduce((total, [, n]) => total + n, 0);
        expect(result.interval[0]).toBeGreaterThanOrEqual(0);
        expect(result.interval[0]).toBeLessThanOrEqual(rate);
        expect(result.interval[1]).toBeGreaterThanOrEqual(rate);
        expect(result.interval[1]).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('has the width of CR1 of the same questions', () => {
    const [sums, sizes] = [
      [3, 1, 2, 4],
      [4, 3, 3, 5],
    ];
    const scores = sums.flatMap((k, c) => Array.from({ length: sizes[c]! }, (_, i) => (i < k ? 1 : 0)));
    const names = sizes.flatMap((n, c) => new Array<string>(n).fill(`g${c}`));
    const { se_clustered_cr1, mean } = clusteredError(scores, names);
    const { interval } = rateInterval(sums, sizes);
    expect((mean! - interval![0]) / se_clustered_cr1!).toBeCloseTo(3.182446305284263, 10);
  });
});
