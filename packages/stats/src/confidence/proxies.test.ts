import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chanceAdjusted } from '../accuracy/chance-adjusted.ts';
import { confidenceProxies } from './proxies.ts';

it('has null proxies where there is one option', () => {
  expect(confidenceProxies([1])).toEqual({ top: 1, normalized_top: null, entropy: null, margin: null });
  expect(() => confidenceProxies([])).toThrow(RangeError);
});

it('keeps every proxy in [0, 1], and the same in any order of options', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 2, maxLength: 12 }), weights => {
      const total = weights.reduce((a, b) => a + b);
      const proxies = confidenceProxies(weights.map(weight => weight / total));
      for (const value of Object.values(proxies)) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }
      const reversed = confidenceProxies(weights.map(weight => weight / total).reverse());
      expect(reversed.entropy).toBeCloseTo(proxies.entropy!, 12);
      expect(reversed.top).toBe(proxies.top);
    }),
  );
});

it('puts guessing at 0 and has null where questions leave no choice', () => {
  expect(chanceAdjusted([1, 0], [2, 2])).toEqual({
    accuracy: 0.5,
    chance_accuracy: 0.5,
    adjusted_pooled: 0,
    adjusted_item_mean: 0,
  });
  expect(chanceAdjusted([1], [1])).toMatchObject({ adjusted_pooled: null, adjusted_item_mean: null });
});
