import type { TieGroup } from './tie-groups.ts';

/**
 * The expected number of wrong decisions among the first 1, 2, ... n, most confident first: inside a tie the wrong ones
 * are spread evenly.
 */
export function expectedWrong(groups: readonly TieGroup[]): number[] {
  const totals: number[] = [];
  let wrong = 0;
  for (const group of groups) {
    for (let j = 1; j <= group.size; j++) totals.push(wrong + (j * group.wrong) / group.size);
    wrong += group.wrong;
  }
  return totals;
}
