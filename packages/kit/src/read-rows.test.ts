import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { readRows } from './read-rows.ts';
import { rowFormatOf } from './row-format.ts';

const folder = await mkdtemp(join(tmpdir(), 'rows-'));
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, content: string | Uint8Array): Promise<string> {
  await writeFile(join(folder, name), content);
  return join(folder, name);
}

describe('the format of a file of rows', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['a.csv', '{"a"},b\n', 'csv'],
    ['a.tsv.gz', gzipSync('a\tb\n'), 'csv'],
    ['a.jsonl', '{}', 'jsonl'],
    ['a.ndjson', '"a text"', 'jsonl'],
    ['a.jsonl', ' [{}]', 'json'],
    ['a.json', '\ufeff\n{"a":1}\n{"a":2}', 'jsonl'],
    ['a.json', '[{}]', 'json'],
    ['a.txt', 'a;b\n', 'csv'],
    ['a.dat', 'PAR1\0\0', 'parquet'],
  ])('%s is told by its name or its first bytes', async (name, content, format) => {
    expect((await rowFormatOf(await file(name, content))).format).toBe(format);
  });

  it.each<[string, string | Uint8Array, string]>([
    ['nothing', '\ufeff \n', 'is empty'],
    ['an object over several lines', '{\n"a":1\n}', 'is neither JSONL'],
    ['binary', '{"a":"\0"}', 'is binary'],
    ['a workbook', 'PK\x03\x04', 'is a zip archive'],
    ['UTF-16', Buffer.from('\ufeffa', 'utf16le'), 'is written in UTF-16'],
  ])('cannot be told of %s', async (_, content, sentence) => {
    await expect(rowFormatOf(await file('a.json', content), { file: 'a.json' })).rejects.toThrow(`a.json ${sentence}`);
  });
});

describe('a row', () => {
  it.each<[string, string, object[]]>([
    ['a.jsonl', '\n{"a":1.0}\n', [{ unit: 'line', number: 2, place: 'F:2', tabular: false }]],
    ['a.json', '[\n{"a":\n1.0}]', [{ unit: 'row', number: 1, place: 'F:2', tabular: false }]],
    [
      'a.csv',
      'a;b\n"x\ny";1\nz;2\n',
      [
        { unit: 'line', number: 2, place: 'F:2', tabular: true },
        { unit: 'line', number: 4, place: 'F:4' },
      ],
    ],
  ])('of %s knows its place', async (name, content, expected) => {
    const rows = [];
    for await (const row of readRows(await file(name, content), { file: 'F' })) rows.push(row);
    expect(rows).toMatchObject(expected);
    expect(rows).toHaveLength(expected.length);
    expect(rows[0]!.cells.get('a')!.toString()).toBe(name === 'a.csv' ? '"x\\ny"' : '1.0');
  });

  it('is not read when the signal has aborted', async () => {
    const reason = new Error('enough');
    const rows = readRows(await file('a.csv', 'a,b\n1,2\n'), { signal: AbortSignal.abort(reason) });
    await expect(rows.next()).rejects.toBe(reason);
  });
});
