import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HoldfastError, checkRecord, readItems, readMap, type BaseRecord } from '@holdfast/core';
import { readDataset, testDataset, upstreamFolder } from '@holdfast/kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from './plugin.ts';

const sample = fileURLToPath(new URL('../sample', import.meta.url));
testDataset(plugin, { folder: sample });

const upstream = upstreamFolder('agentprocess');

const shown = ({ state, instructions, options }: BaseRecord) =>
  [state, instructions, ...options.map(option => option.description)].map(String).join('\n');
const messagesOf = ({ state }: BaseRecord) => readItems(readMap(state.bytes).get('messages')!.bytes);

function tally(values: readonly string[]) {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** Reads lines that a test wrote itself. */
function readLines(
  lines: readonly string[],
  { labels = [], ...options }: { labels?: readonly string[]; [option: string]: unknown } = {},
) {
  return readDataset(plugin, {
    files: { 't.jsonl': lines.join('\n'), 'l.jsonl': labels.join('\n') },
    options: { files: ['l.jsonl', 't.jsonl'], ...options },
  });
}

const system = '{"role":"system","content":"s"}';
const user = '{"role":"user","content":"u"}';
const assistant = '{"role":"assistant","content":"a"}';
const call = (name: string) =>
  `{"role":"assistant","content":"","tool_calls":[{"id":"${name}","type":"function","function":{"name":"${name}","arguments":"{}"}}]}`;
const tool = (id: string) => `{"role":"tool","content":"r","tool_call_id":"${id}"}`;

interface Row {
  messages?: readonly string[];
  labels?: string;
  source?: string;
  sampleIndex?: string;
  more?: string;
}

const row = ({
  messages = [system, user, assistant],
  labels = '"step_labels":{"2":1},',
  source = 'gaia_dev',
  sampleIndex = '0',
  more = '"tools":[],',
}: Row = {}) =>
  `{"query_index":3,"sample_index":${sampleIndex},"question":"q","data_source":"${source}",${labels}${more}` +
  `"ground_truth":{"answer":"LEAK"},"final_label":-1,"answer_text":null,"messages":[${messages.join(',')}]}`;

describe('a step', () => {
  it('keeps the bytes of messages and tools, and ends with itself', async () => {
    const spaced = String.raw`{ "content":"caf\u00e9 \u2028", "role":"assistant","tool_calls" : [{"n":1.0}] }`;
    const [first, second] = (
      await readLines([
        row({
          messages: [system, user, spaced, tool('x'), assistant],
          labels: '"step_labels":{"4":-1,"2":1},',
          more: '"tools":[ {"a":1e2} ],"total_index":12,',
        }),
      ])
    ).records;
    expect(String(first!.state)).toBe(
      `{"tools":[ {"a":1e2} ],"messages":[${system},${user},${spaced}],"target_message_index":2}`,
    );
    expect(messagesOf(second!).map(String)).toEqual([system, user, spaced, tool('x'), assistant]);
    expect([first, second].map(record => [record!.base_id, record!.group_id, record!.gold])).toEqual([
      ['agentprocess:gaia_dev:3:0:step:2', 'agentprocess:gaia_dev:3', '1'],
      ['agentprocess:gaia_dev:3:0:step:4', 'agentprocess:gaia_dev:3', '-1'],
    ]);
    expect(first!.source.lossyValue()).toMatchObject({ file: 't.jsonl', row: 1, total_index: 12, message_index: 2 });
    expect(first!.metadata!.lossyValue()).toMatchObject({ messages: 5, messages_not_shown_after: 2 });
  });

  it('offers 1, 0 and -1 in this order', async () => {
    const [record] = (await readLines([row()])).records;
    expect(record!.options.map(({ id, canonical_id }) => [id, canonical_id])).toEqual([
      ['1', '1'],
      ['0', '0'],
      ['-1', '-1'],
    ]);
  });

  it('shows no member of a message that is not part of a chat', async () => {
    const graded = '{"role":"assistant","content":"a","reward":1,"turn_idx":2}';
    const [record] = (await readLines([row({ messages: [system, user, graded] })])).records;
    expect(messagesOf(record!).map(String)).toEqual([system, user, assistant]);
    expect(record!.metadata!.lossyValue()).toMatchObject({ message_members_left_out: ['reward', 'turn_idx'] });
  });

  it('may come first, before any user message, and without tools', async () => {
    const [record] = (
      await readLines([
        row({
          messages: [system, assistant, user],
          labels: '"step_labels":{"1":0},',
          source: 'tau2_telecom',
          more: '"tools":null,',
        }),
      ])
    ).records;
    expect(String(record!.state)).toBe(`{"messages":[${system},${assistant}],"target_message_index":1}`);
    expect(record).toMatchObject({ gold: '0', scenario: 'tau2_telecom', decision_type: 'step_quality' });
  });

  const long = row({
    messages: [system, user, call('b'), tool('b'), call('c'), tool('c'), tool('c'), call('d'), tool('d'), assistant],
    labels: '"step_labels":{"2":1,"4":1,"7":1,"9":1},',
  });

  it('shows as many earlier messages as the option says, and counts the others', async () => {
    const [, , third] = (await readLines([long], { history: 3 })).records;
    expect(String(third!.state)).toBe(
      `{"tools":[],"messages":[${[system, user, call('c'), tool('c'), tool('c'), call('d')].join(',')}],` +
        '"target_message_index":5,"omitted_messages_before_target":2}',
    );
    expect(third!.metadata!.lossyValue()).toMatchObject({ history: 3, messages_omitted_before: 2 });
    const [, , alone] = (await readLines([long], { history: 0 })).records;
    expect(messagesOf(alone!).map(String)).toEqual([system, user, call('d')]);
  });

  it('shows the results of its own calls where they are asked for, and nothing behind them', async () => {
    const [, second, , last] = (await readLines([long], { after_step: 'results' })).records;
    expect(messagesOf(second!).slice(4).map(String)).toEqual([call('c'), tool('c'), tool('c')]);
    expect(readMap(second!.state.bytes).get('target_message_index')!.toString()).toBe('4');
    expect(second!.metadata!.lossyValue()).toMatchObject({ messages_shown_after: 2, messages_not_shown_after: 3 });
    expect(messagesOf(last!)).toHaveLength(10);
  });

  it('shows the question only where it is asked for', async () => {
    expect(readMap((await readLines([row()])).records[0]!.state.bytes).has('question')).toBe(false);
    const [record] = (await readLines([row()], { question: true })).records;
    expect(readMap(record!.state.bytes).get('question')!.toString()).toBe('"q"');
  });
});

describe('scenarios', () => {
  it.each([
    ['searchR1_hotpotqa', 'Information Retrieval and Knowledge QA'],
    ['gaia_dev', 'Information Retrieval and Knowledge QA'],
    ['bfcl_multi_turn_base', 'Tool and API Interactions'],
    ['tau2_airline', 'Business Service Interactions'],
    ['tau2_retail', 'Business Service Interactions'],
  ])('of %s is %s', async (source, scenario) => {
    const [record] = (await readLines([row({ source })])).records;
    expect(record!.labels).toEqual({ scenario });
  });

  it('are an option', async () => {
    const [record] = (await readLines([row({ source: 'new_domain' })], { scenarios: { new: 'Mine' } })).records;
    expect(record!.labels).toEqual({ scenario: 'Mine' });
  });
});

const labelLine = (labels: string, sampleIndex = 0) =>
  `{"data_source":"gaia_dev","query_index":3,"sample_index":${sampleIndex},"step_labels":${labels},"final_label":1}`;

describe('label files', () => {
  it('give labels to trajectories without any, and count those without a trajectory', async () => {
    const cases = await readLines([row({ labels: '' })], { labels: [labelLine('{"2":-1}'), labelLine('{"2":1}', 4)] });
    expect(cases.records.map(({ gold }) => gold)).toEqual(['-1']);
    expect(cases.records[0]!.metadata!.lossyValue()).toMatchObject({ label_place: 'l.jsonl:1' });
    expect(cases.items.slice(1)).toEqual([
      { skipped: 'labels of a trajectory that is not at hand', place: 'l.jsonl:2' },
    ]);
  });
});

describe('what gives no question', () => {
  it.each<[string, Row, string]>([
    ['no labels', { labels: '' }, 'the trajectory has no labels'],
    ['labels of null', { labels: '"step_labels":null,' }, 'the trajectory has no labels'],
    ['a step without a label', { labels: '"step_labels":{},' }, 'the step has no label'],
    [
      "another role's label",
      { labels: '"step_labels":{"1":1},', messages: [system, user] },
      "the label is not of the assistant's message",
    ],
    [
      'a label of nothing',
      { labels: '"step_labels":{"9":1},', messages: [system, user] },
      'the label is of no message',
    ],
  ])('%s is skipped with a reason', async (_, broken, skipped) => {
    expect((await readLines([row(broken)])).items).toEqual([{ skipped, place: 't.jsonl:1' }]);
  });

  it.each<[string, string[], string[], string, string]>([
    ['text that is no JSON', [row(), '{"a":'], [], 'RECORD_INVALID', 't.jsonl:2:6: not JSON'],
    ['a label of 2', [row({ labels: '"step_labels":{"2":2},' })], [], 'RECORD_INVALID', 'step_labels.2 must be 1, 0'],
    ['a label in words', [row({ labels: '"step_labels":{"2":"1"},' })], [], 'RECORD_INVALID', 'step_labels.2 must be'],
    ['a label by name', [row({ labels: '"step_labels":{"last":1},' })], [], 'RECORD_INVALID', 'index of a message'],
    ['two labels of one step', [row({ labels: '"step_labels":{"2":1,"2":0},' })], [], 'RECORD_INVALID', 'stands twice'],
    ['a message in text', [row({ messages: ['"hello"'] })], [], 'RECORD_INVALID', 'messages.0 must be an object'],
    ['an index in text', [row({ sampleIndex: '"0"' })], [], 'RECORD_INVALID', 't.jsonl:1:33: sample_index must be of'],
    ['a fraction for an index', [row({ sampleIndex: '0.5' })], [], 'RECORD_INVALID', 'must be a whole number'],
    ['a trajectory twice', [row(), row()], [], 'UPSTREAM_INVALID', 't.jsonl:2: gaia_dev:3:0 stands at t.jsonl:1'],
    ['a domain without a scenario', [row({ source: 'x' })], [], 'UPSTREAM_INVALID', 'add its domain to the option'],
    ['labels that differ', [row()], [labelLine('{"2":0}')], 'UPSTREAM_INVALID', 'are others at l.jsonl:1'],
    ['labels twice', [], [labelLine('{}'), labelLine('{}')], 'UPSTREAM_INVALID', 'l.jsonl:2: gaia_dev:3:0 has labels'],
    ['a label line without labels', [], [labelLine('null')], 'RECORD_INVALID', 'l.jsonl:1:74: step_labels is missing'],
  ])('%s stops with its place', async (_, lines, labels, code, message) => {
    const error = await readLines(lines, { labels }).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(HoldfastError.is(error) && [error.code, error.message]).toEqual([code, expect.stringContaining(message)]);
  });
});

const telling =
  /step_labels|final_label|ground_truth|answer_text|tool_metrics|endpoint_url|total_index|reward_basis|nl_assertions/;

describe('the sample', () => {
  it('has every label and scenario, and shows no answer', async () => {
    const { records: found } = await readDataset(plugin, { folder: sample });
    for (const record of found) {
      checkRecord({ primitive: 'choice', ...record });
      expect(shown(record)).not.toMatch(telling);
    }
    expect(tally(found.map(({ gold }) => gold))).toEqual({ '1': 18, '0': 3, '-1': 6 });
    expect(tally(found.map(({ labels }) => labels!.scenario!))).toEqual({
      'Information Retrieval and Knowledge QA': 12,
      'Tool and API Interactions': 6,
      'Business Service Interactions': 9,
    });
  });
});

describe.skipIf(upstream === null)('the real files', () => {
  const folder = upstream!;
  const file = 'data/AgentProcessBench/hotpotqa.first220.jsonl';
  const answers = ['bfcl', 'gaia_dev', 'hotpotqa', 'tau2'].map(domain => `data/AnswerOnly/${domain}_final.jsonl`);

  it('give 641 steps, whose labels are those of AnswerOnly', async () => {
    const cases = await readDataset(plugin, { folder, options: { files: [file, ...answers] } });
    const found = cases.records;
    for (const record of found) checkRecord({ primitive: 'choice', ...record });
    expect(tally(found.map(({ gold }) => gold))).toEqual({ '1': 438, '0': 49, '-1': 154 });
    expect(new Set(found.map(record => record.base_id)).size).toBe(641);
    expect(new Set(found.map(record => record.group_id)).size).toBe(44);
    expect(tally(cases.skipped.map(each => each.skipped))).toEqual({
      'labels of a trajectory that is not at hand': 780,
    });
  }, 60_000);

  it('show bytes of the line up to the step, and nothing that tells its worth', async () => {
    const { records: found } = await readDataset(plugin, { folder, options: { files: [file] } });
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    for (const record of found) {
      const { row, message_index: index } = record.source.lossyValue() as { row: number; message_index: number };
      expect(shown(record)).not.toMatch(telling);
      const messages = messagesOf(record);
      expect(messages).toHaveLength(index + 1);
      expect(lines[row - 1]!.includes(`"messages":[${messages.map(String).join(',')}`)).toBe(true);
      expect(String(messages.at(-1)!)).toMatch(/^\{"role":"assistant"/);
    }
  }, 60_000);
});
