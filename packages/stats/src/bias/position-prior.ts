import { sum } from '../sum.ts';

/**
 * The model's prior over positions from several presentations of one question: softmax of the mean log-probability by
 * position. Balanced only if each option stood at each place. Null where no position keeps a positive probability;
 * throws a RangeError unless every presentation has the same positions.
 * Zheng et al. 2024 (PriDe), https://arxiv.org/abs/2309.03882
 */
export function positionPrior(presentations: readonly (readonly number[])[]): number[] | null {
  const positions = presentations[0]?.length ?? 0;
  if (presentations.some(row => row.length !== positions)) {
    throw new RangeError('Every presentation needs the same positions.');
  }
  const logs = Array.from({ length: positions }, (_, i) => {
    const column = presentations.map(row => Math.log(row[i]!));
    // A compensated sum of an infinity is NaN.
    return column.includes(-Infinity) ? -Infinity : sum(column) / presentations.length;
  });
  const highest = Math.max(...logs);
  if (!Number.isFinite(highest)) return null;
  const weights = logs.map(log => Math.exp(log - highest));
  const total = sum(weights);
  return weights.map(weight => weight / total);
}
