import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { manyRecords, openWorkplace, recordLine, type Workplace } from './workplace.fixture.ts';

let work: Workplace;
beforeEach(async () => {
  work = await openWorkplace();
});
afterEach(() => work.remove());

const recipe = `recipe: bad
datasets:
  - use: records
    with: { file: records.jsonl }
perturbations: [order]
models:
  - use: baseline
    with: { strategy: first_option }
`;

/** Runs a recipe that cannot be run: one sentence, the exit code, and no file but those that were there. */
async function refused(
  text: string,
  records: string | null = manyRecords(2),
): Promise<{ code: number | null; sentence: string }> {
  await work.write('recipe.yaml', text);
  if (records !== null) await work.write('records.jsonl', records);
  const before = (await readdir(work.folder)).sort();
  const { code, stdout, stderr } = await work.run(['run', 'recipe.yaml', '--out', 'run']);
  expect((await readdir(work.folder)).sort()).toEqual(before);
  expect(stdout).toBe('');
  const sentences = stderr
    .trimEnd()
    .split('\n')
    .filter(line => line.startsWith('holdfast: '));
  expect(sentences).toHaveLength(1);
  expect(stderr).not.toMatch(/\n\s+at /);
  return { code, sentence: sentences[0]! };
}

describe('a recipe that cannot be run', () => {
  it.each<[string, string, string]>([
    ['an unknown key', `${recipe}treshold: 0.5\n`, 'recipe.yaml:9:1: unknown key treshold; did you mean threshold?'],
    [
      'a duplicate key',
      `${recipe}recipe: again\n`,
      'recipe.yaml:9:1: a key stands twice in one map; remove one of them',
    ],
    ['a wrong type', `${recipe}threshold: high\n`, 'recipe.yaml:9:12: threshold: expected number, received string'],
    [
      'an unknown plugin',
      recipe.replace('use: records', 'use: recrods'),
      'recipe.yaml:3:10: there is no dataset plugin recrods; did you mean records?',
    ],
    [
      'a plugin of nobody',
      recipe.replace('use: baseline', 'use: "@nobody/nothing"'),
      'there is no model plugin @nobody/nothing; install it with npm',
    ],
    [
      'a plugin file that is not there',
      recipe.replace('use: records', 'use: ./mine.ts'),
      'there is no plugin at ./mine.ts',
    ],
    [
      'an unknown option',
      recipe.replace('strategy:', 'stratgy:'),
      'recipe.yaml:8:13: models[0].with: unknown key stratgy; did you mean strategy?',
    ],
    [
      'a wrong option',
      recipe.replace('first_option', 'first'),
      'models[0].with.strategy: must be first_option or uniform or longest_description',
    ],
    ['a missing option', recipe.replace('    with: { strategy: first_option }\n', ''), 'strategy: is missing'],
    [
      'the same operator twice',
      recipe.replace('[order]', '[order, order]'),
      'recipe.yaml:5:24: a second operator makes v1_order',
    ],
    [
      'a missing key',
      recipe.replace('use: baseline', 'use: systemone').replace('strategy: first_option', 'model: m'),
      'the variable TYPESAFE_API_KEY is not set',
    ],
    ['what is not built yet', `${recipe}repeats: 2\n`, 'recipe.yaml:9:10: repeats above 1 are not built yet'],
  ])('for %s is refused with exit code 2', async (_, text, message) => {
    const { code, sentence } = await refused(text);
    expect(sentence).toContain(message);
    expect(code).toBe(2);
  });

  it('is one that does not exist', async () => {
    const { code, stderr } = await work.run(['run', 'nothing.yaml']);
    expect([code, stderr]).toEqual([
      2,
      'holdfast: nothing.yaml: the recipe does not exist; give the path of a recipe.yaml\n',
    ]);
  });
});

