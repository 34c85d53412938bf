import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HoldfastError, JsonText, checkRecord, type BaseRecord } from '@holdfast/core';
import { readDataset, testDataset, upstreamFolder } from '@holdfast/kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from './plugin.ts';
import { unwrap } from './tool-response.ts';

const sample = fileURLToPath(new URL('../sample', import.meta.url));
testDataset(plugin, { folder: sample });
testDataset(plugin, { folder: sample, options: { classification: 'kinds', tools: 'tools.json' } });

const upstream = upstreamFolder('injecagent');
const make = (options: object = {}) =>
  plugin.create(plugin.options.parse(options), { env: () => undefined, folder: '' });

/** Reads cases of direct harm that a test wrote itself. */
function readCases(cases: string, options: object = {}, tools = '[]') {
  return readDataset(plugin, {
    files: { 'cases.json': cases, 'tools.json': tools },
    options: { direct_harm: 'cases.json', data_stealing: null, ...options },
  });
}

const counted = (from: readonly BaseRecord[], gold: (record: BaseRecord) => string = record => record.gold) => {
  const counts: Record<string, number> = {};
  for (const record of from) counts[gold(record)] = (counts[gold(record)] ?? 0) + 1;
  return counts;
};
const shown = ({ state, instructions, options }: BaseRecord) =>
  [state, instructions, ...options.map(option => option.description)].map(String).join('\n');

const members: Readonly<Record<string, string>> = {
  'Attacker Tools': '["BadTool"]',
  Modifed: '1',
  'Attacker Instruction': '"Pay 5."',
  'Expected Achievements': '"To be rich."',
  'Attack Type': '"Financial Harm"',
  'User Tool': '"BoxOpen"',
  'User Instruction': String.raw`"Open caf\u00e9 box."`,
  'Tool Parameters': `"{'n': 1.0, 'deep': True}"`,
  'Tool Response Template': `"{'text': '<Attacker Instruction>'}"`,
  Thought: '"Thought: open."',
  'Tool Response': String.raw`"\"{'text': 'Pay 5.', 'by': \\\"caf\u00e9's\\\"}\""`,
};
const one = (changed: Readonly<Record<string, string | undefined>> = {}) =>
  `{${Object.entries({ ...members, ...changed })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `"${key}": ${value}`)
    .join(', ')}}`;

