import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  defineDataset,
  json,
  readRecord,
  writeRecord,
  type BaseRecord,
  type Dataset,
  type GivenRecord,
  type Skipped,
} from '@holdfast/core';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readJsonLines, type JsonLine } from '../read-json-lines.ts';
import { hostileRecords } from './hostile-records.ts';
import { brokenPromises } from './promised.ts';
import { datasetPromises, testDataset } from './test-dataset.ts';

const folder = await mkdtemp(join(tmpdir(), 'kit-dataset-'));
afterAll(() => rm(folder, { recursive: true }));
const lines = Array.from({ length: 20 }, (_, at) => `{"id":"q${at}","text":"Case ${at}","right":${at % 2 === 0}}`).join(
  '\n',
);
await writeFile(join(folder, 'plain.jsonl'), lines);
await writeFile(join(folder, 'packed.jsonl'), gzipSync(lines));
await writeFile(
  join(folder, 'records.jsonl'),
  hostileRecords()
    .map(record => `${writeRecord(record).toString()}\n`)
    .join(''),
);

type Item = BaseRecord | GivenRecord | Skipped;
const option = (id: string) => ({ id, canonical_id: id, description: json.string(`It is ${id}`) });
const read = (line: JsonLine): Item => {
  const members = line.members();
  const id = members.get('id')!.string();
  if (line.number === 3) return { skipped: 'unlucky', place: `${line.file}:3` };
  return {
    base_id: id,
    group_id: id,
    scenario: 's',
    decision_type: 'd',
    state: json.object([['text', members.get('text')!]]),
    instructions: json.string('Is it right?'),
    options: [option('yes'), option('no')],
    gold: members.get('right')!.toString() === 'true' ? 'yes' : 'no',
    source: json.value({ line: line.number }),
  };
};
const good = (file = 'plain.jsonl', reader: (line: JsonLine) => Item = read): Dataset => ({
  info: { id: 'cases', title: 'Cases', homepage: 'https://example.org', license: 'MIT', labels: { scenario: 'S' } },
  upstream: [{ name: file }],
  units: files => files.map(found => ({ id: found.name, files: [found] })),
  async *read(unit, signal) {
    for (const { path, name } of unit.files) {
      for await (const line of readJsonLines(path, { file: name, signal })) yield reader(line);
    }
  },
});
const plugin = (dataset: Dataset) =>
  defineDataset({ name: 'cases', summary: 'Cases.', options: z.strictObject({}), create: () => dataset });
const item = (change: (base: BaseRecord, line: JsonLine) => object) =>
  good('plain.jsonl', line => {
    const made = read(line);
    return 'skipped' in made ? made : ({ ...made, ...change(made as BaseRecord, line) } as BaseRecord);
  });

testDataset(plugin(good()), { folder });
testDataset(plugin(good('packed.jsonl')), { folder });
testDataset(plugin(good('records.jsonl', line => ({ record: line.read(readRecord) }))), { folder });

describe('the suite for datasets', () => {
  it('finds nothing in a good one', async () => {
    expect(await brokenPromises(datasetPromises(plugin(good()), { folder }))).toEqual([]);
  });

  let reads = 0;
  const base = good();
  const valid = 'gives valid records';
  it.each<[string, Dataset, string[]]>([
    [
      'reads other things each time',
      item(() => ({ metadata: json.value({ at: reads++ }) })),
      ['reads at least one record, twice'],
    ],
    ['skips all', good('plain.jsonl', () => ({ skipped: 'all', place: 'x' })), ['reads at least one record']],
    ['repeats ids', item(() => ({ base_id: 'same' })), ['gives each record an id']],
    ['has a gold that is no option', item(() => ({ gold: 'maybe' })), [valid]],
    ['has one option', item(({ options }) => ({ options: options.slice(0, 1), gold: 'yes' })), [valid]],
    ['shows the gold', item(({ gold }) => ({ state: json.value({ gold }) })), ['shows the answer nowhere']],
    [
      'shows canonical ids',
      item(({ options }) => ({
        options: options.map(each => ({ ...each, description: json.value({ canonical_id: 'x' }) })),
      })),
      ['shows the answer nowhere'],
    ],
    [
      'skips without a reason',
      good('plain.jsonl', line => (line.number === 3 ? { skipped: '', place: '' } : read(line))),
      ['gives a reason'],
    ],
    [
      'ignores the signal',
      {
        ...base,
        async *read(unit) {
          yield* base.read(unit, new AbortController().signal);
        },
      },
      ['reads nothing with an aborted signal'],
    ],
    [
      'stops as if it were done',
      {
        ...base,
        async *read(unit, signal) {
          if (!signal.aborted) yield* base.read(unit, signal);
        },
      },
      ['reads nothing with an aborted signal'],
    ],
    [
      'swallows errors',
      {
        ...base,
        async *read(unit, signal) {
          try {
            yield* base.read(unit, signal);
          } catch (error) {
            if (signal.aborted) throw error;
          }
        },
      },
      ['says in a sentence', 'says file and line'],
    ],
    [
      'throws bare errors',
      {
        ...base,
        async *read(unit, signal) {
          try {
            yield* base.read(unit, signal);
          } catch (error) {
            throw signal.aborted ? error : new Error('no');
          }
        },
      },
      ['says in a sentence', 'says file and line'],
    ],
    [
      'parses for itself',
      good('plain.jsonl', line => (JSON.parse(Buffer.from(line.bytes).toString()), read(line))),
      ['says file and line'],
    ],
    ['leaves its folder', { ...base, upstream: [{ name: '../plain.jsonl' }] }, ['names its files']],
    ['has a wrong pin', { ...base, upstream: [{ name: 'plain.jsonl', sha256: 'abc' }] }, ['names its files']],
    ['has no licence', { ...base, info: { ...base.info, license: ' ' } }, ['says what it is']],
    ['has no unit', { ...base, units: () => [] }, ['makes the same units', 'reads at least one']],
    [
      'has two units of one id',
      { ...base, units: files => [...base.units(files), ...base.units(files)] },
      ['makes the same units'],
    ],
    [
      'has units that are no data',
      { ...base, units: files => base.units(files).map(unit => ({ ...unit, open: () => 1 })) },
      ['makes the same units'],
    ],
  ])('finds one that %s', async (_, dataset, expected) => {
    const broken = await brokenPromises(datasetPromises(plugin(dataset), { folder }));
    for (const start of expected) expect(broken.map(promise => promise.slice(0, start.length))).toContain(start);
  });
});
