import { normalCdf, normalQuantile } from '../distribution/normal.ts';
import { quantile } from '../quantile.ts';
import { sum } from '../sum.ts';
import type { Interval } from './wilson.ts';

/** One cluster: the sum of its questions' scores and how many they are. */
export interface ScoredCluster {
  readonly sum: number;
  readonly size: number;
}

/** What resampling whole clusters says of the pooled mean; the BCa parts are null where they are undefined. */
export interface ClusterBootstrap {
  estimate: number;
  replicates: number;
  replicate_mean: number;
  replicate_sd_population: number;
  percentile_ci: Interval;
  bca_z0: number;
  bca_acceleration: number | null;
  bca_levels: Interval | null;
  bca_ci: Interval | null;
}

const sameWithin = 1e-12;
const enumerationLimit = 1_000_000;

/**
 * The cluster bootstrap of the pooled mean over all G^G equally likely resamples, so no chance is involved.
 * Throws a RangeError where that is more than a million (G above 7), and for no clusters or an empty one.
 * Efron 1987 (BCa), https://doi.org/10.1080/01621459.1987.10478410
 */
export function enumerateClusterBootstrap(clusters: readonly ScoredCluster[], alpha = 0.05): ClusterBootstrap {
  const count = clusters.length ** clusters.length;
  if (count > enumerationLimit) throw new RangeError(`${clusters.length} clusters have too many resamples to list.`);
  check(clusters);
  const means = new Float64Array(count);
  for (let tuple = 0; tuple < count; tuple++) {
    let [total, size, rest] = [0, 0, tuple];
    for (let draw = 0; draw < clusters.length; draw++) {
      const cluster = clusters[rest % clusters.length]!;
      total += cluster.sum;
      size += cluster.size;
      rest = Math.floor(rest / clusters.length);
    }
    means[tuple] = total / size;
  }
  return summarise(clusters, means, alpha);
}

/**
 * The cluster bootstrap of the pooled mean with `replicates` resamples drawn by `random` (uniform in [0, 1)). The same
 * numbers from `random` give the same result in whatever order the clusters come.
 * Throws a RangeError for no clusters, an empty one or no replicates.
 */
export function sampleClusterBootstrap(
  clusters: readonly ScoredCluster[],
  { replicates, random, alpha = 0.05 }: { replicates: number; random: () => number; alpha?: number },
): ClusterBootstrap {
  if (!(Number.isInteger(replicates) && replicates > 0))
    throw new RangeError('A bootstrap needs at least one replicate.');
  check(clusters);
  const sorted = [...clusters].sort((a, b) => a.sum - b.sum || a.size - b.size);
  const means = new Float64Array(replicates);
  for (let replicate = 0; replicate < replicates; replicate++) {
    let [total, size] = [0, 0];
    for (let draw = 0; draw < sorted.length; draw++) {
      const cluster = sorted[Math.floor(random() * sorted.length)]!;
      total += cluster.sum;
      size += cluster.size;
    }
    means[replicate] = total / size;
  }
  return summarise(sorted, means, alpha);
}

function check(clusters: readonly ScoredCluster[]): void {
  if (clusters.length === 0) throw new RangeError('A bootstrap needs at least one cluster.');
  if (clusters.some(cluster => !(cluster.size > 0)))
    throw new RangeError('A cluster without questions cannot be drawn.');
}

function summarise(clusters: readonly ScoredCluster[], means: Float64Array, alpha: number): ClusterBootstrap {
  means.sort();
  const replicates = means.length;
  const estimate = sum(clusters.map(cluster => cluster.sum)) / sum(clusters.map(cluster => cluster.size));
  const centre = sum(means) / replicates;
  let [below, equal] = [0, 0];
  for (const value of means) {
    if (Math.abs(value - estimate) <= sameWithin) equal++;
    else if (value < estimate) below++;
  }
  const z0 = normalQuantile((2 * below + equal) / (2 * replicates));
  const acceleration = jackknifeAcceleration(clusters);
  const levels = acceleration === null ? null : bcaLevels(z0, acceleration, alpha);
  return {
    estimate,
    replicates,
    replicate_mean: centre,
    replicate_sd_population: Math.sqrt(sum(means.map(value => (value - centre) ** 2)) / replicates),
    percentile_ci: [quantile(means, alpha / 2), quantile(means, 1 - alpha / 2)],
    bca_z0: z0,
    bca_acceleration: acceleration,
    bca_levels: levels,
    bca_ci: levels === null ? null : [quantile(means, levels[0]), quantile(means, levels[1])],
  };
}

function jackknifeAcceleration(clusters: readonly ScoredCluster[]): number | null {
  if (clusters.length < 2) return null;
  const total = sum(clusters.map(cluster => cluster.sum));
  const size = sum(clusters.map(cluster => cluster.size));
  const without = clusters.map(cluster => (total - cluster.sum) / (size - cluster.size));
  const centre = sum(without) / without.length;
  // What rounding leaves of equal values is no spread.
  const gaps = without.map(value => (Math.abs(centre - value) <= sameWithin ? 0 : centre - value));
  const denominator = 6 * sum(gaps.map(gap => gap ** 2)) ** 1.5;
  return denominator === 0 ? null : sum(gaps.map(gap => gap ** 3)) / denominator;
}

function bcaLevels(z0: number, acceleration: number, alpha: number): Interval | null {
  const [low, high] = [alpha / 2, 1 - alpha / 2].map(p => {
    const shifted = z0 + normalQuantile(p);
    return normalCdf(z0 + shifted / (1 - acceleration * shifted));
  });
  return Number.isFinite(low) && Number.isFinite(high) ? [low!, high!] : null;
}
