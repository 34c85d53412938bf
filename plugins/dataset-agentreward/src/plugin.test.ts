import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HoldfastError, checkRecord, readItems, readMap, type BaseRecord } from '@holdfast/core';
import { readDataset, testDataset, upstreamFolder, type DatasetReading } from '@holdfast/kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from './plugin.ts';

const sample = fileURLToPath(new URL('../sample', import.meta.url));
const upstream = upstreamFolder('agentreward');

/** The trajectory files below a folder, as the engine finds them for the default pattern. */
function trajectoriesIn(folder: string): string[] {
  const names = readdirSync(join(folder, 'cleaned'), { recursive: true, encoding: 'utf8' });
  return names
    .filter(name => name.endsWith('.json'))
    .map(name => `cleaned/${name}`)
    .sort();
}

// A trajectory without annotations is not read, so that damage to it does no harm.
const annotated = trajectoriesIn(sample).filter(name => !name.includes('webarena.90002'));
testDataset(plugin, { folder: sample, options: { trajectories: annotated } });

const make = (options: object) => plugin.create(plugin.options.parse(options), { env: () => undefined, folder: '' });
const readSample = (options: object = {}) =>
  readDataset(plugin, { folder: sample, options: { trajectories: trajectoriesIn(sample), ...options } });

const reasons = ({ skipped }: DatasetReading) => tally(skipped.map(each => each.skipped));
const shown = ({ state, instructions, options }: BaseRecord) =>
  [state, instructions, ...options.map(option => option.description)].map(String).join('\n');
const golds = ({ records }: DatasetReading) =>
  tally(records.map(({ decision_type, gold }) => `${decision_type.replace('trajectory_', '')} ${gold}`));

