import { createHash } from 'node:crypto';
import type { Random } from '@holdfast/core';

/**
 * Chance that depends on nothing but its names: `random(seed, operator, base_id)` gives the same sequence on every
 * machine and in any order of calls. Counter mode of SHA-256, 32 bits at a time.
 */
export function random(seed: number, ...names: readonly string[]): Random {
  const key = JSON.stringify([seed, ...names]);
  let block = Buffer.alloc(0);
  let used = 0;
  let counter = 0;
  const word = (): number => {
    if (used >= block.length) {
      block = createHash('sha256').update(`${counter++}:${key}`).digest();
      used = 0;
    }
    used += 4;
    return block.readUInt32BE(used - 4);
  };
  const next = () => (word() * 2 ** 21 + (word() >>> 11)) / 2 ** 53;
  const integer = (below: number) => Math.floor(next() * below);
  return {
    next,
    integer,
    shuffle: items => {
      const list = [...items];
      for (let last = list.length - 1; last > 0; last--) {
        const other = integer(last + 1);
        [list[last], list[other]] = [list[other]!, list[last]!];
      }
      return list;
    },
  };
}

/** A seeded hash of names as 13 hexadecimal digits: uniform, and in the same order as text and as number. */
export function seededHash(seed: number, ...names: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([seed, ...names]))
    .digest('hex')
    .slice(0, 13);
}
