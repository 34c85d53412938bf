export {
  HoldfastError,
  errorCodes,
  failureKinds,
  modelFailed,
  type ErrorCode,
  type ErrorFacts,
  type FailureFacts,
  type FailureKind,
} from './error.ts';
export { JsonText, type JsonKind } from './json/json-text.ts';
export { MAX_DEPTH } from './json/scan.ts';
export { readItems, readMap, readMembers, readStrings, type JsonMember, type KnownMember } from './json/read.ts';
export { oneLine } from './json/one-line.ts';
export { json, type JsonInput } from './json/write.ts';
export { isQuoteOf, quote, unquote } from './json/quote.ts';
export { readTree, sameJson, stringsOf, type JsonNode, type JsonTreeMember } from './json/tree.ts';
export {
  answerFormats,
  compareLabels,
  decisionTasks,
  scenarios,
  type AnswerFormat,
  type DecisionTask,
  type Labels,
  type Scenario,
} from './classification.ts';
export {
  ORIGINAL,
  RECORD_SCHEMA,
  canonicalOf,
  checkRecord,
  perturbationOf,
  readRecord,
  writeRecord,
  type DecisionRecord,
  type Option,
  type PerturbationNote,
  type Primitive,
} from './record.ts';
export { checkPair, sameOption } from './check-pair.ts';
export type { ModelRequest, Question, RequestOption } from './request.ts';
export type { Answer, Exchange, Usage } from './answer.ts';
export { decisionSchema, type Decision, type Failure } from './decision.ts';
export {
  exclusionReasons,
  type ExclusionReason,
  type JudgedQuestion,
  type JudgedVersion,
  type MetricValue,
  type NullReason,
  type ScoreRow,
  type Scores,
} from './score.ts';
export type { Report, ReportDataset, ReportModel, ReportSink } from './report.ts';
export {
  defineDataset,
  defineExecutor,
  defineMetric,
  defineModel,
  definePerturbation,
  defineReport,
  defineTrajectory,
  type Instances,
  type Plugin,
  type PluginKind,
  type Services,
} from './plugin.ts';
export type {
  BaseRecord,
  Dataset,
  DatasetInfo,
  FoundFile,
  GivenRecord,
  Skipped,
  Unit,
  UpstreamFile,
} from './dataset.ts';
export type { Random } from './random.ts';
export type { Chances, Donors, Hashing, Perturbation, Version, Violation } from './perturbation.ts';
export type { ModelAdapter, ModelIdentity, ModelLimits } from './model.ts';
export type { Writer, WrittenText } from './writer.ts';
export type { Metric, MetricContext, Tally } from './metric.ts';
export type { Reporter } from './reporter.ts';
export type { Executor, Job, Result } from './executor.ts';
export type { Trajectory, TrajectorySource } from './trajectory-source.ts';
