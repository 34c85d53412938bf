import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import plugin from './plugin.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-records-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const line = (id: string, version = 'v0_original', state = '{"a": 1.0}') =>
  `{"id":"${id}::${version}","base_id":"${id}","group_id":"g","dataset":"other","state":${state},"instructions":"Which?",` +
  `"options":[{"id":"1","canonical_id":"1","description":null},{"id":"0","canonical_id":"0","description":null}],` +
  `"gold":"1","source":{},"version":"${version}"}`;

async function read(text: string | Uint8Array, options: Record<string, unknown> = {}) {
  await writeFile(join(folder, 'records.jsonl'), text);
  const dataset = plugin.create(plugin.options.parse({ file: 'records.jsonl', ...options }), {
    env: () => undefined,
    folder,
  });
  const [unit] = dataset.units([{ name: 'records.jsonl', path: join(folder, 'records.jsonl') }]);
  const items = [];
  for await (const item of dataset.read(unit!, new AbortController().signal)) items.push(item);
  return items;
}

describe('records', () => {
  it('are taken as they are: state, version and dataset', async () => {
    const items = await read(`${line('q1')}\r\n\n${line('q1', 'v1_order')}`);
    expect(
      items.map(item =>
        'record' in item ? [item.record.id, item.record.state.toString(), item.record.dataset] : item,
      ),
    ).toEqual([
      ['q1::v0_original', '{"a": 1.0}', 'other'],
      ['q1::v1_order', '{"a": 1.0}', 'other'],
    ]);
  });

  it('are read from gzip too', async () => {
    expect(await read(gzipSync(line('q1')))).toHaveLength(1);
  });

  it('leave perturbed versions out only when told to, and count them', async () => {
    const items = await read(`${line('q1')}\n${line('q1', 'v1_order')}\n`, { originals_only: true });
    expect(items[1]).toEqual({ skipped: 'a perturbed version, left out by originals_only', place: 'records.jsonl:2' });
  });

  it('are refused with file and line', async () => {
    await expect(read(`${line('q1')}\n${line('q2').replace('"gold":"1"', '"gold":"2"')}\n`)).rejects.toThrow(
      /^records\.jsonl:2:\d+: gold is "2", which is not the id of any option/,
    );
    await expect(read(`${line('q1')}\n{"id": nul}\n`)).rejects.toThrow(/^records\.jsonl:2:8: not JSON/);
  });
});
