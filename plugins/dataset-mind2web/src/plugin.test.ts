import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import { HoldfastError, checkRecord, type BaseRecord } from '@holdfast/core';
import { readDataset, testDataset, upstreamFolder } from '@holdfast/kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from './plugin.ts';

const services = { env: () => undefined, folder: '' };
const { signal } = new AbortController();
const make = (options: object = {}) => plugin.create(plugin.options.parse(options), services);
const sample = fileURLToPath(new URL('../sample', import.meta.url));
testDataset(plugin, { folder: sample });

const upstream = upstreamFolder('mind2web');

const shown = ({ state, instructions, options }: BaseRecord) =>
  [state, instructions, ...options.map(({ id, description }) => `${id}: ${description.toString()}`)].join('\n');
const metadata = (record: BaseRecord) => record.metadata!.lossyValue() as Record<string, unknown>;
const goldDescription = ({ options, gold }: BaseRecord) =>
  options.find(({ id }) => id === gold)!.description.lossyValue() as Record<string, unknown>;

/** What upstream's files have and no model may see. */
const tells = [
  'backend_node_id',
  'pw_testid',
  'is_original_target',
  'is_top_level_target',
  'pos_candidates',
  'neg_candidates',
  'raw_html',
  'operation',
  '"rank"',
  '"score"',
  'None of the above',
];

function write(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'mind2web-'));
  writeFileSync(join(folder, name), text);
  return folder;
}

const readText = (text: string, options: object = {}) =>
  readDataset(plugin, { files: { 'rows.json': text }, options: { files: ['rows.json'], ...options } });

const page =
  '<html backend_node_id="1">\n  <body backend_node_id="2">\n    <div backend_node_id="3" data_pw_testid_buckeye_candidate="1">' +
  '<a backend_node_id="4" title="a > b"><text backend_node_id="5">Tea &amp; cake</text></a><br><button backend_node_id="6">' +
  '<span backend_node_id="7"> Pay \ue8cc </span></button><p backend_node_id="8">Open<p backend_node_id="9"/></div>\n  </body>\n</html>';

const candidate = (node: string, more: object = {}) => ({
  tag: 'a',
  attributes: JSON.stringify({ backend_node_id: node, class: `c${node}`, data_pw_testid_buckeye_candidate: '1' }),
  backend_node_id: node,
  ...more,
});
const step = (more: object = {}) => ({
  action_uid: 'u1',
  raw_html: '<html/>',
  cleaned_html: page,
  operation: { op: 'CLICK', original_op: 'CLICK', value: '' },
  pos_candidates: [candidate('6', { is_original_target: true, is_top_level_target: true })],
  neg_candidates: [candidate('3'), candidate('4'), candidate('7')],
  ...more,
});
const task = (steps: readonly object[], more: object = {}) =>
  JSON.stringify([
    {
      annotation_id: 'a1',
      website: 'shop',
      confirmed_task: 'Pay',
      action_reprs: steps.map((_, index) => `step ${index}`),
      actions: steps,
      ...more,
    },
  ]);
const flat = (more: object = {}) => ({
  ...step(),
  annotation_id: 'a1',
  website: 'shop',
  confirmed_task: 'Pay',
  previous_actions: ['step 0'],
  ...more,
});
const choice = (more: object = {}, answer: object = { letter: 'C', action: 'CLICK', value: '' }) => ({
  id: 'a1_u1',
  choices: ['A. None of the above', 'B. <a id=0> Tea </a>', 'C. <a id=1> Cake </a>', 'D. <a id=2> Pay </a>'],
  target: 'C.\nAction: CLICK',
  metadata: {
    final_html: '<html> <a id=0> Tea </a> <a id=1> Cake </a> <a id=2> Pay </a> </html>',
    previous_actions: 'first\nsecond',
    answer,
    confirmed_task: 'Eat',
    annotation_id: 'a1',
    action_uid: 'u1',
  },
  ...more,
});

