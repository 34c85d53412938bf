import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HoldfastError, checkRecord, json, type BaseRecord } from '@holdfast/core';
import { readDataset, testDataset, upstreamFolder } from '@holdfast/kit/testing';
import { describe, expect, it } from 'vitest';
import { chanceOf } from './chance.ts';
import { kindOf } from './kind.ts';
import plugin from './plugin.ts';
import { WrongAnswers, isWrong } from './wrong-answers.ts';

const sample = fileURLToPath(new URL('../sample', import.meta.url));
testDataset(plugin, { folder: sample });
testDataset(plugin, { folder: sample, options: { knowledge: 'article', answers: 'one', correct: 'alternative' } });

const upstream = upstreamFolder('workarena');
const make = (options: object = {}) =>
  plugin.create(plugin.options.parse(options), { env: () => undefined, folder: '' });

const counted = (found: readonly string[]) => {
  const counts: Record<string, number> = {};
  for (const each of found) counts[each] = (counts[each] ?? 0) + 1;
  return counts;
};

interface State {
  readonly knowledge: { readonly item?: string; readonly value?: string; readonly article?: string };
  readonly question: string;
  readonly proposed_answer: string;
}
const stateOf = ({ state }: BaseRecord) => state.lossyValue() as State;
const metadataOf = ({ metadata }: BaseRecord) => metadata!.lossyValue() as Record<string, unknown>;

/** Reads rows that a test wrote itself. */
function readRows(rows: readonly string[], options: object = {}) {
  return readDataset(plugin, {
    files: { 'kb.json': `[\n${rows.join(',\n')}\n]` },
    options: { file: 'kb.json', ...options },
  });
}

const row = (item: string, value: string, question = `What is ${item}?`, alternatives: readonly string[] = []) =>
  JSON.stringify({ item, value, question, alternative_answers: alternatives });
const articleRow = (item: string, value: string, article: string, ...questions: readonly string[]) =>
  JSON.stringify({ item, value, article, questions, alternative_answers: [] });

