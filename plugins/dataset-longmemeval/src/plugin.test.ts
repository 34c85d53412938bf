import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HoldfastError, checkRecord, type BaseRecord } from '@holdfast/core';
import { readDataset, testDataset, upstreamFolder } from '@holdfast/kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from './plugin.ts';

const services = { env: () => undefined, folder: '' };
const make = (options: object = {}) => plugin.create(plugin.options.parse(options), services);
const sample = fileURLToPath(new URL('../sample', import.meta.url));
testDataset(plugin, { folder: sample });

const upstream = upstreamFolder('longmemeval');

const shown = ({ state, instructions, options }: BaseRecord) =>
  [state, instructions, ...options.map(({ id, description }) => `${id}: ${description.toString()}`)].join('\n');
const metadata = (record: BaseRecord) => record.metadata!.lossyValue() as Record<string, unknown>;
const golds = (found: readonly BaseRecord[]) => found.map(({ base_id, gold }) => [base_id, gold]);

/** What upstream's files have that tells the answer. */
const tells = [
  '_abs',
  'answer_',
  'has_answer',
  'is_abstention',
  'abstain',
  'did not mention',
  'provided is not enough',
];

const readText = (text: string, options: object = {}) =>
  readDataset(plugin, { files: { 'rows.json': text }, options: { files: ['rows.json'], ...options } });

const turn = (content: string, more: object = {}) => ({ role: 'user', content, ...more });
const row = (id: string, more: object = {}) => ({
  question_id: id,
  question_type: 'multi-session',
  question: `What about ${id.replace('_abs', '')}?`,
  answer: id.endsWith('_abs') ? 'You did not mention this.' : 7,
  question_date: '2023/06/01 (Thu) 00:58',
  haystack_dates: ['2023/05/27 (Sat) 10:20', '2023/05/25 (Thu) 20:21', '2023/06/01 (Thu) 08:00'],
  haystack_session_ids: [`answer_${id}_2`, `answer_${id}_1`, 'ultrachat_1'],
  haystack_sessions: [
    [turn(`${id} second`, { has_answer: true }), { role: 'assistant', content: 'Fine.' }],
    [turn(`${id} first`, { has_answer: false })],
    [turn('filler')],
  ],
  answer_session_ids: [`answer_${id}_1`, `answer_${id}_2`],
  ...more,
});
const native = (...rows: readonly object[]) => JSON.stringify(rows, null, 1);
const converted = (id: string, more: object = {}, asked: object = {}) => ({
  id,
  question_type: 'multi-session',
  conversation: [
    { role: 'user', content: 'one', date: '2023/05/25 (Thu) 20:21' },
    { role: 'assistant', content: 'two', date: '2023/05/25 (Thu) 20:21' },
    { role: 'user', content: 'zero', date: '2023/05/20 (Sat) 01:00' },
  ],
  questions: [{ id: 'q1', question: 'How many?', answer: 3, ...asked }],
  ...more,
});
const file = (...data: readonly object[]) => JSON.stringify({ source: 'x', data });

