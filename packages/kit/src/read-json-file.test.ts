import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { HoldfastError } from '@holdfast/core';
import { readJsonFile } from './read-json-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-json-'));
const path = join(folder, 'a.json');
const read = (bytes: string | Uint8Array, limit?: number) => {
  writeFileSync(path, bytes);
  return readJsonFile(path, { file: 'a.json', limit });
};

describe('readJsonFile', () => {
  it('gives one value with its place', async () => {
    for (const bytes of ['\ufeff\n {"1": [2],\n "0": 3}\n', gzipSync('\ufeff\n {"1": [2],\n "0": 3}\n')]) {
      const value = await read(bytes);
      expect(value).toMatchObject({ file: 'a.json', offset: 5, line: 2, column: 2 });
      expect(value.json().toString()).toBe('{"1": [2],\n "0": 3}');
      expect([...value.members().keys()]).toEqual(['1', '0']);
      const wrong = new HoldfastError('RECORD_INVALID', '0 must be a text', { facts: { place: '0' } });
      expect((value.locate(wrong) as Error).message).toBe('a.json:3:7: 0 must be a text');
    }
  });

  it.each<[string | Uint8Array, string]>([
    ['', 'a.json:1:1: not JSON: a value was expected, but the text ends here'],
    ['{"a":1}\n{"a":2}', 'a.json:2:1: not JSON: more text after the value'],
    ['{\n"a" 1}', 'a.json:2:5: not JSON: a colon was expected'],
    [Buffer.from([0x22, 0x0a, 0xff, 0x22]), 'a.json:2:1: the byte 0xff is not UTF-8'],
  ])('says where and why %j cannot be read', async (bytes, sentence) => {
    await expect(read(bytes)).rejects.toThrow(sentence);
  });

  it('refuses a file over the limit', async () => {
    expect((await read('[1,2]', 5)).json().toString()).toBe('[1,2]');
    await expect(read('[1,2]\n', 5)).rejects.toThrow('a.json is longer than 5 bytes: raise the option "limit"');
  });

  it('refuses members of what is no object', async () => {
    const value = await read('\n[1]');
    expect(() => value.members()).toThrow('a.json:2:1: not JSON: an object was expected');
  });
});
