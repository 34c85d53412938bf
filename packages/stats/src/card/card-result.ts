import { type IntervalReason, rateInterval } from '../interval/rate-interval.ts';
import type { Interval } from '../interval/wilson.ts';
import { ratio } from '../ratio.ts';
import { abstentionLift } from '../selective/abstention-lift.ts';
import { sum } from '../sum.ts';
import type { ClusterColumns } from './cluster-columns.ts';

/**
 * What a failed or missing decision does: it takes its whole question out of the score (the card's rule), or it counts
 * as a wrong answer that did not abstain and the question stays.
 */
export type MissingPolicy = 'exclude_question' | 'count_as_wrong';

/**
 * Why a rate has no value (nothing included, some included decision without confidence, nothing answered) or a value
 * has no interval (one cluster, or a difference of rates).
 */
export type RateReason = IntervalReason | 'confidence_missing' | 'nothing_answered' | 'no_interval';

/** A rate with the whole numbers it is made of. `reason` is set wherever the value or the interval is null. */
export interface Rate {
  value: number | null;
  numerator: number | null;
  denominator: number;
  interval: Interval | null;
  reason: RateReason | null;
  /** Clusters behind the interval; below 30 `few_clusters` is true and the interval tends to be too narrow. */
  clusters: number;
  few_clusters: boolean;
}

/** Whole counts; those that rest on confidence are null where an included decision has none, or nothing is included. */
export interface CardCounts {
  questions: number;
  included: number;
  excluded: number;
  /** Planned decisions without a valid answer, whatever became of their question. Missing ones are not among them. */
  failed_requests: number;
  /** Planned decisions of which nothing was recorded. */
  missing_predictions: number;
  /** Excluded questions by cause; one with both a failed and a missing decision counts as failed, so they add up. */
  exclusions: { failed_request: number; missing_prediction: number };
  decisions: number;
  confidence_reporting_count: number;
  correct_decisions: number;
  strict_correct_questions: number;
  abstained_decisions: number | null;
  wrong_abstained_decisions: number | null;
  answered_decisions: number | null;
  right_answered_decisions: number | null;
  aaa_decisions: number | null;
  strict_aaa_questions: number | null;
}

/** The card's measures under the names of scores.json. */
export interface CardRates {
  strict_accuracy: Rate;
  mean_accuracy: Rate;
  strict_abstention_aware_accuracy: Rate;
  mean_abstention_aware_accuracy: Rate;
  abstention_rate: Rate;
  selective_accuracy: Rate;
  /** May be negative: AAA less what abstaining at random at the same rate would give. */
  abstention_lift: Rate;
  /** Strict accuracy if every excluded question were wrong, and if every one were right. */
  strict_lower_bound: Rate;
  strict_upper_bound: Rate;
}

export interface CardResult {
  threshold: number;
  missing: MissingPolicy;
  /** Planned versions of a question; null before the first question. */
  versions: number | null;
  counts: CardCounts;
  rates: CardRates;
}

/** What a tally knows beside its columns; confidences are those of included, answered decisions. */
export interface CardFacts {
  readonly failedRequests: number;
  readonly missingPredictions: number;
  readonly exclusions: CardCounts['exclusions'];
  readonly withConfidence: number;
  readonly withoutConfidence: number;
  readonly level: number;
}

/** The counts and rates of what stands in `columns`. */
export function summariseCard(columns: ClusterColumns, facts: CardFacts): Pick<CardResult, 'counts' | 'rates'> {
  const { questions, included, decisions, right, rightAbstained, wrongAbstained, strict, strictAaa } = columns.all();
  const abstained = plus(rightAbstained, wrongAbstained);
  const answered = minus(decisions, abstained);
  const rightAnswered = minus(right, rightAbstained);
  const passing = plus(right, wrongAbstained);

  const nothing = sum(included) === 0;
  const absent = nothing ? 'nothing_included' : facts.withoutConfidence > 0 ? 'confidence_missing' : null;
  const known = (counts: Uint32Array) => (absent === null ? sum(counts) : null);
  const plain = (numerators: Uint32Array, denominators: Uint32Array) => makeRate(numerators, denominators, facts.level);
  const confident = (numerators: Uint32Array, denominators: Uint32Array) =>
    absent === null ? plain(numerators, denominators) : noRate(sum(denominators), absent);

  return {
    counts: {
      questions: sum(questions),
      included: sum(included),
      excluded: sum(questions) - sum(included),
      failed_requests: facts.failedRequests,
      missing_predictions: facts.missingPredictions,
      exclusions: facts.exclusions,
      decisions: sum(decisions),
      confidence_reporting_count: facts.withConfidence,
      correct_decisions: sum(right),
      strict_correct_questions: sum(strict),
      abstained_decisions: known(abstained),
      wrong_abstained_decisions: known(wrongAbstained),
      answered_decisions: known(answered),
      right_answered_decisions: known(rightAnswered),
      aaa_decisions: known(passing),
      strict_aaa_questions: known(strictAaa),
    },
    rates: {
      strict_accuracy: plain(strict, included),
      mean_accuracy: plain(right, decisions),
      strict_abstention_aware_accuracy: confident(strictAaa, included),
      mean_abstention_aware_accuracy: confident(passing, decisions),
      abstention_rate: confident(abstained, decisions),
      selective_accuracy:
        absent === null && sum(answered) === 0 ? noRate(0, 'nothing_answered') : confident(rightAnswered, answered),
      abstention_lift: absent === null ? liftRate({ decisions, right, abstained, rightAbstained }) : noRate(0, absent),
      strict_lower_bound: plain(strict, questions),
      strict_upper_bound: plain(plus(strict, minus(questions, included)), questions),
    },
  };
}

function makeRate(numerators: Uint32Array, denominators: Uint32Array, level: number): Rate {
  const [numerator, denominator] = [sum(numerators), sum(denominators)];
  const { interval, reason, clusters, few_clusters } = rateInterval(numerators, denominators, level);
  return { value: ratio(numerator, denominator), numerator, denominator, interval, reason, clusters, few_clusters };
}

function noRate(denominator: number, reason: RateReason): Rate {
  return { value: null, numerator: null, denominator, interval: null, reason, clusters: 0, few_clusters: false };
}

function liftRate(counts: Record<'decisions' | 'right' | 'abstained' | 'rightAbstained', Uint32Array>): Rate {
  const { decisions, right, abstained, rightAbstained } = counts;
  const lift = abstentionLift({
    decisions: sum(decisions),
    right: sum(right),
    abstained: sum(abstained),
    rightAbstained: sum(rightAbstained),
  });
  return { ...noRate(0, 'no_interval'), ...lift };
}

function plus(a: Uint32Array, b: Uint32Array): Uint32Array {
  return a.map((count, i) => count + b[i]!);
}

function minus(a: Uint32Array, b: Uint32Array): Uint32Array {
  return a.map((count, i) => count - b[i]!);
}
