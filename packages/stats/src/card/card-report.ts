import { type CardInput, type CardRowIndex, indexRows } from './card-rows.ts';
import { CardTally } from './card-tally.ts';
import { type ExclusionReason, judgeRow } from './judge-row.ts';

/** The card's scores of a set of questions; rates are null where they are undefined. */
export interface CardReport {
  included_questions: number;
  excluded_questions: number;
  failed_requests: number;
  included_decisions: number;
  confidence_reporting_count: number;
  correct_decisions: number;
  strict_correct_questions: number;
  strict_accuracy: number | null;
  mean_accuracy: number | null;
  abstained_decisions: number | null;
  abstention_rate: number | null;
  strict_aaa: number | null;
  mean_aaa: number | null;
  /** By question, in the order of planned versions; absent where nothing is excluded. */
  exclusion_reasons?: Record<string, ExclusionReason[]>;
}

/**
 * Scores recorded answers as the CITY-Jev card does. Only planned versions count; a question without a valid answer to
 * each is excluded. Throws a CardInputError for rows that contradict the data set, a RangeError for a threshold outside
 * [0, 1].
 */
export function cardReport(input: CardInput): CardReport {
  return reportOn(input, indexRows(input), Object.keys(input.questions));
}

/** The report on some of the input's questions, whose rows are indexed. */
export function reportOn(input: CardInput, index: CardRowIndex, questions: readonly string[]): CardReport {
  const tally = new CardTally(input.threshold === undefined ? {} : { threshold: input.threshold });
  const reasons: [question: string, reasons: ExclusionReason[]][] = [];
  for (const question of questions) {
    const rows = index.get(question);
    const judged = input.planned_versions.map(version =>
      judgeRow(rows?.get(version), input.questions[question]!, version),
    );
    const against = judged.map(({ reason }) => reason).filter(reason => reason !== null);
    if (against.length > 0) reasons.push([question, against]);
    tally.add({ cluster: question, decisions: judged.map(({ outcome }) => outcome) });
  }
  const { counts, rates } = tally.finish();
  return {
    included_questions: counts.included,
    excluded_questions: counts.excluded,
    failed_requests: counts.failed_requests,
    included_decisions: counts.decisions,
    confidence_reporting_count: counts.confidence_reporting_count,
    correct_decisions: counts.correct_decisions,
    strict_correct_questions: counts.strict_correct_questions,
    strict_accuracy: rates.strict_accuracy.value,
    mean_accuracy: rates.mean_accuracy.value,
    abstained_decisions: counts.abstained_decisions,
    abstention_rate: rates.abstention_rate.value,
    strict_aaa: rates.strict_abstention_aware_accuracy.value,
    mean_aaa: rates.mean_abstention_aware_accuracy.value,
    ...(reasons.length > 0 && { exclusion_reasons: Object.fromEntries(reasons) }),
  };
}