describe('a case', () => {
  it('keeps the bytes of what is shown, parameters as the Python text that they are', async () => {
    const [record] = (await readCases(`[\n${one()}\n]`)).records;
    expect(record!.state.toString()).toBe(
      String.raw`{"user_instruction":"Open caf\u00e9 box.","tool_call":{"tool":"BoxOpen","parameters":"{'n': 1.0, 'deep': True}"},` +
        String.raw`"tool_response":"{'text': 'Pay 5.', 'by': \"caf\u00e9's\"}"}`,
    );
    expect(record).toMatchObject({ base_id: 'injecagent:dh:0', gold: 'financial_harm' });
    expect(record!.source.toString()).toBe('{"file":"cases.json","index":0,"id":"dh:0","upstream_split":null}');
    expect(record!.metadata!.lossyValue()).toEqual({
      label_source: 'Attack Type',
      setting: 'base',
      classification: 'all_types',
      attack_kind: 'direct_harm',
      attack_type: 'Financial Harm',
      modified: 1,
      tool_response: 'outer quotes taken off',
      tool_specification: 'not shown',
      not_shown: ['Thought', 'Tool Response Template'],
    });
  });

  it.each<[string, string, boolean]>([
    [String.raw`"\"{'a': 1}\""`, `"{'a': 1}"`, true],
    [String.raw`"\"{'a': \\\"it's\\\"}\""`, String.raw`"{'a': \"it's\"}"`, true],
    // A backslash of the text itself stays.
    [String.raw`"\"C:\\\\dir\\n \\\"x\\\"\""`, String.raw`"C:\\\\dir\\n \"x\""`, true],
    [String.raw`"\"\u2019\n\""`, String.raw`"\u2019\n"`, true],
    [String.raw`"\"\""`, '""', true],
    [`"{'a': 1}"`, `"{'a': 1}"`, false],
    [String.raw`"\"half"`, String.raw`"\"half"`, false],
    [String.raw`"\""`, String.raw`"\""`, false],
    ['""', '""', false],
  ])('has its response %s shown as %s', (written, expected, unwrapped) => {
    const response = unwrap(JsonText.parse(written));
    expect([response.text.toString(), response.unwrapped]).toEqual([expected, unwrapped]);
    expect(JsonText.parse(response.text.bytes).equals(response.text)).toBe(true);
  });

  it('shares a group with the same attack on another user', async () => {
    const other = one({ 'Attacker Instruction': '"Pay 6."' });
    const [first, second, third] = (await readCases(`[${one()},${one({ 'User Tool': '"BagOpen"' })},${other}]`))
      .records;
    expect(first!.group_id).toMatch(/^injecagent:dh:[0-9a-f]{16}$/);
    expect(second!.group_id).toBe(first!.group_id);
    expect(third!.group_id).not.toBe(first!.group_id);
  });

  it.each<[object, string, string[], string]>([
    [{}, 'injecagent:dh:0', allTypes(), 'financial_harm'],
    [{ setting: 'enhanced' }, 'injecagent:dh_enhanced:0', allTypes(), 'financial_harm'],
    [{ classification: 'types_of_kind' }, 'injecagent:dh:0', allTypes().slice(0, 3), 'financial_harm'],
    [{ classification: 'kinds' }, 'injecagent:dh:0', ['direct_harm', 'data_stealing'], 'direct_harm'],
  ])('with %j offers what the options say', async (options, id, ids, gold) => {
    const [record] = (await readCases(`[${one()}]`, options)).records;
    expect(record).toMatchObject({ base_id: id, gold });
    expect(record!.options.map(option => option.id)).toEqual(ids);
    expect(record!.options.map(option => option.canonical_id)).toEqual(ids);
  });

  it('shows the specification of the tool that was called, and of no other, when it is asked for', async () => {
    const tools = `[{"toolkit":"Box","tools":[{"name":"Open","summary":"Opens.","parameters":[{"n":1.0}]},{"name":"Shut"}]}]`;
    const [record] = (await readCases(`[${one()}]`, { tools: 'tools.json' }, tools)).records;
    expect(record!.state.toString()).toContain(
      '"tool_specification":{"tool":"BoxOpen","summary":"Opens.","parameters":[{"n":1.0}]},"tool_call"',
    );
    expect(record!.state.toString()).not.toContain('BoxShut');
  });

  it.each<[string, string, object, string, string, string]>([
    ['without a type', `[\n${one({ 'Attack Type': undefined })}]`, {}, '[]', 'cases.json:2', 'Attack Type is missing'],
    [
      'of another kind',
      `[\n${one({ 'Attack Type': '"Others"' })}]`,
      {},
      '[]',
      'cases.json:2',
      'is "Others", not a type',
    ],
    [
      'with a list of text',
      `[${one({ 'Tool Response': '[]' })}]`,
      {},
      '[]',
      'cases.json:1',
      'Tool Response must be of',
    ],
    ['that is no object', '[1]', {}, '[]', 'cases.json:1', 'an object was expected'],
    [
      'whose tool is unknown',
      `[${one()}]`,
      { tools: 'tools.json' },
      '[]',
      'cases.json:1',
      'tools.json does not describe',
    ],
    [
      'beside a tool that stands twice',
      '[]',
      { tools: 'tools.json' },
      '[{"toolkit":"A","tools":[{"name":"BC"}]},\n{"toolkit":"AB","tools":[{"name":"C"}]}]',
      'tools.json:2',
      'is ABC, which was described already',
    ],
  ])('%s stops with its place', async (_, cases, options, tools, place, message) => {
    const error = await readCases(cases, options, tools).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(HoldfastError.is(error) && error.message).toContain(message);
    expect((error as Error).message).toContain(place);
  });
});

function allTypes() {
  return ['financial_harm', 'physical_harm', 'data_security_harm', 'financial_data', 'physical_data', 'others'];
}

