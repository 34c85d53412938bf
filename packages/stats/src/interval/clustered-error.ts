import { ratio } from '../ratio.ts';
import { sum } from '../sum.ts';

/** Standard errors of a mean score; null where too few questions or clusters define one. */
export interface ClusteredError {
  mean: number | null;
  clusters: number;
  se_iid: number | null;
  se_clustered_miller: number | null;
  se_clustered_cr0: number | null;
  se_clustered_cr1: number | null;
}

/**
 * Standard errors of the mean of one score a question, with and without regard for clusters: the plain one, Miller's,
 * CR0 and CR1. `clusters[i]` names the cluster of `scores[i]`; throws a RangeError if their lengths differ.
 * Miller 2024, https://arxiv.org/abs/2411.00640
 */
export function clusteredError(scores: readonly number[], clusters: readonly string[]): ClusteredError {
  const n = scores.length;
  const mean = ratio(sum(scores), n);
  if (mean === null) {
    clusterSums(scores, clusters);
    return {
      mean,
      clusters: 0,
      se_iid: null,
      se_clustered_miller: null,
      se_clustered_cr0: null,
      se_clustered_cr1: null,
    };
  }
  const errors = scores.map(score => score - mean);
  const sums = clusterSums(errors, clusters);
  const groups = sums.length;
  const within = sum(errors.map(error => error * error));
  const between = sum(sums.map(total => total * total));
  const cr0 = Math.sqrt(between) / n;
  return {
    mean,
    clusters: groups,
    se_iid: n < 2 ? null : Math.sqrt(within / (n - 1) / n),
    // Miller's radicand with the pairs i != j folded into the cluster sums: it has no difference left that could go negative.
    se_clustered_miller: n < 2 ? null : Math.sqrt(between + within / (n - 1)) / n,
    se_clustered_cr0: cr0,
    se_clustered_cr1: groups < 2 ? null : cr0 * Math.sqrt(groups / (groups - 1)),
  };
}

/** The sum of the values of each cluster, in order of first appearance. Throws a RangeError if the lengths differ. */
export function clusterSums(values: readonly number[], clusters: readonly string[]): number[] {
  if (values.length !== clusters.length) {
    throw new RangeError(`${values.length} scores have ${clusters.length} cluster names; each score needs one.`);
  }
  const sums = new Map<string, number>();
  values.forEach((value, i) => sums.set(clusters[i]!, (sums.get(clusters[i]!) ?? 0) + value));
  return [...sums.values()];
}
