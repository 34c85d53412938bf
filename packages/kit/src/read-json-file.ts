import { HoldfastError } from '@holdfast/core';
import { LocatedJson, placeIn, proveJson } from './located-json.ts';
import { openBytes } from './open-bytes.ts';

export interface JsonFileOptions {
  /** What errors call the file. @default the path */
  readonly file?: string | undefined;
  /** Most bytes of the (decompressed) file. @default 64 MiB */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The one JSON value of a file that is small enough for memory, compressed or not: a configuration, a table of names.
 * A byte order mark is dropped. Throws as `openBytes`, and RECORD_INVALID as `FILE:LINE:COLUMN: reason` where the file
 * is no JSON, no UTF-8 or over the limit.
 */
export async function readJsonFile(path: string, options: JsonFileOptions = {}): Promise<LocatedJson> {
  const { file = path, limit = 64 * 1024 * 1024, signal } = options;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of openBytes(path, { signal })) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limit) {
      const message = `${file} is longer than ${limit} bytes: raise the option "limit" to read it as one value`;
      throw new HoldfastError('RECORD_INVALID', message, { facts: { file, limit } });
    }
  }
  signal?.throwIfAborted();
  const all = Buffer.concat(chunks);
  const marked = all[0] === 0xef && all[1] === 0xbb && all[2] === 0xbf ? 3 : 0;
  const bytes = all.subarray(marked);
  const start = { file, offset: marked, line: 1, column: 1 };
  const text = proveJson(bytes, start);
  return new LocatedJson(text, placeIn(bytes, text.bytes.byteOffset - bytes.byteOffset, start));
}