describe('a task', () => {
  it('asks about each action, and tells of earlier ones only', async () => {
    const found = (await readText(task([step(), step({ action_uid: 'u2' }), step({ action_uid: 'u3' })]))).records;
    expect(found.map(record => [record.base_id, record.group_id])).toEqual([
      ['a1:u1', 'a1'],
      ['a1:u2', 'a1'],
      ['a1:u3', 'a1'],
    ]);
    const states = found.map(record => record.state.lossyValue() as Record<string, unknown>);
    expect(states.map(state => state['previous_actions'])).toEqual([[], ['step 0'], ['step 0', 'step 1']]);
    expect(Object.keys(states[0]!)).toEqual(['confirmed_task', 'website', 'previous_actions', 'html']);
    expect(found[2]!.source.lossyValue()).toEqual({
      file: 'rows.json',
      index: 0,
      annotation_id: 'a1',
      action_uid: 'u3',
      action_index: 2,
      upstream_split: null,
    });
  });

  it('shows candidates under names of its own, since node ids give the target away', async () => {
    const [record] = (await readText(task([step()]))).records;
    expect(record!.options.map(({ id }) => id)).toEqual(['e1', 'e2', 'e3', 'e4']);
    expect(record!.options.map(option => option.canonical_id).sort()).toEqual(['3', '4', '6', '7']);
    expect(record!.options.find(({ id }) => id === record!.gold)!.canonical_id).toBe('6');
    expect(goldDescription(record!)).toEqual({ tag: 'a', attributes: { class: 'c6' }, text: 'Pay \ue8cc' });
    expect(shown(record!)).toContain(`<button candidate=\\"${record!.gold}\\">`);
    for (const tell of tells) expect(shown(record!)).not.toContain(tell);
  });

  it('keeps the bytes of attributes', async () => {
    const attributes = '{"backend_node_id": "6", "n":1.0, "1":"a", "0":"\\u00e9", "n":2}';
    const [record] = (
      await readText(task([step({ pos_candidates: [candidate('6', { attributes, is_original_target: true })] })]))
    ).records;
    const gold = record!.options.find(({ id }) => id === record!.gold)!;
    expect(gold.description.toString()).toBe(
      '{"tag":"a","attributes":{"n":1.0,"1":"a","0":"\\u00e9","n":2},"text":"Pay \ue8cc"}',
    );
  });

  it.each<[string, string | object | null, object | undefined, object]>([
    ['a lacking comma', '{"class": "x" "id": "y"}', { class: 'x', id: 'y' }, { attributes_repaired: 1 }],
    ['no JSON', '{"backend_node_id": "6", "class": "x', undefined, { attributes_unreadable: 1 }],
    ['no attributes', null, undefined, { attributes_unreadable: 0 }],
    ['an object', { class: 'x', backend_node_id: '6' }, { class: 'x' }, { attributes_repaired: 0 }],
  ])('reads attributes with %s', async (_, attributes, expected, counts) => {
    const [record] = (
      await readText(task([step({ pos_candidates: [candidate('6', { attributes, is_original_target: true })] })]))
    ).records;
    expect(goldDescription(record!)['attributes']).toEqual(expected);
    expect(metadata(record!)).toMatchObject(counts);
  });

  it('takes the original target of several, and offers none of the others', async () => {
    const targets = [
      candidate('6', { is_original_target: false, is_top_level_target: true }),
      candidate('7', { is_original_target: true, is_top_level_target: false }),
    ];
    const [record] = (
      await readText(
        task([step({ pos_candidates: targets, neg_candidates: [candidate('6'), candidate('4'), candidate('4')] })]),
      )
    ).records;
    expect(record!.options.map(option => option.canonical_id).sort()).toEqual(['4', '7']);
    expect(metadata(record!)).toMatchObject({ target: 'original', positives: 2, negatives_available: 1 });
  });

  it('takes the next target where the original one is not in the page', async () => {
    const targets = [
      candidate('99', { is_original_target: true }),
      candidate('6', { is_original_target: false, is_top_level_target: true }),
    ];
    const [record] = (await readText(task([step({ pos_candidates: targets })]))).records;
    expect(record!.options.find(({ id }) => id === record!.gold)!.canonical_id).toBe('6');
    expect(metadata(record!)).toMatchObject({ target: 'top_level' });
  });

  it.each<[string, object, object]>([
    ['no positive candidate', { pos_candidates: [] }, {}],
    ['the target is not in the page', { pos_candidates: [candidate('99', { is_original_target: true })] }, {}],
    ['no negative candidate', { neg_candidates: [] }, {}],
    ['no negative candidate', { neg_candidates: [candidate('99'), candidate('6')] }, {}],
    ['no negative candidate', { neg_candidates: [candidate('7'), candidate('3')] }, { nested: 'leave_out' }],
  ])('with %s is skipped', async (reason, more, options) => {
    expect((await readText(task([step(more)]), options)).items).toEqual([
      { skipped: reason, place: 'rows.json:1 (u1)' },
    ]);
  });

  it.each<[string, string, string]>([
    ['a row of something else', '[{"a":1}]', 'rows.json:1:2: actions is missing'],
    [
      'fewer descriptions than actions',
      task([step()], { action_reprs: [] }),
      'action_reprs has 0 items, but there are 1 actions',
    ],
    ['an action without a page', task([step({ cleaned_html: null })]), 'actions.0.cleaned_html must be of kind string'],
    ['a candidate without a node', task([step({ pos_candidates: [{ tag: 'a' }] })]), 'backend_node_id must be'],
    [
      'a candidate that is text',
      task([step({ neg_candidates: ['{'] })]),
      'neg_candidates.0 holds text that is not JSON',
    ],
    ['a cut file', task([step()]).slice(0, -1), 'rows.json:1:'],
  ])('with %s stops with its place', async (_, text, message) => {
    const error = await readText(text).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(HoldfastError.is(error) && [error.code, error.message]).toEqual([
      'RECORD_INVALID',
      expect.stringMatching(/^rows\.json:1:/),
    ]);
    expect((error as Error).message).toContain(message);
  });
});

