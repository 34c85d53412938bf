import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HoldfastError, checkRecord, type BaseRecord, type Skipped } from '@holdfast/core';
import { readDataset, testDataset } from '@holdfast/kit/testing';
import { afterAll, describe, expect, it } from 'vitest';
import plugin from './plugin.ts';

const folder = await mkdtemp(join(tmpdir(), 'labelled-'));
afterAll(() => rm(folder, { recursive: true }));

const plain = Array.from(
  { length: 12 },
  (_, at) =>
    `{"id":"q${at}","state":{"n":${at}},"instructions":"Which?","criteria":{"1":"one","0":"none"},"gold":${at % 2}}`,
).join('\n');
await writeFile(join(folder, 'plain.jsonl'), plain);
await writeFile(join(folder, 'plain.json'), `[\n${plain.replaceAll('\n', ',\n')}\n]`);
await writeFile(
  join(folder, 'plain.csv'),
  `state;gold\n${Array.from({ length: 12 }, (_, at) => `"Case; ${at}";${at % 2 === 0 ? 'yes' : 'no'}`).join('\n')}\n`,
);
testDataset(plugin, { folder, options: { file: 'plain.jsonl', columns: { labels: ['gold'] } } });
testDataset(plugin, { folder, options: { file: 'plain.json' } });
testDataset(plugin, { folder, options: { file: 'plain.csv', instructions_text: 'Is it?', options: ['yes', 'no'] } });

type Given = string | Uint8Array | readonly string[];

/** What is read of a file with this content. */
async function read(
  content: Given,
  options: object = {},
  file = 'rows.jsonl',
): Promise<readonly (BaseRecord | Skipped)[]> {
  const text = typeof content === 'string' || content instanceof Uint8Array ? content : content.join('\n');
  const { items, records } = await readDataset(plugin, { files: { [file]: text }, options: { file, ...options } });
  for (const record of records) checkRecord({ primitive: 'choice', ...record });
  return items;
}

/** The only record of a file. */
async function one(content: Given, options: object = {}, file = 'rows.jsonl'): Promise<BaseRecord> {
  const [record, ...more] = await read(content, options, file);
  expect(more).toEqual([]);
  if (record === undefined || 'skipped' in record) throw new Error(`skipped: ${record?.skipped}`);
  return record;
}

/** The message of what reading throws. */
async function failure(content: Given, options: object = {}, file = 'rows.jsonl'): Promise<string> {
  const error = await read(content, options, file).then(
    items => new Error(`read ${items.length} items`),
    (thrown: unknown) => thrown,
  );
  if (!HoldfastError.is(error)) throw error as Error;
  expect(error.message).not.toContain('\n');
  return error.message;
}