describe('a row', () => {
  it('gives a question with the value and one with the value of another item, in the bytes of the file', async () => {
    const cafe = String.raw`{"item":"name of the caf\u00e9","value":"Caf\u00e9 Roux","question":"Which caf\u00e9?","alternative_answers":["Roux"]}`;
    const [correct, wrong, other] = (await readRows([cafe, row('name of the inn', 'Zur Post')])).records;
    expect(correct!.state.toString()).toBe(
      String.raw`{"knowledge":{"item":"name of the caf\u00e9","value":"Caf\u00e9 Roux"},"question":"Which caf\u00e9?","proposed_answer":"Caf\u00e9 Roux"}`,
    );
    expect(wrong!.state.toString()).toBe(correct!.state.toString().replace(/"Caf\\u00e9 Roux"\}$/, '"Zur Post"}'));
    expect([correct!.gold, wrong!.gold]).toEqual(['yes', 'no']);
    expect(correct!.base_id).toMatch(/^workarena:[0-9a-f]{16}:correct$/);
    expect(wrong!.base_id).toBe(correct!.base_id.replace('correct', 'wrong'));
    expect(wrong!.group_id).toBe(correct!.group_id);
    expect(other!.group_id).not.toBe(correct!.group_id);
    expect(wrong!.source.toString()).toBe(
      String.raw`{"file":"kb.json","index":0,"phrasing":0,"item":"name of the caf\u00e9","upstream_split":null}`,
    );
    expect(metadataOf(wrong!)).toEqual({
      label_source: 'a rule, checked against all accepted answers',
      knowledge: 'fact',
      answer_rule: 'swap',
      answer_kind: 'name',
      swapped_with: 'name of the inn',
      accepted_answers: 2,
      seed: 0,
    });
  });

  it('gives the same id and answers from either file, whatever the order of the phrasings', async () => {
    const rows = [
      row('number of cats', '12', 'How many?'),
      row('number of cats', '12', 'Count?'),
      row('number of dogs', '50'),
    ];
    const base = [
      articleRow('number of cats', '12', '<p>12 cats</p>', 'Count?', 'How many?'),
      articleRow('number of dogs', '50', '<p>50 dogs</p>', 'What is number of dogs?'),
    ];
    const facts = (await readRows(rows)).records;
    const articles = (await readRows(base, { knowledge: 'article' })).records;
    const answers = (found: readonly BaseRecord[]) =>
      found.map(record => [record.base_id, stateOf(record).proposed_answer, record.gold].join(' ')).sort();
    expect(answers(articles)).toEqual(answers(facts));
    expect(stateOf(articles[0]!).knowledge).toEqual({ article: '<p>12 cats</p>' });
    expect(articles[0]!.source.lossyValue()).toMatchObject({ index: 0, phrasing: 0 });
  });

  it('gives one question, correct or wrong by chance, when it is asked to', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => row('number of cats', '12', `Phrasing ${index}?`));
    const found = (await readRows(rows, { answers: 'one' })).records;
    expect(found).toHaveLength(40);
    const golds = counted(found.map(({ gold }) => gold));
    expect(Math.min(golds['yes']!, golds['no']!)).toBeGreaterThan(8);
    const again = (await readRows(rows.toReversed(), { answers: 'one' })).records;
    const told = (record: BaseRecord) => `${record.base_id} ${record.state.toString()}`;
    expect(again.map(told).sort()).toEqual(found.map(told).sort());
    const seeded = (await readRows(rows, { answers: 'one', seed: 1 })).records;
    expect(seeded.map(told)).not.toEqual(found.map(told));
  });

  it('has an alternative for a correct answer when it is asked to, the value where there is none', async () => {
    const rows = [row('number of cats', '12', 'Cats?', ['a dozen']), row('number of dogs', '50', 'Dogs?')];
    const found = (await readRows(rows, { correct: 'alternative' })).records.filter(({ gold }) => gold === 'yes');
    expect(found.map(record => [stateOf(record).proposed_answer, metadataOf(record)['answer_rule']])).toEqual([
      ['a dozen', 'alternative'],
      ['50', 'value'],
    ]);
  });

  it.each<[string, string[], object, string[]]>([
    ['the question was asked already', [row('a', '1'), row('b', '2'), row('a', '1')], {}, ['kb.json:4']],
    ['no rule makes a wrong answer', [row('name of the cat', 'Tom')], {}, ['kb.json:2']],
    [
      'the article does not hold the value',
      [articleRow('a', '5', '<p>6</p>', 'A?', 'B?')],
      { knowledge: 'article' },
      ['kb.json:2'],
    ],
  ])('is skipped where %s', async (skipped, rows, options, places) => {
    const cases = await readRows(rows, options);
    expect(cases.skipped).toEqual(places.map(place => ({ skipped, place })));
  });

  it.each<[string, string, object, string]>([
    ['without a value', '{"item":"a"}', {}, 'value is missing'],
    ['with a number for a value', '{"item":"a","value":5}', {}, 'value must be of kind string, not number'],
    ['without a question', '{"item":"a","value":"5","alternative_answers":[]}', {}, 'question is missing'],
    [
      'with a number among alternatives',
      '{"item":"a","value":"5","alternative_answers":["x",5]}',
      {},
      'alternative_answers.1 must',
    ],
    [
      'without an article',
      '{"item":"a","value":"5","alternative_answers":[],"questions":[]}',
      { knowledge: 'article' },
      'article is missing',
    ],
    ['that is no object', '5', {}, 'an object was expected'],
  ])('%s stops with its place', async (_, text, options, message) => {
    const good = 'knowledge' in options ? articleRow('z', '1', '1', 'Z?') : row('z', '1');
    const error = await readRows([good, text], options).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(HoldfastError.is(error) && error.code).toBe('RECORD_INVALID');
    expect((error as Error).message).toMatch(/^kb\.json:3:\d+: /);
    expect((error as Error).message).toContain(message);
  });
});

describe('the kind of an answer', () => {
  it.each([
    ['date of the last fire drill', '2024-04-18', 'date'],
    ['direct line of the porter', '+1-555-010-7788', 'phone'],
    ['share of repairs', '85%', 'percentage'],
    ['budget', '$1.5 million', 'money'],
    ['average score', '8.5/10', 'score'],
    ['number of patents', '1,240', 'count'],
    ['year of the founding', '1998', 'year'],
    ['number of bolts', '1998', 'count'],
    ['floor space', '25,000 square feet', 'quantity (square feet)'],
    ['length of the break', '1 hour', 'quantity (hour)'],
    ['address of the shed', '42, Mill Lane, Leeds', 'address'],
    ['password to the shed', 'roo918k', 'password'],
    ['Wi-Fi network in the shed', 'Shed_5', 'network'],
    ['name of the head of the paint shop', 'Marisol Okafor', 'person'],
    ["CEO's name", 'Pavel Strand', 'person'],
    ['name of the health insurance provider for employees', 'BlueRing', 'organization'],
    ['brand of the lathe', 'Torvald T20', 'brand'],
    ['color of the gate', 'Green', 'color'],
    ['type of chat software', 'Plauder', 'software'],
    ['type of gate', 'Sliding', 'type'],
    ['slogan', 'On we roll', 'words'],
  ])('%s, %s, is %s', (item, value, kind) => {
    expect(kindOf(item, value).name).toBe(kind);
  });
});