describe('a single action', () => {
  it('is read from JSONL, once, with the best ranked negatives', async () => {
    const ranked = flat({
      pos_candidates: [candidate('6', { is_original_target: true, rank: 5, score: 0.5 })],
      neg_candidates: [
        candidate('3', { rank: 9, score: 0.1 }),
        candidate('4', { rank: 0, score: 0.9 }),
        candidate('7', { rank: 2, score: 0.7 }),
      ],
      choices: [['4', '<a id=0>']],
    });
    const cases = await readText(`${JSON.stringify(ranked)}\n${JSON.stringify(ranked)}\n`, { negatives: 2 });
    const [record] = cases.records;
    expect(record!.options.map(option => option.canonical_id).sort()).toEqual(['4', '6', '7']);
    expect(metadata(record!)).toMatchObject({ negatives: 'the best ranked', target_rank: 5, negatives_available: 3 });
    expect(cases.items[1]).toEqual({ skipped: 'the action stands earlier in the file', place: 'rows.json:2 (u1)' });
    for (const tell of tells) expect(shown(record!)).not.toContain(tell);
  });

  it('is read where everything in it is text within text, as in Multimodal-Mind2Web', async () => {
    const { previous_actions: _, ...row } = flat({
      operation: '{"op": "CLICK", "value": ""}',
      pos_candidates: [JSON.stringify(candidate('6', { is_original_target: true }))],
      neg_candidates: [JSON.stringify(candidate('4'))],
      action_reprs: ['step 0', 'step 1', 'step 2'],
      target_action_index: '1',
    });
    const [record] = (await readText(JSON.stringify([row]))).records;
    expect(record!.state.lossyValue()).toMatchObject({ previous_actions: ['step 0'] });
    expect(metadata(record!)).toMatchObject({ operation: 'CLICK' });
    expect(shown(record!)).not.toContain('step 1');
  });
});

/**
 * A Parquet file as Multimodal-Mind2Web has it, deflated: three actions of one task of ours, the last without a target,
 * with a screenshot. Written with pyarrow, since nothing here writes Parquet.
 */
