import { type IntervalReason, rateInterval } from '../interval/rate-interval.ts';
import { upperPoint } from '../interval/upper-point.ts';
import type { Interval } from '../interval/wilson.ts';
import { ratio } from '../ratio.ts';
import { sum } from '../sum.ts';
import { abstentionLift } from '../selective/abstention-lift.ts';
import { ClusterColumns, type ClusterCount } from './cluster-columns.ts';

/**
 * What became of one planned version: answered (confidence null where the provider gave none, else in [0, 1]), failed
 * (no valid answer came back), or missing (nothing was recorded).
 */
export type DecisionOutcome =
  | { readonly status: 'ok'; readonly correct: boolean; readonly confidence: number | null }
  | { readonly status: 'failed' }
  | { readonly status: 'missing' };

/** A question: its cluster (`group_id`) and the outcome of each planned version, in any order. */
export interface CardQuestion {
  readonly cluster: string;
  readonly decisions: readonly DecisionOutcome[];
}

/**
 * What a failed or missing decision does: it takes its whole question out of the score (the card's rule), or it counts
 * as a wrong answer that did not abstain and the question stays.
 */
export type MissingPolicy = 'exclude_question' | 'count_as_wrong';

export interface CardTallyOptions {
  /** A confidence strictly below it abstains. @default 0.5 */
  readonly threshold?: number;
  /** @default 'exclude_question' */
  readonly missing?: MissingPolicy;
  /** Confidence level of the intervals. @default 0.95 */
  readonly level?: number;
}

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

/** Whole counts; those that need every included decision's confidence are null where one is missing or none is included. */
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

/**
 * Scores questions as they come and keeps whole counts by cluster only, so millions of questions fit. The order of
 * questions, and of decisions in a question, changes no bit of the result.
 *
 * Throws a RangeError for a threshold outside [0, 1], for a question without decisions and for one with another number
 * of them than the first: rates over different numbers of versions are not comparable.
 */
export class CardTally {
  readonly #threshold: number;
  readonly #missing: MissingPolicy;
  readonly #level: number;
  readonly #columns = new ClusterColumns();
  readonly #exclusions = { failed_request: 0, missing_prediction: 0 };
  #versions: number | null = null;
  #failedRequests = 0;
  #missingPredictions = 0;
  #reporting = 0;
  #silent = 0;

  constructor({ threshold = 0.5, missing = 'exclude_question', level = 0.95 }: CardTallyOptions = {}) {
    if (!(threshold >= 0 && threshold <= 1)) throw new RangeError(`A threshold lies in [0, 1], not at ${threshold}.`);
    upperPoint(level);
    this.#threshold = threshold;
    this.#missing = missing;
    this.#level = level;
  }

  add({ cluster, decisions }: CardQuestion): void {
    if (decisions.length === 0) throw new RangeError('A question needs at least one planned version.');
    this.#versions ??= decisions.length;
    if (decisions.length !== this.#versions) {
      throw new RangeError(`A question has ${decisions.length} decisions where others have ${this.#versions}.`);
    }
    let [failed, missing] = [0, 0];
    for (const { status } of decisions) {
      if (status === 'failed') failed++;
      else if (status === 'missing') missing++;
    }
    this.#failedRequests += failed;
    this.#missingPredictions += missing;
    const place = this.#columns.place(cluster);
    this.#columns.add('questions', place, 1);
    if (failed + missing > 0 && this.#missing === 'exclude_question') {
      this.#exclusions[failed > 0 ? 'failed_request' : 'missing_prediction']++;
      return;
    }
    this.#include(place, decisions);
  }