const shown = ({ options }: BaseRecord) => options.map(({ id, description }) => [id, description.toString()]);
const row = (members: Record<string, string>) =>
  `{${Object.entries({ state: '"s"', instructions: '"i"', criteria: '["a","b"]', gold: '"a"', ...members })
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${JSON.stringify(key)}:${value}`)
    .join(',')}}`;

describe('a row of JSON', () => {
  it('keeps the bytes of state, instructions and descriptions', async () => {
    const state = String.raw`{"2": 1.0, "1":"caf\u00e9", "1": 12345678901234567890}`;
    const record = await one(
      `{"state":${state},"instructions": [ 1 ],"criteria":{"a":{"x" : 1e2}, "b":null},"gold":"b"}`,
    );
    expect(record.state.toString()).toBe(state);
    expect(record.instructions.toString()).toBe('[ 1 ]');
    expect(shown(record)).toEqual([
      ['a', '{"x" : 1e2}'],
      ['b', 'null'],
    ]);
    expect(record).toMatchObject({ gold: 'b', base_id: 'labelled:line-1', group_id: 'labelled:line-1', labels: {} });
    expect(record.source.toString()).toBe('{"file":"rows.jsonl","line":1,"id":null,"upstream_split":null}');
    expect(record.metadata!.lossyValue()).toMatchObject({ group_source: 'the id: no group is given' });
  });

  it.each<[string, string, string, [string, string][]]>([
    [
      'a map with integer-like keys',
      '{"1":"one","0":"none","-1":"bad"}',
      '"0"',
      [
        ['1', '"one"'],
        ['0', '"none"'],
        ['-1', '"bad"'],
      ],
    ],
    [
      'a map with __proto__',
      '{"b":"B","__proto__":"P","constructor":null}',
      '"__proto__"',
      [
        ['b', '"B"'],
        ['__proto__', '"P"'],
        ['constructor', 'null'],
      ],
    ],
    [
      'a list of ids',
      '["b","a"]',
      '"a"',
      [
        ['b', 'null'],
        ['a', 'null'],
      ],
    ],
    [
      'a list of numbers',
      '[1,0,-1]',
      '-1',
      [
        ['1', 'null'],
        ['0', 'null'],
        ['-1', 'null'],
      ],
    ],
    [
      'a list of objects',
      '[{"id":"b","description":{"k":1}},{"label":"a"},{"description":"C","value":3,"more":1}]',
      '3',
      [
        ['b', '{"k":1}'],
        ['a', 'null'],
        ['3', '"C"'],
      ],
    ],
    [
      'a text of JSON',
      '"{\\"1\\":\\"x\\",\\"0\\":\\"y\\"}"',
      '1',
      [
        ['1', '"x"'],
        ['0', '"y"'],
      ],
    ],
    [
      'a text with separators',
      '"b| a |c d"',
      '"c d"',
      [
        ['b', 'null'],
        ['a', 'null'],
        ['c d', 'null'],
      ],
    ],
    [
      'truth values',
      '[true,false]',
      'true',
      [
        ['true', 'null'],
        ['false', 'null'],
      ],
    ],
  ])('takes criteria that are %s in their order', async (_, criteria, gold, expected) => {
    const record = await one(row({ criteria, gold }));
    expect(shown(record)).toEqual(expected);
    expect(record.options.every(({ id, canonical_id }) => id === canonical_id)).toBe(true);
  });

  it.each<[string, Record<string, string>, string]>([
    ['a gold that is no option', { gold: '"A"' }, 'gold is "A", which is not the id of an option ("a", "b")'],
    ['a gold spelt another way', { criteria: '["1","0"]', gold: '1.0' }, 'gold is "1.0", which is not'],
    ['yes for true', { criteria: '["true","false"]', gold: '"yes"' }, 'gold is "yes", which is not'],
    ['true for yes', { criteria: '["yes","no"]', gold: 'true' }, 'gold is "true", which is not'],
    ['a gold with space', { gold: '" a"' }, 'gold is " a", which is not'],
    ['a gold in another case', { criteria: '["true","false"]', gold: '"True"' }, 'gold is "True", which is not'],
    ['no gold', { gold: '' }, 'gold is missing or empty'],
    ['a gold of null', { gold: 'null' }, 'gold is missing or empty'],
    ['a gold that is a list', { gold: '["a"]' }, 'gold is array, not the id of an option'],
    ['no criteria', { criteria: '' }, 'criteria is missing; name another member, or write options'],
    ['one option', { criteria: '["a"]' }, 'criteria names 1 of them'],
    [
      '256 options',
      { criteria: JSON.stringify(Array.from({ length: 256 }, (_, at) => `o${at}`)) },
      'criteria names 256 options; a decision may have 255',
    ],
    ['one id twice in a list', { criteria: '["a","b","a"]' }, 'criteria has the option "a" twice'],
    ['one id twice in a map', { criteria: '{"a":1,"b":2,"a":3}' }, 'criteria has the option "a" twice'],
    ['an empty id', { criteria: '["a",""]' }, 'criteria has an option with an empty id'],
    ['an option without an id', { criteria: '["a",{"name":"b"}]' }, 'criteria.1 has no id, label or value'],
    ['criteria that are a number', { criteria: '3' }, 'criteria is number, not a list, a map or a text'],
    ['criteria that are broken JSON', { criteria: '"[1,"' }, 'criteria is not JSON'],
    [
      'no instructions',
      { instructions: '' },
      'instructions is missing; name another member, or write instructions_text',
    ],
    ['instructions that are a number', { instructions: '1' }, 'instructions is number, not a text'],
    ['no state', { state: '' }, 'state is missing; the row has "instructions", "criteria", "gold"'],
    ['an id that is a list', { id: '[]' }, 'id is array, not a text or a number'],
  ])('with %s stops with its place, or is skipped and counted', async (_, members, sentence) => {
    const rows = [row({}), '', row(members), row({})];
    const message = await failure(rows);
    expect(message).toMatch(/^rows\.jsonl:3:\d+: /);
    expect(message).toContain(sentence);
    const items = await read(rows, { on_bad_row: 'skip' });
    expect(items.map(item => ('skipped' in item ? item.place : item.base_id))).toEqual([
      'labelled:line-1',
      'rows.jsonl:3',
      'labelled:line-4',
    ]);
    expect((items[1] as Skipped).skipped).not.toMatch(/"/);
  });

  it.each<[string, Given, object, string]>([
    ['text that is no JSON', [row({}), '{"state":'], {}, 'rows.jsonl:2:10: not JSON'],
    ['a row that is no object', [row({}), '[1]'], {}, 'rows.jsonl:2:1: not JSON: an object was expected'],
    ['a key that stands twice', ['{"state":1,"state":2}'], {}, 'the key "state" stands twice'],
    [
      'bytes that are not UTF-8',
      Buffer.from(`${row({})}\n{"state":"\xe9"}`, 'latin1'),
      {},
      'rows.jsonl:2:11: the byte 0xe9 is not UTF-8',
    ],
    ['an id that stands twice', [row({ id: '"x"' }), row({ id: '"y"' }), row({ id: '"x"' })], {}, 'rows.jsonl:3:'],
    ['nothing in it', '', {}, 'rows.jsonl is empty'],
    ['nothing but a mark', '\ufeff\n', {}, 'rows.jsonl is empty'],
    ['binary content', Buffer.from([0x7b, 0, 1, 2]), {}, 'rows.jsonl is binary'],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), {}, 'rows.jsonl is written in UTF-16'],
    ['a workbook', Buffer.from('PK\x03\x04....', 'latin1'), {}, 'rows.jsonl is a zip archive'],
  ])('with %s is an error, whatever is done with bad rows', async (_, content, options, sentence) => {
    expect(await failure(content, options)).toContain(sentence);
    expect(await failure(content, { ...options, on_bad_row: 'skip' })).toContain(sentence);
  });

  it('says where an id stood before', async () => {
    const rows = [row({ id: '"x"' }), row({ id: '"x"' })];
    expect(await failure(rows)).toMatch(/^rows\.jsonl:2:\d+: the id "x" stands in line 1 already; ids must be unique$/);
  });

  it('takes ids, groups and labels from the members that the recipe names', async () => {
    const options = {
      columns: {
        state: 'ticket',
        instructions: 'ask',
        criteria: 'choices',
        gold: 'right',
        id: 'n',
        group_id: 'thread',
        labels: ['lang', 'vip', 'none'],
      },
      dataset: 'tickets',
      scenario: 'Business Service Interactions',
    };
    const members =
      '{"n":12345678901234567890,"thread":"t","ticket":[1.0],"ask":{"q":1},"choices":["a","b"],"right":"a","lang":"de","vip":true,"none":null}';
    const record = await one(members, options);
    expect(record).toMatchObject({
      base_id: '12345678901234567890',
      group_id: 't',
      labels: { lang: 'de', vip: 'true' },
      scenario: 'tickets',
    });
    expect(Object.keys(record.labels!)).toEqual(['lang', 'vip']);
    const { info } = plugin.create(plugin.options.parse({ file: 'f', ...options }), { env: () => undefined, folder });
    expect(info).toMatchObject({ id: 'tickets', labels: { scenario: 'Business Service Interactions' } });
  });

  it('is called by its place where the recipe wants no id', async () => {
    const columns = { id: null, group_id: null };
    const rows = [1, 2].map(() => row({ id: '"x"', group_id: '"g"' }));
    expect(await read(rows, { columns })).toMatchObject([
      { base_id: 'labelled:line-1', group_id: 'labelled:line-1' },
      { base_id: 'labelled:line-2' },
    ]);
  });

  it('puts a list of members into one state, in the order of the recipe', async () => {
    const columns = { state: ['b', 'a', 'gone'] };
    const record = await one('{"a":1.0,"instructions":"i","b":{"x": 1},"criteria":["a","b"],"gold":"a"}', { columns });
    expect(record.state.toString()).toBe('{"b":{"x": 1},"a":1.0}');
  });

  it('takes what the recipe fixes for all rows', async () => {
    const record = await one('{"state":"s","gold":true}', {
      instructions_text: 'Is it?',
      options: [true, { id: false, description: 'It is not.' }, 3],
    });
    expect(record.instructions.toString()).toBe('"Is it?"');
    expect(shown(record)).toEqual([
      ['true', 'null'],
      ['false', '"It is not."'],
      ['3', 'null'],
    ]);
    expect(record.gold).toBe('true');
  });

  it('is a noul question where the recipe says so', async () => {
    const record = await one('{"state":"s","gold":true,"instructions":"Is it?"}', { primitive: 'noul' });
    expect(record).toMatchObject({ primitive: 'noul', gold: 'true' });
    expect(shown(record)).toEqual([
      ['true', 'null'],
      ['false', 'null'],
    ]);
    expect(await failure(row({ gold: 'true' }), { primitive: 'noul' })).toContain(
      'criteria has the option "a", but a noul question has true and false',
    );
  });

  it('is put on one line where an array is written over several', async () => {
    const record = await one(
      '[\n  {\n "state": {\r\n  "a": 1\n },\n "instructions": "i", "criteria": ["a",\n"b"], "gold": "b" }\n]\n',
      {},
      'rows.json',
    );
    expect(record.state.toString()).toBe('{    "a": 1  }');
    expect(record).toMatchObject({ base_id: 'labelled:row-1', gold: 'b' });
    expect(await failure('[\n{"state":1}]', {}, 'rows.json')).toMatch(/^rows\.json:2:\d+: criteria is missing/);
  });

  it('is found in JSONL called .json, with a mark before it and CRLF behind', async () => {
    expect(await read(`\ufeff${row({})}\r\n\r\n${row({})}\r\n`, {}, 'rows.json')).toHaveLength(2);
  });
});

describe('a row in System One shape with several questions', () => {
  const questions =
    '{"next":{"type":"choice","instructions":"Which?","criteria":{"1":"x","0":null}},' +
    '"safe":{"type":"noul","instructions":"Is it safe?","criteria":{"false":"No","true":"Yes"}},' +
    '"worth":{"type":"score","instructions":"How much?","criteria":["low","high"]}}';
  const system = (gold: string, more = '"id":"r"') =>
    `{${more},"state":{"1":1.0},"questions":${questions},"gold":${gold}}`;

  it('gives one decision a question, and refuses scores politely', async () => {
    const items = await read(system('{"safe":true,"next":"0","worth":1}'));
    const [next, safe, worth] = items as [BaseRecord, BaseRecord, Skipped];
    expect(next).toMatchObject({
      base_id: 'r/next',
      group_id: 'r',
      primitive: 'choice',
      gold: '0',
      decision_type: 'next',
    });
    expect(shown(next)).toEqual([
      ['1', '"x"'],
      ['0', 'null'],
    ]);
    expect(safe).toMatchObject({ base_id: 'r/safe', group_id: 'r', primitive: 'noul', gold: 'true' });
    expect(shown(safe)).toEqual([
      ['true', '"Yes"'],
      ['false', '"No"'],
    ]);
    expect(worth).toEqual({ skipped: 'a score question: it has no options', place: 'rows.jsonl:1, question worth' });
    expect(next.state.toString()).toBe('{"1":1.0}');
    expect(next.source.lossyValue()).toMatchObject({ line: 1, id: 'r', question: 'next' });
  });

  it('has its place for an id where it has none, and its own group where it names one', async () => {
    const items = await read([system('{"safe":true,"next":"0"}', '"group_id":"g"')]);
    expect(items.slice(0, 2)).toMatchObject([
      { base_id: 'labelled:line-1/next', group_id: 'g' },
      { base_id: 'labelled:line-1/safe', group_id: 'g' },
    ]);
  });

  it.each<[string, string, string]>([
    ['a gold that is no option', '{"safe":"yes","next":"0"}', 'gold.safe is "yes"'],
    ['no gold', '{"next":"0"}', 'gold.safe is missing'],
    ['no golds at all', 'null', 'gold.next is missing'],
    ['a gold of no question', '{"safe":true,"next":"0","other":"x"}', 'gold.other belongs to no question'],
    ['a gold that is no map', '"x"', 'gold is string, not an object'],
  ])('with %s stops with its place', async (_, gold, sentence) => {
    expect(await failure(system(gold))).toMatch(/^rows\.jsonl:1:\d+: gold/);
    expect(await failure(system(gold))).toContain(sentence);
    expect(
      (await read([system(gold), row({})], { on_bad_row: 'skip' })).filter(item => 'base_id' in item).length,
    ).toBeGreaterThan(0);
  });

  it('says what is wrong with a question', async () => {
    const asked = (question: string) => `{"state":1,"questions":{"q":${question}},"gold":{"q":"a"}}`;
    expect(await failure(asked('{"criteria":["a","b"]}'))).toContain(
      'questions.q.type is missing; write choice or noul',
    );
    expect(await failure(asked('{"type":"choice","criteria":["a","b"]}'))).toContain(
      'questions.q.instructions is missing',
    );
    expect(await failure(asked('3'))).toContain('questions.q is number, not an object');
    expect(await read(asked('{"type":"box"}'))).toEqual([
      { skipped: 'a question that is neither choice nor noul', place: 'rows.jsonl:1, question q' },
    ]);
  });
});

describe('a row of CSV', () => {
  const columns = { state: 'text', gold: 'label' };
  const fixed = { columns, instructions_text: 'Which?', options: ['yes', 'no'] };

  it('may have a mark, semicolons, quotes and line breaks in cells', async () => {
    const text = '\ufefftext;label\r\n"He said ""go"";\nthen left";yes\r\n\r\nplain, with comma;no\r\n';
    const items = (await read(text, fixed, 'rows.csv')) as BaseRecord[];
    expect(items.map(({ state }) => state.string())).toEqual(['He said "go";\nthen left', 'plain, with comma']);
    expect(items.map(({ base_id, gold }) => [base_id, gold])).toEqual([
      ['labelled:line-2', 'yes'],
      ['labelled:line-5', 'no'],
    ]);
  });

  it('takes criteria from a cell: a list, a map or ids between separators', async () => {
    const text = 'state\tcriteria\tgold\n1\t"[""b"",""a""]"\ta\n2\t"{""1"":""x"",""0"":""y""}"\t0\n3\tp/ q\tq\n';
    const items = (await read(text, { instructions_text: 'i', criteria_separator: '/' }, 'rows.tsv')) as BaseRecord[];
    expect(items.map(shown)).toEqual([
      [
        ['b', 'null'],
        ['a', 'null'],
      ],
      [
        ['1', '"x"'],
        ['0', '"y"'],
      ],
      [
        ['p', 'null'],
        ['q', 'null'],
      ],
    ]);
  });

  it('holds JSON in its state only where the recipe says so', async () => {
    const text = 'text,label\n"{""1"": 1.0, ""0"": [\n]}",yes\n';
    expect((await one(text, fixed, 'rows.csv')).state.string()).toBe('{"1": 1.0, "0": [\n]}');
    expect((await one(text, { ...fixed, state_json: true }, 'rows.csv')).state.toString()).toBe('{"1": 1.0, "0": [ ]}');
    expect(await failure('text,label\nx,yes\n', { ...fixed, state_json: true }, 'rows.csv')).toContain(
      'rows.csv:2: text is not JSON',
    );
  });

  it('takes empty cells for missing ones, and quotes as characters where the recipe says so', async () => {
    const text = 'text\tlabel\tid\n5" pipe\tyes\t\n';
    const record = await one(text, { ...fixed, quotes: false }, 'rows.tsv');
    expect(record.state.string()).toBe('5" pipe');
    expect(record.base_id).toBe('labelled:line-2');
    expect(await failure(text, { ...fixed, quotes: false, columns: { ...columns, id: 'id' } }, 'rows.tsv')).toContain(
      'rows.tsv:2: id is missing or empty',
    );
  });

  it.each<[string, string, object, string]>([
    [
      'a wrong gold',
      'text,label\na,yes\nb,YES\n',
      fixed,
      'rows.csv:3: label is "YES", which is not the id of an option ("yes", "no")',
    ],
    ['no gold', 'text,label\na,\n', fixed, 'rows.csv:2: label is missing or empty'],
    ['a cell too few', 'text,label\na\n', fixed, 'rows.csv:2: the row has 1 cells where the header has 2'],
    [
      'a missing column',
      'text,label\na,yes\n',
      { ...fixed, on_bad_row: 'skip', columns: { ...columns, id: 'key' } },
      'rows.csv has no column "key"; its columns are "text", "label"',
    ],
    ['no state column', 'txt,label\na,yes\n', { ...fixed, on_bad_row: 'skip' }, 'rows.csv has no column "text"'],
    ['a repeated id', 'text,label,id\na,yes,1\nb,no,1\n', fixed, 'rows.csv:3: the id "1" stands in line 2 already'],
  ])('with %s stops with its place', async (_, text, options, sentence) => {
    expect(await failure(text, options, 'rows.csv')).toContain(sentence);
  });
});

describe('the options', () => {
  it.each<[string, object, string]>([
    [
      'criteria twice',
      { file: 'f', options: ['a', 'b'], columns: { criteria: 'c' } },
      'name a column of criteria or fixed options, not both',
    ],
    ['one fixed option', { file: 'f', options: ['a'] }, 'expected array to have >=2 items'],
    ['a long delimiter', { file: 'f', delimiter: ';;' }, 'Invalid option'],
    ['a label that no object can hold', { file: 'f', columns: { labels: ['__proto__'] } }, 'must be another name'],
  ])('refuse %s', (_, options, message) => {
    expect(JSON.stringify(plugin.options.safeParse(options).error?.issues)).toContain(message);
  });
});
