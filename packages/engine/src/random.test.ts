import fc from 'fast-check';
import { expect, it } from 'vitest';
import { partition } from './partition.ts';
import { random, seededHash } from './random.ts';
import { sample } from './sample.ts';

it('gives the same sequence for the same names, on every machine', () => {
  const chance = random(7, 'reverse_options', 'q1');
  expect([chance.next(), chance.next(), chance.integer(10)]).toMatchInlineSnapshot(`
    [
      0.5547627321948208,
      0.7745700959676003,
      9,
    ]
  `);
  expect(seededHash(7, 'sample', 'bfcl', 'multiple_0')).toMatchInlineSnapshot(`"e460f8609d59d"`);
});

it('tells names apart that join to the same text', () => {
  expect(random(7, 'a', 'b').next()).not.toBe(random(7, 'ab').next());
  expect(random(7, 'a').next()).not.toBe(random(8, 'a').next());
});

it('is uniform enough and shuffles without loss', () => {
  const chance = random(1, 'uniform');
  const counts = Array.from({ length: 10 }, () => 0);
  for (let draw = 0; draw < 20_000; draw++) counts[chance.integer(10)]!++;
  // Nine standard deviations of a binomial count.
  for (const count of counts) expect(Math.abs(count - 2_000)).toBeLessThan(9 * Math.sqrt(20_000 * 0.1 * 0.9));
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer({ min: 0 }), (items, seed) => {
      expect(random(seed, 'shuffle').shuffle(items).sort()).toEqual([...items].sort());
    }),
  );
});

it('puts about a fifth of the groups on the side of development, and each group on one side', () => {
  const sides = Array.from({ length: 2_000 }, (_, group) => partition(7, 'bfcl', `g${group}`));
  const dev = sides.filter(side => side === 'dev').length;
  expect(dev).toBeGreaterThan(330);
  expect(dev).toBeLessThan(470);
  expect(partition(7, 'bfcl', 'g1')).toBe(sides[1]);
});

const items = (counts: Record<string, number>) =>
  Object.entries(counts).flatMap(([stratum, count]) =>
    Array.from({ length: count }, (_, at) => ({ base_id: `${stratum}-${at}`, stratum })),
  );
const take = (counts: Record<string, number>, size: number, stratify: boolean) =>
  sample(items(counts), { seed: 7, dataset: 'd', size, stratify });

it('samples the same whatever the order, and a larger sample holds the smaller one', () => {
  const all = items({ a: 30, b: 20 });
  const small = sample(all, { seed: 7, dataset: 'd', size: 10, stratify: false });
  expect(sample([...all].reverse(), { seed: 7, dataset: 'd', size: 10, stratify: false })).toEqual(small);
  const large = sample(all, { seed: 7, dataset: 'd', size: 20, stratify: false });
  expect([...small].every(id => large.has(id))).toBe(true);
  expect(take({ a: 3 }, 10, false).size).toBe(3);
});

it.each([
  [{ yes: 70, no: 30 }, 10, { yes: 7, no: 3 }],
  [{ a: 1, b: 1, c: 1 }, 2, { a: 1, b: 1, c: 0 }],
  [{ a: 98, b: 2 }, 10, { a: 10, b: 0 }],
  [{ a: 5, b: 5 }, 20, { a: 5, b: 5 }],
])('stratifies %j into %i by largest remainders', (counts, size, expected) => {
  const chosen = [...take(counts, size, true)];
  const got = Object.fromEntries(
    Object.keys(counts).map(key => [key, chosen.filter(id => id.startsWith(`${key}-`)).length]),
  );
  expect(got).toEqual(expected);
});
