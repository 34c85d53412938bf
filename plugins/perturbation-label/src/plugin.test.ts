import { JsonText, json, type DecisionRecord, type Option, readRecord } from '@holdfast/core';
import { testPerturbation } from '@holdfast/kit/testing';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import plugin from './plugin.ts';

testPerturbation(plugin);

const label = plugin.create({}, { env: () => undefined, folder: '' });
const chances = {} as Parameters<typeof label.apply>[1];

const question = (ids: readonly string[], gold: string, { primitive = 'choice', instructions = 'Which one?' } = {}) =>
  readRecord(
    json.value({
      id: 'q::v0_original',
      base_id: 'q',
      group_id: 'g',
      dataset: 'own',
      state: { b: 1, a: 2 },
      instructions,
      options: ids.map(id => ({
        id,
        canonical_id: `c${id}`,
        description: JsonText.parse('{"n":1.50, "d":"\\u00e9"}'),
        colour: 'red',
      })),
      gold,
      primitive,
      source: {},
    }).bytes,
  );
const made = (record: DecisionRecord): DecisionRecord => {
  const version = label.apply(record, chances) as Partial<DecisionRecord>;
  const note = { operation: label.operation, seed: 7, strength: 1, label_preserving: true, parent_id: record.id };
  return {
    ...record,
    ...version,
    id: `${record.base_id}::${label.version}`,
    version: label.version,
    actual_operator: label.operation,
    perturbation: json.value(note),
  };
};
const rules = (record: DecisionRecord, version: DecisionRecord) =>
  label.check(record, version).map(({ rule, severity }) => (severity === 'warning' ? `${rule}?` : rule));

describe('opaque ids', () => {
  it('are those of the card, with the original id and the bytes of the description inside', () => {
    const version = made(question(['1', '0', '-1'], '0'));
    expect(version.gold).toBe('option_001');
    expect(version.options.map(option => [option.id, option.canonical_id])).toEqual([
      ['option_000', 'c1'],
      ['option_001', 'c0'],
      ['option_002', 'c-1'],
    ]);
    expect(version.options[2]!.description.toString()).toBe(
      String.raw`{"label":"-1","description":{"n":1.50, "d":"\u00e9"}}`,
    );
    expect(version.options[0]!.extra).toHaveLength(1);
  });

  it.each([
    [
      ['a', 'option_002'],
      ['option_000', 'option_001'],
    ],
    [
      ['a', 'option_000'],
      ['choice_000', 'choice_001'],
    ],
    [
      ['option_001', 'option_000'],
      ['choice_000', 'choice_001'],
    ],
    [
      ['option_000', 'choice_001'],
      ['choice1_000', 'choice1_001'],
    ],
    [
      ['option_000', 'choice_001', 'choice1_002'],
      ['choice2_000', 'choice2_001', 'choice2_002'],
    ],
  ])('of %j are %j', (ids, expected) => {
    const record = question(ids, ids[0]!);
    const version = made(record);
    expect(version.options.map(option => option.id)).toEqual(expected);
    expect(rules(record, version)).toEqual([]);
  });

  it('are not given to a noul question', () => {
    expect(label.apply(question(['true', 'false'], 'true', { primitive: 'noul' }), chances)).toBeNull();
  });

  it('are new and distinct whatever the ids were, and keep their promise', () => {
    const id = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('option_000', 'option_001', 'choice_000', 'choice1_000', '__proto__', 'constructor'),
    );
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 2, maxLength: 30 }), fc.nat(), (ids, at) => {
        const record = question(ids, ids[at % ids.length]!);
        const version = made(record);
        expect(rules(record, version)).toEqual([]);
        expect(new Set([...ids, ...version.options.map(option => option.id)]).size).toBe(2 * ids.length);
      }),
    );
  });
});

describe('the check', () => {
  const record = question(['yes', 'no'], 'no');
  const [yes, no] = made(record).options as [Option, Option];
  it.each<[string, Partial<DecisionRecord>, string[]]>([
    ['swapped places', { options: [no, yes] }, ['place', 'opaque_id', 'nested', 'place', 'opaque_id', 'nested']],
    ['another opaque id', { options: [yes, { ...no, id: 'option_1' }], gold: 'option_1' }, ['opaque_id']],
    ['an id of the original', { options: [yes, { ...no, id: 'yes' }], gold: 'yes' }, ['opaque_id', 'fresh_id']],
    ['a lost description', { options: [{ ...yes, description: json.value({ label: 'yes' }) }, no] }, ['nested']],
    [
      'a lost member',
      { options: [{ id: yes.id, canonical_id: 'cyes', description: yes.description }, no] },
      ['options'],
    ],
    ['the gold of another option', { gold: 'option_000' }, ['canonical_gold']],
    ['the old gold', { gold: 'no' }, ['canonical_gold']],
    ['a changed instruction', { instructions: json.string('Which?') }, ['instructions']],
  ])('sees %s', (_, changed, expected) => expect(rules(record, { ...made(record), ...changed })).toEqual(expected));

  it('accepts the spaces and escapes of another writer', () => {
    const description = JsonText.parse('{ "label": "yes", "description": {"n": 1.50, "d": "é"} }');
    expect(rules(record, { ...made(record), options: [{ ...yes, description }, no] })).toEqual([]);
  });

  it.each([
    ['Answer yes or no.', ['named_id?', 'named_id?']],
    ['Say "yes".', ['named_id?']],
    ['Was yesterday noted?', []],
    ['Is it yes.no, yes-no or -yes?', []],
    ['Yes?', []],
  ])('counts the ids that %j names', (instructions, expected) => {
    const asked = question(['yes', 'no'], 'no', { instructions });
    expect(rules(asked, made(asked))).toEqual(expected);
  });

  it('takes any id literally', () => {
    const asked = question(['a+b', '(x', '/'], '/', { instructions: 'a+b, (x and /' });
    expect(rules(asked, made(asked))).toEqual(['named_id?', 'named_id?', 'named_id?']);
  });
});