describe('a question', () => {
  it('is shown with its evidence sorted by time, and without what tells', async () => {
    const [record] = (await readText(native(row('q')))).records;
    expect(record).toMatchObject({ base_id: 'longmemeval:q', group_id: 'longmemeval:q', gold: 'yes' });
    expect(record!.state.lossyValue()).toEqual({
      question: 'What about q?',
      question_date: '2023/06/01 (Thu) 00:58',
      evidence: [
        { date: '2023/05/25 (Thu) 20:21', turns: [{ role: 'user', content: 'q first' }] },
        {
          date: '2023/05/27 (Sat) 10:20',
          turns: [
            { role: 'user', content: 'q second' },
            { role: 'assistant', content: 'Fine.' },
          ],
        },
      ],
    });
    expect(metadata(record!)).toMatchObject({ sessions_shown: 2, sessions_left_out: 1, turns: 3 });
    expect(record!.source.lossyValue()).toMatchObject({ file: 'rows.json', index: 0, question_id: 'q' });
  });

  it('looks the same whether it can be answered or not', async () => {
    const [yes, no] = (await readText(native(row('q'), row('q_abs')))).records;
    expect(golds([yes!, no!])).toEqual([
      ['longmemeval:q', 'yes'],
      ['longmemeval:q_abs', 'no'],
    ]);
    expect(no!.group_id).toBe(yes!.group_id);
    expect(shown(no!).replaceAll('q_abs', 'q')).toBe(shown(yes!));
    expect(no!.options).toEqual(yes!.options);
    // "q_abs first" is said in the conversation of this test.
    for (const tell of tells.slice(1)) expect(shown(no!)).not.toContain(tell);
  });

  it('keeps the bytes of what is said', async () => {
    const text = native(row('q')).replace('"q first"', String.raw`"caf\u00e9 \/ **x**\n"`);
    const [record] = (await readText(text)).records;
    expect(record!.state.toString()).toContain(String.raw`"content":"caf\u00e9 \/ **x**\n"`);
  });

  it('is shown with all sessions where that is asked for, and says which are later than it', async () => {
    const [record] = (await readText(native(row('q')), { evidence: 'all' })).records;
    expect(shown(record!)).toContain('filler');
    expect(metadata(record!)).toMatchObject({ evidence: 'all', sessions_shown: 3, sessions_after_question: 1 });
  });

  it.each([
    ['a question type that is left out', row('q', { question_type: 'single-session-preference' }), {}],
    ['a question type that is left out', row('q'), { types: ['temporal-reasoning'] }],
    ['an unknown question type', row('q', { question_type: 'riddle' }), {}],
    ['no evidence session', row('q', { answer_session_ids: [] }), {}],
  ])('with %s is skipped', async (reason, asked, options) => {
    expect((await readText(native(asked), options)).items).toEqual([{ skipped: reason, place: 'rows.json:2 (q)' }]);
  });

  it.each([
    ['an id that stands twice', native(row('q'), row('q')), 'UPSTREAM_INVALID', 'q stands at rows.json:2 already'],
    ['dates that lack one', native(row('q', { haystack_dates: [] })), 'RECORD_INVALID', 'haystack_dates has 0 items'],
    [
      'ids that lack one',
      native(row('q', { haystack_session_ids: [] })),
      'RECORD_INVALID',
      'haystack_session_ids has 0',
    ],
    [
      'a turn without content',
      native(row('q', { haystack_sessions: [[{ role: 'user' }], [], []] })),
      'RECORD_INVALID',
      'haystack_sessions.0.0.content is missing',
    ],
    [
      'a session that is text',
      native(row('q', { haystack_sessions: ['a', 'b', 'c'] })),
      'RECORD_INVALID',
      'haystack_sessions.0 must be a list',
    ],
    ['no id', native({ question: 'x' }), 'RECORD_INVALID', 'question_id is missing'],
    ['a cut file', native(row('q')).slice(0, -1), 'RECORD_INVALID', 'the text ends before'],
    ['neither form', '{"rows":[]}', 'RECORD_INVALID', 'data is missing'],
    [
      'no question',
      file(converted('multi-sessio-q', { questions: [1] })),
      'RECORD_INVALID',
      'data.0.questions.0 must be',
    ],
    [
      'two marks',
      file(converted('multi-sessio-q_abs', {}, { is_abstention: false })),
      'RECORD_INVALID',
      'is_abstention is false',
    ],
  ])('with %s stops with its place', async (_, text, code, message) => {
    const error = await readText(text).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(HoldfastError.is(error) && [error.code, error.message]).toEqual([code, expect.stringContaining(message)]);
    expect((error as Error).message).toMatch(/^rows\.json:\d/);
  });
});

describe('exchanged evidence', () => {
  it('makes a "no" of each answerable question, of the question of another group before it', async () => {
    const rows = native(
      row('a'),
      row('a_abs'),
      row('b'),
      row('b_abs'),
      row('c', { question_type: 'riddle' }),
      row('d'),
    );
    const cases = await readText(rows, { negatives: 'exchanged' });
    const found = cases.records;
    expect(golds(found)).toEqual([
      ['longmemeval:a', 'yes'],
      ['longmemeval:a_abs', 'no'],
      ['longmemeval:b', 'yes'],
      ['longmemeval:b:exchanged', 'no'],
      ['longmemeval:b_abs', 'no'],
      ['longmemeval:d', 'yes'],
      ['longmemeval:d:exchanged', 'no'],
    ]);
    expect(cases.skipped.map(each => each.skipped)).toEqual([
      'no question before it to take evidence from',
      'an unknown question type',
    ]);
    const twin = found[3]!;
    expect(twin.group_id).toBe('longmemeval:b');
    expect(twin.state.lossyValue()).toMatchObject({ question: 'What about b?' });
    expect(shown(twin)).toContain('a_abs first');
    expect(metadata(twin)).toMatchObject({
      label_source: 'rule: the evidence is that of another question',
      evidence_of: 'a_abs',
    });
    expect(metadata(found[6]!)).toMatchObject({ evidence_of: 'b_abs' });
  });
});

