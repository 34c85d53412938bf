import { json, type DecisionRecord, type Option, readRecord } from '@holdfast/core';
import { testPerturbation } from '@holdfast/kit/testing';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import plugin from './plugin.ts';

testPerturbation(plugin);

const order = plugin.create({}, { env: () => undefined, folder: '' });
const chances = {} as Parameters<typeof order.apply>[1];

const question = (ids: readonly string[], gold: string, primitive = 'choice') =>
  readRecord(
    json.value({
      id: 'q::v0_original',
      base_id: 'q',
      group_id: 'g',
      dataset: 'own',
      state: { b: 1, a: 2 },
      instructions: 'Which one?',
      options: ids.map(id => ({ id, canonical_id: `c${id}`, description: { text: id }, colour: 'red' })),
      gold,
      primitive,
      source: {},
    }).bytes,
  );
const made = (record: DecisionRecord) => {
  const version = order.apply(record, chances) as Partial<DecisionRecord>;
  const note = { operation: order.operation, seed: 7, strength: 1, label_preserving: true, parent_id: record.id };
  return {
    ...record,
    ...version,
    id: `${record.base_id}::${order.version}`,
    version: order.version,
    actual_operator: order.operation,
    perturbation: json.value(note),
  };
};
const rules = (record: DecisionRecord, version: DecisionRecord) => order.check(record, version).map(({ rule }) => rule);

describe('the order of the candidates', () => {
  it.each([
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    [
      ['1', '0', '-1'],
      ['-1', '0', '1'],
    ],
    [
      ['__proto__', 'b', 'c', 'd'],
      ['d', 'c', 'b', '__proto__'],
    ],
  ])('turns %j into %j', (ids, reversed) => {
    const version = made(question(ids, ids[0]!));
    expect(version.options.map(option => option.id)).toEqual(reversed);
    expect(version.gold).toBe(ids[0]);
  });

  it('has nothing to change in a noul question', () => {
    expect(order.apply(question(['true', 'false'], 'true', 'noul'), chances)).toBeNull();
  });

  it('is back where it was when reversed twice, and keeps its promise', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 40 }), ids => {
        const record = question(ids, ids.at(-1)!);
        const version = made(record);
        expect(rules(record, version)).toEqual([]);
        expect((order.apply(version, chances) as { options: Option[] }).options).toEqual(record.options);
      }),
    );
  });
});

describe('the check', () => {
  const record = question(['a', 'b', 'c'], 'a');
  const [c, b, a] = made(record).options as [Option, Option, Option];
  it.each<[string, Partial<DecisionRecord>, string[]]>([
    ['the original order', { options: [a, b, c] }, ['reversed', 'reversed']],
    ['a rotation', { options: [b, c, a] }, ['reversed', 'reversed']],
    ['another description', { options: [c, { ...b, description: json.value('b') }, a] }, ['reversed']],
    ['a lost member', { options: [c, { id: 'b', canonical_id: 'cb', description: b.description }, a] }, ['reversed']],
    ['another gold', { gold: 'c' }, ['gold', 'canonical_gold']],
    ['a changed state', { state: json.value({}) }, ['state']],
  ])('sees %s', (_, changed, expected) => expect(rules(record, { ...made(record), ...changed })).toEqual(expected));
});
