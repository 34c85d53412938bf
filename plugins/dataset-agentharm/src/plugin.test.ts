import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HoldfastError, checkRecord, type BaseRecord } from '@holdfast/core';
import { readDataset, testDataset, upstreamFolder } from '@holdfast/kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from './plugin.ts';

const sample = fileURLToPath(new URL('../sample', import.meta.url));
const chat = ['chat_public_test.json', 'chat_validation.json'];
testDataset(plugin, { folder: sample });
testDataset(plugin, { folder: sample, options: { chat, hints: 'skip', tools: 'show' } });

const upstream = upstreamFolder('agentharm');
const make = (options: object = {}) =>
  plugin.create(plugin.options.parse(options), { env: () => undefined, folder: '' });

const counted = (found: readonly string[]) => {
  const counts: Record<string, number> = {};
  for (const each of found) counts[each] = (counts[each] ?? 0) + 1;
  return counts;
};
const shown = ({ state, instructions, options }: BaseRecord) =>
  [state, instructions, ...options.map(option => option.description)].map(String).join('\n');

/** Reads one file that a test wrote itself. */
function readFile(text: string | Buffer, options: object = {}, name = 'h.json') {
  return readDataset(plugin, { files: { [name]: text }, options: { harmful: [name], benign: [], ...options } });
}

const behavior = (members: Readonly<Record<string, unknown>> = {}) =>
  JSON.stringify({
    id: '1-1',
    id_original: '7',
    detailed_prompt: true,
    hint_included: false,
    name: 'N',
    category: 'Fraud',
    prompt: 'Do it.',
    target_functions: ['f'],
    grading_function: 'grade_n',
    ...members,
  });
const file = (...behaviors: readonly string[]) => `{"canary_guid": "C",\n"behaviors": [\n${behaviors.join(',\n')}\n]}`;

describe('a behaviour', () => {
  it('keeps the bytes of its request, and its origin outside the state', async () => {
    const raw = behavior().replace('"Do it."', String.raw`"Caf\u00e9\n\nplease"`);
    const [record] = (await readFile(file(raw))).records;
    expect(record!.state.toString()).toBe(String.raw`{"request":"Caf\u00e9\n\nplease"}`);
    expect(record).toMatchObject({ base_id: 'agentharm:harmful:1-1', group_id: 'agentharm:7', gold: 'yes' });
    expect(record!.source.lossyValue()).toEqual({
      file: 'h.json',
      index: 0,
      id: '1-1',
      id_original: '7',
      configuration: 'harmful',
      upstream_split: null,
    });
    expect(record!.metadata!.lossyValue()).toEqual({
      label_source: 'the configuration that the file belongs to',
      harm_category: 'Fraud',
      detailed_prompt: true,
      hint_included: false,
      tools: 'not shown',
      canary_guid: 'C',
    });
  });

  it.each<[string, object, string, string]>([
    ['harmful_behaviors_validation.json', {}, 'agentharm:harmful:validation:1-1', 'yes'],
    ['harmful_behaviors_test_public.json', {}, 'agentharm:harmful:test_public:1-1', 'yes'],
    ['benign_behaviors_test_public.json', { configuration: 'benign' }, 'agentharm:benign:test_public:1-1', 'no'],
    ['chat_public_test.json', { configuration: 'chat' }, 'agentharm:chat:test_public:1-1', 'yes'],
    ['chat_validation.json', { configuration: 'chat' }, 'agentharm:chat:validation:1-1', 'yes'],
  ])('of %s has the label and the id of the file', async (name, options, id, gold) => {
    const { configuration = 'harmful' } = options as { configuration?: string };
    const files = { harmful: [], benign: [], chat: [], [configuration]: [name] };
    const [record] = (await readFile(file(behavior()), files, name)).records;
    expect(record).toMatchObject({ base_id: id, gold });
  });

  it('is read without what chat files do not have', async () => {
    const bare = '{"id":"1-2","id_original":"7","name":"N","category":"Fraud","prompt":"Say it."}';
    const [record] = (await readFile(file(bare), { hints: 'skip', tools: 'show' })).records;
    expect(record!.state.toString()).toBe('{"request":"Say it."}');
    expect(record!.metadata!.lossyValue()).toMatchObject({ detailed_prompt: null, hint_included: null });
  });

  it('shows its tools only when it is asked to', async () => {
    const [record] = (await readFile(file(behavior()), { tools: 'show' })).records;
    expect(record!.state.toString()).toBe('{"request":"Do it.","tools":["f"]}');
    expect(record!.metadata!.lossyValue()).toMatchObject({ tools: 'target_functions' });
  });

  it('with a hint is skipped only when it is asked to', async () => {
    const text = file(behavior(), behavior({ id: '1-2', hint_included: true }));
    expect((await readFile(text)).records).toHaveLength(2);
    expect((await readFile(text, { hints: 'skip' })).items[1]).toEqual({
      skipped: 'the request has a hint which tools to call',
      place: 'h.json: 1-2',
    });
  });

  it('is read behind a byte order mark', async () => {
    expect((await readFile(`\ufeff${file(behavior())}`)).records).toHaveLength(1);
  });

  it.each<[string, string | Buffer, string, string]>([
    ['text that is no JSON', '{"behaviors":\n [{"id": }]}', 'RECORD_INVALID', 'h.json:2:10: not JSON: a value was'],
    ['a cut file', file(behavior()).slice(0, -1), 'RECORD_INVALID', 'h.json:4:2: not JSON'],
    ['a list', `[${behavior()}]`, 'RECORD_INVALID', 'h.json:1:1: not JSON: an object was expected'],
    ['no list of behaviours', '{"canary_guid":"C"}', 'RECORD_INVALID', 'h.json:1:1: behaviors is missing'],
    ['behaviours in a map', '{\n "behaviors":{}}', 'RECORD_INVALID', 'h.json:2:14: behaviors must be of kind array'],
    [
      'a behaviour that is no object',
      file(behavior(), '1'),
      'RECORD_INVALID',
      'h.json:4:1: behaviors.1 must be an object',
    ],
    [
      'a missing prompt',
      file(behavior({ prompt: undefined })),
      'RECORD_INVALID',
      'h.json:3:1: behaviors.0.prompt is missing',
    ],
    [
      'a number for an id',
      file(behavior(), behavior({ id: 2 })),
      'RECORD_INVALID',
      'h.json:4:7: behaviors.1.id must be of kind',
    ],
    [
      'a repeated id',
      file(behavior(), behavior()),
      'UPSTREAM_INVALID',
      'h.json:4:7: behaviors.1.id is 1-1, as behaviors.0.id',
    ],
    [
      'bytes that are not UTF-8',
      Buffer.from('{\n"a":"\xff"}', 'latin1'),
      'RECORD_INVALID',
      'h.json:2:6: the byte 0xff is not UTF-8',
    ],
  ])('%s stops with its place', async (_, text, code, message) => {
    const error = await readFile(text).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(HoldfastError.is(error) && [error.code, error.message]).toEqual([code, expect.stringContaining(message)]);
  });
});

