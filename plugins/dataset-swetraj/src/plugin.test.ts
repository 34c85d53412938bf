import { fileURLToPath } from 'node:url';
import { HoldfastError, checkRecord, readItems, readMap, type BaseRecord } from '@holdfast/core';
import { readDataset, testDataset, upstreamFolder } from '@holdfast/kit/testing';
import { describe, expect, it } from 'vitest';
import { issueOf } from './agent-run.ts';
import plugin from './plugin.ts';

const sample = fileURLToPath(new URL('../sample', import.meta.url));
testDataset(plugin, { folder: sample });

const upstream = upstreamFolder('swetraj');

/** Reads files that a test wrote itself, in the order of their names here. */
function readFiles(contents: Readonly<Record<string, string>>, options: object = {}) {
  return readDataset(plugin, { files: contents, options: { files: Object.keys(contents), ...options } });
}

const shown = ({ state, instructions, options }: BaseRecord) =>
  [state, instructions, ...options.map(option => option.description)].map(String).join('\n');
const turnsOf = ({ state }: BaseRecord) => readItems(readMap(state.bytes).get('trajectory')!.bytes).map(String);

function tally(values: readonly string[]) {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

const system = '{"cutoff_date":"01.01.2023","mask":false,"role":"system","system_prompt":"SYS","text":null}';
const turn = (role: string, text: string) =>
  `{"cutoff_date":null,"mask":true,"role":"${role}","system_prompt":null,"text":${text}}`;

interface Row {
  id?: string;
  target?: string;
  turns?: readonly string[];
  status?: string;
  patch?: string;
}

const row = ({
  id = 'owner__name-1',
  target = 'true',
  turns = [system, turn('user', '"ISSUE"'), turn('ai', '"one"')],
  status = '"submitted"',
  patch = '"PATCH"',
}: Row = {}) =>
  `{"instance_id":"${id}","model_name":"m","target":${target},"trajectory":[${turns.join(',')}],` +
  `"exit_status":${status},"generated_patch":${patch},"eval_logs":"LEAK"}`;

describe('a row of the Hub', () => {
  it('keeps the bytes of texts, and shows neither logs nor target nor masks', async () => {
    const text = String.raw`"\u001b[0m caf\u00e9\r\n"`;
    const [record] = (
      await readFiles({ 'a.json': `[ ${row({ turns: [system, turn('user', text), turn('ai', 'null')] })} ]` })
    ).records;
    expect(String(record!.state)).toBe(
      `{"trajectory":[{"role":"system","text":"SYS"},{"role":"user","text":${text}},{"role":"ai","text":null}],` +
        '"exit_status":"submitted","generated_patch":"PATCH"}',
    );
    expect(record).toMatchObject({
      group_id: 'swetraj:owner__name-1',
      gold: 'yes',
      scenario: 'issue_repair',
      decision_type: 'repair_outcome',
    });
    expect(record!.base_id).toMatch(/^swetraj:owner__name-1:[0-9a-f]{16}$/);
    expect(record!.source.lossyValue()).toMatchObject({ file: 'a.json', row: 1, instance_id: 'owner__name-1' });
    expect(record!.options.map(({ id, canonical_id }) => [id, canonical_id])).toEqual([
      ['yes', 'yes'],
      ['no', 'no'],
    ]);
  });

  it('has the same id from an array and from lines, whatever the exporter appended to its issue', async () => {
    const [first] = (await readFiles({ 'a.json': `[\n${row()}\n]` })).records;
    const [second] = (await readFiles({ 'a.jsonl': row({ id: 'owner__name-1_17' }).replace('ISSUE', '\\u0049SSUE') }))
      .records;
    expect(second!.base_id).toBe(first!.base_id);
    expect(second!.group_id).toBe(first!.group_id);
  });

  it('of an issue that was tried before is another question of the same group', async () => {
    const other = row({ target: 'false', patch: 'null', status: 'null' });
    const cases = await readFiles({ 'a.jsonl': [row(), other, row()].join('\n') });
    const found = cases.records;
    expect(found.map(({ gold }) => gold)).toEqual(['yes', 'no']);
    expect(new Set(found.map(({ base_id }) => base_id)).size).toBe(2);
    expect(new Set(found.map(({ group_id }) => group_id)).size).toBe(1);
    expect(String(found[1]!.state)).toMatch(/"exit_status":null,"generated_patch":null\}$/);
    expect(cases.skipped).toEqual([{ skipped: 'the same run again', place: 'a.jsonl:3' }]);
  });

  it.each([
    ['AnalogJ__lexicon-336', 'AnalogJ__lexicon-336'],
    ['tomerfiliba__plumbum-366_17', 'tomerfiliba__plumbum-366'],
    ['a__b_2-1', 'a__b_2-1'],
    ['no_number_3', 'no_number_3'],
  ])('%s is a run on %s', (id, issue) => {
    expect(issueOf(id)).toBe(issue);
  });

  it.each<[Row, string]>([
    [{ target: 'null' }, 'the outcome of the run is not known'],
    [{ turns: [] }, 'the run has no turns'],
  ])('%j is skipped with a reason', async (broken, skipped) => {
    expect((await readFiles({ 'a.json': `[\n\n${row(broken)}]` })).items).toEqual([{ skipped, place: 'a.json:3' }]);
  });
});