const multimodal = [
  'eNqll01oG0cUx2dX8tpyZVuWPZuVUV2xKINrlFgytmuCKhoS3IaKYtrSk8p2JE3tTda7292RHTfJxZTQ9lCMMTmV0kMPJeQceughh1CC',
  'CynkFErpsacSeiilFB86M/LKkle17BTskTxv/r/3Me8NePni2wUYhVk4VYYKBEkAkpdlAEAjL9aCWGchgONQy7ETCfarpNnmYJabFEmO',
  'ZAEDqHCiDGUBeGGqn1mKq3TNmikxZRKqHcpYpqmUFC78MgL/kgLpY2l7L9Bmqrh2jdh1w3bqxDDrr+oFvVSsOvXNTLU0ARKz7C+8dAak',
  '59gXSq7TpQmQntdL7xJcnJEmc6XiDGbnG5Q69tI0AAvVy2D8Fb20jDfh5djFRWbnMPbBvfUO1IV2EObip3PMcEN3PHPFtLFlOK5+IaNf',
  'Kl+59Kaey+jr2GoQKSkN5dsNt3q6+CoCf5UDJz9J1o/CC8UrHII5GVPqmSwn4ktj2zcq+pEaVdjBir5QYUcres3Cvl/pS4La0NjNOqbY',
  'cDcMpqRm3ag2mG6TGDVs101mI7HXtEJFv8WEpfdBgvtbkLRV0zdaOVLsrRDKLNRrkFxGSqep4xoWWScXXgSAJ5eB2Y7kEkWRHIiwNfIS',
  'kKI8x3syvN3K8Y5k7TxfjnP/N0eN+5sTlzIJ9Y64RxabcYs10ryaBBwPgh5IR5nBX3XcnheqwXSgiucGmOEdpnJNe6WnchgmA2W/xgvI',
  '2rqnKA4TgUgZ5wZcOL0jPh+9RKFqfLb81uv/rZKbKgDZxQOhYiv33HG4X2u64EeLcC54jyazCi83JW4mDwenCq2/+KuE4HSOeW0xxt7g',
  'KfTdlzgqGZH7sldkzmNXHPBGFiVmy/OlwJcTPG4njeZ4TGpfmwea4tdWyRqGkwDGz8raIK5R07GNhlk/C8pcJLYHPLxh8HepfTNeswi2',
  'ST1kiDku8TDnHOzOy9qw6/iHre+z21LKRW6KalHL9CmUm9p+YpE1YtM2pU1WnkPZ3NsgVd+kpH1PqTtr2LQ7AvYb1fDuELZth4o8jM5y',
  'DNcc+0PTW2O5U+xfO4x10K95hNhsGCmMNs/2VTdZ1M3vURfT1cPT8YNie8T1TpfXWPP1Mw4Apl0n14+xCwcHdlVJpVP7CQTSMJ6aB0oi',
  '1X7pUFYV9WN1S0JlNPByrjklfDoS7KOoxlNKCgHeZO36VncI9VXVQw8k9LkUlk93lXf0kUD8GVGfyGgniva7QL6PdaUcNp1APJTUHyT0',
  'tA89joYR38ndEItHelTcQlB9Af0kqj6KoJ0Y2lXC0HsMqYDUEnuno0fBnS0cBm9H1Gcy2oqjX2Jh8O8BGISSDvpbQOqqhf6Jo714GKF1',
  'LdnBJAixpVL0bAjdHwqL893r3ZoZoa+qV9HTYXR3OKxPdtV3TpdgfKCuogcjaHfkpI13ZA5bgdxNoP2REwYy1TazzVltFfPOKPot0b2Y',
  'C+A4jphzgVlW30N/jKIno2EMEBhO6eiVjkfhaKck1W8k9WsJ/Z1E3ybDSIs1Slw0SvJIpbo9GCJAqt5Et8fRo7EwTela825PiyDtSOoX',
  'EtqF6OF4mJVtsdStM6qCBtQ9CKYyLvY+ahB6rua657DnORuZdeL5jJuZnT+fP19gDxV7s071A35mXpbZvxH/AovxIjU=',
].join('');

describe('a Parquet file', () => {
  const name = 'data/test_task-00000-of-00001.parquet';
  const open = (bytes: Buffer) => readDataset(plugin, { files: { [name]: bytes }, options: { files: [name] } });

  it('of Multimodal-Mind2Web gives a question a row', async () => {
    const cases = await open(inflateSync(Buffer.from(multimodal, 'base64')));
    const found = cases.records;
    expect(found.map(record => record.base_id)).toEqual(['a1:u0', 'a1:u1']);
    expect(found[1]!.state.lossyValue()).toMatchObject({
      confirmed_task: 'Pay',
      website: 'shop',
      domain: 'Shopping',
      previous_actions: ['step 0'],
    });
    expect(goldDescription(found[1]!)).toEqual({ tag: 'a', attributes: { class: 'c6' }, text: 'Pay' });
    expect(found[1]!.source.lossyValue()).toMatchObject({ file: name, row: 2, upstream_split: 'test_task' });
    for (const record of found) {
      checkRecord({ primitive: 'choice', ...record });
      for (const tell of [...tells, 'step 1', 'step 2', 'PNG']) expect(shown(record)).not.toContain(tell);
    }
    expect(cases.items[2]).toEqual({ skipped: 'no positive candidate', place: `${name}: row 3 (u2)` });
  });

  it('that is cut stops with its name', async () => {
    const bytes = inflateSync(Buffer.from(multimodal, 'base64'));
    await expect(open(bytes.subarray(0, -10))).rejects.toThrow(name);
  });
});

