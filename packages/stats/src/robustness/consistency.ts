import { mean } from '../mean.ts';
import { ratio } from '../ratio.ts';

/** How steady the chosen option is over versions, whether right or wrong; null where nothing can be compared. */
export interface Consistency {
  flip_rate_by_version: (number | null)[];
  mean_flip_rate: number | null;
  any_flip_rate: number | null;
  all_agree_rate: number | null;
  pairwise_agreement: number | null;
  mean_distinct_choices: number | null;
}

/**
 * Flip rates and agreement of `choices[question][version]`, canonical ids with the original first.
 * Throws a RangeError unless every question has the same versions.
 * Ribeiro et al. 2020 (invariance tests), https://arxiv.org/abs/2005.04118
 */
export function consistency(choices: readonly (readonly string[])[]): Consistency {
  const n = choices.length;
  const versions = choices[0]?.length ?? 0;
  if (choices.some(row => row.length !== versions)) throw new RangeError('Every question needs the same versions.');
  const flips = Array.from({ length: Math.max(0, versions - 1) }, (_, k) =>
    ratio(choices.filter(row => row[k + 1] !== row[0]).length, n),
  );
  const distinct = choices.map(row => new Set(row).size);
  const steady = distinct.filter(count => count === 1).length;
  let pairs = 0;
  for (const row of choices) {
    for (let i = 0; i < versions; i++) for (let j = i + 1; j < versions; j++) if (row[i] === row[j]) pairs++;
  }
  return {
    flip_rate_by_version: flips,
    mean_flip_rate: mean(flips.filter(rate => rate !== null)),
    any_flip_rate: ratio(n - steady, n),
    all_agree_rate: ratio(steady, n),
    pairwise_agreement: ratio(pairs, (n * versions * (versions - 1)) / 2),
    mean_distinct_choices: mean(distinct),
  };
}
