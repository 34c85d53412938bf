import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { HoldfastError, checkRecord, type BaseRecord } from '@holdfast/core';
import { readDataset, testDataset, upstreamFolder } from '@holdfast/kit/testing';
import { describe, expect, it } from 'vitest';
import { uidOf } from './chat.ts';
import plugin from './plugin.ts';

const services = { env: () => undefined, folder: '' };
const { signal } = new AbortController();
const make = (options: object = {}) => plugin.create(plugin.options.parse(options), services);
const sample = fileURLToPath(new URL('../sample', import.meta.url));
testDataset(plugin, { folder: sample });

const upstream = upstreamFolder('weblinx');

const shown = ({ state, instructions, options }: BaseRecord) =>
  [state, instructions, ...options.map(({ id, description }) => `${id}: ${description.toString()}`)].join('\n');
const metadata = (record: BaseRecord) => record.metadata!.lossyValue() as Record<string, unknown>;

/** Members of upstream that tell the answer. What is said on a page may be any of these words, so that keys are looked for. */
const tells = ['"label":', '"score":', '"rank":', '"action":', '"doc":', '"is_target":'];

function write(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'weblinx-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const readText = (text: string | Buffer, options: object = {}) =>
  readDataset(plugin, { files: { 'rows.json': text }, options: { files: ['rows.json'], ...options } });
const lines = (...rows: readonly object[]) => rows.map(row => JSON.stringify(row)).join('\n');

const block = (uid: string, xpath = `/html/${uid}`, text = uid.toUpperCase()) =>
  `(uid = ${uid}) [[tag]] a [[xpath]] ${xpath} [[text]] ${text} [[bbox]] x=1 y=2 width=3 height=4 [[attributes]] data-webtasks-id='${uid}'`;
const chat = (more: object = {}) => ({
  demo: 'demoa',
  turn: 4,
  action: 'click(uid="b")',
  action_history: 'say(speaker="instructor", utterance="Hi")</s><s>[INST]load(url="https://a.example")',
  utterances: '[00:05] Hi ;',
  candidates: [block('a'), block('b'), block('c')].join('\n'),
  clean_html: '(html(body(a data-webtasks-id="b")))',
  viewport: '746h x 1536w',
  ...more,
});
const element = (uid: string, more: object = {}) => ({
  query:
    'Viewport(height=746, width=1536) ---- Instructor Utterances: [00:07] Hello ---- Previous Turns:click(x=1, y=2) ; tabcreate(target=3)',
  doc: `[[tag]] a [[text]] ${uid}`,
  uid,
  demo_name: 'demoa',
  turn_index: 4,
  elem_dict: { tag: 'a', xpath: `/html/${uid}`, text: uid, bbox: '', attributes: 'class="..."', children: '' },
  label: 0,
  score: 0.5,
  rank: 1,
  ...more,
});

describe('a row of chat', () => {
  it('shows what was said and done, and the candidates, but not the action', async () => {
    const [record] = (await readText(lines(chat()))).records;
    expect(record).toMatchObject({ base_id: 'weblinx:demoa:4', group_id: 'weblinx:demoa', gold: 'b' });
    expect(Object.keys(record!.state.lossyValue() as object)).toEqual([
      'viewport',
      'utterances',
      'action_history',
      'clean_html',
    ]);
    const gold = record!.options.find(({ id }) => id === 'b')!;
    expect(gold.description.string()).toBe(block('b').replace('(uid = b) ', ''));
    expect(shown(record!)).not.toContain('click(');
    expect(record!.source.lossyValue()).toEqual({
      file: 'rows.json',
      row: 1,
      demo: 'demoa',
      turn: 4,
      upstream_split: null,
    });
  });

  it('keeps the bytes of what is shown', async () => {
    const text = lines(chat()).replace('"[00:05] Hi ;"', String.raw`"[00:05] H\u00ed \/ ;"`);
    const [record] = (await readText(text)).records;
    expect(record!.state.toString()).toContain(String.raw`"utterances":"[00:05] H\u00ed \/ ;"`);
  });

  it('is read from gzip, from an array, and with null where nothing was said', async () => {
    const rows = [chat(), chat({ turn: 5, utterances: null, action_history: null, clean_html: null })];
    for (const text of [gzipSync(lines(...rows)), JSON.stringify(rows, null, 1)]) {
      const found = (await readText(text)).records;
      expect(found.map(record => record.base_id)).toEqual(['weblinx:demoa:4', 'weblinx:demoa:5']);
      expect(found[1]!.state.lossyValue()).toEqual({ viewport: '746h x 1536w' });
      expect(metadata(found[1]!)).toMatchObject({ html: 'none' });
    }
  });

  it('is read from CSV, where nothing is an empty cell and numbers are text', async () => {
    const { demo, turn, action, candidates, viewport } = chat();
    const cell = (text: string | number) => `"${String(text).replaceAll('"', '""')}"`;
    const row = (at: number) => [demo, at, action, '', '', candidates, '', viewport].map(cell).join(',');
    const header = 'demo,turn,action,action_history,utterances,candidates,clean_html,viewport';
    const folder = write({ 'chat/valid.csv': `${header}\n${row(turn)}\n${row(turn + 1)}\n"x","y",,,,,,\n` });
    const dataset = make({ files: ['chat/valid.csv'] });
    const [unit] = dataset.units([{ name: 'chat/valid.csv', path: join(folder, 'chat/valid.csv') }]);
    const found: BaseRecord[] = [];
    await expect(async () => {
      for await (const one of dataset.read(unit!, signal)) found.push(one as BaseRecord);
    }).rejects.toThrow('chat/valid.csv:8: turn must be a whole number');
    expect(found.map(({ base_id, gold }) => [base_id, gold])).toEqual([
      ['weblinx:demoa:4', 'b'],
      ['weblinx:demoa:5', 'b'],
    ]);
    expect(found[0]!.state.lossyValue()).toEqual({ viewport: '746h x 1536w' });
    expect(found[1]!.source.lossyValue()).toMatchObject({ row: 2, upstream_split: 'valid' });
  });

  it('leaves out the page where the option says so, and tells how much that was', async () => {
    const [record] = (await readText(lines(chat()), { html: 'none' })).records;
    expect(shown(record!)).not.toContain('clean_html');
    expect(metadata(record!)).toMatchObject({ html: 'none', html_bytes: 40 });
  });

  it.each<[string, string | null]>([
    ['click(uid="67e2a5fb-8b1d-41a0")', '67e2a5fb-8b1d-41a0'],
    ['text_input(text="tea", uid="x1")', 'x1'],
    ['textInput(uid="x1", text="tea")', 'x1'],
    [String.raw`text_input(text="uid=\"no\", or so", uid="x1")`, 'x1'],
    ['text_input(text="a "quoted" word, uid="no" too", uid="x1")', 'x1'],
    ["change(value='2', uid='x1')", 'x1'],
    ['submit( uid = "x1" )', 'x1'],
    ['say(speaker="navigator", utterance="uid=\\"no\\"")', null],
    ['load(url="https://a.example/?uid=no")', null],
    ['scroll(x=0, y=-120)', null],
    ['tabswitch(origin=1, target=2)', null],
    ['click(uid="None")', null],
    ['click(uid="")', null],
    ['', null],
  ])('knows the element of %s', (action, uid) => {
    expect(uidOf(action)).toBe(uid);
  });

  it.each([
    ['the action has no element', { action: 'say(speaker="navigator", utterance="Yes")' }],
    ['the target is not among the candidates', { action: 'click(uid="z")' }],
    ['the target is not among the candidates', { candidates: null }],
    ['the target is not among the candidates', { candidates: 'No candidates' }],
    ['fewer than two candidates', { candidates: block('b') }],
    ['fewer than two candidates', { candidates: `${block('b')}\n${block('b')}` }],
  ])('with %s is skipped', async (reason, more) => {
    expect((await readText(lines(chat(more)))).items).toEqual([
      { skipped: reason, place: 'rows.json:1 (turn 4 of demoa)' },
    ]);
  });

  it('does not take words of a page for a candidate', async () => {
    const text = 'see (uid = z) there';
    const [record] = (await readText(lines(chat({ candidates: [block('a', '/a', text), block('b')].join('\n') }))))
      .records;
    expect(record!.options.map(({ id }) => id).sort()).toEqual(['a', 'b']);
  });
});

describe('a turn of candidates', () => {
  it('is put together from its lines, each description with its bytes', async () => {
    const text = [
      lines(element('a', { rank: 2 }), element('b', { rank: 3, label: 1 })),
      lines(element('c')).replace('"text":"c"', String.raw`"text":"\u0063", "1":1.0`),
      lines(element('a', { turn_index: 5, label: 1 }), element('b', { turn_index: 5 })),
    ].join('\n');
    const found = (await readText(text)).records;
    expect(found.map(({ base_id, gold }) => [base_id, gold])).toEqual([
      ['weblinx:demoa:4', 'b'],
      ['weblinx:demoa:5', 'a'],
    ]);
    expect(found[0]!.state.lossyValue()).toEqual({
      viewport: 'Viewport(height=746, width=1536)',
      utterances: '[00:07] Hello',
      action_history: 'click(x=1, y=2) ; tabcreate(target=3)',
    });
    const c = found[0]!.options.find(({ id }) => id === 'c')!;
    expect(c.description.toString()).toContain(String.raw`"text":"\u0063", "1":1.0`);
    for (const record of found) for (const tell of tells) expect(shown(record)).not.toContain(tell);
    expect(metadata(found[0]!)).toMatchObject({ target_rank: 3, negatives: 'the best ranked' });
  });

  it('shows a query of another form as it is', async () => {
    const query = 'something else';
    const [record] = (await readText(lines(element('a', { query, label: 1 }), element('b', { query })))).records;
    expect(record!.state.lossyValue()).toEqual({ query });
  });

  it('always holds the target, and the best ranked others', async () => {
    const rows = Array.from({ length: 40 }, (_, index) =>
      element(`u${index}`, { rank: 40 - index, label: +(index < 1) }),
    );
    const [record] = (await readText(lines(...rows), { negatives: 3 })).records;
    expect(record!.options.map(({ id }) => id).sort()).toEqual(['u0', 'u37', 'u38', 'u39']);
    expect(metadata(record!)).toMatchObject({ target_rank: 40, negatives_available: 39, candidates: 4 });
  });

  it('leaves out what lies in the target or around it where that is asked for', async () => {
    const at = (xpath: string) => ({ elem_dict: { ...element('x').elem_dict, xpath } });
    const text = lines(
      element('a', { ...at('/html/div'), rank: 1 }),
      element('b', { ...at('/html/div/a'), label: 1, rank: 2 }),
      element('c', { ...at('/html/div/a/span'), rank: 3 }),
      element('d', { ...at('/html/div/a2'), rank: 4 }),
    );
    const ids = async (nested: string) =>
      (await readText(text, { nested })).records[0]!.options.map(({ id }) => id).sort();
    expect(await ids('keep')).toEqual(['a', 'b', 'c', 'd']);
    expect(await ids('leave_out')).toEqual(['b', 'd']);
    expect(metadata((await readText(text)).records[0]!)).toMatchObject({ negatives_nested: 2 });
  });

  it.each<[string, object[], object]>([
    ['no candidate is the target', [element('a'), element('b')], {}],
    ['several candidates are the target', [element('a', { label: 1 }), element('b', { label: 1 })], {}],
    ['fewer than two candidates', [element('a', { label: 1 })], {}],
    [
      'no negative candidate',
      [element('a', { label: 1 }), element('b', { elem_dict: { ...element('b').elem_dict, xpath: '/html/a/span' } })],
      { nested: 'leave_out' },
    ],
  ])('with %s is skipped', async (reason, rows, options) => {
    expect((await readText(lines(...rows), options)).skipped.map(each => each.skipped)).toEqual([reason]);
  });
});

describe('a file', () => {
  it.each<[string, string, string, string]>([
    ['of something else', '{"a":1}', 'RECORD_INVALID', 'rows.json:1:1: demo is missing'],
    ['with a turn that is no number', lines(chat({ turn: 'x' })), 'RECORD_INVALID', 'rows.json:1:24: turn must be'],
    ['with a label that is neither', lines(element('a', { label: 2 })), 'RECORD_INVALID', 'label must be 0 or 1'],
    [
      'with an element that is text',
      lines(element('a', { elem_dict: '' })),
      'RECORD_INVALID',
      'elem_dict must be of kind',
    ],
    [
      'with a page that is no text',
      lines(chat({ clean_html: 1 })),
      'RECORD_INVALID',
      'clean_html must be of kind string',
    ],
    ['with no JSON', `${lines(chat())}\n{"demo":`, 'RECORD_INVALID', 'rows.json:2:'],
    [
      'with a turn twice',
      lines(chat(), chat({ turn: 5 }), chat()),
      'UPSTREAM_INVALID',
      'rows.json:3: the turn 4 of demoa stands at rows.json:1 already',
    ],
    [
      'with lines of a turn apart',
      lines(element('a', { label: 1 }), element('b', { turn_index: 9 }), element('c')),
      'UPSTREAM_INVALID',
      'rows.json:3: the turn 4 of demoa stands at rows.json:1 already',
    ],
  ])('%s stops with its place', async (_, text, code, message) => {
    const error = await readText(text).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(HoldfastError.is(error) && [error.code, error.message]).toEqual([code, expect.stringContaining(message)]);
    expect((error as Error).message).toMatch(/^rows\.json:\d/);
  });

  it('is pinned by revision under the names of upstream only', () => {
    const names = [
      'data/chat/test_geo.json.gz',
      'candidates/valid.jsonl',
      'chat/test.csv',
      'data/chat/*.json.gz',
      'x.json',
    ];
    expect(
      make({ files: names }).upstream.map(({ url }) => /datasets\/McGill-NLP\/([^/]*)/.exec(url ?? '')?.[1]),
    ).toEqual(['WebLINX', 'WebLINX-full', 'WebLINX-full', undefined, undefined]);
    expect(make({ splits: 'splits.json' }).upstream[1]).toMatchObject({ bytes: 38_206 });
  });

  it("tells the split by its name, or by upstream's list", async () => {
    const cases = await readDataset(plugin, {
      files: {
        'candidates/valid.jsonl': lines(chat()),
        'other.jsonl': lines(chat(), chat({ demo: 'demob' })),
        's.json': '{"dev":["demoa"],"test_geo":["demoa"]}',
      },
      options: { files: ['candidates/valid.jsonl', 'other.jsonl'], splits: 's.json' },
    });
    const splits = cases.records.map(
      record => (record.source.lossyValue() as { upstream_split: unknown }).upstream_split,
    );
    expect(splits).toEqual(['valid', 'test_geo', null]);
  });
});

describe('the order of the candidates', () => {
  it('comes from the seed, and puts the target everywhere', async () => {
    const rows = Array.from({ length: 60 }, (_, turn) =>
      chat({
        turn,
        candidates: 'bacdefgh'
          .split('')
          .map(uid => block(uid))
          .join('\n'),
      }),
    );
    const orders = async (seed: number) =>
      (await readText(lines(...rows), { seed })).records.map(({ options }) => options.map(({ id }) => id).join(''));
    const [one, again, other] = [await orders(1), await orders(1), await orders(2)];
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
    expect(new Set(one.map(order => order.indexOf('b'))).size).toBe(8);
  });
});

describe('the sample', () => {
  it.each<[string, number, string[]]>([
    [
      'data/chat/test_iid.json.gz',
      10,
      [
        'the action has no element',
        'the action has no element',
        'the action has no element',
        'the target is not among the candidates',
      ],
    ],
    ['candidates/test_iid.jsonl', 2, ['no candidate is the target']],
  ])('is read whole, without a tell: %s', async (file, questions, reasons) => {
    const cases = await readDataset(plugin, { folder: sample, options: { files: [file] } });
    const found = cases.records;
    expect(found).toHaveLength(questions);
    expect(cases.skipped.map(each => each.skipped)).toEqual(reasons);
    for (const record of found) {
      checkRecord({ primitive: 'choice', ...record });
      for (const tell of tells) expect(shown(record)).not.toContain(tell);
      expect(record.source.lossyValue()).toMatchObject({ upstream_split: 'test_iid' });
    }
  });
});

describe.skipIf(upstream === null)('the real files', () => {
  const options = { files: ['candidates/candidates_unittest.jsonl'], splits: 'splits.json' };

  it('give 10 questions of one demonstration', async () => {
    const cases = await readDataset(plugin, { folder: upstream!, options });
    const found = cases.records;
    expect(found.map(record => record.base_id.split(':')[2])).toEqual([
      '7',
      '9',
      '12',
      '13',
      '17',
      '23',
      '26',
      '29',
      '32',
      '34',
    ]);
    expect(found.map(record => metadata(record)['target_rank'])).toEqual([1, 188, 45, 19, 74, 5, 2, 1, 1, 4]);
    expect(cases.skipped.map(each => each.skipped)).toEqual(Array(3).fill('no candidate is the target'));
    for (const record of found) {
      checkRecord({ primitive: 'choice', ...record });
      expect(record.options).toHaveLength(10);
      expect(record.source.lossyValue()).toMatchObject({ upstream_split: 'test_geo' });
      expect(Object.keys(record.state.lossyValue() as object)).toEqual(['viewport', 'utterances', 'action_history']);
    }
    const places = found.map(({ options: offered, gold }) => offered.findIndex(({ id }) => id === gold));
    expect(places).toEqual([0, 3, 3, 8, 3, 1, 0, 7, 8, 2]);
  });

  it('show no tell', async () => {
    const { records } = await readDataset(plugin, { folder: upstream!, options });
    for (const record of records) {
      for (const tell of tells) expect(shown(record)).not.toContain(tell);
    }
  });
});
