import { mean } from '../mean.ts';
import { ratio } from '../ratio.ts';
import { type CardReport, reportOn } from './card-report.ts';
import { type CardInput, indexRows } from './card-rows.ts';
import { compareCodePoints } from './code-point-order.ts';

const scores = ['strict_accuracy', 'mean_accuracy', 'strict_aaa', 'mean_aaa'] as const;

export type CardScore = (typeof scores)[number];

/** A row of a breakdown: the reasons stay with the report on all questions. */
export type CardBreakdownRow = Omit<CardReport, 'exclusion_reasons'>;

export interface CardBreakdown {
  /** By label, in code-point order. */
  groups: Record<string, CardBreakdownRow>;
  overall: CardBreakdownRow;
  /** Unweighted means over the labels that have the score, and how many those are. */
  macro_average: Record<CardScore, number | null>;
  macro_groups: Record<CardScore, number>;
  /** The label with the lowest score, the first of equals; null where no label has it. */
  worst_group: Record<CardScore, string | null>;
  /** Strict accuracy if every excluded question were wrong, and if every one were right. */
  intention_to_treat_strict: { lower: number | null; upper: number | null };
}

/**
 * The card's report by a label of the questions, and over all of them. A question without a label counts in `overall`
 * only. Throws as `cardReport` does.
 */
export function cardBreakdown(input: CardInput, labels: Readonly<Record<string, string>>): CardBreakdown {
  const index = indexRows(input);
  const questions = Object.keys(input.questions);
  const members = new Map<string, string[]>();
  for (const question of questions) {
    const label = Object.hasOwn(labels, question) ? labels[question] : undefined;
    if (label === undefined) continue;
    const others = members.get(label);
    if (others) others.push(question);
    else members.set(label, [question]);
  }
  const groups = [...members]
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([label, ids]) => ({ label, row: withoutReasons(reportOn(input, index, ids)) }));
  const overall = withoutReasons(reportOn(input, index, questions));
  const scored = (score: CardScore) =>
    groups.flatMap(({ label, row }) => (row[score] === null ? [] : [{ label, value: row[score] }]));
  const { strict_correct_questions: strict, excluded_questions: excluded } = overall;
  return {
    groups: Object.fromEntries(groups.map(({ label, row }) => [label, row])),
    overall,
    macro_average: byScore(score => mean(scored(score).map(({ value }) => value))),
    macro_groups: byScore(score => scored(score).length),
    worst_group: byScore(score => {
      const found = scored(score);
      const lowest = Math.min(...found.map(({ value }) => value));
      return found.find(({ value }) => value === lowest)?.label ?? null;
    }),
    intention_to_treat_strict: {
      lower: ratio(strict, questions.length),
      upper: ratio(strict + excluded, questions.length),
    },
  };
}

function byScore<T>(value: (score: CardScore) => T): Record<CardScore, T> {
  return Object.fromEntries(scores.map(score => [score, value(score)])) as Record<CardScore, T>;
}

function withoutReasons(report: CardReport): CardBreakdownRow {
  const { exclusion_reasons: _, ...row } = report;
  return row;
}