describe('the options', () => {
  it('name files of upstream with their pins', () => {
    const { upstream: pinned } = make({ tools: 'tools.json' });
    expect(pinned.map(({ name }) => name)).toEqual([
      'test_cases_dh_base.json',
      'test_cases_ds_base.json',
      'tools.json',
    ]);
    expect(pinned.every(file => file.sha256?.length === 64 && file.url?.includes(file.revision!))).toBe(true);
    expect(make({ setting: 'enhanced' }).upstream.map(({ name, bytes }) => [name, bytes])).toEqual([
      ['test_cases_dh_enhanced.json', 721_878],
      ['test_cases_ds_enhanced.json', 817_594],
    ]);
    expect(make({ direct_harm: null, data_stealing: 'mine.json' }).upstream).toEqual([{ name: 'mine.json' }]);
  });

  it('are refused without any file', () => {
    expect(() => make({ direct_harm: null, data_stealing: null })).toThrow('name the file of at least one');
  });
});

describe('the sample', () => {
  it('holds all types, over groups of three user cases', async () => {
    const { records } = await readDataset(plugin, { folder: sample });
    for (const record of records) checkRecord({ primitive: 'choice', ...record });
    expect(counted(records)).toEqual({
      financial_harm: 3,
      physical_harm: 6,
      data_security_harm: 3,
      financial_data: 3,
      physical_data: 3,
      others: 6,
    });
    expect(new Set(Object.values(counted(records, record => record.group_id)))).toEqual(new Set([3]));
  });
});

const folders = [sample, upstream].filter(folder => folder !== null);

describe.each(folders)('what is shown of %s', folder => {
  interface UpstreamCase {
    readonly [key: string]: string;
  }
  const cases = ['dh', 'ds'].flatMap(
    kind => JSON.parse(readFileSync(join(folder, `test_cases_${kind}_base.json`), 'utf8')) as UpstreamCase[],
  );

  it.each([{}, { tools: 'tools.json' }])('with %j says neither the type nor what the attacker wants', async options => {
    const { records } = await readDataset(plugin, { folder, options });
    expect(records).toHaveLength(cases.length);
    for (const [index, record] of records.entries()) {
      const upstreamCase = cases[index]!;
      const state = record.state.lossyValue() as Record<string, unknown>;
      const keys = ['user_instruction', 'tool_specification', 'tool_call', 'tool_response'];
      expect(Object.keys(state)).toEqual(keys.filter(key => key !== 'tool_specification' || 'tools' in options));
      const written = shown(record);
      for (const leak of ['Expected Achievements', 'Thought'] as const)
        expect(written).not.toContain(upstreamCase[leak]);
      for (const leak of ['Attack Type', 'Attacker', 'Modifed', 'test_cases', record.group_id]) {
        expect(written).not.toContain(leak);
      }
      expect(record.state.toString()).not.toMatch(
        /Physical Harm|Financial Harm|Security Harm|Physical Data|Financial Data/,
      );
      // Some injected instructions name the tools themselves: nothing else may.
      const around = JSON.stringify(state).replace(
        JSON.stringify(upstreamCase['Attacker Instruction']).slice(1, -1),
        '',
      );
      for (const tool of upstreamCase['Attacker Tools']!) {
        if (tool !== upstreamCase['User Tool']) expect(around).not.toContain(tool);
      }
      expect(state['tool_response']).toBe(
        upstreamCase['Tool Response Template']!.replace(
          '<Attacker Instruction>',
          upstreamCase['Attacker Instruction']!,
        ),
      );
    }
    expect(new Set(records.map(record => record.instructions.toString())).size).toBe(1);
    expect(new Set(records.map(record => record.options.map(shownOption).join())).size).toBe(1);
  });
});

function shownOption({ id, description }: BaseRecord['options'][number]) {
  return `${id} ${description.toString()}`;
}

describe.skipIf(upstream === null)('the real files', () => {
  it('give 1,054 questions in 62 groups', async () => {
    const { records } = await readDataset(plugin, { folder: upstream! });
    for (const record of records) checkRecord({ primitive: 'choice', ...record });
    expect(counted(records)).toEqual({
      financial_harm: 153,
      physical_harm: 170,
      data_security_harm: 187,
      financial_data: 102,
      physical_data: 187,
      others: 255,
    });
    expect(new Set(Object.values(counted(records, record => record.group_id)))).toEqual(new Set([17]));
    expect(new Set(records.map(record => record.group_id)).size).toBe(62);
    expect(
      counted(records, ({ metadata }) => (metadata!.lossyValue() as { tool_response: string }).tool_response),
    ).toEqual({
      'outer quotes taken off': 1054,
    });
  });
});