describe('a wrong answer', () => {
  it.each<[string, string[], boolean]>([
    ['12', ['40', 'forty'], true],
    ['40', ['40'], false],
    ['FORTY', ['40', 'forty'], false],
    // Upstream looks for an accepted answer within the message: "18" holds "8".
    ['18', ['8', 'eight'], false],
    ['5', ['15'], false],
    ['25 000 square feet', ['25,000 square feet'], false],
    ['smart-analytics pro', ['SmartAnalyticsPro'], false],
    ['TechRivals Inc.', ['Tech'], false],
    ['caf\u00e9', ['cafe\u0301'], false],
    ['$80,000', ['$50 million', '50,000,000', ''], true],
    ['--', ['40'], false],
  ])('%s beside %j: %s', (answer, accepted, expected) => {
    expect(isWrong(answer, { accepted })).toBe(expected);
  });

  const fact = (item: string, value: string, ...more: readonly string[]) => ({
    item,
    value,
    accepted: [value, ...more],
  });
  const answersOf = (facts: readonly (readonly [string, string])[]) => {
    const answers = new WrongAnswers();
    for (const [item, value] of facts) answers.add({ item, value }, json.string(value));
    return answers;
  };
  const spread = (make: (id: string) => string | undefined) =>
    new Set(Array.from({ length: 400 }, (_, id) => make(String(id))));

  it('is the value of every fitting item of the kind, and of no other', () => {
    const facts = [
      ['number of cats', '40'],
      ['number of dogs', '40'],
      ['number of hens', '12'],
      ['number of pigs', '35'],
      ['number of bees', '140'],
      ['budget', '$5'],
      ['name of the cat', 'Tom'],
    ] as const;
    const answers = answersOf(facts);
    const made = spread(id => answers.make(fact('number of cats', '40'), 'swap', chanceOf(0, id))?.text.string());
    expect(made).toEqual(new Set(['12', '35']));
  });

  it('is other words where no value of the kind fits, but never a password or an address', () => {
    const answers = answersOf([
      ['color of the gate', 'Green'],
      ['slogan', 'On we roll'],
      ['brand of the lathe', 'Torvald'],
      ['password of the gate', 'abc'],
      ['address of the gate', 'Mill Lane'],
      ['number of gates', '5'],
    ]);
    const made = (id: string) => answers.make(fact('color of the gate', 'Green'), 'swap', chanceOf(0, id));
    expect(spread(id => made(id)?.text.string())).toEqual(new Set(['On we roll', 'Torvald']));
    expect(made('1')!.kind).toBe('words of any kind');
  });

  it.each<[string, string, RegExp]>([
    ['date of the drill', '2024-02-28', /^2024-02-[0-2][0-9]$/],
    ['direct line', '+1-555-010-7788', /^\+1-555-010-\d{4}$/],
    ['year of the founding', '1998', /^19\d\d$/],
    ['average score', '8.5/10', /^[1-9]\.\d\/10$/],
    ['budget', '$10,000', /^\$[2-9]0,000$/],
    ['time of delivery', '5 days', /^[2-9] days$/],
    ['number of cats', '3', /^[1-9]$/],
    ['password', '456Secure!', /^\d{3}Secure!$/],
  ])('to %s, %s, has another digit', (item, value, form) => {
    const answers = answersOf([[item, value]]);
    const made = spread(id => answers.make(fact(item, value), 'swap', chanceOf(0, id))?.text.string());
    expect(made.size).toBeGreaterThan(3);
    expect(made).not.toContain(value);
    for (const each of made) expect(each).toMatch(form);
  });

  it('is made by the other rule where the rule makes none, and by none where both fail', () => {
    const answers = answersOf([
      ['name of the cat', 'Tom'],
      ['name of the dog', 'Rex'],
    ]);
    const made = answers.make(fact('name of the cat', 'Tom'), 'change_number', chanceOf(0, '1'));
    expect([made!.rule, made!.text.string(), made!.swappedWith]).toEqual(['swap', 'Rex', 'name of the dog']);
    expect(answers.make(fact('name of the cat', 'Tom', 'Rex the cat'), 'swap', chanceOf(0, '1'))).toBeNull();
  });
});

