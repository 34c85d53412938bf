import { createHash } from 'node:crypto';

/** A whole number from 0 and below `below`, the same for the same purpose. */
export type Chance = (purpose: string, below: number) => number;

/** Chance that depends on nothing but the seed and the id: neither on the order of the rows nor on other rows. */
export function chanceOf(seed: number, id: string): Chance {
  return (purpose, below) =>
    below === 0
      ? 0
      : createHash('sha256')
          .update(JSON.stringify([seed, id, purpose]))
          .digest()
          .readUIntBE(0, 6) % below;
}
