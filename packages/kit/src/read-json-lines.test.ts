import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { HoldfastError, readRecord } from '@holdfast/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { atLine } from './at-line.ts';
import { hashFile } from './hash-file.ts';
import { readJsonLines, type JsonLine } from './read-json-lines.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kit-lines-'));
});
afterAll(() => rm(folder, { recursive: true }));

const put = async (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
};
const linesOf = async (path: string, file?: string) => {
  const lines: JsonLine[] = [];
  const reading = readJsonLines(path, { file });
  for await (const line of reading) lines.push(line);
  return { lines, counts: reading.counts };
};

const record = (changes: Record<string, string> = {}) => {
  const members: Record<string, string> = {
    id: '"q"',
    group_id: '"g"',
    dataset: '"d"',
    state: '{"1":1.0}',
    instructions: '"?"',
    options: '[{"id":"a","canonical_id":"a","description":null}, {"id":"b","canonical_id":"b","description":null}]',
    gold: '"a"',
    source: '{}',
    ...changes,
  };
  return `{${Object.entries(members).map(([key, value]) => `"${key}":${value}`)}}`;
};

describe('readJsonLines', () => {
  it('reads plain and gzip files alike', async () => {
    const content = `${record()}\n\n[1.0, 1]\n`;
    for (const path of [await put('a.jsonl', content), await put('a.jsonl.gz', gzipSync(content))]) {
      const { lines, counts } = await linesOf(path);
      expect(lines.map(({ number }) => number)).toEqual([1, 3]);
      expect(counts).toEqual({ lines: 3, blank: 1 });
      expect(lines[0]!.read(readRecord).state.toString()).toBe('{"1":1.0}');
      expect([...lines[0]!.members().keys()][0]).toBe('id');
      expect(lines[1]!.json().toString()).toBe('[1.0, 1]');
    }
  });

  it.each<[string, string, (line: JsonLine) => unknown, string, object]>([
    ['broken JSON', '{"a": NaN}', line => line.json(), 'f:2:7: not JSON: ', { line: 2, column: 7 }],
    ['another kind', '[1]', line => line.members(), 'f:2:1: not JSON: an object was expected', { column: 1 }],
    ['a member twice', '{"a":1,"a":2}', line => line.members(), 'f:2:1: not JSON: the key "a" stands twice', {}],
    [
      'a wrong member of a record',
      record({ gold: '"c"' }),
      line => line.read(readRecord),
      `f:2:${record().indexOf('"gold":') + 8}: gold is "c", which is not the id of any option`,
      { place: 'gold', file: 'f' },
    ],
    [
      'a wrong member of an option',
      record({
        options: '[{"id":"a","canonical_id":"a","description":null},{"id":7,"canonical_id":1,"description":null}]',
      }),
      line => line.read(readRecord),
      `f:2:${record().indexOf('{"id":"a"') + 1 + 50 + 5}: options.1.id must be a string`,
      {},
    ],
    [
      'a missing member',
      record().replace('"gold"', '"golf"'),
      line => line.read(readRecord),
      'f:2:1: gold is missing',
      {},
    ],
  ])('tells file, line and column of %s', async (_, text, reader, message, facts) => {
    const path = await put('bad.jsonl', `{}\n${text}\n`);
    const { lines } = await linesOf(path, 'f');
    let error: unknown;
    try {
      reader(lines[1]!);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: 'RECORD_INVALID', facts });
    expect((error as Error).message).toContain(message);
  });

  it('fails as the file does', async () => {
    await expect(linesOf(join(folder, 'none'))).rejects.toMatchObject({ code: 'UPSTREAM_INVALID' });
    const path = await put('latin.jsonl', Buffer.from([0x22, 0xe9, 0x22]));
    await expect(linesOf(path, 'latin')).rejects.toThrow('latin:1:2: the byte 0xe9 is not UTF-8');
    const aborted = readJsonLines(path, { signal: AbortSignal.abort(new Error('enough')) });
    await expect(aborted[Symbol.asyncIterator]().next()).rejects.toThrow('enough');
  });
});

describe('atLine', () => {
  it('leaves alone what is no HoldfastError or has a place', () => {
    const bug = new TypeError('bug');
    expect(atLine(bug, { file: 'f', line: 1 })).toBe(bug);
    const placed = atLine(new HoldfastError('RECORD_INVALID', 'x is missing', { facts: { place: 'x' } }), {
      file: 'f',
      line: 1,
    });
    expect((placed as Error).message).toBe('f:1: x is missing');
    expect(atLine(placed, { file: 'g', line: 2 })).toBe(placed);
  });
});

describe('hashFile', () => {
  it('hashes the bytes on disk', async () => {
    expect(await hashFile(await put('abc', 'abc'))).toEqual({
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      bytes: 3,
    });
    expect(await hashFile(await put('empty', ''))).toEqual({
      sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      bytes: 0,
    });
    await expect(hashFile(folder)).rejects.toThrow('is a folder');
  });
});
