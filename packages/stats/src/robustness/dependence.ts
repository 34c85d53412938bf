import { ratio } from '../ratio.ts';
import { sum } from '../sum.ts';

/** Strict accuracy against what independent versions would give; null where a share is undefined. */
export interface Dependence {
  version_accuracy: (number | null)[];
  observed_strict: number | null;
  independent_pooled: number | null;
  independent_by_version: number | null;
  frechet_lower: number | null;
  frechet_upper: number | null;
  icc_anova: number | null;
  mixed_questions: number;
  all_wrong_questions: number;
}

/**
 * How far the versions of a question rise and fall together, from `correct[question][version]` of 0 and 1.
 * Throws a RangeError unless every question has the same versions.
 */
export function dependence(correct: readonly (readonly number[])[]): Dependence {
  const n = correct.length;
  const m = correct[0]?.length ?? 0;
  if (correct.some(row => row.length !== m)) throw new RangeError('Every question needs the same versions.');
  const perVersion = Array.from({ length: m }, (_, v) => sum(correct.map(row => row[v]!)));
  const perQuestion = correct.map(row => sum(row));
  const right = sum(perQuestion);
  const defined = n > 0 && m > 0;
  const versionAccuracy = perVersion.map(count => count / n);
  return {
    version_accuracy: versionAccuracy,
    observed_strict: defined ? perQuestion.filter(count => count === m).length / n : null,
    independent_pooled: defined ? (right / (n * m)) ** m : null,
    independent_by_version: defined ? versionAccuracy.reduce((product, accuracy) => product * accuracy, 1) : null,
    frechet_lower: defined ? Math.max(0, (right - n * (m - 1)) / n) : null,
    frechet_upper: defined ? Math.min(...perVersion) / n : null,
    icc_anova: intraclassCorrelation(perQuestion, m),
    mixed_questions: perQuestion.filter(count => count > 0 && count < m).length,
    all_wrong_questions: m === 0 ? 0 : perQuestion.filter(count => count === 0).length,
  };
}

// One-way ANOVA of 0/1 scores from the questions' counts: whole numbers keep a variance of 0 exactly 0.
function intraclassCorrelation(perQuestion: readonly number[], m: number): number | null {
  const n = perQuestion.length;
  if (n < 2 || m < 2) return null;
  const right = sum(perQuestion);
  const squares = sum(perQuestion.map(count => count * count));
  const between = (n * squares - right * right) / (n * m * (n - 1));
  const within = (m * right - squares) / (m * n * (m - 1));
  return ratio(between - within, between + (m - 1) * within);
}
