import { describe, expect, it } from 'vitest';
import { adaptiveCalibrationError } from './adaptive.ts';
import { equalMassCalibration } from './equal-mass.ts';
import { equalWidthCalibration } from './equal-width.ts';
import { properScores } from './proper-scores.ts';

describe('calibration', () => {
  it('puts an edge into the bin it starts, 1 into the last, and reports null for an empty bin', () => {
    expect(equalWidthCalibration([0, 0.5, 1], [0, 1, 1], 4)).toEqual({
      ece: 0.5 / 3,
      mce: 0.5,
      counts: [1, 0, 1, 1],
      bin_mean_p: [0, null, 0.5, 1],
      bin_accuracy: [0, null, 1, 1],
    });
  });

  it('leaves out bins that no decision is left for', () => {
    expect(equalMassCalibration([0.75, 0.25], [1, 0], 5)).toEqual({ ece: 0.25, mce: 0.25, counts: [1, 1] });
    expect(equalMassCalibration([0.75, 0.25, 0.5], [1, 0, 1], 2).counts).toEqual([2, 1]);
    expect(adaptiveCalibrationError([[0.75, 0.25]], [0], 4)).toBe(0.25);
  });

  it('has null without decisions', () => {
    expect(equalWidthCalibration([], [], 2)).toMatchObject({ ece: null, mce: null, counts: [0, 0] });
    expect(equalMassCalibration([], [], 2)).toEqual({ ece: null, mce: null, counts: [] });
    expect(adaptiveCalibrationError([], [], 2)).toBe(null);
    expect(properScores([], [], [])).toEqual({ brier_multiclass: null, brier_top_label: null, nll: null });
  });

  it('scores a certain answer 0, and its opposite by the floor', () => {
    expect(properScores([[1, 0]], [0], [0])).toMatchObject({ brier_multiclass: 0, brier_top_label: 0 });
    expect(properScores([[1, 0]], [1], [0])).toEqual({
      brier_multiclass: 2,
      brier_top_label: 1,
      nll: -Math.log(1e-15),
    });
  });

  it('refuses what is no probability, no bin or no option', () => {
    expect(() => equalWidthCalibration([1.01], [1], 2)).toThrow(RangeError);
    expect(() => equalWidthCalibration([0.5], [1], 0)).toThrow(RangeError);
    expect(() => equalMassCalibration([0.5], [1], 1.5)).toThrow(RangeError);
    expect(() => properScores([[0.5, 0.5]], [2], [0])).toThrow(RangeError);
  });
});
