import { costScore } from '../selective/cost-score.ts';
import { riskCoverage } from '../selective/risk-coverage.ts';
import { coverageAtRisk, selectiveAccuracyAtCoverage } from '../selective/selective-points.ts';
import { thresholdSweep } from '../selective/threshold-sweep.ts';
import { asked, type Metrics } from './metric.ts';

interface Decisions {
  confidence: readonly number[];
  correct: readonly number[];
}

interface Versions {
  confidence: readonly (readonly number[])[];
  correct: readonly (readonly number[])[];
}

interface PointsInput extends Decisions {
  coverages?: readonly number[];
  risks?: readonly number[];
}

export const selectiveMetrics = {
  'selective.curve': ({ confidence, correct }: Decisions) => riskCoverage(confidence, correct),
  'selective.points': ({ confidence, correct, coverages, risks }: PointsInput) => ({
    ...asked('selective_accuracy_at_coverage', coverages, coverage =>
      selectiveAccuracyAtCoverage(confidence, correct, coverage),
    ),
    ...asked('coverage_at_risk', risks, risk => coverageAtRisk(confidence, correct, risk)),
  }),
  'selective.aaa-sweep': ({ confidence, correct, thresholds }: Versions & { thresholds: readonly number[] }) =>
    thresholdSweep(confidence, correct, thresholds),
  'selective.cost': ({
    confidence,
    correct,
    cases,
  }: Decisions & { cases: readonly { threshold: number; cost: number }[] }) =>
    cases.map(one => costScore(confidence, correct, one)),
} satisfies Metrics;
