import { describe, expect, it } from 'vitest';
import { checkPair } from './check-pair.ts';
import { JsonText } from './json/json-text.ts';
import { json } from './json/write.ts';
import type { Version } from './perturbation.ts';
import { readRecord, type DecisionRecord } from './record.ts';

const original = readRecord(
  Buffer.from(
    String.raw`{"id":"q1::v0_original","base_id":"q1","group_id":"g1","dataset":"own","state":{"a":1.0,"b":"\u00e9"},` +
      '"instructions":"Which one?","options":[{"id":"1","canonical_id":"1","description":"One"},' +
      '{"id":"0","canonical_id":"0","description":null}],"gold":"0","source":{"row":1},"labels":{"scenario":"S"}}',
  ),
);
const note = { operation: 'x', seed: 1, strength: 1, label_preserving: true, parent_id: original.id };
const version: DecisionRecord = {
  ...original,
  id: 'q1::v9_x',
  version: 'v9_x',
  actual_operator: 'x',
  perturbation: json.value(note),
};
const rules = (changed: Partial<DecisionRecord>, changes: readonly (keyof Version)[] = [], from = original) =>
  checkPair(from, { ...version, ...changed }, { changes }).map(({ rule, severity }) =>
    severity === 'warning' ? `${rule}?` : rule,
  );

describe('a pair', () => {
  it('holds where only what tells versions apart differs', () => {
    expect(rules({})).toEqual([]);
    expect(rules({ base_record_file: 'base.jsonl' })).toEqual([]);
  });

  it('holds where JSON is spelled in other bytes', () => {
    expect(rules({ state: JsonText.parse('{ "a": 1.0, "b": "é" }') })).toEqual([]);
  });

  it.each<[string, Partial<DecisionRecord>, string[]]>([
    ['another base', { base_id: 'q2' }, ['base_id']],
    ['another group', { group_id: 'g2' }, ['group_id']],
    ['another dataset', { dataset: 'other' }, ['dataset']],
    ['another split', { split: 'train' }, ['split']],
    ['another partition', { local_partition: 'dev' }, ['local_partition']],
    ['another source', { source: JsonText.parse('{"row":2}') }, ['source']],
    ['other tags', { tags: ['a'] }, ['tags']],
    ['another primitive', { primitive: 'noul' }, ['primitive']],
    ['another label', { labels: { scenario: 'T' } }, ['labels']],
    ['an unknown member', { extra: [['colour', json.value(1)]] }, ['extra']],
    ['a number in another spelling', { state: JsonText.parse(String.raw`{"a":1,"b":"\u00e9"}`) }, ['state']],
    ['other instructions', { instructions: json.string('Which?') }, ['instructions']],
    ['options in another order', { options: original.options.toReversed() }, ['options']],
    ['another gold', { gold: '1' }, ['gold', 'canonical_gold']],
    ['the id of the original', { id: original.id }, ['id']],
    ['the name of the original', { version: original.version }, ['version']],
    ['another parent', { perturbation: json.value({ ...note, parent_id: 'q2' }) }, ['parent_id']],
    ['a malformed note', { perturbation: json.value({}) }, ['perturbation']],
    ['another operation in the note', { perturbation: json.value({ ...note, operation: 'y' }) }, ['operation?']],
  ])('is refused for %s', (_, changed, expected) => expect(rules(changed)).toEqual(expected));

  it('needs a note on the version and none on the original', () => {
    const { perturbation: _, ...bare } = version;
    expect(checkPair(original, bare, { changes: [] }).map(({ rule }) => rule)).toEqual(['perturbation']);
    expect(rules({}, [], { ...original, perturbation: json.value(note) })).toEqual(['original']);
  });

  it('leaves the fields of the operator to the operator, but not the candidates themselves', () => {
    const [one, zero] = original.options as [DecisionRecord['options'][0], DecisionRecord['options'][0]];
    expect(rules({ options: [zero, one] }, ['options'])).toEqual([]);
    expect(rules({ options: [one, { ...zero, canonical_id: '2' }] }, ['options'])).toEqual([
      'canonical_ids',
      'canonical_gold',
    ]);
    expect(rules({ options: [one, zero, { ...zero, id: '2', canonical_id: '2' }] }, ['options'])).toEqual([
      'option_count',
      'canonical_ids',
    ]);
    expect(rules({ gold: '1' }, ['gold'])).toEqual(['canonical_gold']);
  });
});
