// @ts-nocheck
import { json } from '@holdfast/core';
import { readFileSync, existsSync } from 'node:fs';
import { HoldfastError } from '@holdfast/core';
export async function* readParquet(path, { file, signal }) {
  signal.throwIfAborted();
  if (!existsSync(path)) throw new HoldfastError('UPSTREAM_INVALID', `${path} does not exist`);
  const { parquetReadObjects } = await import('hyparquet');
  const b = readFileSync(path);
  let rows;
  try {
    rows = await parquetReadObjects({ file: b.buffer.slice(b.byteOffset, b.byteOffset + b.byteLength) });
  } catch (e) {
    throw new HoldfastError('UPSTREAM_INVALID', `${file}: ${e.message}`, { facts: { file } });
  }
  let n = 0;
  for (const r of rows) {
    signal.throwIfAborted();
    n++;
    const t = json.value(r);
    yield { number: n, read: f => f(t.bytes) };
  }
}