describe('data that cannot be read', () => {
  const good = recordLine();
  it.each<[string, string | null, string]>([
    ['a missing file', null, 'missing '],
    ['a malformed line', `${good}\n\n{"id":"x",\n`, 'records.jsonl:3:11: not JSON'],
    ['NaN', `${recordLine({ state: '{"a":NaN}' })}\n`, 'records.jsonl:1:'],
    ['a state that is not there', `${good.replace('"state":{"n":1},', '')}\n`, 'records.jsonl:1:1: state is missing'],
    ['a gold that is no option', `${recordLine({ gold: '"z"' })}\n`, 'gold is "z", which is not the id of any option'],
    ['a base id that stands twice', `${good}\n${good}\n`, 'the base id q0 stands twice'],
    [
      'two records of one id',
      `${recordLine({ base_id: '"p"' })}\n${recordLine({ base_id: '"r"' })}\n`,
      'the record id q0 stands twice',
    ],
    [
      'an id that a version will have',
      `${recordLine()}\n${recordLine({ id: '"q0::v1_order"', base_id: '"r"' })}\n`,
      'stands twice',
    ],
    ['nothing at all', '\n\n', 'no question came from records'],
    ['a perturbed record', `${good}\n${recordLine({ id: '"x"', version: '"v1_order"' })}\n`, 'is already perturbed'],
    [
      'a question that an operator cannot take',
      `${recordLine({ primitive: '"noul"', gold: '"true"', options: '[{"id":"true","canonical_id":"true","description":null},{"id":"false","canonical_id":"false","description":null}]' })}\n`,
      'reverse_options could make no v1_order of 1 questions; remove the operator, or write inapplicable',
    ],
  ])('for %s stops with exit code 3', async (_, records, message) => {
    const { code, sentence } = await refused(recipe, records);
    expect(sentence).toContain(message);
    expect(code).toBe(3);
  });

  it('is bytes that are no UTF-8: file, line and column are told', async () => {
    const line = Buffer.from(`${good}\n${good}`);
    line[line.length - 3] = 0xff;
    await work.write('recipe.yaml', recipe);
    await work.write('records.jsonl', line);
    const { code, stderr } = await work.run(['run', 'recipe.yaml', '--out', 'run']);
    expect(stderr).toMatch(new RegExp(`records\\.jsonl:2:${good.length - 2}: .*UTF-8`));
    expect(code).toBe(3);
  });

  it('is an upstream file that is missing, with the place to put it', async () => {
    const text = recipe.replace('use: records', 'use: bfcl').replace('    with: { file: records.jsonl }\n', '');
    const { code, sentence } = await refused(text, null);
    expect(sentence).toMatch(/dataset bfcl: missing .+; set HOLDFAST_UPSTREAM to a folder that has them below bfcl\//);
    expect(code).toBe(3);
  });

  it('is an upstream file that is not the pinned one', async () => {
    const text = recipe.replace('use: records', 'use: bfcl').replace('    with: { file: records.jsonl }\n', '');
    await work.write('recipe.yaml', text);
    spawnSync('mkdir', ['-p', join(work.folder, 'upstream/bfcl/possible_answer')]);
    for (const name of ['', 'possible_answer/']) await work.write(`upstream/bfcl/${name}BFCL_v4_multiple.json`, '{}\n');
    const { code, stderr } = await work.run(['run', 'recipe.yaml', '--out', 'run'], { HOLDFAST_UPSTREAM: 'upstream' });
    expect(stderr).toContain('is not the pinned file: its SHA-256 is');
    expect(code).toBe(3);
  });
});

describe('a run folder that cannot be made', () => {
  it.each(['/proc/holdfast/run', '/dev/null/run'])('%s is refused in a sentence, at once', async out => {
    await work.write('recipe.yaml', recipe);
    await work.write('records.jsonl', manyRecords(2));
    const { code, stderr } = await work.run(['run', 'recipe.yaml', '--out', out]);
    expect(stderr).toMatch(/^holdfast: \/(proc|dev\/null)\/.*\n$/);
    expect(code).toBe(3);
  });
});

describe('the command line', () => {
  it.each([
    [['rn'], 2, 'unknown command'],
    [['run'], 2, 'missing required argument'],
    [['run', 'a.yaml', '--limit', '0'], 2, 'a whole number from 1 is needed'],
    [['run', 'a.yaml', '--fast'], 2, 'unknown option'],
    [['score', 'nothing'], 2, 'nothing is not a run folder'],
    [['verify', 'nothing'], 3, 'nothing does not exist'],
  ])('%j exits with %i', async (args, expected, message) => {
    const { code, stderr } = await work.run(args);
    expect(stderr).toContain(message);
    expect(code).toBe(expected);
  });

  it('does not let data drive the terminal', async () => {
    await work.write('recipe.yaml', recipe);
    await work.write('records.jsonl', `${recordLine({ gold: JSON.stringify('\u001b[31mred\u202e') })}\n`);
    const { stderr } = await work.run(['run', 'recipe.yaml', '--out', 'run']);
    expect(stderr).not.toMatch(/[\u001b\u202e]/);
  });
});