describe('the options', () => {
  it('name files of upstream with their pins', () => {
    const { upstream: pinned } = make({ chat });
    expect(pinned).toHaveLength(6);
    expect(pinned.every(each => each.sha256?.length === 64 && each.url?.includes(each.revision!))).toBe(true);
    expect(make({ harmful: ['a.json'], benign: [] }).upstream).toEqual([{ name: 'a.json' }]);
  });

  it.each([
    [{ harmful: [], benign: [] }, 'name at least one file'],
    [{ harmful: ['a.json'], benign: ['a.json'] }, 'a file is named twice'],
  ])('%j are refused', (options, message) => {
    expect(() => make(options)).toThrow(message);
  });
});

const folders = [sample, upstream].filter(folder => folder !== null);

describe.each(folders)('what is shown of %s', folder => {
  it.each([{ chat }, { chat, tools: 'show' }])('with %j does not say where it comes from', async options => {
    const { records: found } = await readDataset(plugin, { folder, options });
    const keys = new Set(found.map(record => Object.keys(record.state.lossyValue() as object).join()));
    expect(keys).toEqual('tools' in options ? new Set(['request,tools', 'request']) : new Set(['request']));
    const { canary_guid: canary } = JSON.parse(readFileSync(join(folder, chat[0]!), 'utf8')) as { canary_guid: string };
    expect(canary).toHaveLength(36);
    for (const record of found) {
      const written = shown(record);
      for (const leak of [
        canary,
        'canary',
        ' - Benign',
        'benign',
        'grade_',
        'category',
        'hint_included',
        '_behaviors',
      ]) {
        expect(written).not.toContain(leak);
      }
    }
    expect(new Set(found.map(record => shown(record).replace(record.state.toString(), ''))).size).toBe(1);
  });

  it('pairs each harmful request with a benign one', async () => {
    const { records: found } = await readDataset(plugin, { folder });
    for (const record of found) checkRecord({ primitive: 'choice', ...record });
    const twin = (id: string) => id.replace(':harmful:', ':benign:');
    const benign = new Map(found.filter(({ gold }) => gold === 'no').map(record => [record.base_id, record.group_id]));
    const harmful = found.filter(({ gold }) => gold === 'yes');
    expect(harmful).toHaveLength(benign.size);
    for (const record of harmful) expect(benign.get(twin(record.base_id))).toBe(record.group_id);
    expect(new Set(Object.values(counted(found.map(record => record.group_id))))).toEqual(new Set([8]));
  });
});

describe('the sample', () => {
  it('holds three behaviours, whose ids repeat between configurations and splits', async () => {
    const { records: found } = await readDataset(plugin, { folder: sample, options: { chat } });
    expect(counted(found.map(({ gold }) => gold))).toEqual({ yes: 15, no: 12 });
    expect(new Set(found.map(record => record.base_id)).size).toBe(27);
    expect(new Set(found.map(({ source }) => (source.lossyValue() as { id: string }).id)).size).toBe(8);
    expect(new Set(found.map(record => record.group_id)).size).toBe(3);
  });
});

describe.skipIf(upstream === null)('the real files', () => {
  const folder = upstream!;

  it('give 208 harmful and 208 benign requests in 52 groups', async () => {
    const { records: found } = await readDataset(plugin, { folder });
    expect(counted(found.map(({ gold }) => gold))).toEqual({ yes: 208, no: 208 });
    expect(new Set(found.map(record => record.group_id)).size).toBe(52);
    expect(new Set(found.map(record => record.base_id)).size).toBe(416);
  });

  it('give half of them without hints, and 52 of the chat', async () => {
    const cases = await readDataset(plugin, { folder, options: { chat, hints: 'skip' } });
    expect(counted(cases.records.map(({ gold }) => gold))).toEqual({ yes: 156, no: 104 });
    expect(counted(cases.items.map(found => ('skipped' in found ? found.skipped : 'a question')))).toEqual({
      'a question': 260,
      'the request has a hint which tools to call': 208,
    });
  });
});