describe('the files', () => {
  it('are pinned under the names of upstream only', () => {
    for (const knowledge of ['fact', 'article']) {
      const [file] = make({ knowledge }).upstream;
      expect(file!.sha256).toHaveLength(64);
      expect(file!.url).toContain(file!.revision);
      expect(file!.url!.endsWith(`/${file!.name}`)).toBe(true);
    }
    expect(make({ file: 'q.json' }).upstream).toEqual([{ name: 'q.json' }]);
  });
});

describe('the sample', () => {
  it.each([{}, { knowledge: 'article' }])('with %j gives 24 questions on ten facts', async options => {
    const cases = await readDataset(plugin, { folder: sample, options });
    const found = cases.records;
    expect(found).toHaveLength(cases.items.length);
    for (const record of found) checkRecord({ primitive: 'choice', ...record });
    expect(counted(found.map(({ gold }) => gold))).toEqual({ yes: 12, no: 12 });
    expect(new Set(found.map(record => record.group_id)).size).toBe(10);
  });
});

const folders = [sample, upstream].filter(folder => folder !== null);

describe.each(folders)('what is shown of %s', folder => {
  it.each([
    {},
    { wrong: 'change_number' },
    { correct: 'alternative' },
    { knowledge: 'article' },
    { knowledge: 'article', wrong: 'change_number', seed: 5 },
  ])('with %j tells right from wrong by nothing but the answer', async options => {
    const { records: found } = await readDataset(plugin, { folder, options });
    // From the raw file, so that the check does not rest on the plugin's own reading.
    const accepted = new Map<string, readonly string[]>();
    type Row = { item: string; value: string; alternative_answers: string[] };
    for (const { item, value, alternative_answers } of JSON.parse(
      readFileSync(join(folder, 'knowledge_base.json'), 'utf8'),
    ) as Row[]) {
      accepted.set(item, [value, ...alternative_answers]);
    }
    const knowledge = 'knowledge' in options ? ['article'] : ['item', 'value'];
    const states = new Map<string, Set<string>>();
    for (const record of found) {
      const state = stateOf(record);
      expect(Object.keys(state)).toEqual(['knowledge', 'question', 'proposed_answer']);
      expect(Object.keys(state.knowledge)).toEqual(knowledge);
      const written = [record.state, record.instructions].map(String).join('\n');
      for (const leak of ['alternative_answers', '"questions"', 'swap', 'change_number', ':correct', ':wrong']) {
        expect(written).not.toContain(leak);
      }
      const right = accepted.get((record.source.lossyValue() as { item: string }).item)!;
      const holds = right.some(answer => state.proposed_answer.toLowerCase().includes(answer.toLowerCase()));
      expect(holds).toBe(record.gold === 'yes');
      const without = JSON.stringify({ ...state, proposed_answer: '' });
      states.set(without, (states.get(without) ?? new Set()).add(record.gold));
    }
    for (const golds of states.values()) expect(golds.size).toBe(2);
    expect(new Set(found.map(record => record.instructions.toString())).size).toBe(1);
  });
});

describe.skipIf(upstream === null)('the real files', () => {
  const folder = upstream!;

  it.each([{}, { knowledge: 'article' }, { wrong: 'change_number' }])('with %j give 2,000 questions', async options => {
    const cases = await readDataset(plugin, { folder, options });
    const found = cases.records;
    expect(cases.items).toHaveLength(2_000);
    for (const record of found) checkRecord({ primitive: 'choice', ...record });
    expect(counted(found.map(({ gold }) => gold))).toEqual({ yes: 1_000, no: 1_000 });
    expect(new Set(found.map(record => record.group_id)).size).toBe(100);
    expect(new Set(found.map(record => record.base_id)).size).toBe(2_000);
  });

  it('have wrong answers of the same kind nearly everywhere', async () => {
    const found = (await readDataset(plugin, { folder })).records.filter(({ gold }) => gold === 'no');
    expect(counted(found.map(record => String(metadataOf(record)['answer_rule'])))).toEqual({
      swap: 880,
      change_number: 120,
    });
    expect(found.filter(record => metadataOf(record)['answer_kind'] === 'words of any kind')).toHaveLength(0);
  });
});
