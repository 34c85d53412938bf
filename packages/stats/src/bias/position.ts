import { mean } from '../mean.ts';
import { ratio } from '../ratio.ts';

/** Recall, choice and gold shares by position; null where no gold stands there. */
export interface PositionBias {
  recall_by_position: (number | null)[];
  rstd: number | null;
  choice_rate_by_position: (number | null)[];
  gold_rate_by_position: (number | null)[];
}

/**
 * Recall by the gold's position and its spread RStd (population), over questions of `options` options; positions are
 * 0-based. Throws a RangeError if the lengths differ. Zheng et al. 2024, https://arxiv.org/abs/2309.03882
 */
export function positionBias(
  options: number,
  choicePosition: readonly number[],
  goldPosition: readonly number[],
): PositionBias {
  const n = choicePosition.length;
  if (goldPosition.length !== n) throw new RangeError('Each decision needs a chosen and a gold position.');
  const positions = Array.from({ length: options }, (_, j) => j);
  const count = (list: readonly number[], j: number) => list.filter(position => position === j).length;
  const hits = choicePosition.filter((position, i) => position === goldPosition[i]);
  const recall = positions.map(j => ratio(count(hits, j), count(goldPosition, j)));
  const known = recall.filter(value => value !== null);
  const centre = mean(known);
  const variance = centre === null ? null : mean(known.map(value => (value - centre) ** 2));
  return {
    recall_by_position: recall,
    rstd: variance === null ? null : Math.sqrt(variance),
    choice_rate_by_position: positions.map(j => ratio(count(choicePosition, j), n)),
    gold_rate_by_position: positions.map(j => ratio(count(goldPosition, j), n)),
  };
}
