import { createHash } from 'node:crypto';

/** What chance is taken from, so that it is the same on every machine. */
export interface Chance {
  readonly seed: number;
  /** Upstream's id of the question. */
  readonly id: string;
  /** Choosing and ordering must not use the same numbers: what is chosen would then always come first. */
  readonly purpose: 'choose' | 'order';
}

/** The items in an order that depends on the seed, the question and their own keys alone. */
export function inChanceOrder<Item>(items: readonly Item[], key: (item: Item) => string, chance: Chance): Item[] {
  const { seed, id, purpose } = chance;
  const digest = (item: Item) =>
    createHash('sha256')
      .update(JSON.stringify([seed, purpose, id, key(item)]))
      .digest('hex');
  return items
    .map(item => [digest(item), item] as const)
    .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    .map(([, item]) => item);
}
