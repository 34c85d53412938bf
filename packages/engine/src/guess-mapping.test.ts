import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { guessMapping, type SaidMapping } from './guess-mapping.ts';
import { inspectFile } from './inspect-file.ts';
import { parseRecipe } from './read-recipe.ts';
import { recipeText } from './recipe-text.ts';

const folder = await mkdtemp(join(tmpdir(), 'guess-'));
afterAll(() => rm(folder, { recursive: true }));

async function inspect(text: string, name = 'a.csv') {
  const path = join(folder, name);
  await writeFile(path, text);
  return inspectFile(path, { signal: new AbortController().signal });
}

async function guess(text: string, said: SaidMapping = {}, name?: string) {
  return guessMapping(await inspect(text, name), said);
}

describe('a column is told by its name', () => {
  it.each<[string, object]>([
    [
      'state,instructions,gold,id,group_id',
      { state: ['state'], instructions: 'instructions', gold: 'gold', id: 'id', group: 'group_id' },
    ],
    [
      'Input,Question,Answer,UUID,Session',
      { state: ['Input'], instructions: 'Question', gold: 'Answer', id: 'UUID', group: 'Session' },
    ],
    [
      'CONTEXT,task,Ground Truth,key,Conversation-ID',
      { state: ['CONTEXT'], instructions: 'task', gold: 'Ground Truth', id: 'key', group: 'Conversation-ID' },
    ],
    [
      'messages,x,expected,y,thread_id',
      { state: ['messages'], instructions: null, gold: 'expected', id: null, group: 'thread_id' },
    ],
    ['conversation,x,target,y,trajectory', { state: ['conversation'], gold: 'target', group: 'trajectory' }],
    ['state,text,gold,label,answer', { state: ['state'], gold: 'gold', group: null }],
  ])('%s', async (header, mapping) => {
    const rows = Array.from({ length: 4 }, (_, at) =>
      header
        .split(',')
        .map(name => (/^(?:gold|answer|ground truth|expected|target)$/i.test(name) ? at % 2 : `${name} ${at}`))
        .join(','),
    );
    expect((await guess(`${header}\n${rows.join('\n')}\n`)).mapping).toMatchObject(mapping);
  });

  it.each<[string, string[]]>([
    ['text,label,target', ['gold']],
    ['prompt,text,label', ['state']],
    ['prompt,text,label,answer', ['gold', 'state']],
    ['text,label,uuid,key', ['id']],
    ['text,label,session,thread_id', ['group']],
    ['text,label,task,question', ['instructions']],
    ['text,label,options,choices', ['criteria']],
    ['a,b', ['gold', 'state']],
  ])('but %s leaves something unclear', async (header, roles) => {
    const { unclear, mapping } = await guess(`${header}\n${header}\n${header.replaceAll(/\w+/g, 'x')}\n`);
    expect(unclear.map(({ role }) => role).sort()).toEqual(roles);
    expect(mapping).toBeNull();
  });
});

describe('what a column holds counts too', () => {
  it('so that ids are no ids where they repeat or are missing', async () => {
    for (const [ids, why] of [
      [['x', 'x'], 'it repeats'],
      [['x', ''], 'it is empty in some rows'],
    ] as const) {
      const { mapping, reasons } = await guess(`text,gold,id\na,1,${ids[0]}\nb,0,${ids[1]}\n`);
      expect(mapping).toMatchObject({ id: null });
      expect(reasons.get('id')).toContain(why);
    }
    expect((await guess('text,gold,id\na,1,x\nb,0,x\n', { id: 'id' })).mapping).toMatchObject({ id: 'id' });
  });

  it.each<[string, string[], string | null]>([
    ['pipes', ['a|b', 'a | b|c'], '|'],
    ['commas', ['"a,b"', '"b, a"'], ','],
    ['slashes', ['a/b', 'a/b'], '/'],
    ['JSON', ['"[""a"",""b""]"', '"{""a"":1,""b"":2}"'], null],
  ])('so that options may stand between %s', async (_, [one, two], separator) => {
    expect((await guess(`text,gold,options\nx,a,${one}\ny,b,${two}\n`)).mapping).toMatchObject({
      criteria: 'options',
      separator,
    });
  });

  it('so that JSON in a table is a state of JSON, and in JSON a text', async () => {
    expect((await guess('text,gold\n"{""a"": 1}",1\n[],0\n')).mapping).toMatchObject({ stateJson: true });
    expect((await guess('text,gold\n"{""a"": 1}",1\nx,0\n')).mapping).toMatchObject({ stateJson: false });
    expect((await guess('{"text":"[]","gold":1}\n{"text":"[]","gold":0}', {}, 'a.jsonl')).mapping).toMatchObject({
      stateJson: false,
    });
  });

  it('so that quotes are characters where nothing else makes sense of them', async () => {
    expect((await inspect('text\tgold\n5" pipe\t1\n', 'a.tsv')).csv).toEqual({ delimiter: '\t', quotes: false });
    expect((await inspect('text\tgold\n"5"" pipe"\t1\n', 'a.tsv')).csv).toEqual({ delimiter: '\t', quotes: true });
    expect((await inspect('a,b;gold,x\n"1;2";3\n4;5\n')).csv).toEqual({ delimiter: ';', quotes: true });
  });
});

it('a recipe says the same whatever is in names and texts', async () => {
  const odd = ['true', '- x: #y', 'q"\\u0000', "it's", '\u2028\u0085', ' space ', '🙂', '*a', '1', '&b'];
  const header = odd.map(name => `"${name.replaceAll('"', '""')}"`).join(',');
  const file = await inspect(`${header},gold\n${odd.map(() => 'x').join(',')},1\n`);
  const found = guessMapping(file, {
    state: odd.slice(0, 5),
    labels: odd.slice(5),
    options: odd,
    instructionsText: 'a: b # c\n"d"',
  });
  const text = recipeText({
    data: './a b.csv',
    name: 'x',
    file,
    mapping: found.mapping!,
    guess: found,
    operators: [{ name: 'order', leftOut: null }],
    server: { model: 'yes', baseUrl: 'http://x', apiKeyEnv: 'K' },
    skipBadRows: true,
  });
  const { recipe } = parseRecipe(text, 'recipe.yaml');
  expect(recipe.datasets[0]!.with).toMatchObject({
    file: './a b.csv',
    columns: { state: odd.slice(0, 5), labels: odd.slice(5), gold: 'gold' },
    options: odd,
    instructions_text: 'a: b # c\n"d"',
    on_bad_row: 'skip',
  });
  expect(recipe.models[2]).toMatchObject({
    use: 'systemone',
    with: { model: 'yes', base_url: 'http://x', api_key_env: 'K' },
  });
  expect(recipe.slices).toEqual(['scenario', 'decision_task', 'answer_format', 'dataset', ...odd.slice(5)]);
});