describe('what is shown', () => {
  const turns = [system, turn('user', '"ISSUE"'), ...['1234', '😀😀😀', 'end'].map(text => turn('ai', `"${text}"`))];
  const file = { 'a.jsonl': row({ turns }) };

  it.each<[string, object, readonly string[], object]>([
    [
      'the last turns behind the issue, with a gap that is told',
      { last_turns: 1 },
      [
        '{"role":"system","text":"SYS"}',
        '{"role":"user","text":"ISSUE"}',
        '{"omitted_turns":2}',
        '{"role":"ai","text":"end"}',
      ],
      { turns: 5, turns_omitted: 2, texts_cut: 0 },
    ],
    [
      'no system prompt and short texts, cut between characters',
      { system_prompt: false, text_characters: 2 },
      ['{"role":"user","text":"ISSUE"}', ...['12', '😀😀', 'en'].map(text => `{"role":"ai","text":"${text}"}`)],
      { turns_omitted: 0, system_prompt_shown: false, texts_cut: 3, text_characters_left_out: 4 },
    ],
    [
      'the issue alone',
      { last_turns: 0, system_prompt: false },
      ['{"role":"user","text":"ISSUE"}', '{"omitted_turns":3}'],
      {},
    ],
  ])('may be %s', async (_, options, expected, metadata) => {
    const [record] = (await readFiles(file, options)).records;
    expect(turnsOf(record!)).toEqual(expected);
    expect(record!.metadata!.lossyValue()).toMatchObject(metadata);
  });

  it('may leave out how the run ended', async () => {
    const [record] = (await readFiles(file, { exit_status: false })).records;
    expect(readMap(record!.state.bytes).has('exit_status')).toBe(false);
    expect(record!.metadata!.lossyValue()).toMatchObject({ exit_status_shown: false });
  });
});

const traj = (history: readonly string[]) =>
  `{"environment":"e","trajectory":[{"state":"/home/someone"}],"history":[${history.join(',')}],` +
  '"info":{"exit_status":"submitted","submission":"PATCH","model_stats":{}},"replay_config":"{}"}';

const messages = [
  '{"role":"system","content":"SYS","agent":"main"}',
  '{"role":"user","content":"DEMO","is_demo":true,"agent":"main"}',
  '{"role":"user","content":[{"type":"text","text":"ISSUE"}],"message_type":"observation"}',
  '{"role":"assistant","content":"t","thought":"t","action":"ls","tool_calls":[{"id":"c","n":1.0}]}',
  '{"role":"tool","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"tool_call_ids":["c"]}',
];

describe('a file of SWE-agent', () => {
  it.each([
    ['d/x__y-1.traj', 'd/report.json', '{"resolved":true,"patch_successfully_applied":false}', 'yes'],
    ['x__y-1.traj', 'x__y-1.report.json', '{"patch_exists":true,"resolved":false}', 'no'],
    ['x__y-1.traj', 'report.json', '{"x__y-1":{"resolved":true}}', 'yes'],
  ])('%s takes its outcome from %s', async (name, report, text, gold) => {
    const cases = await readFiles({ [report]: text, [name]: traj(messages) });
    expect(cases.items).toHaveLength(1);
    const [record] = cases.records;
    expect(record).toMatchObject({ gold, group_id: 'swetraj:x__y-1' });
    expect(String(record!.state)).toBe(
      '{"trajectory":[{"role":"system","text":"SYS"},{"role":"user","text":"ISSUE"},' +
        '{"role":"assistant","text":"t","tool_calls":[{"id":"c","n":1.0}]},' +
        '{"role":"tool","text":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}],' +
        '"exit_status":"submitted","generated_patch":"PATCH"}',
    );
    expect(record!.metadata!.lossyValue()).toMatchObject({
      demonstration_messages_left_out: 1,
      label_source: `resolved in ${report}`,
    });
  });

  it('without a report is skipped, as is a report without a run', async () => {
    expect((await readFiles({ 'a/x.traj': traj(messages), 'b/report.json': '{"resolved":true}' })).items).toEqual([
      { skipped: 'the outcome of the run is not known', place: 'a/x.traj' },
      { skipped: 'a report without its run', place: 'b/report.json' },
    ]);
  });
});

