import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HoldfastError, checkRecord, type BaseRecord } from '@holdfast/core';
import { readDataset, testDataset, upstreamFolder } from '@holdfast/kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from './plugin.ts';

const services = { env: () => undefined, folder: '' };
const bfcl = plugin.create(plugin.options.parse({}), services);
const sample = fileURLToPath(new URL('../sample', import.meta.url));
testDataset(plugin, { folder: sample });

const upstream = upstreamFolder('bfcl');

const shown = ({ state, instructions, options }: BaseRecord) =>
  [state, instructions, ...options.map(option => option.description)].map(String).join('\n');

/** Reads lines that a test wrote itself. */
function readLines(questions: readonly string[], answers: readonly string[]) {
  return readDataset(plugin, {
    files: { 'q.json': questions.join('\n'), 'a.json': answers.join('\n') },
    options: { questions: 'q.json', answers: 'a.json' },
  });
}

const question = (id: string, functions = ['f', 'g'], turns = '[[{"role":"user","content":"Do it."}]]') =>
  `{"id":"${id}","question":${turns},"function":[${functions.map(name => `{"name":"${name}"}`).join(',')}]}`;
const answer = (id: string, calls = '[{"f":{"a":[1]}}]') => `{"id":"${id}","ground_truth":${calls}}`;

describe('a question', () => {
  it('keeps the bytes of messages, descriptions and parameters', async () => {
    const messages = String.raw`[{"role": "user", "content": "caf\u00e9", "n":1.0}]`;
    const parameters = String.raw`{"type": "dict", "2":{"default":1e2}, "1":{}, "1":{}}`;
    const [record] = (
      await readLines(
        [
          `{"id":"q","question":[ ${messages} ],"function":[{"name":"a.f","description":"A","parameters":${parameters}},` +
            '{"parameters":{},"name":"__proto__"}],"more":true}',
        ],
        [answer('q', '[{"__proto__":{}}]')],
      )
    ).records;
    expect(record!.state.toString()).toBe(`{"messages":${messages}}`);
    expect(record!.options.map(({ id, canonical_id, description }) => [id, canonical_id, String(description)])).toEqual(
      [
        ['a.f', 'a.f', `{"description":"A","parameters":${parameters}}`],
        ['__proto__', '__proto__', '{"parameters":{}}'],
      ],
    );
    expect(record).toMatchObject({ base_id: 'q', gold: '__proto__' });
    expect(record!.source.toString()).toBe('{"file":"q.json","row":1,"id":"q","upstream_split":null}');
    expect(record!.metadata!.lossyValue()).toMatchObject({ gold_position: 1, candidates: 2 });
  });

  it('is joined to its answer by id and shares a group with the same request', async () => {
    const other = question('r', ['g', 'f'], '[[{"role":"user","content":"Do that."}]]');
    const [q, r, s] = (
      await readLines([question('q'), '', other, question('s', ['f', 'h'])], [answer('s'), answer('r'), answer('q')])
    ).records;
    expect([q!.gold, r!.gold, s!.gold]).toEqual(['f', 'f', 'f']);
    expect(q!.group_id).toMatch(/^bfcl:[0-9a-f]{16}$/);
    expect(s!.group_id).toBe(q!.group_id);
    expect(r!.group_id).not.toBe(q!.group_id);
    expect(r!.source.lossyValue()).toMatchObject({ row: 3 });
  });

  it.each<[string, string, string]>([
    ['several turns', question('q', ['f', 'g'], '[[],[]]'), answer('q', '[["f()"],["g()"]]')],
    ['no turn', question('q', ['f', 'g'], '[]'), answer('q')],
    ['fewer than two functions', question('q', ['f']), answer('q')],
    ['two functions with one name', question('q', ['f', 'g', 'f']), answer('q')],
    [
      'more than 255 functions',
      question(
        'q',
        Array.from({ length: 256 }, (_, index) => `f${index}`),
      ),
      answer('q'),
    ],
    ['no call in the answer', question('q'), answer('q', '[]')],
    ['several calls in the answer', question('q'), answer('q', '[{"f":{}},{"g":{}}]')],
    ['several calls in the answer', question('q'), answer('q', '[{"f":{},"g":{}}]')],
    ['the right function is not offered', question('q'), answer('q', '[{"h":{}}]')],
  ])('with %s is skipped', async (skipped, asked, answered) => {
    expect((await readLines([asked], [answered])).items).toEqual([{ skipped, place: 'q.json:1' }]);
  });

  it.each<[string, string[], string[], string, string]>([
    ['text that is no JSON', [question('q'), '{"id":'], [answer('q')], 'RECORD_INVALID', 'q.json:2:7: not JSON'],
    ['a missing id', ['{"question":[],"function":[]}'], [], 'RECORD_INVALID', 'q.json:1:1: id is missing'],
    [
      'functions in a map',
      ['{"id":"q","question":[],"function":{}}'],
      [],
      'RECORD_INVALID',
      'q.json:1:36: function must be',
    ],
    ['a turn that is no list', [question('q', ['f'], '[{}]')], [], 'RECORD_INVALID', 'q.json:1:23: question.0 must be'],
    [
      'a function without a name',
      ['{"id":"q","question":[],"function":[{}]}'],
      [],
      'RECORD_INVALID',
      'q.json:1:37: function.0.name is',
    ],
    ['an answer without calls', [], ['{"id":"q"}'], 'RECORD_INVALID', 'a.json:1:1: ground_truth is missing'],
    [
      'a call that is no object',
      [question('q')],
      [answer('q', '["f()"]')],
      'RECORD_INVALID',
      'a.json:1:27: ground_truth.0',
    ],
    [
      'a missing answer',
      [question('q'), question('r')],
      [answer('q')],
      'UPSTREAM_INVALID',
      'q.json:2: a.json has no answer to r',
    ],
    [
      'an answer to nothing',
      [question('q')],
      [answer('q'), answer('r')],
      'UPSTREAM_INVALID',
      'a.json:2: q.json has no question r',
    ],
    [
      'a repeated question',
      [question('q'), question('q')],
      [answer('q')],
      'UPSTREAM_INVALID',
      'q.json:2: q stands on line 1',
    ],
    [
      'a repeated answer',
      [question('q')],
      [answer('q'), answer('q')],
      'UPSTREAM_INVALID',
      'a.json:2: q has an answer already, at a.json:1',
    ],
  ])('with %s stops with its place', async (_, questions, answers, code, message) => {
    const error = await readLines(questions, answers).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(HoldfastError.is(error) && [error.code, error.message]).toEqual([code, expect.stringContaining(message)]);
  });
});