  #include(place: number, decisions: readonly DecisionOutcome[]): void {
    let [right, rightAbstained, wrongAbstained] = [0, 0, 0];
    for (const decision of decisions) {
      if (decision.status !== 'ok') continue;
      if (decision.confidence === null) this.#silent++;
      else this.#reporting++;
      const abstains = decision.confidence !== null && decision.confidence < this.#threshold;
      if (decision.correct) right++;
      if (abstains && decision.correct) rightAbstained++;
      if (abstains && !decision.correct) wrongAbstained++;
    }
    const columns = this.#columns;
    columns.add('included', place, 1);
    columns.add('decisions', place, decisions.length);
    columns.add('right', place, right);
    columns.add('rightAbstained', place, rightAbstained);
    columns.add('wrongAbstained', place, wrongAbstained);
    if (right === decisions.length) columns.add('strict', place, 1);
    if (right + wrongAbstained === decisions.length) columns.add('strictAaa', place, 1);
  }

  /** The counts and rates of the questions added so far; more may be added afterwards. */
  finish(): CardResult {
    const column = (count: ClusterCount) => this.#columns.column(count);
    const total = (count: ClusterCount) => sum(column(count));
    const [questions, included, decisions] = [total('questions'), total('included'), total('decisions')];
    const [right, rightAbstained, wrongAbstained] = [total('right'), total('rightAbstained'), total('wrongAbstained')];
    const abstained = rightAbstained + wrongAbstained;
    const absent: RateReason | null =
      included === 0 ? 'nothing_included' : this.#silent > 0 ? 'confidence_missing' : null;
    const known = (count: number) => (absent === null ? count : null);

    const rate = (numerators: Uint32Array, denominators: Uint32Array): Rate =>
      makeRate(numerators, denominators, this.#level);
    const confident = (numerators: Uint32Array, denominators: Uint32Array): Rate =>
      absent === null ? rate(numerators, denominators) : noRate(sum(denominators), absent);
    const combine = (add: ClusterCount, to: ClusterCount, less?: ClusterCount): Uint32Array => {
      const [first, second, third] = [column(add), column(to), less === undefined ? null : column(less)];
      return first.map((count, i) => count + second[i]! - (third?.[i] ?? 0));
    };
    const abstaining = combine('rightAbstained', 'wrongAbstained');
    const answered = column('decisions').map((count, i) => count - abstaining[i]!);
    const rightAnswered = column('right').map((count, i) => count - column('rightAbstained')[i]!);
    const selective = confident(rightAnswered, answered);
    const lift = abstentionLift({ decisions, right, abstained, rightAbstained });

    return {
      threshold: this.#threshold,
      missing: this.#missing,
      versions: this.#versions,
      counts: {
        questions,
        included,
        excluded: questions - included,
        failed_requests: this.#failedRequests,
        missing_predictions: this.#missingPredictions,
        exclusions: { ...this.#exclusions },
        decisions,
        confidence_reporting_count: this.#reporting,
        correct_decisions: right,
        strict_correct_questions: total('strict'),
        abstained_decisions: known(abstained),
        wrong_abstained_decisions: known(wrongAbstained),
        answered_decisions: known(decisions - abstained),
        right_answered_decisions: known(right - rightAbstained),
        aaa_decisions: known(right + wrongAbstained),
        strict_aaa_questions: known(total('strictAaa')),
      },
      rates: {
        strict_accuracy: rate(column('strict'), column('included')),
        mean_accuracy: rate(column('right'), column('decisions')),
        strict_abstention_aware_accuracy: confident(column('strictAaa'), column('included')),
        mean_abstention_aware_accuracy: confident(combine('right', 'wrongAbstained'), column('decisions')),
        abstention_rate: confident(abstaining, column('decisions')),
        selective_accuracy:
          selective.reason === 'nothing_included' && included > 0
            ? { ...selective, reason: 'nothing_answered' }
            : selective,
        abstention_lift:
          absent === null
            ? { ...noRate(lift.denominator, 'no_interval'), value: lift.value, numerator: lift.numerator }
            : noRate(lift.denominator, absent),
        strict_lower_bound: rate(column('strict'), column('questions')),
        strict_upper_bound: rate(combine('strict', 'questions', 'included'), column('questions')),
      },
    };
  }
}

function makeRate(numerators: Uint32Array, denominators: Uint32Array, level: number): Rate {
  const [numerator, denominator] = [sum(numerators), sum(denominators)];
  const { interval, reason, clusters, few_clusters } = rateInterval(numerators, denominators, level);
  return { value: ratio(numerator, denominator), numerator, denominator, interval, reason, clusters, few_clusters };
}

function noRate(denominator: number, reason: RateReason): Rate {
  return { value: null, numerator: null, denominator, interval: null, reason, clusters: 0, few_clusters: false };
}
