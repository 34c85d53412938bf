import { mcnemar } from '../compare/mcnemar.ts';
import { benjaminiHochberg, holm } from '../compare/multiplicity.ts';
import { pairedDifference } from '../compare/paired-difference.ts';
import { type ComparisonPlan, comparisonPower, minimumDetectableEffect, questionsRequired } from '../compare/power.ts';
import { repeatedRuns } from '../compare/repeated-runs.ts';
import { normalCdf, normalQuantile } from '../distribution/normal.ts';
import { clopperPearsonInterval } from '../interval/clopper-pearson.ts';
import { enumerateClusterBootstrap } from '../interval/cluster-bootstrap.ts';
import { clusteredError } from '../interval/clustered-error.ts';
import { wilsonInterval } from '../interval/wilson.ts';
import { asked, type Metrics } from './metric.ts';

interface PowerInput {
  mde?: readonly (ComparisonPlan & { n: number })[];
  n_required?: readonly (ComparisonPlan & { delta: number })[];
  power?: readonly (ComparisonPlan & { n: number; delta: number })[];
}

interface PairedInput {
  scores_a: readonly number[];
  scores_b: readonly number[];
  clusters: readonly string[];
}

interface BootstrapInput {
  sums: readonly number[];
  sizes: readonly number[];
  alpha?: number;
}

export const statsMetrics = {
  'stats.mcnemar': ({ pairs_b_c }: { pairs_b_c: readonly (readonly [number, number])[] }) =>
    pairs_b_c.map(([b, c]) => mcnemar(b, c)),
  'stats.multiplicity': ({ p_values }: { p_values: readonly number[] }) => ({
    holm: holm(p_values),
    benjamini_hochberg: benjaminiHochberg(p_values),
  }),
  'stats.clustered-se': ({ scores, clusters }: { scores: readonly number[]; clusters: readonly string[] }) =>
    clusteredError(scores, clusters),
  'stats.paired-cluster': ({ scores_a, scores_b, clusters }: PairedInput) =>
    pairedDifference(scores_a, scores_b, clusters),
  'stats.cluster-bootstrap': ({ sums, sizes, alpha }: BootstrapInput) =>
    enumerateClusterBootstrap(
      sums.map((sum, i) => ({ sum, size: sizes[i]! })),
      alpha,
    ),
  'stats.proportion-ci': ({ k_n }: { k_n: readonly (readonly [number, number])[] }) =>
    k_n.map(([k, n]) => ({ wilson: wilsonInterval(k, n), clopper_pearson: clopperPearsonInterval(k, n) })),
  'stats.normal': ({ x, p }: { x?: readonly number[]; p?: readonly number[] }) => ({
    ...asked('cdf', x, normalCdf),
    ...asked('quantile', p, normalQuantile),
  }),
  'stats.power': ({ mde, n_required, power }: PowerInput) => ({
    ...asked('mde', mde, ({ n, ...plan }) => minimumDetectableEffect(n, plan)),
    ...asked('n_required', n_required, ({ delta, ...plan }) => questionsRequired(delta, plan)),
    ...asked('power', power, ({ n, delta, ...plan }) => comparisonPower(n, delta, plan)),
  }),
  'stats.repeated-runs': ({ correct }: { correct: readonly (readonly number[])[] }) => repeatedRuns(correct),
} satisfies Metrics;
