import { seededHash } from './random.ts';

/** One candidate for a sample. */
export interface SampleItem {
  readonly base_id: string;
  /** What a stratified sample keeps in proportion. */
  readonly stratum: string;
}

/**
 * The ids of a sample: those with the smallest seeded hashes, so that a larger sample holds the smaller one.
 * Stratified: each stratum gives in proportion, largest remainders first (ties by the stratum's code points).
 * Takes everything when there is no more than `size`. Memory: one short string an item.
 */
export function sample(
  items: Iterable<SampleItem>,
  { seed, dataset, size, stratify }: { seed: number; dataset: string; size: number; stratify: boolean },
): Set<string> {
  const strata = new Map<string, { hash: string; base_id: string }[]>();
  let total = 0;
  for (const { base_id, stratum } of items) {
    const key = stratify ? stratum : '';
    const entry = { hash: seededHash(seed, 'sample', dataset, base_id), base_id };
    const list = strata.get(key);
    if (list === undefined) strata.set(key, [entry]);
    else list.push(entry);
    total++;
  }
  const chosen = new Set<string>();
  for (const [key, quota] of shares(strata, Math.min(size, total), total)) {
    const list = strata
      .get(key)!
      .sort((left, right) => compare(left.hash, right.hash) || compare(left.base_id, right.base_id));
    for (const { base_id } of list.slice(0, quota)) chosen.add(base_id);
  }
  return chosen;
}

function shares(strata: ReadonlyMap<string, readonly unknown[]>, size: number, total: number): Map<string, number> {
  const parts = [...strata].map(([key, list]) => {
    const exact = total === 0 ? 0 : (size * list.length) / total;
    return { key, quota: Math.floor(exact), rest: exact - Math.floor(exact) };
  });
  let left = size - parts.reduce((sum, part) => sum + part.quota, 0);
  for (const part of [...parts].sort((a, b) => b.rest - a.rest || compare(a.key, b.key))) {
    if (left-- > 0) part.quota++;
  }
  return new Map(parts.map(({ key, quota }) => [key, quota]));
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
