export { chanceAdjusted, type ChanceAdjusted } from './accuracy/chance-adjusted.ts';
export { cohenKappa, type CohenKappa } from './agreement/cohen-kappa.ts';
export { fleissKappa, type FleissKappa } from './agreement/fleiss-kappa.ts';
export { orderReversal, type OrderReversal } from './bias/order-reversal.ts';
export { positionBias, type PositionBias } from './bias/position.ts';
export { positionPrior } from './bias/position-prior.ts';
export { adaptiveCalibrationError } from './calibration/adaptive.ts';
export { equalMassCalibration, type EqualMassCalibration } from './calibration/equal-mass.ts';
export { equalWidthCalibration, type EqualWidthCalibration } from './calibration/equal-width.ts';
export { properScores, type ProperScores } from './calibration/proper-scores.ts';
export { cardBreakdown, type CardBreakdown, type CardBreakdownRow, type CardScore } from './card/card-breakdown.ts';
export { cardReport, type CardReport } from './card/card-report.ts';
export type { CardCounts, CardRates, CardResult, MissingPolicy, Rate, RateReason } from './card/card-result.ts';
export {
  type CardErrorCode,
  type CardInput,
  CardInputError,
  type CardQuestionKey,
  type CardRow,
} from './card/card-rows.ts';
export { type CardQuestion, CardTally, type CardTallyOptions, type DecisionOutcome } from './card/card-tally.ts';
export { compareCodePoints } from './card/code-point-order.ts';
export type { ExclusionReason } from './card/judge-row.ts';
export { percent } from './card/percent.ts';
export { type DecisionScore, scoreDecision } from './card/score-decision.ts';
export { mcnemar, type McNemar } from './compare/mcnemar.ts';
export { benjaminiHochberg, holm } from './compare/multiplicity.ts';
export { pairedDifference, type PairedDifference } from './compare/paired-difference.ts';
export { comparisonPower, type ComparisonPlan, minimumDetectableEffect, questionsRequired } from './compare/power.ts';
export { repeatedRuns, type RepeatedRuns } from './compare/repeated-runs.ts';
export { confidenceProxies, type ConfidenceProxies } from './confidence/proxies.ts';
export { normalCdf, normalQuantile } from './distribution/normal.ts';
export { studentTCdf, studentTQuantile } from './distribution/student-t.ts';
export { clopperPearsonInterval } from './interval/clopper-pearson.ts';
export {
  type ClusterBootstrap,
  enumerateClusterBootstrap,
  sampleClusterBootstrap,
  type ScoredCluster,
} from './interval/cluster-bootstrap.ts';
export { clusteredError, type ClusteredError } from './interval/clustered-error.ts';
export { type IntervalMethod, type IntervalReason, rateInterval, type RateInterval } from './interval/rate-interval.ts';
export { type Interval, wilsonInterval } from './interval/wilson.ts';
export { mean } from './mean.ts';
export { quantile } from './quantile.ts';
export { consistency, type Consistency } from './robustness/consistency.ts';
export { dependence, type Dependence } from './robustness/dependence.ts';
export { drift, type Drift } from './robustness/drift.ts';
export { operatorDelta, type OperatorDelta } from './robustness/operator-delta.ts';
export { passHatK, type PassCurves } from './robustness/pass-hat-k.ts';
export { type AbstentionCounts, abstentionLift } from './selective/abstention-lift.ts';
export { costScore } from './selective/cost-score.ts';
export { riskCoverage, type RiskCoverage, type RiskCoveragePoint } from './selective/risk-coverage.ts';
export { coverageAtRisk, selectiveAccuracyAtCoverage } from './selective/selective-points.ts';
export { type SweepPoint, thresholdSweep } from './selective/threshold-sweep.ts';
export { sum } from './sum.ts';
