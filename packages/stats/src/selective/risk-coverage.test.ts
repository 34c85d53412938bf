import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { riskCoverage } from './risk-coverage.ts';
import { coverageAtRisk, selectiveAccuracyAtCoverage } from './selective-points.ts';

const decisions = fc.array(fc.tuple(fc.constantFrom(0.1, 0.4, 0.4, 0.9), fc.constantFrom(0, 1)), { minLength: 1 });

describe('riskCoverage', () => {
  it('is flat where all confidences are the same', () => {
    expect(riskCoverage([0.5, 0.5], [1, 0])).toEqual({
      points: [{ threshold: 0.5, coverage: 1, selective_risk: 0.5 }],
      aurc: 0.5,
      aurc_optimal: 0.25,
      e_aurc: 0.25,
      augrc: 0.375,
      auroc_correctness: 0.5,
    });
  });

  it('has no AUROC where all are right, and nothing at all without decisions', () => {
    expect(riskCoverage([0.2, 0.8], [1, 1])).toMatchObject({
      aurc: 0,
      aurc_optimal: 0,
      augrc: 0,
      auroc_correctness: null,
    });
    expect(riskCoverage([], [])).toMatchObject({ points: [], aurc: null, augrc: null });
  });

  it('does not depend on the order of decisions, and never beats the best order', () => {
    fc.assert(
      fc.property(decisions, list => {
        const curve = (order: typeof list) =>
          riskCoverage(
            order.map(([c]) => c),
            order.map(([, y]) => y),
          );
        const result = curve(list);
        expect(curve([...list].reverse())).toEqual(result);
        expect(result.e_aurc).toBeGreaterThanOrEqual(-1e-12);
        expect(result.points.at(-1)).toMatchObject({ coverage: 1 });
      }),
    );
  });

  it('refuses a decision without correctness or with NaN as confidence', () => {
    expect(() => riskCoverage([0.5], [])).toThrow(RangeError);
    expect(() => riskCoverage([NaN], [1])).toThrow(RangeError);
  });
});

describe('selective points', () => {
  it('share ties at a coverage, and take whole ties at a risk', () => {
    const [confidence, correct] = [
      [0.9, 0.6, 0.6, 0.1],
      [1, 1, 0, 0],
    ];
    expect(selectiveAccuracyAtCoverage(confidence, correct, 0.5)).toBe(0.75);
    expect(selectiveAccuracyAtCoverage(confidence, correct, 0)).toBe(1);
    expect(selectiveAccuracyAtCoverage(confidence, correct, 2)).toBe(0.5);
    expect(coverageAtRisk(confidence, correct, 0.3)).toBe(0.25);
    expect(coverageAtRisk(confidence, correct, 1 / 3)).toBe(0.75);
    expect(coverageAtRisk([0.5], [0], 0.5)).toBe(0);
    expect(selectiveAccuracyAtCoverage([], [], 1)).toBe(null);
  });
});
