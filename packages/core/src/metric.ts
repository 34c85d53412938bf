import type { JudgedQuestion, MetricValue } from './score.ts';

/** What the questions of one row have in common. */
export interface MetricContext {
  /** Planned versions, in order. */
  readonly versions: readonly string[];
  /** A decision abstains when its confidence is strictly below. */
  readonly threshold: number;
  readonly missing: 'exclude_question' | 'count_as_wrong';
}

/** The running state of one metric on one row. */
export interface Tally {
  add(question: JudgedQuestion): void;
  finish(): readonly MetricValue[];
}

/** Scores. Streaming and pure: every question of a row is added once, in any order, and the result is the same. */
export interface Metric {
  start(context: MetricContext): Tally;
}