describe('a broken file', () => {
  it.each<[string, Readonly<Record<string, string>>, string, string]>([
    ['no JSON', { 'a.jsonl': `${row()}\n{"a":` }, 'RECORD_INVALID', 'a.jsonl:2:6: not JSON'],
    ['an open array', { 'a.json': `[\n${row()}` }, 'RECORD_INVALID', 'a.json:2:'],
    ['no issue', { 'a.jsonl': '{"target":true}' }, 'RECORD_INVALID', 'a.jsonl:1:1: instance_id is missing'],
    ['a target in text', { 'a.jsonl': row({ target: '"yes"' }) }, 'RECORD_INVALID', 'target must be of kind boolean'],
    ['a turn in text', { 'a.jsonl': row({ turns: ['"t"'] }) }, 'RECORD_INVALID', 'trajectory.0 must be an object'],
    ['a turn without a role', { 'a.jsonl': row({ turns: ['{}'] }) }, 'RECORD_INVALID', 'trajectory.0.role is missing'],
    ['no history', { 'a.traj': '{\n"info":{}}' }, 'RECORD_INVALID', 'a.traj:1:1: history is missing'],
    ['a report in text', { 'report.json': '"yes"' }, 'RECORD_INVALID', 'report.json:1:1: '],
    ['another suffix', { 'a.txt': '' }, 'UPSTREAM_INVALID', 'name .parquet, .json, .jsonl or .traj files'],
  ])('with %s stops with its place', async (_, files, code, message) => {
    const error = await readFiles(files).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(HoldfastError.is(error) && [error.code, error.message]).toEqual([code, expect.stringContaining(message)]);
  });
});

const telling =
  /eval_logs|HIDDEN TESTS|FAIL_TO_PASS|PASS_TO_PASS|tests_status|"target"|"resolved"|"mask"|replay_config/;

describe('the sample', () => {
  it('has as many runs that solved their issue as runs that did not, and shows no outcome', async () => {
    const cases = await readDataset(plugin, { folder: sample });
    for (const record of cases.records) {
      checkRecord({ primitive: 'choice', ...record });
      expect(shown(record)).not.toMatch(telling);
    }
    expect(tally(cases.records.map(({ gold }) => gold))).toEqual({ yes: 5, no: 5 });
    expect(cases.skipped).toEqual([
      { skipped: 'the outcome of the run is not known', place: 'data/train-00000-of-00012.parquet: row 11' },
    ]);
  });
});

describe.skipIf(upstream === null)('the real files', () => {
  const folder = upstream!;
  const pandas = 'traj/pandas-dev__pandas.95280573.pr_53856';
  const files = [
    ...['2a12e30', '849958f', 'ff50e8c'].map(blob => `nebius/sample_raw.${blob}.json`),
    `${pandas}/pandas-dev__pandas.95280573.pr_53856.traj`,
    `${pandas}/report.json`,
    'traj/pydicom__pydicom-1458/pydicom__pydicom-1458.traj',
  ];

  it('give 14 questions on 12 issues', async () => {
    const cases = await readDataset(plugin, { folder, options: { files } });
    const found = cases.records;
    for (const record of found) checkRecord({ primitive: 'choice', ...record });
    expect(tally(found.map(({ gold }) => gold))).toEqual({ yes: 10, no: 4 });
    expect(new Set(found.map(({ base_id }) => base_id)).size).toBe(14);
    expect(new Set(found.map(({ group_id }) => group_id)).size).toBe(12);
    expect(cases.skipped.map(({ skipped }) => skipped)).toEqual(['the outcome of the run is not known']);
  });

  it('show no evaluation', async () => {
    const { records } = await readDataset(plugin, { folder, options: { files } });
    for (const record of records) {
      expect(telling.test(shown(record))).toBe(false);
      expect(shown(record)).not.toContain('Will execute following command for apply_patch');
    }
  });
});
