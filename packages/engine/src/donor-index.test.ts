import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRecord } from '@holdfast/core';
import { DonorIndex, type DonorPlace } from './donor-index.ts';

const line = (at: number, group = at >> 1) =>
  `{"id":"q${at}","group_id":"g${group}","dataset":"d","state":{"n":${at}},"instructions":"?","gold":"a","source":{},` +
  `"options":[{"id":"a","canonical_id":"a","description":null},{"id":"b","canonical_id":"b","description":null}]}`;

let folder: string;
const places: DonorPlace[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-donors-'));
  let offset = 0;
  for (let at = 0; at < 20; at++) {
    const { length } = line(at);
    places.push({ base_id: `q${at}`, dataset: 'd', group_id: `g${at >> 1}`, offset, length });
    offset += length + 1;
  }
  await writeFile(join(folder, 'base.jsonl'), places.map((_, at) => `${line(at)}\n`).join(''));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function donorsOf(at: number, given: readonly DonorPlace[] = places, seed = 7): Promise<string[]> {
  const index = await DonorIndex.open(join(folder, 'base.jsonl'), given, seed);
  const ids: string[] = [];
  for await (const { base_id } of index.of(readRecord(Buffer.from(line(at))))) ids.push(base_id);
  await index.close();
  return ids;
}

describe('donors', () => {
  it('are all records of other groups, once each', async () => {
    for (const at of [0, 7, 19]) {
      const expected = places.map(place => place.base_id).filter((_, other) => other >> 1 !== at >> 1);
      expect((await donorsOf(at)).sort()).toEqual(expected.sort());
    }
  });

  it('do not depend on the order of the records, but on the seed', async () => {
    expect(await donorsOf(3, [...places].reverse())).toEqual(await donorsOf(3));
    expect(await donorsOf(3, places, 8)).not.toEqual(await donorsOf(3));
  });

  it('differ from question to question: the circle starts behind each one', async () => {
    const first = await Promise.all(places.map(async (_, at) => (await donorsOf(at))[0]));
    expect(new Set(first).size).toBeGreaterThan(10);
  });

  it('are none where there is one group', async () => {
    expect(await donorsOf(0, places.slice(0, 2))).toEqual([]);
  });
});
