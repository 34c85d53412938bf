import { mean } from '../mean.ts';
import { ratio } from '../ratio.ts';
import { sampleVariance } from '../sample-variance.ts';
import { sum } from '../sum.ts';

/** Variance of repeated runs, within and between questions; null where one run or one question defines none. */
export interface RepeatedRuns {
  mean: number | null;
  within_question_variance: number | null;
  variance_of_question_means: number | null;
  /** May be negative: an estimate, not clipped. */
  between_question_variance: number | null;
  se_mean: number | null;
  run_means: number[];
  run_sd: number | null;
  unanimous_question_rate: number | null;
}

/** Splits the variance of `correct[question][run]`. Throws a RangeError unless every question has the same runs. */
export function repeatedRuns(correct: readonly (readonly number[])[]): RepeatedRuns {
  const runs = correct[0]?.length ?? 0;
  if (correct.some(row => row.length !== runs)) throw new RangeError('Every question needs the same number of runs.');
  const questionMeans = runs === 0 ? [] : correct.map(row => sum(row) / runs);
  const runMeans = Array.from({ length: runs }, (_, run) => sum(correct.map(row => row[run]!)) / correct.length);
  const within = runs < 2 ? null : mean(correct.map(row => sampleVariance(row)!));
  const ofMeans = sampleVariance(questionMeans);
  const ofRuns = sampleVariance(runMeans);
  return {
    mean: mean(questionMeans),
    within_question_variance: within,
    variance_of_question_means: ofMeans,
    between_question_variance: ofMeans === null || within === null ? null : ofMeans - within / runs,
    se_mean: ofMeans === null ? null : Math.sqrt(ofMeans / correct.length),
    run_means: runMeans,
    run_sd: ofRuns === null ? null : Math.sqrt(ofRuns),
    unanimous_question_rate: ratio(correct.filter(row => new Set(row).size === 1).length, correct.length),
  };
}
