import { readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from './workplace.fixture.ts';

let work: Workplace;
beforeEach(async () => {
  work = await openWorkplace();
});
afterEach(() => work.remove());

type Row = Record<string, unknown>;

/** Makes a recipe of the file and runs it as it is. */
async function initAndRun(file: string, flags: readonly string[] = []): Promise<{ told: string; recipe: string }> {
  const init = await work.run(['init', file, ...flags]);
  expect([init.code, init.stderr]).toEqual([0, expect.not.stringContaining('holdfast:')]);
  const { code, stderr } = await work.run(['run', 'recipe.yaml', '--out', 'run']);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('holdfast:')]);
  expect(await work.read('run/report.md')).toContain('## lexical');
  const verified = await work.run(['verify', 'run']);
  expect(verified.stdout).toMatch(/^0 violations/m);
  return { told: init.stdout, recipe: await work.read('recipe.yaml') };
}

const base = () => work.rows<Row & { options: { id: string; description: unknown }[] }>('run/records/base.jsonl');

const subjects = [
  'a parcel is late',
  'the invoice of March counts twice',
  'please end the contract',
  'where is my "order"?',
];
const answers = ['shipping', 'billing', 'contract', 'shipping'];

describe('holdfast init, then holdfast run with no editing', () => {
  it('takes a CSV with a mark, semicolons, quotes and line breaks in cells', async () => {
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const rows = Array.from({ length: 24 }, (_, at) => {
      const text = `Hello;\r\nabout case ${at * 7919}: ${subjects[at % 4]!}, "urgent"\nBye`;
      return `${at};${cell(text)};What is it about?;${answers[at % 4]!};${at % 3 === 0 ? 'de' : 'en'}\r\n`;
    });
    await work.write('my tickets.csv', `\ufeffID;Text;Question;Label;Lang\r\n${rows.join('')}`);
    const { told, recipe } = await initAndRun('my tickets.csv', ['--label', 'Lang']);
    expect(told).toContain('cells between ";"; 24 rows looked at, which are all');
    expect(told).toContain('"Text": the state, which is what is decided about, told by its name');
    expect(told).toContain(
      'ASSUMED: no column lists the options, so they are the 3 values that "Label" has in the whole file ("shipping" 12, "billing" 6, "contract" 6)',
    );
    expect(told).toContain('tried: 24 questions in the whole file');
    expect(recipe).toMatch(/^ {6}delimiter: ";" +# what stands between cells$/m);
    expect(recipe).toContain('file: "./my tickets.csv"');
    const records = await base();
    expect(records).toHaveLength(24);
    expect(records[1]).toMatchObject({
      base_id: '1',
      dataset: 'my-tickets',
      state: 'Hello;\r\nabout case 7919: the invoice of March counts twice, "urgent"\nBye',
      instructions: 'What is it about?',
      gold: 'billing',
      labels: { Lang: 'en' },
    });
    expect(await work.read('run/report.md')).toContain('| en |');
  });

  it('takes JSONL in System One shape, one question a row, and keeps the order of its options', async () => {
    const rows = Array.from(
      { length: 20 },
      (_, at) =>
        `{"id":"d${at}","group_id":"g${at >> 1}","state":{"2":1.0,"1":"the ${subjects[at % 4]!.replaceAll('"', '')} ${at * 7919}"},` +
        `"instructions":"Is the step right?","criteria":{"1":"It is right","0":"It does nothing","-1":"It is wrong"},"gold":${(at % 3) - 1}}`,
    );
    await work.write('steps.jsonl', rows.join('\n'));
    const { told, recipe } = await initAndRun('steps.jsonl');
    expect(told).not.toContain('ASSUMED');
    expect(recipe).toContain('group_id: group_id');
    const [first] = await base();
    expect(first).toMatchObject({ base_id: 'd0', group_id: 'g0', gold: '-1' });
    expect(first!.options.map(({ id }) => id)).toEqual(['1', '0', '-1']);
    expect(await work.read('run/records/base.jsonl')).toContain('"state":{"2":1.0,"1":"the a parcel is late 0"}');
  });

  it('takes rows of several questions, yes/no and score ones among them', async () => {
    const rows = Array.from({ length: 12 }, (_, at) =>
      JSON.stringify({
        id: `s${at}`,
        state: { goal: `Case ${at * 7919}: ${subjects[at % 4]!}` },
        questions: {
          next: { type: 'choice', instructions: 'Which tool?', criteria: { call: 'Call them', wait: null } },
          team: {
            type: 'choice',
            instructions: 'Which team?',
            criteria: { a: 'Team of the north', b: 'Team of the south' },
          },
          safe: { type: 'noul', instructions: 'Is it safe?' },
          worth: { type: 'score', instructions: 'How much?', criteria: ['low', 'high'] },
        },
        gold: { next: at % 2 === 0 ? 'call' : 'wait', team: 'b', safe: at % 3 === 0 },
      }),
    );
    await work.write('several.jsonl', rows.join('\n'));
    const { told, recipe } = await initAndRun('several.jsonl');
    expect(told).toContain(
      'skipped 12: a score question: it has no options (first at several.jsonl:1, question worth)',
    );
    expect(told).toContain('36 questions in the whole file');
    expect(recipe).toMatch(/^inapplicable: exclude_question +# order and label make no version of yes\/no/m);
    const records = await base();
    expect(records.slice(0, 3).map(({ base_id, primitive }) => [base_id, primitive])).toEqual([
      ['s0/next', 'choice'],
      ['s0/team', 'choice'],
      ['s0/safe', 'noul'],
    ]);
  });

  it('leaves out operators that yes/no questions have no version of', async () => {
    const rows = Array.from({ length: 12 }, (_, at) =>
      JSON.stringify({
        id: at,
        state: `Case ${at * 7919}: ${subjects[at % 4]!}`,
        questions: {
          safe: { type: 'noul', instructions: 'Is it safe?', criteria: { true: 'Safe', false: 'Not safe' } },
        },
        gold: { safe: at % 3 === 0 },
      }),
    );
    await work.write('safe.jsonl', rows.join('\n'));
    const { told, recipe } = await initAndRun('safe.jsonl');
    expect(told).toContain('left out: order, since it can make no version of 12 of 12 questions');
    expect(recipe).toMatch(/^ {2}# - label: left out/m);
    const scores = JSON.parse(await work.read('run/models/lexical/scores.json')) as { rows: { included: number }[] };
    expect(scores.rows[0]!.included).toBe(12);
  });

  it.each<[string, string, string | Uint8Array, string]>([
    ['a JSON array over several lines', 'a.json', JSON.stringify(many(), null, 2), 'a.json: json (it starts with [)'],
    [
      'gzip',
      'a.jsonl.gz',
      gzipSync(
        many()
          .map(row => JSON.stringify(row))
          .join('\n'),
      ),
      'a.jsonl.gz: jsonl',
    ],
    [
      'TSV without quoting',
      'a.tsv',
      `input\ttarget\tchoices\n${many()
        .map(({ state, gold }) => `5" ${state}\t${gold}\ta / b`)
        .join('\n')}`,
      'cells between "\\t"',
    ],
    [
      'text with pipes',
      'a.txt',
      `text|answer\n${many()
        .map(({ state, gold }) => `${state}|${gold}`)
        .join('\n')}`,
      'cells between "|"',
    ],
    [
      'JSON in the cells of a CSV',
      'a.csv',
      `state,gold,options\n${many()
        .map(({ state, gold }) => `"{""b"": 1.0, ""a"": ""${state}""}",${gold},"[""b"",""a""]"`)
        .join('\n')}`,
      'a.csv: csv',
    ],
  ])('takes %s', async (_, name, content, told) => {
    await work.write(name, content);
    expect((await initAndRun(name)).told).toContain(told);
    const records = await base();
    expect(records).toHaveLength(12);
    if (name === 'a.csv')
      expect(await work.read('run/records/base.jsonl')).toContain('"state":{"b": 1.0, "a": "Case 0');
    if (name === 'a.tsv')
      expect(records[0]).toMatchObject({
        state: expect.stringMatching(/^5" Case/),
        options: [{ id: 'a' }, { id: 'b' }],
      });
  });

  it('takes Parquet', async () => {
    await work.write('a.parquet', parquet);
    expect((await initAndRun('a.parquet')).told).toContain(
      'a.parquet: parquet (it starts with PAR1); 8 rows looked at',
    );
    expect((await base())[1]).toMatchObject({
      base_id: 'a:row-2',
      gold: 'billing',
      state: 'Case 7919: the invoice counts twice',
      options: [{ id: 'shipping' }, { id: 'billing' }],
    });
  });

  it('calls rows by their place where the column id repeats', async () => {
    await work.write(
      'a.csv',
      `id,text,label\n${many()
        .map(({ state, gold }, at) => `${at >> 1},${state},${gold}`)
        .join('\n')}\n`,
    );
    const { told, recipe } = await initAndRun('a.csv');
    expect(told).toContain('"id": not taken for the id: it repeats, so rows are called by their place');
    expect(recipe).toMatch(/^ {8}id: null +# not taken/m);
    expect((await base())[1]).toMatchObject({ base_id: 'a:line-3', group_id: 'a:line-3' });
  });

  it('takes columns and options by flags, and writes where it is told', async () => {
    await work.write(
      'a.csv',
      `key,ticket,extra,team\n${many()
        .map(({ state, gold }, at) => `k${at},${state},x,${gold}`)
        .join('\n')}`,
    );
    const flags = [
      '--state',
      'ticket',
      '--state',
      'extra',
      '--gold',
      'team',
      '--options',
      'a, b,c',
      '--instructions-text',
      'Which: "team" #1?',
      '--out',
      'own.yaml',
      '--model',
      'my-model',
      '--base-url',
      'http://127.0.0.1:9',
      '--api-key-env',
      'MY_KEY',
    ];
    const { code, stdout, stderr } = await work.run(['init', 'a.csv', ...flags]);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('holdfast:')]);
    expect(stdout).toContain('"ticket": a part of the state, which is what is decided about, as you said');
    expect(stdout).not.toContain('ASSUMED');
    const recipe = await work.read('own.yaml');
    expect(recipe).toContain('state: [ticket, extra]');
    expect(recipe).toContain('instructions_text: "Which: \\"team\\" #1?"');
    expect(recipe).toMatch(/base_url: "http:\/\/127\.0\.0\.1:9"\n {6}api_key_env: MY_KEY/);
    const built = await work.run(['build', 'own.yaml', '--out', 'run'], { MY_KEY: 'k' });
    expect(built.code).toBe(0);
    expect(await base()).toMatchObject([
      { base_id: 'k0', state: { extra: 'x' }, options: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] },
      ...Array(11).fill({}),
    ]);
  });

  it('leaves bad rows out where it is told to, and says how many', async () => {
    await work.write(
      'a.csv',
      `text,gold,options\n${many()
        .map(({ state, gold }) => `${state},${gold},a|b`)
        .join('\n')}\nlast,,a|b\n`,
    );
    const refused = await work.run(['init', 'a.csv']);
    expect(refused.stderr).toContain(
      'holdfast: a.csv:14: gold is missing or empty; correct it, or leave such rows out with --skip-bad-rows\n',
    );
    expect((await initAndRun('a.csv', ['--skip-bad-rows'])).told).toContain('skipped 1: no gold (first at a.csv:14)');
  });

  it('finds the options of rows far behind those it looks at', async () => {
    const rows = Array.from(
      { length: 900 },
      (_, at) =>
        `Case ${at * 7919} ${subjects[at % 4]!.replaceAll('"', '')},${at < 600 ? 'first' : at < 880 ? 'second' : 'third'}`,
    );
    await work.write('sorted.csv', `text,label\n${rows.join('\n')}\n`);
    const { told } = await initAndRun('sorted.csv', ['--instructions-text', 'Which?']);
    expect(told).toContain('("first" 600, "second" 280, "third" 20)');
    expect(told).toContain('tried: 900 questions in the whole file, versions made of 200 of them');
    expect((await base())[899]).toMatchObject({ gold: 'third' });
  });
});

function many(): { state: string; instructions: string; criteria: string[]; gold: string }[] {
  return Array.from({ length: 12 }, (_, at) => ({
    state: `Case ${at * 7919} ${subjects[at % 4]!.replaceAll('"', '')}`,
    instructions: 'Which one?',
    criteria: ['a', 'b'],
    gold: at % 2 === 0 ? 'a' : 'b',
  }));
}

/** Eight rows with the columns state, label, choices (a list) and n, written for this test. */
const parquet = Buffer.from(
  [
    'UEFSMRUAFd4EFZICLBUQFQAVBhUGAAAfiwgAAAAAAAADjcxBCsIwEIXh0RO4dOHigR7AOJlO060nCWHAQGnFRL2+qyxELOUt/8e3I6Lt5nt7Ir',
    'rGYjgPiLjHR7IRuWCM1Y6taXBhQL0Z8vSaczKk+TnVgvrOyQ7t5qTn/pc5tX5hFV3hsOu0W3A4SJAVjldxfsER8cz/nQ/8OwgeLwEAABUAFeAB',
    'FWosFRAVABUGFQYAAB+LCAAAAAAAAAMTYGBgYGJEhRwMDAzFGZkFBZl56ewMDAxJmTk5mXnpVBEGAGzuxRxwAAAAFQAVgAQVeiwVIBUAFQYVBg',
    'AAH4sIAAAAAAAAA1NgYGBgYmBixIcVQGqY8UMOBgaG4ozMgoLMvHR2BgaGpMycnMy89EEvDACarhuMAAEAABUAFagBFV4sFRAVABUGFQYAAB+L',
    'CAAAAAAAAAMTYGBgYGJEhQxQAGMwQWlmKM0CpVmhNBuUZofSANWoZH1UAAAAFQIZ/AdIBnNjaGVtYRUIABUMJQIYBXN0YXRlJQAAFQwlAhgFbG',
    'FiZWwlAAA1AhgHY2hvaWNlcxUCFQYANQQYBGxpc3QVAgAVDCUCGAdlbGVtZW50JQAAFQQlAhgBbgAWEBn8ARn8BCYIHBUMGfUCAAYZ+AEFc3Rh',
    'dGUVBBYQFoQFFrgCJggAACbAAhwVDBn1AgAGGfgBBWxhYmVsFQQWEBaEAhaOASbAAgAAJs4DHBUMGfUCAAYZ+AMHY2hvaWNlcwRsaXN0B2VsZW',
    '1lbnQVBBYgFqQEFp4BJs4DAAAm7AQcFQQZ9QIABhn4AQFuFQQWEBbMARaCASbsBAAAFu4FFhAAKAZhIHRlc3QACwEAAFBBUjE=',
  ].join(''),
  'base64',
);

describe('holdfast init refuses in one sentence, and writes nothing', () => {
  const csv = (header: string, ...rows: string[]) => `${header}\n${rows.join('\n')}\n`;
  const answersTo = (count: number) => Array.from({ length: count }, (_, at) => `case ${at},answer ${at}`);

  it.each<[string, string, string | Uint8Array, readonly string[], number, string]>([
    [
      'a binary file',
      'a.csv',
      Buffer.from([1, 2, 0, 3]),
      [],
      3,
      'a.csv is binary: JSONL, a JSON array, CSV or Parquet is needed',
    ],
    [
      'a workbook',
      'a.xlsx',
      Buffer.from('PK\x03\x04\0\0', 'latin1'),
      [],
      3,
      'a.xlsx is a zip archive, perhaps a workbook: save the table as CSV',
    ],
    ['an empty file', 'a.jsonl', '', [], 3, 'a.jsonl is empty: a row for each decision is needed'],
    ['a header alone', 'a.csv', 'text,label\n', [], 3, 'a.csv has no row: a row for each decision is needed'],
    ['an empty array', 'a.json', '[]', [], 3, 'a.json has no row'],
    [
      'one column',
      'a.csv',
      csv('text', 'one', 'two'),
      [],
      2,
      'a.csv: no column is named as the gold, which is the right option, usually is (gold, label, answer, target, expected, ground_truth); its only column is "text"; say it with --gold COLUMN',
    ],
    [
      'no usual name',
      'a.csv',
      csv('a,b', '1,2'),
      [],
      2,
      'its columns are "a", "b"; say it with --gold COLUMN --state COLUMN',
    ],
    [
      'two golds',
      'a.csv',
      csv('text,label,answer', 'x,1,2', 'y,2,1'),
      [],
      2,
      '"label" and "answer" could each be the gold, which is the right option; its columns are "text", "label", "answer"; say it with --gold label',
    ],
    [
      'two states',
      'a.csv',
      csv('prompt,input,gold', 'x,1,a', 'y,2,b'),
      [],
      2,
      'say it with --state prompt, or --state prompt --state input for both',
    ],
    [
      '300 options',
      'a.csv',
      csv('text,label', ...answersTo(300)),
      [],
      2,
      'there is no column of options, and "label" has 200 different values in 200 rows, too many to take for them',
    ],
    [
      '300 options far behind',
      'a.csv',
      csv('text,label', ...Array.from({ length: 200 }, (_, at) => `x${at},${at % 3}`), ...answersTo(300)),
      [],
      2,
      '"label" has more than 255 different values',
    ],
    [
      '300 options in a row',
      'a.jsonl',
      JSON.stringify({
        state: 's',
        instructions: 'i',
        criteria: Array.from({ length: 300 }, (_, at) => `o${at}`),
        gold: 'o1',
      }),
      [],
      3,
      'a.jsonl:1:44: criteria names 300 options; a decision may have 255',
    ],
    ['one gold for all', 'a.csv', csv('text,label', 'x,a', 'y,a'), [], 2, '"label" is the same in every row, "a"'],
    [
      'no gold in a row',
      'a.jsonl',
      '{"state":"s","criteria":["a","b"],"gold":"a"}\n{"state":"s","criteria":["a","b"]}',
      [],
      3,
      'a.jsonl:2:1: gold is missing or empty',
    ],
    [
      'no gold at all',
      'a.csv',
      csv('text,gold', 'x,', 'y,'),
      [],
      2,
      '"gold" is empty in every row, so it is not the gold',
    ],
    [
      'a gold that is no option',
      'a.csv',
      csv('text,gold,options', 'x,a,a|b', 'y,b,a|b', 'z,A,"[""a"",""b""]"'),
      [],
      3,
      'a.csv:4: gold is "A", which is not the id of an option ("a", "b"); correct it, or leave such rows out with --skip-bad-rows',
    ],
    [
      'options that are no list',
      'a.csv',
      csv('text,gold,options', 'x,a,what', 'y,b,ever'),
      [],
      2,
      '"options" is neither a list or a map, nor text such as a|b|c that names the gold',
    ],
    [
      'bytes that are not UTF-8',
      'a.csv',
      Buffer.from('text;label\nM\xfcller;a\nx;b\n', 'latin1'),
      [],
      3,
      'a.csv:2:2: the byte 0xfc is not UTF-8: convert the file to UTF-8',
    ],
    [
      'UTF-16',
      'a.csv',
      Buffer.from('\ufefftext,label\n', 'utf16le'),
      [],
      3,
      'a.csv is written in UTF-16: convert it to UTF-8',
    ],
    ['broken JSON', 'a.jsonl', '{"state":1}\n{"state":', [], 3, 'a.jsonl:2:10: not JSON'],
    [
      'a repeated id',
      'a.jsonl',
      Array.from({ length: 2 }, () => '{"id":"x","state":1,"criteria":["a","b"],"gold":"a"}').join('\n'),
      ['--id', 'id'],
      3,
      'a.jsonl:2:7: the id "x" stands in line 1 already; ids must be unique',
    ],
    [
      'an unknown column',
      'a.csv',
      csv('text,label', 'x,a', 'y,b'),
      ['--gold', 'labl'],
      2,
      '--gold: a.csv has no column "labl"; did you mean "label"?',
    ],
    [
      'the record format',
      'a.jsonl',
      '{"schema_version":"jev-choice/1.0","id":"x"}',
      [],
      2,
      'a.jsonl is in the record format already: write a recipe with use: records',
    ],
    [
      'a row with a cell too many',
      'a.csv',
      csv('text,label', 'x,a', 'y,b,c'),
      [],
      3,
      'a.csv:3: the row has 3 cells where the header has 2',
    ],
  ])('%s', async (_, name, content, flags, code, sentence) => {
    await work.write(name, content);
    const ended = await work.run(['init', name, ...flags]);
    expect(ended.stderr).toContain(sentence);
    expect(
      ended.stderr
        .trimEnd()
        .split('\n')
        .filter(line => line.startsWith('holdfast: ')),
    ).toHaveLength(1);
    expect(ended.stderr).not.toMatch(/\n\s+at |this is a bug/);
    expect([ended.code, ended.stdout]).toEqual([code, '']);
    expect(await readdir(work.folder)).toEqual([name]);
  });

  it('a file that is not there, no file at all, and a recipe that is there', async () => {
    expect(await work.run(['init', 'gone.csv'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('gone.csv does not exist'),
    });
    expect(await work.run(['init'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('name the file with your labelled decisions: holdfast init FILE'),
    });
    await work.write('a.csv', 'text,label\nx,a\ny,b\n');
    await work.write('recipe.yaml', 'mine');
    const refused = await work.run(['init', 'a.csv']);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'recipe.yaml exists already; choose another name with --out FILE, or overwrite it with --force',
      ),
    });
    expect(await work.read('recipe.yaml')).toBe('mine');
    expect((await work.run(['init', 'a.csv', '--force'])).code).toBe(0);
    expect(await work.read('recipe.yaml')).toContain('use: labelled');
  });
});
