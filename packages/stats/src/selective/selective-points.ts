import { expectedWrong } from './expected-wrong.ts';
import { acceptancePoints } from './risk-coverage.ts';
import { tieGroups } from './tie-groups.ts';

/**
 * The accuracy of the most confident share `coverage` of the decisions (at least one); null without decisions.
 * Ties are shared in expectation.
 */
export function selectiveAccuracyAtCoverage(
  confidence: readonly number[],
  correct: readonly number[],
  coverage: number,
): number | null {
  const expected = expectedWrong(tieGroups(confidence, correct));
  if (expected.length === 0) return null;
  // 0.3 * 10 is above 3 in doubles; the tolerance keeps such a product from taking one decision more.
  const wanted = Math.max(1, Math.ceil(coverage * expected.length - 1e-9));
  const count = Math.min(wanted, expected.length);
  return 1 - expected[count - 1]! / count;
}

/** The largest coverage whose selective risk is at most `risk`, over whole tie groups; 0 if there is none. */
export function coverageAtRisk(confidence: readonly number[], correct: readonly number[], risk: number): number {
  const points = acceptancePoints(tieGroups(confidence, correct));
  return points.filter(point => point.selective_risk <= risk + 1e-12).at(-1)?.coverage ?? 0;
}