describe('a multiple-choice question', () => {
  it('is asked without "None of the above", in its order', async () => {
    const [record] = (await readText(JSON.stringify([choice()]))).records;
    expect(record!.options.map(({ id, description }) => [id, description.string()])).toEqual([
      ['B', '<a id=0> Tea </a>'],
      ['C', '<a id=1> Cake </a>'],
      ['D', '<a id=2> Pay </a>'],
    ]);
    expect(record).toMatchObject({ base_id: 'a1:u1', group_id: 'a1', gold: 'C' });
    expect(record!.state.lossyValue()).toEqual({
      confirmed_task: 'Eat',
      previous_actions: ['first', 'second'],
      html: choice().metadata.final_html,
    });
    for (const tell of tells) expect(shown(record!)).not.toContain(tell);
  });

  it('always holds the target, however few others are asked for', async () => {
    const [record] = (await readText(JSON.stringify([choice()]), { negatives: 1 })).records;
    expect(record!.options).toHaveLength(2);
    expect(record!.options.map(({ id }) => id)).toContain('C');
  });

  it.each([
    ['no positive candidate', choice({ target: 'A.' }, { letter: 'A', action: null, value: null })],
    ['the target is not in the page', choice({ target: 'A.\nAction: TYPE' }, { letter: 'A', action: 'TYPE' })],
    ['no negative candidate', choice({ choices: ['A. None of the above', 'C. <a id=1>'] })],
  ])('with %s is skipped', async (reason, row) => {
    expect((await readText(JSON.stringify([row]))).skipped.map(each => each.skipped)).toEqual([reason]);
  });

  it.each([
    ['two answers', choice({}, { letter: 'B' }), 'metadata.answer.letter is not C'],
    ['no such choice', choice({ target: 'F.' }, {}), 'target is F, which is no choice'],
    ['a choice without a letter', choice({ choices: ['<a id=0>'] }), 'choices.0 must be a letter'],
  ])('with %s stops with its place', async (_, row, message) => {
    await expect(readText(JSON.stringify([row]))).rejects.toThrow(message);
  });
});

describe('the page', () => {
  it.each([
    ['cleaned', true, true],
    ['pruned', true, false],
    ['none', false, false],
  ])('is shown as the option html says: %s', async (html, some, all) => {
    const [record] = (await readText(task([step({ neg_candidates: [candidate('7')] })]), { html })).records;
    const state = record!.state.lossyValue() as { html?: string };
    expect('html' in state).toBe(some);
    expect(state.html?.includes('title="a > b"') ?? false).toBe(some);
    expect(state.html?.includes('\n    <div>') ?? false).toBe(all);
    expect(metadata(record!)['html']).toMatchObject({ shown: html, elements: 10 });
  });

  it('is cut around the candidates, and says how much is left out', async () => {
    const far = '<ul backend_node_id="20">' + '<li backend_node_id="21"><b>far</b></li>'.repeat(30) + '</ul>';
    const html = page.replace('<br>', `${far}${'<hr/>'.repeat(4)}`);
    const [record] = (await readText(task([step({ cleaned_html: html, neg_candidates: [candidate('7')] })]))).records;
    expect(shown(record!)).not.toContain('far');
    const note = metadata(record!)['html'] as Record<string, number>;
    expect(note['elements_shown']).toBeLessThan(note['elements']!);
    expect(note['characters']).toBe(html.length);
  });

  it('may be broken, deep and large', async () => {
    const deep =
      `${'<div><p>'.repeat(5_000)}<a backend_node_id="6">Pay</a><a backend_node_id="7" title="it's <b` +
      '</b>'.repeat(9);
    const large = page.replace('<br>', '<i backend_node_id="50">x</i>\n'.repeat(50_000));
    for (const html of ['pruned', 'cleaned']) {
      for (const cleaned_html of [deep, `${deep}">`, large, `</x>${page}<`]) {
        const made = await readText(task([step({ cleaned_html, neg_candidates: [candidate('7')] })]), { html });
        const [record] = made.records;
        if (cleaned_html === deep) expect(made.skipped.map(each => each.skipped)).toEqual(['no negative candidate']);
        else expect(goldDescription(record!)['text']).toMatch(/^Pay/);
      }
    }
  });

  it('gives texts up to the length that is asked for, and counts those that were cut', async () => {
    const [record] = (await readText(task([step()]), { text_characters: 3 })).records;
    const texts = record!.options.map(({ description }) => (description.lossyValue() as { text: string }).text);
    expect(new Set(texts)).toEqual(new Set(['Tea', 'Pay']));
    expect(metadata(record!)).toMatchObject({ texts_cut: 4, text_characters: 3 });
  });
});

