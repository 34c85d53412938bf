import { expect, it } from 'vitest';
import { comparisonPower, minimumDetectableEffect, questionsRequired } from './power.ts';

const plan = { omega2: 0.2, alpha: 0.05, power: 0.8, deff: 1.3 };

it('needs as many questions for its detectable effect as it was made from', () => {
  expect(questionsRequired(minimumDetectableEffect(500, plan) * (1 + 1e-12), plan)).toBe(500);
  expect(questionsRequired(0, plan)).toBe(Infinity);
});

it('reaches the planned power at the detectable effect of independent questions', () => {
  const effect = minimumDetectableEffect(500, { ...plan, deff: 1 });
  expect(comparisonPower(500, effect, plan)).toBeCloseTo(0.8, 12);
  expect(comparisonPower(500, -effect, plan)).toBeCloseTo(0.8, 12);
});
