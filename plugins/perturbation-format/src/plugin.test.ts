import { JsonText, json, type DecisionRecord, readRecord } from '@holdfast/core';
import { testPerturbation } from '@holdfast/kit/testing';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import plugin from './plugin.ts';

testPerturbation(plugin);

const format = plugin.create({}, { env: () => undefined, folder: '' });
const chances = {} as Parameters<typeof format.apply>[1];

const question = (state: string) =>
  readRecord(
    json.value({
      id: 'q::v0_original',
      base_id: 'q',
      group_id: 'g',
      dataset: 'own',
      state: JsonText.parse(state),
      instructions: 'Which one?',
      options: [
        { id: 'a', canonical_id: 'a', description: 'A' },
        { id: 'b', canonical_id: 'b', description: 'B' },
      ],
      gold: 'a',
      source: {},
    }).bytes,
  );
const made = (record: DecisionRecord): DecisionRecord => {
  const version = format.apply(record, chances) as Partial<DecisionRecord>;
  const note = { operation: format.operation, seed: 7, strength: 1, label_preserving: true, parent_id: record.id };
  return {
    ...record,
    ...version,
    id: `${record.base_id}::${format.version}`,
    version: format.version,
    actual_operator: format.operation,
    perturbation: json.value(note),
  };
};
const rules = (record: DecisionRecord, version: DecisionRecord) =>
  format.check(record, version).map(({ rule }) => rule);

describe('the state as a string', () => {
  it.each([
    [
      '{"a": 1.0, "2":1e2,"1":-0,"a":12345678901234567890}',
      String.raw`"{\"a\": 1.0, \"2\":1e2,\"1\":-0,\"a\":12345678901234567890}"`,
    ],
    ['"plain"', String.raw`"\"plain\""`],
    [String.raw`"\ud800 \u00e9"`, String.raw`"\"\\ud800 \\u00e9\""`],
    ['null', '"null"'],
    ['["é\u2028"]', String.raw`"[\"é` + '\u2028' + String.raw`\"]"`],
  ])('of %s is %s', (state, quoted) => {
    const record = question(state);
    expect(made(record).state.toString()).toBe(quoted);
    expect(rules(record, made(record))).toEqual([]);
  });

  it('spells the state again, whatever it is, and keeps its promise', () => {
    fc.assert(
      fc.property(fc.json(), state => {
        const record = question(state);
        const version = made(record);
        expect(version.state.string()).toBe(record.state.toString());
        expect(rules(record, version)).toEqual([]);
      }),
    );
  });
});

describe('the check', () => {
  const state = String.raw`{"a":1.0,"b":["x\u00e9",-0,1e2],"a":12345678901234567890,"c":"\ud800"}`;
  const record = question(state);
  const foreign = (inner: string) => rules(record, { ...made(record), state: JsonText.parse(JSON.stringify(inner)) });

  it.each([
    ['spaces', String.raw`{"a": 1.0, "b": ["x\u00e9", -0, 1e2], "a": 12345678901234567890, "c": "\ud800"}`],
    [
      'indents',
      String.raw`{` + '\n  ' + String.raw`"a": 1.0, "b": ["xé", -0, 1e2], "a": 12345678901234567890, "c": "\ud800"}`,
    ],
    ['a raw lone surrogate', `{"a":1.0,"b":["x\u00e9",-0,1e2],"a":12345678901234567890,"c":"\ud800"}`],
  ])('accepts %s of another writer', (_, inner) => expect(foreign(inner)).toEqual([]));

  it.each([
    ['another number spelling', state.replace('1.0', '1')],
    ['a rounded number', state.replace('890', '000')],
    ['a lost duplicate', state.replace(',"a":12345678901234567890', '')],
    ['another order', String.raw`{"b":["x\u00e9",-0,1e2],"a":1.0,"a":12345678901234567890,"c":"\ud800"}`],
    ['a lost sign', state.replace('-0', '0')],
    ['text that is no JSON', 'a'],
  ])('sees %s', (_, inner) => expect(foreign(inner)).toEqual(['quoted']));

  it('sees a state that is no string, and a string state that was left as it is', () => {
    expect(rules(record, { ...made(record), state: record.state })).toEqual(['quoted']);
    const text = question('"plain"');
    expect(rules(text, { ...made(text), state: text.state })).toEqual(['quoted']);
  });
});
