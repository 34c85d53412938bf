import { ratio } from '../ratio.ts';
import { sum } from '../sum.ts';
import { expectedWrong } from './expected-wrong.ts';
import { type TieGroup, tieGroups } from './tie-groups.ts';

/** Accepting every decision of at least `threshold`. */
export interface RiskCoveragePoint {
  threshold: number;
  coverage: number;
  selective_risk: number;
}

/** The risk-coverage curve and its areas, all null without decisions. */
export interface RiskCoverage {
  points: RiskCoveragePoint[];
  aurc: number | null;
  aurc_optimal: number | null;
  e_aurc: number | null;
  augrc: number | null;
  auroc_correctness: number | null;
}

/**
 * Risk against coverage over all thresholds, from one confidence and one correctness (0 or 1) a decision, with its
 * areas: AURC, the excess over the best order, AUGRC, and AUROC of confidence for correctness (null when all decisions
 * are right or all wrong). Throws a RangeError as `tieGroups` does.
 * Geifman et al. 2019, https://arxiv.org/abs/1805.08206; Traub et al. 2024, https://arxiv.org/abs/2407.01032
 */
export function riskCoverage(confidence: readonly number[], correct: readonly number[]): RiskCoverage {
  const groups = tieGroups(confidence, correct);
  const points = acceptancePoints(groups);
  const n = confidence.length;
  if (n === 0) return { points, aurc: null, aurc_optimal: null, e_aurc: null, augrc: null, auroc_correctness: null };
  const expected = expectedWrong(groups);
  const right = n - sum(groups.map(group => group.wrong));
  const aurc = sum(expected.map((wrong, i) => wrong / (i + 1))) / n;
  const optimal = sum(expected.map((_, i) => Math.max(0, i + 1 - right) / (i + 1))) / n;
  return {
    points,
    aurc,
    aurc_optimal: optimal,
    e_aurc: aurc - optimal,
    augrc: sum(expected) / (n * n),
    auroc_correctness: areaUnderRoc(groups),
  };
}

/** One point a distinct confidence, in descending order. */
export function acceptancePoints(groups: readonly TieGroup[]): RiskCoveragePoint[] {
  const n = sum(groups.map(group => group.size));
  let [accepted, wrong] = [0, 0];
  return groups.map(group => {
    accepted += group.size;
    wrong += group.wrong;
    return { threshold: group.confidence, coverage: accepted / n, selective_risk: wrong / accepted };
  });
}

function areaUnderRoc(groups: readonly TieGroup[]): number | null {
  let [right, wrong, doubled] = [0, 0, 0];
  for (const group of groups) {
    const rightHere = group.size - group.wrong;
    doubled += group.wrong * (2 * right + rightHere);
    right += rightHere;
    wrong += group.wrong;
  }
  return ratio(doubled, 2 * right * wrong);
}