describe('chance', () => {
  const many = Array.from({ length: 40 }, (_, index) => `<i backend_node_id="${100 + index}"/>`).join('');
  const wide = (seed: number) =>
    readText(
      task(
        Array.from({ length: 30 }, (_, index) =>
          step({
            action_uid: `u${index}`,
            cleaned_html: page.replace('<br>', many),
            neg_candidates: Array.from({ length: 40 }, (_, at) => candidate(String(100 + at))),
          }),
        ),
      ),
      { seed },
    );

  it('comes from the seed, and puts the target everywhere', async () => {
    const [one, again, other] = [(await wide(1)).records, (await wide(1)).records, (await wide(2)).records];
    const spell = (found: readonly BaseRecord[]) =>
      found.map(({ options }) => options.map(({ canonical_id }) => canonical_id));
    expect(spell(again)).toEqual(spell(one));
    expect(spell(other)).not.toEqual(spell(one));
    const places = one.map(({ options, gold }) => options.findIndex(({ id }) => id === gold));
    expect(new Set(places).size).toBeGreaterThan(6);
  });
});

describe('the files', () => {
  it('are pinned by revision under the names of upstream only', () => {
    expect(make().upstream[0]).toMatchObject({
      name: 'data/train/train_0.json',
      revision: expect.stringMatching(/^17ece8eb/),
    });
    expect(make().upstream[0]!.url).toContain('osunlp/Mind2Web/resolve/17ece8eb');
    expect(make({ files: ['data/train/*.json', 'x.jsonl'] }).upstream).toEqual([
      { name: 'data/train/*.json' },
      { name: 'x.jsonl' },
    ]);
  });

  it('tell their split by their names', async () => {
    const name = 'test_domain/test_domain_0.json';
    const folder = write('rows.json', task([step()]));
    const dataset = make({ files: ['test_domain/*.json'] });
    const [unit] = dataset.units([{ name, path: join(folder, 'rows.json') }]);
    for await (const found of dataset.read(unit!, signal)) {
      expect((found as BaseRecord).source.lossyValue()).toMatchObject({ file: name, upstream_split: 'test_domain' });
    }
  });
});

describe('the sample', () => {
  it('is read whole, without a tell', async () => {
    const cases = await readDataset(plugin, { folder: sample });
    const found = cases.records;
    expect(found).toHaveLength(9);
    expect(cases.skipped.map(each => each.skipped)).toEqual(['the target is not in the page', 'no positive candidate']);
    for (const record of found) {
      checkRecord({ primitive: 'choice', ...record });
      for (const tell of tells) expect(shown(record)).not.toContain(tell);
      expect(record.source.lossyValue()).toMatchObject({ upstream_split: 'train' });
    }
  });
});

describe.skipIf(upstream === null)('the real files', () => {
  const files = ['inspect_evals/sample_100.json', 'seeact/textual_choice_queries.jsonl'];

  it('give 87 questions, with the gold letters of the converted ones', async () => {
    const cases = await readDataset(plugin, { folder: upstream!, options: { files } });
    const found = cases.records;
    expect(found).toHaveLength(87);
    const golds: Record<string, number> = {};
    for (const record of found) {
      checkRecord({ primitive: 'choice', ...record });
      golds[record.gold] = (golds[record.gold] ?? 0) + 1;
    }
    expect(golds).toEqual({ B: 19, C: 21, D: 16, E: 13, F: 17, e1: 1 });
    expect(new Set(found.map(record => record.group_id)).size).toBe(18);
    const reasons = cases.skipped.map(each => each.skipped);
    expect(reasons.filter(reason => reason === 'no positive candidate')).toHaveLength(10);
    expect(reasons.filter(reason => reason === 'the target is not in the page')).toHaveLength(4);
    expect(reasons.filter(reason => reason === 'the action stands earlier in the file')).toHaveLength(2);
    expect(reasons).toHaveLength(16);
  });

  it.each(['pruned', 'cleaned'])('show no tell: %s', async html => {
    const { records } = await readDataset(plugin, { folder: upstream!, options: { files, html } });
    for (const record of records) {
      for (const tell of tells) expect(shown(record)).not.toContain(tell);
    }
  });
});
