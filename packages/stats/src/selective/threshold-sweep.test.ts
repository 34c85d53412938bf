import { describe, expect, it } from 'vitest';
import { CardTally } from '../card/card-tally.ts';
import { costScore } from './cost-score.ts';
import { thresholdSweep } from './threshold-sweep.ts';

const confidence = [
  [0.8, 0.3],
  [0.5, 0.6],
];
const correct = [
  [1, 0],
  [0, 1],
];

describe('thresholdSweep', () => {
  it('agrees with the tally at each threshold', () => {
    for (const point of thresholdSweep(confidence, correct, [0, 0.4, 0.55, 1])) {
      const tally = new CardTally({ threshold: point.t });
      confidence.forEach((row, q) =>
        tally.add({
          cluster: `${q}`,
          decisions: row.map((value, v) => ({ status: 'ok', correct: correct[q]![v] === 1, confidence: value })),
        }),
      );
      const { rates } = tally.finish();
      expect(point).toEqual({
        t: point.t,
        abstention_rate: rates.abstention_rate.value,
        mean_aaa: rates.mean_abstention_aware_accuracy.value,
        strict_aaa: rates.strict_abstention_aware_accuracy.value,
        selective_accuracy: rates.selective_accuracy.value,
        aaa_lift_over_random: rates.abstention_lift.value,
      });
    }
  });

  it('has nulls without questions', () => {
    expect(thresholdSweep([], [], [0.5])).toMatchObject([
      { abstention_rate: null, strict_aaa: null, selective_accuracy: null },
    ]);
  });
});

describe('costScore', () => {
  it.each([
    [0, 1, 0],
    [0.55, 1, 0.5],
    [0.4, 3, -0.25],
    [1, 1, 0],
  ])('at threshold %d and cost %d is %d', (threshold, cost, expected) => {
    expect(costScore(confidence.flat(), correct.flat(), { threshold, cost })).toBe(expected);
  });
});
