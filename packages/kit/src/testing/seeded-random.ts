import { createHash } from 'node:crypto';
import type { Random } from '@holdfast/core';

/** Chance for tests: the same seed gives the same sequence. */
export function seededRandom(seed: string | number): Random {
  let counter = 0;
  const next = () => {
    const hash = createHash('sha256').update(`${seed}:${counter++}`).digest();
    return hash.readUIntBE(0, 6) / 2 ** 48;
  };
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
