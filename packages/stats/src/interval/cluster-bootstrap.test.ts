import { describe, expect, it } from 'vitest';
import { enumerateClusterBootstrap, sampleClusterBootstrap } from './cluster-bootstrap.ts';

const clusters = [
  { sum: 3, size: 4 },
  { sum: 1, size: 2 },
  { sum: 0, size: 1 },
  { sum: 2, size: 2 },
];

// A 32-bit generator of the mulberry kind: the tests need numbers that never change, not good ones.
function numbers(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('the cluster bootstrap', () => {
  it('lists every resample of two clusters', () => {
    // Resamples of 1/1 and 0/1: 1, 1/2, 1/2, 0.
    expect(
      enumerateClusterBootstrap([
        { sum: 1, size: 1 },
        { sum: 0, size: 1 },
      ]),
    ).toMatchObject({
      estimate: 0.5,
      replicates: 4,
      replicate_mean: 0.5,
      replicate_sd_population: Math.sqrt(0.125),
      percentile_ci: [expect.closeTo(0.0375, 12), expect.closeTo(0.9625, 12)],
      bca_z0: 0,
      bca_acceleration: 0,
    });
  });

  it('has no acceleration where leaving out a cluster changes nothing', () => {
    expect(
      enumerateClusterBootstrap([
        { sum: 1, size: 3 },
        { sum: 2, size: 6 },
      ]),
    ).toMatchObject({
      replicate_sd_population: 0,
      bca_acceleration: null,
      bca_levels: null,
      bca_ci: null,
    });
  });

  it('refuses what cannot be resampled or listed', () => {
    expect(() => enumerateClusterBootstrap([])).toThrow(RangeError);
    expect(() => enumerateClusterBootstrap([{ sum: 0, size: 0 }])).toThrow(RangeError);
    expect(() => enumerateClusterBootstrap(new Array(8).fill(clusters[0]))).toThrow(RangeError);
    expect(() => sampleClusterBootstrap(clusters, { replicates: 0, random: () => 0.5 })).toThrow(RangeError);
  });

  it('samples near the listed deviation, whatever the order of clusters', () => {
    const listed = enumerateClusterBootstrap(clusters).replicate_sd_population;
    const replicates = 4000;
    const sampled = sampleClusterBootstrap(clusters, { replicates, random: numbers(7) });
    expect(Math.abs(sampled.replicate_sd_population - listed)).toBeLessThan((4 * listed) / Math.sqrt(2 * replicates));
    expect(sampleClusterBootstrap([...clusters].reverse(), { replicates, random: numbers(7) })).toEqual(sampled);
  });
});
