import { describe, expect, it } from 'vitest';
import { JsonText } from './json/json-text.ts';
import { json } from './json/write.ts';
import { canonicalOf, checkRecord, perturbationOf, readRecord, writeRecord } from './record.ts';

const state = String.raw`{"a": 1.0, "2":1e400,"1":12345678901234567890, "a":"\u2028 \ud800","n": null }`;
const line = (changes: Record<string, string> = {}) => {
  const members: Record<string, string> = {
    schema_version: '"jev-choice/1.0"',
    id: '"q1::v0_original"',
    base_id: '"q1"',
    group_id: '"g1"',
    dataset: '"own"',
    state,
    instructions: '"Which one?"',
    options:
      '[{"id":"1","canonical_id":"1","description":"One"},{"id":"0","canonical_id":"0","description":{"b":1,"a":2}}]',
    gold: '"0"',
    source: '{"file":"a.jsonl","row":1}',
    ...changes,
  };
  const rows = Object.entries(members).filter(([, value]) => value !== '');
  return Buffer.from(`{${rows.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(', ')}}`);
};

describe('a record', () => {
  it('keeps state, descriptions and unknown members byte for byte, and fills what is the same for all', () => {
    const record = readRecord(line({ colour: '{ "z":1.50 }' }));
    expect(record.state.toString()).toBe(state);
    expect(record).toMatchObject({
      split: 'test',
      version: 'v0_original',
      actual_operator: 'clean',
      primitive: 'choice',
    });
    const written = writeRecord(record).toString();
    expect(written).toContain(`"state":${state},`);
    expect(written).toContain('{"b":1,"a":2}');
    expect(written).toMatch(/,"colour":\{ "z":1\.50 \}\}$/);
    expect(writeRecord(readRecord(Buffer.from(written))).toString()).toBe(written);
  });

  it('takes __proto__ as an option id', () => {
    const options =
      '[{"id":"__proto__","canonical_id":"__proto__","description":null},{"id":"b","canonical_id":"b","description":"B"}]';
    const record = readRecord(line({ options, gold: '"__proto__"' }));
    expect(canonicalOf(record.options, '__proto__')).toBe('__proto__');
    expect(writeRecord(record).toString()).toContain(options);
  });

  it.each<[string, Record<string, string>, string]>([
    ['a missing state', { state: '' }, 'state is missing'],
    ['a missing gold', { gold: '' }, 'gold is missing'],
    ['a gold that is no option', { gold: '"2"' }, 'gold is "2", which is not the id of any option'],
    ['one option', { options: '[{"id":"0","canonical_id":"0","description":null}]' }, '2 to 255 candidates, not 1'],
    ['options as a map', { options: '{"0":"a","1":"b"}' }, 'options must be a list, not object'],
    [
      'a repeated id',
      { options: '[{"id":"0","canonical_id":"0","description":1},{"id":"0","canonical_id":"1","description":1}]' },
      'options.1.id repeats "0"',
    ],
    [
      'a repeated canonical id',
      { options: '[{"id":"0","canonical_id":"c","description":1},{"id":"1","canonical_id":"c","description":1}]' },
      'options.1.canonical_id repeats "c"',
    ],
    [
      'an option without description',
      { options: '[{"id":"0","canonical_id":"0"}]' },
      'options.0.description is missing',
    ],
    ['a noul question of other ids', { primitive: '"noul"' }, 'must be exactly true and false'],
    ['another schema', { schema_version: '"jev-choice/2.0"' }, 'schema_version'],
    ['a number for instructions', { instructions: '7' }, 'instructions must be a string'],
    ['an empty id', { group_id: '""' }, 'group_id must not be empty'],
  ])('refuses %s', (_, changes, message) => {
    expect(() => readRecord(line(changes))).toThrow(message);
  });

  it('refuses a member that stands twice', () => {
    const twice = line().toString().replace('"gold":', '"gold":"1","gold":');
    expect(() => readRecord(Buffer.from(twice))).toThrow('the key "gold" stands twice');
  });

  it('reads the provenance and keeps what else it holds', () => {
    const note =
      '{"operation":"reverse_options","seed":7,"strength":1.0,"label_preserving":true,"parent_id":"p","by":"x"}';
    const record = readRecord(line({ perturbation: note }));
    expect(perturbationOf(record)).toEqual({
      operation: 'reverse_options',
      seed: 7,
      strength: 1,
      label_preserving: true,
      parent_id: 'p',
    });
    expect(writeRecord(record).toString()).toContain(note);
    expect(() => perturbationOf({ ...record, perturbation: JsonText.parse('{"operation":1}') })).toThrow(
      'perturbation.operation',
    );
  });

  it('stands on one line, whatever the white space of its parts', () => {
    const record = readRecord(line({ state: '{\n  "a": "x\\ny",\r\n  "b": [1]\n}' }));
    const written = writeRecord(record).toString();
    expect(written).toContain('"state":{   "a": "x\\ny",    "b": [1] },');
    expect(written).not.toMatch(/[\r\n]/);
  });

  it('is checked when an operator has made it', () => {
    const record = readRecord(line());
    expect(() => checkRecord({ ...record, options: record.options.slice(1), instructions: json.string('x') })).toThrow(
      '2 to 255',
    );
  });
});
