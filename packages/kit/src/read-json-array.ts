import { JsonArraySplitter } from './json-array-splitter.ts';
import type { JsonElement } from './json-element.ts';
import { openBytes } from './open-bytes.ts';

export interface JsonElementOptions {
  /** What errors call the source. */
  readonly file: string;
  /** Most bytes of one element. @default 64 MiB */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface JsonArrayOptions extends Omit<JsonElementOptions, 'file'> {
  /** What errors call the file. @default the path */
  readonly file?: string | undefined;
}

const ELEMENT_LIMIT = 64 * 1024 * 1024;

/**
 * The elements of the JSON array that a file holds, compressed or not, one at a time: memory is bounded by the longest
 * element. Every element is proved to be JSON and UTF-8 before it is given, and so is what stands between elements up
 * to it: the end of the file is only known to be right when the iteration is complete. Throws as `openBytes`, and
 * RECORD_INVALID as `FILE:LINE:COLUMN: reason` where the file is no JSON array or an element is over the limit.
 */
export function readJsonArray(path: string, options: JsonArrayOptions = {}): AsyncIterable<JsonElement> {
  const { file = path, signal } = options;
  return readJsonElements(openBytes(path, { signal }), { ...options, file });
}

/** `readJsonArray` for bytes that come from elsewhere. The chunks are kept as views: their memory is not to be reused. */
export async function* readJsonElements(
  source: AsyncIterable<Uint8Array>,
  { file, limit = ELEMENT_LIMIT, signal }: JsonElementOptions,
): AsyncGenerator<JsonElement, void, undefined> {
  signal?.throwIfAborted();
  const splitter = new JsonArraySplitter(file, limit);
  for await (const chunk of source) {
    signal?.throwIfAborted();
    for (const element of splitter.push(chunk)) {
      yield element;
      signal?.throwIfAborted();
    }
  }
  signal?.throwIfAborted();
  yield* splitter.end();
}
