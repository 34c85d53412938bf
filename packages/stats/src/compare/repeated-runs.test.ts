import { describe, expect, it } from 'vitest';
import { repeatedRuns } from './repeated-runs.ts';

describe('repeatedRuns', () => {
  it('may estimate a negative variance between questions', () => {
    expect(
      repeatedRuns([
        [1, 0],
        [0, 1],
      ]),
    ).toEqual({
      mean: 0.5,
      within_question_variance: 0.5,
      variance_of_question_means: 0,
      between_question_variance: -0.25,
      se_mean: 0,
      run_means: [0.5, 0.5],
      run_sd: 0,
      unanimous_question_rate: 0,
    });
  });

  it('has null where one run or one question defines no variance', () => {
    expect(repeatedRuns([[1], [0]])).toMatchObject({
      within_question_variance: null,
      between_question_variance: null,
      run_sd: null,
    });
    expect(repeatedRuns([[1, 1]])).toMatchObject({
      variance_of_question_means: null,
      se_mean: null,
      within_question_variance: 0,
    });
    expect(repeatedRuns([])).toMatchObject({ mean: null, run_means: [], unanimous_question_rate: null });
  });
});