function tally(values: readonly string[]) {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

const header =
  'annotator_name,benchmark,task_id,model_name,exp_name,trajectory_success,trajectory_side_effect,' +
  'trajectory_optimality,trajectory_looping';
const annotation = (
  annotator: string,
  { task = 'webarena.1', success = 'Successful', side = 'No', loop = 'Yes' } = {},
) => `${annotator},webarena,${task},M,M_on_webarena,${success},${side},2. Suboptimal,${loop}`;
const pair = [annotation('A'), annotation(' B')];
const file = 'cleaned/webarena/M/M_on_webarena/webarena.1.json';
const goalAnd = (steps: readonly string[]) =>
  `{"benchmark":"webarena","goal":"G","summary_info":{"cum_reward":1.0},"valid":true,"steps":[${steps.join(',')}]}`;
const entry = (url: string, { reasoning = '"r"', action = '"a()"', error = '""', more = '' } = {}) =>
  `{"num":0,"url":"${url}","reasoning":${reasoning},"action":${action},"last_action_error":${error},` +
  `"axtree":"A","axtree_obj":{"a":[{"b":"]}\\""}]},"axtree_pruned":"tree of ${url}"${more}}`;
const ended = (url: string, error = '""') => entry(url, { reasoning: 'null', action: 'null', error });

/** Reads files that a test wrote itself. */
function readFiles(
  {
    annotations = pair,
    splits = ['webarena.1,webarena,dev'],
    trajectory = goalAnd([entry('u'), ended('v')]),
    at = file,
  }: { annotations?: readonly string[]; splits?: readonly string[]; trajectory?: string; at?: string },
  options: object = {},
) {
  return readDataset(plugin, {
    files: {
      'data/annotations.csv': [header, ...annotations].join('\n'),
      'data/splits.csv': ['task_id,benchmark,split', ...splits].join('\n'),
      [at]: trajectory,
    },
    options: { trajectories: [at], ...options },
  });
}

describe('a question', () => {
  it('keeps the bytes of goal, steps and last page, and gives each error to its own action', async () => {
    const trajectory = goalAnd([
      entry('u', { reasoning: String.raw`"caf\u00e9"` }),
      entry('v', { reasoning: 'null', error: '"E of u"', more: ', "axtree_extra":1' }),
      ended('w', '"E of v"'),
    ]);
    const found = (await readFiles({ trajectory })).records;
    expect(found.map(({ base_id, gold }) => [base_id, gold])).toEqual([
      ['agentreward:webarena.1:M:success', 'yes'],
      ['agentreward:webarena.1:M:looping', 'yes'],
      ['agentreward:webarena.1:M:side_effect', 'no'],
    ]);
    expect(String(found[0]!.state)).toBe(
      String.raw`{"goal":"G","steps":[{"url":"u","reasoning":"caf\u00e9","action":"a()","action_error":"E of u"},` +
        '{"url":"v","action":"a()","action_error":"E of v"}],"final_url":"w","final_page":"tree of w"}',
    );
    expect(found[0]).toMatchObject({ group_id: 'agentreward:webarena.1:M', scenario: 'webarena' });
    expect(found[0]!.source.lossyValue()).toMatchObject({ file, row: [2, 3], upstream_split: 'dev' });
    expect(found[0]!.metadata!.lossyValue()).toMatchObject({ annotators: ['A', 'B'], steps: 2, valid: true });
    expect(found[0]!.options.map(({ id, canonical_id }) => [id, canonical_id])).toEqual([
      ['yes', 'yes'],
      ['no', 'no'],
    ]);
  });

  it('keeps the last entry where it has an action, and takes the last page that there is', async () => {
    const trajectory = goalAnd([entry('u'), '{"url":"v","reasoning":null,"action":"b()","axtree_pruned":null}']);
    const [record] = (await readFiles({ trajectory })).records;
    expect(String(record!.state)).toBe(
      '{"goal":"G","steps":[{"url":"u","reasoning":"r","action":"a()"},{"url":"v","action":"b()"}],' +
        '"final_url":"v","final_page":"tree of u"}',
    );
  });

  it('leaves out what the options say, and counts it', async () => {
    const trajectory = goalAnd([entry('u'), entry('v', { action: '"click(😀)"' }), ended('w', '"too long"')]);
    const options = {
      ask: ['success'],
      last_steps: 1,
      reasoning: false,
      text_characters: 7,
      observation_characters: 4,
    };
    const [record, ...others] = (await readFiles({ trajectory }, options)).records;
    expect(others).toEqual([]);
    expect(String(record!.state)).toBe(
      '{"goal":"G","omitted_earlier_steps":1,"steps":[{"url":"v","action":"click(😀","action_error":"too lon"}],' +
        '"final_url":"w","final_page":"tree"}',
    );
    expect(record!.metadata!.lossyValue()).toMatchObject({
      steps: 2,
      steps_omitted: 1,
      reasoning_shown: false,
      texts_cut: 2,
      text_characters_left_out: 2,
      observation_characters_left_out: 5,
    });
  });

  it.each([
    ['visualwebarena.resized.9', 'visualwebarena.resized.9'],
    ['visualwebarena.9', 'visualwebarena.resized.9'],
    ['assistantbench.improved.validation.9', 'assistantbench.validation.9'],
  ])('of %s finds the file of %s and the split', async (task, stem) => {
    const annotations = ['A', 'B'].map(name => annotation(name, { task }));
    const splits = [`${task.replace(/\.(resized|improved)/, '')},anything,test`];
    const [record] = (await readFiles({ annotations, splits, at: `cleaned/b/M/e/${stem}.json` })).records;
    expect(record!.source.lossyValue()).toMatchObject({ task_id: task, upstream_split: 'test' });
  });
});

describe('agreement', () => {
  it.each<[string, readonly string[], object, Record<string, number>]>([
    ['of one annotator is too little', [annotation('A')], {}, { 'too few annotators': 3 }],
    ['of one annotator twice is too little', [annotation('B'), annotation(' B')], {}, { 'too few annotators': 3 }],
    ['of one annotator is enough where the option says so', [annotation('A')], { annotators: 1 }, {}],
    ['is asked for one by one', [...pair, annotation('C', { loop: 'No' })], {}, { 'the annotators disagree': 1 }],
    [
      'is none where one is unsure',
      [...pair, annotation('C', { side: 'Unsure' })],
      {},
      { 'an annotator was unsure': 1 },
    ],
    [
      'is none where a label is empty',
      [...pair, annotation('C', { side: '' })],
      {},
      { 'an annotator gave no label': 1 },
    ],
    [
      'is no use without the trajectory',
      ['A', 'B'].map(name => annotation(name, { task: 'webarena.2' })),
      {},
      { 'the trajectory is not at hand': 3, 'the trajectory is not annotated': 1 },
    ],
  ])('%s', async (_, annotations, options, expected) => {
    expect(reasons(await readFiles({ annotations }, options))).toEqual(expected);
  });
});

describe('a broken file', () => {
  it.each<[string, Parameters<typeof readFiles>[0], string]>([
    [
      'an unknown label',
      { annotations: [annotation('A', { success: 'Maybe' })] },
      'data/annotations.csv:2: trajectory_',
    ],
    ['no annotator', { annotations: [annotation(' ')] }, 'data/annotations.csv:2: annotator_name is empty'],
    ['a task in two splits', { splits: ['t,b,dev', 't,b,test'] }, 'data/splits.csv:3: t is in the split dev already'],
    ['no goal', { trajectory: '{"steps":[]}' }, `${file}:1: goal is missing`],
    ['steps in a map', { trajectory: '{"goal":"G","steps":{}}' }, `${file}:1: steps is no list`],
    ['a step in text', { trajectory: goalAnd(['"s"']) }, `${file}:1:`],
    ['an action in numbers', { trajectory: goalAnd([entry('u', { action: '1' })]) }, 'action must be a string or null'],
    ['a value that is no JSON', { trajectory: '{\n"goal":"G",\n"steps":[\n{"url":nul}]}' }, `${file}:4:8: not JSON`],
    ['a key without quotes', { trajectory: '{"goal":"G",}' }, `${file}:1:13: not JSON: a quoted key`],
    ['no colon', { trajectory: '{"goal" "G"}' }, `${file}:1:9: not JSON: a colon`],
    ['no value', { trajectory: '{"goal":}' }, `${file}:1:9: not JSON: a value`],
    ['no comma', { trajectory: '{"goal":"G" "steps":[]}' }, `${file}:1:13: not JSON: a comma`],
    ['a comma at the end of the steps', { trajectory: '{"goal":"G","steps":[{},]}' }, `${file}:1:25: not JSON`],
    ['the wrong bracket', { trajectory: '{"goal":"G","steps":[{}}' }, `${file}:1:24: not JSON: a comma`],
    ['a list', { trajectory: '[]' }, `${file}:1:1: not JSON: an object`],
    ['half an object', { trajectory: '{"goal":"G","steps":[{"url":"u' }, 'the file ends within the object'],
    ['more text', { trajectory: `${goalAnd([])}\n{}` }, `${file}:2:1: not JSON: more text`],
  ])('with %s stops with its place', async (_, files, message) => {
    const error = await readFiles(files).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(HoldfastError.is(error) && [error.code, error.message]).toEqual([
      'RECORD_INVALID',
      expect.stringContaining(message),
    ]);
  });

  it('is not made by where its chunks end', async () => {
    // Chunks are 256 KiB: a text that is longer starts every kind of value on either side of their ends.
    const steps = Array.from({ length: 40 }, (_, index) =>
      entry(`u${index}`, { more: `,"chat_messages":["${'\\"é'.repeat(3000 + index)}"],"n":-1.5e3` }),
    );
    const trajectory = goalAnd([...steps, ended('end')]).replaceAll(',', ' ,\n');
    const [record] = (await readFiles({ trajectory })).records;
    const members = readMap(record!.state.bytes);
    expect(readItems(members.get('steps')!.bytes)).toHaveLength(40);
    expect(members.get('final_page')!.string()).toBe('tree of end');
  });

  it('is named where two files are one trajectory', async () => {
    const twice = ['cleaned/b/M/e/webarena.1.json', 'cleaned/b/M/f/webarena.1.json'];
    await expect(readSample({ trajectories: twice })).rejects.toThrow(
      'is the trajectory of cleaned/b/M/e/webarena.1.json again',
    );
  });
});

const telling =
  /cum_reward|summary_info|trajectory_(success|looping|side_effect)|Unsuccessful|annotator|optimality|"valid"|screenshot/;

describe('the files', () => {
  it('are pinned, and the trajectories may lie beside the recipe', () => {
    expect(
      make({})
        .upstream.slice(0, 2)
        .every(file => file.url?.includes(file.revision!)),
    ).toBe(true);
    const { upstream } = make({ trajectories: ['../x/*/*/*.json'], trajectories_from: 'recipe' });
    expect(upstream.map(({ location }) => location)).toEqual([undefined, undefined, 'recipe']);
  });
});

describe('the sample', () => {
  it('has both answers to every question, and every reason to skip', async () => {
    const cases = await readSample();
    for (const record of cases.records) {
      checkRecord({ primitive: 'choice', ...record });
      expect(shown(record)).not.toMatch(telling);
    }
    expect(golds(cases)).toEqual({
      'success yes': 3,
      'success no': 4,
      'looping yes': 4,
      'looping no': 2,
      'side_effect yes': 2,
      'side_effect no': 4,
    });
    expect(reasons(cases)).toEqual({
      'the annotators disagree': 1,
      'an annotator was unsure': 1,
      'too few annotators': 3,
      'the trajectory is not at hand': 3,
      'the trajectory is not annotated': 1,
    });
  });
});

describe.skipIf(upstream === null)('the real annotations', () => {
  const tables = () =>
    ['data/annotations.csv', 'data/splits.csv'].map(name => [name, readFileSync(join(upstream!, name))] as const);

  /** Reads the real tables and, for every trajectory that they name, a file of ours. */
  function readStandIns(options: object = {}) {
    const [annotations, splits] = tables();
    const rows = annotations![1].toString().trim().split(/\r?\n/).slice(1);
    const names = rows.map(line => {
      const [, benchmark, task, model, experiment] = line.split(',');
      return `cleaned/${benchmark}/${model}/${experiment}/${task}.json`;
    });
    const trajectories = [...new Set(names)].sort();
    const standIn = goalAnd([entry('u'), ended('v')]);
    return readDataset(plugin, {
      files: Object.fromEntries([annotations!, splits!, ...trajectories.map(name => [name, standIn] as const)]),
      options: { trajectories, ...options },
    });
  }

  it('give 290 questions where two annotators agree, each with its split', async () => {
    const cases = await readStandIns();
    expect(golds(cases)).toEqual({
      'success yes': 33,
      'success no': 60,
      'looping yes': 31,
      'looping no': 64,
      'side_effect yes': 4,
      'side_effect no': 98,
    });
    // 1,196 trajectories have one annotator; one of these was unsure of side effects.
    expect(reasons(cases)).toEqual({
      'too few annotators': 3587,
      'the annotators disagree': 27,
      'an annotator was unsure': 2,
    });
    const splits = cases.records.map(
      ({ source }) => (source.lossyValue() as { upstream_split: string }).upstream_split,
    );
    expect(new Set(splits)).toEqual(new Set(['test', 'dev']));
    for (const record of cases.records) expect(shown(record)).not.toMatch(telling);
  }, 60_000);

  it('are all read where one annotator is enough', async () => {
    const cases = await readStandIns({ annotators: 1 });
    expect(golds(cases)).toEqual({
      'success yes': 349,
      'success no': 940,
      'looping yes': 669,
      'looping no': 622,
      'side_effect yes': 83,
      'side_effect no': 1214,
    });
    const found = cases.records;
    expect(new Set(found.map(({ base_id }) => base_id)).size).toBe(found.length);
    expect(found.every(({ source }) => /"upstream_split":"(test|dev)"/.test(source.toString()))).toBe(true);
  }, 60_000);

  it('are joined to the trajectories of the sample', async () => {
    const trajectories = trajectoriesIn(sample);
    const ours = trajectories.map(name => [name, readFileSync(join(sample, name))] as const);
    const cases = await readDataset(plugin, {
      files: Object.fromEntries([...tables(), ...ours]),
      options: { trajectories },
    });
    expect(golds(cases)).toEqual({
      'success yes': 2,
      'success no': 4,
      'looping yes': 4,
      'looping no': 2,
      'side_effect yes': 2,
      'side_effect no': 4,
    });
    expect(reasons(cases)).toMatchObject({
      'the trajectory is not at hand': 272,
      'the trajectory is not annotated': 2,
    });
  });
});