describe('a converted file', () => {
  it("gives its questions upstream's ids and cuts its turns into sessions", async () => {
    const [record] = (await readText(file(converted('multi-sessio-bf65')))).records;
    expect(record).toMatchObject({ base_id: 'longmemeval:bf65', gold: 'yes' });
    expect(record!.state.lossyValue()).toEqual({
      question: 'How many?',
      evidence: [
        { date: '2023/05/20 (Sat) 01:00', turns: [{ role: 'user', content: 'zero' }] },
        {
          date: '2023/05/25 (Thu) 20:21',
          turns: [
            { role: 'user', content: 'one' },
            { role: 'assistant', content: 'two' },
          ],
        },
      ],
    });
    expect(metadata(record!)).toMatchObject({ evidence: 'all sessions of the converted row' });
  });

  it.each([
    ['abstain-08_abs', { question_type: 'abstention' }, {}, '08_abs', 'no'],
    ['abstain-08', { question_type: 'abstention' }, { is_abstention: true }, '08', 'no'],
    ['multi-sessio-08', {}, { is_abstention: false }, '08', 'yes'],
    ['08', {}, {}, '08', 'yes'],
  ])('knows what cannot be answered: %s', async (id, more, asked, expected, gold) => {
    const found = (await readText(file(converted(id, more, asked)))).records;
    expect(golds(found)).toEqual([[`longmemeval:${expected}`, gold]]);
    for (const tell of tells) expect(shown(found[0]!)).not.toContain(tell);
  });

  it('may ask several questions of a conversation', async () => {
    const questions = ['q1', 'q2'].map(id => ({ id, question: id, answer: '' }));
    const found = (await readText(file(converted('multi-sessio-x', { questions })))).records;
    expect(found.map(record => record.base_id)).toEqual(['longmemeval:x:q1', 'longmemeval:x:q2']);
  });
});

describe('the files', () => {
  it('are known under the names of upstream only', () => {
    const urls = make({ files: ['longmemeval_oracle.json', 'longmemeval_s', 'other.json'] }).upstream.map(
      ({ url }) => url,
    );
    expect(urls).toEqual([
      'https://huggingface.co/datasets/xiaowu0162/longmemeval-cleaned/resolve/main/longmemeval_oracle.json',
      'https://huggingface.co/datasets/xiaowu0162/longmemeval/resolve/main/longmemeval_s',
      undefined,
    ]);
  });
});

describe('the sample', () => {
  it('is read whole, without a tell', async () => {
    const cases = await readDataset(plugin, { folder: sample });
    const found = cases.records;
    expect(found.map(({ gold }) => gold).sort()).toEqual([
      ...Array<string>(4).fill('no'),
      ...Array<string>(6).fill('yes'),
    ]);
    expect(cases.skipped.map(each => each.skipped)).toEqual(['a question type that is left out']);
    for (const record of found) {
      checkRecord({ primitive: 'choice', ...record });
      for (const tell of tells) expect(shown(record)).not.toContain(tell);
    }
  });
});

describe.skipIf(upstream === null)('the real files', () => {
  const files = [
    'converted/longmemeval_abstain_sample.json',
    'converted/longmemeval_oracle_sample.json',
    'native/longmemeval_sample.json',
  ];

  it('give 19 questions, 5 of which cannot be answered', async () => {
    const cases = await readDataset(plugin, { folder: upstream!, options: { files } });
    const found = cases.records;
    expect(found).toHaveLength(19);
    expect(found.filter(({ gold }) => gold === 'no')).toHaveLength(5);
    expect(cases.skipped.map(each => each.skipped)).toEqual(Array(3).fill('a question type that is left out'));
    for (const record of found) checkRecord({ primitive: 'choice', ...record });
    expect(found.at(-1)!.base_id).toBe('longmemeval:gpt4_70e84552_abs');
    expect(metadata(found.at(-1)!)).toMatchObject({ sessions_after_question: 1 });
  });

  it('give 12 more with exchanged evidence', async () => {
    const { records: found } = await readDataset(plugin, {
      folder: upstream!,
      options: { files, negatives: 'exchanged' },
    });
    expect(found.map(({ gold }) => gold).filter(gold => gold === 'no')).toHaveLength(17);
    expect(found).toHaveLength(31);
  });

  it('show no tell, and nothing but bytes of the files', async () => {
    const { records } = await readDataset(plugin, { folder: upstream!, options: { files, negatives: 'exchanged' } });
    for (const record of records) {
      for (const tell of tells) expect(shown(record)).not.toContain(tell);
    }
    const text = readFileSync(join(upstream!, 'native/longmemeval_sample.json'), 'utf8');
    const { records: sampled } = await readDataset(plugin, {
      folder: upstream!,
      options: { files: ['native/longmemeval_sample.json'] },
    });
    for (const record of sampled) {
      const { evidence } = record.state.lossyValue() as { evidence: { turns: { content: string }[] }[] };
      expect(evidence).toHaveLength(2);
      for (const { turns } of evidence) {
        for (const [, content] of record.state.toString().matchAll(/"content":("(?:[^"\\]|\\.)*")/g)) {
          expect(text).toContain(content);
        }
        expect(turns.length).toBeGreaterThan(9);
      }
    }
  });
});
