import type { Decision } from './decision.ts';
import type { Labels } from './classification.ts';

/** One version of a question with the decision on it; null where there is none. */
export interface JudgedVersion {
  readonly version: string;
  /** Whether there is such a version: an operator may not apply to a question. */
  readonly built: boolean;
  readonly record_id: string;
  /** Option ids as shown, in order, and the canonical id of each. */
  readonly option_ids: readonly string[];
  readonly canonical_ids: readonly string[];
  readonly gold: string;
  readonly canonical_gold: string;
  readonly decision: Decision | null;
}

export const exclusionReasons = ['failed_request', 'missing_prediction'] as const;
export type ExclusionReason = (typeof exclusionReasons)[number];

/** One base question with all its planned versions, in planned order: strict, flips and worst case need no second pass. */
export interface JudgedQuestion {
  readonly base_id: string;
  readonly group_id: string;
  readonly dataset: string;
  readonly labels: Labels;
  readonly versions: readonly JudgedVersion[];
  /** Why it leaves the scores, one reason a version that has no valid decision; empty where it counts. */
  readonly exclusions: readonly ExclusionReason[];
}

/** Why a value is null. */
export type NullReason =
  'no_included_question' | 'confidence_missing' | 'nothing_answered' | 'too_few_clusters' | 'not_defined';

/** One number a metric found, or null with the reason. Names are unique within a metric plugin. */
export type MetricValue =
  | {
      readonly kind: 'rate';
      readonly name: string;
      /** numerator / denominator; null when the denominator is 0 or the rate is not defined. */
      readonly value: number | null;
      readonly numerator: number | null;
      readonly denominator: number;
      /** 95 %; null where none can be given. */
      readonly interval: readonly [low: number, high: number] | null;
      readonly reason: NullReason | null;
    }
  | {
      readonly kind: 'number';
      readonly name: string;
      readonly value: number | null;
      /** How many observations stand behind it. */
      readonly n: number;
      readonly interval: readonly [low: number, high: number] | null;
      readonly reason: NullReason | null;
    }
  | {
      readonly kind: 'series';
      readonly name: string;
      readonly n: number;
      readonly columns: readonly string[];
      readonly rows: readonly (readonly (number | null)[])[];
      readonly reason: NullReason | null;
    }
  | {
      readonly kind: 'table';
      readonly name: string;
      readonly n: number;
      readonly columns: readonly string[];
      readonly rows: readonly (readonly (string | number | null)[])[];
      readonly reason: NullReason | null;
    };

/** One row of scores.json: the questions with one label, and every metric on them. */
export interface ScoreRow {
  readonly slice: string;
  readonly label: string;
  readonly questions: number;
  readonly included: number;
  readonly excluded: number;
  /** Failed decisions of planned versions, before exclusion. */
  readonly failed_requests: number;
  /** How many questions have each reason; a question with both has a failed request. */
  readonly exclusions: Readonly<Record<ExclusionReason, number>>;
  readonly metrics: readonly MetricValue[];
}

/** scores.json. The first row is the overall one. */
export interface Scores {
  readonly protocol: 'holdfast-scores/1';
  readonly model: string;
  readonly threshold: number;
  readonly missing: 'exclude_question' | 'count_as_wrong';
  readonly versions: readonly string[];
  readonly rows: readonly ScoreRow[];
}
