import { upperPoint } from '../interval/upper-point.ts';
import { type CardResult, type MissingPolicy, summariseCard } from './card-result.ts';
import { ClusterColumns } from './cluster-columns.ts';

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

export interface CardTallyOptions {
  /** A confidence strictly below it abstains. @default 0.5 */
  readonly threshold?: number;
  /** @default 'exclude_question' */
  readonly missing?: MissingPolicy;
  /** Confidence level of the intervals. @default 0.95 */
  readonly level?: number;
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
  #withConfidence = 0;
  #withoutConfidence = 0;

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
      if (decision.confidence === null) this.#withoutConfidence++;
      else this.#withConfidence++;
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
    return {
      threshold: this.#threshold,
      missing: this.#missing,
      versions: this.#versions,
      ...summariseCard(this.#columns, {
        failedRequests: this.#failedRequests,
        missingPredictions: this.#missingPredictions,
        exclusions: { ...this.#exclusions },
        withConfidence: this.#withConfidence,
        withoutConfidence: this.#withoutConfidence,
        level: this.#level,
      }),
    };
  }
}