describe('the files', () => {
  it('are pinned under the names of upstream only', () => {
    expect(bfcl.upstream.every(file => file.sha256?.length === 64 && file.url?.includes(file.revision!))).toBe(true);
    expect(plugin.create({ questions: 'q', answers: 'a' }, services).upstream).toEqual([{ name: 'q' }, { name: 'a' }]);
  });

  it('are left when the signal says so', async () => {
    await expect(readDataset(plugin, { folder: sample, signal: AbortSignal.abort() })).rejects.toThrow();
  });
});

describe('the sample', () => {
  it('is read whole, twice the same, with gold at every place', async () => {
    const cases = await readDataset(plugin, { folder: sample });
    expect(await readDataset(plugin, { folder: sample })).toEqual(cases);
    const found = cases.records;
    expect(found).toHaveLength(26);
    for (const record of found) checkRecord({ primitive: 'choice', ...record });
    const places = found.map(({ options, gold }) => options.findIndex(option => option.id === gold));
    expect(new Set(places)).toEqual(new Set([0, 1, 2, 3]));
    expect(new Set(found.map(record => record.group_id)).size).toBe(25);
  });
});

describe.skipIf(upstream === null)('the real files', () => {
  const folder = upstream!;

  it('give the 200 questions of the card', async () => {
    const { records: found } = await readDataset(plugin, { folder });
    expect(found).toHaveLength(200);
    const places = [0, 0, 0, 0];
    for (const record of found) {
      checkRecord({ primitive: 'choice', ...record });
      places[record.options.findIndex(option => option.id === record.gold)]!++;
    }
    expect(places).toEqual([73, 71, 42, 14]);
    expect(new Set(found.map(record => record.group_id)).size).toBe(196);
  });

  it('show nothing but bytes of the question file: no answer and no argument of one', async () => {
    const { records: found } = await readDataset(plugin, { folder });
    const lines = readFileSync(join(folder, 'BFCL_v4_multiple.json'), 'utf8').split('\n');
    for (const [index, record] of found.entries()) {
      const messages = record.state.toString().slice('{"messages":'.length, -1);
      expect(lines[index]).toContain(`"question": [${messages}]`);
      for (const { description } of record.options) {
        const [, text, parameters] = /^\{"description":(.*),"parameters":(\{.*\})\}$/.exec(description.toString())!;
        expect(lines[index]).toContain(`"description": ${text}, "parameters": ${parameters}`);
      }
      expect(shown(record)).not.toContain('ground_truth');
    }
    expect(new Set(found.map(record => record.instructions.toString())).size).toBe(1);
  });
});
