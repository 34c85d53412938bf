import { readChunks } from './read-chunks.ts';
import { gunzip } from './gunzip.ts';

/**
 * The bytes of a file, decompressed where they are gzip (told by the first two bytes, never by the name), in chunks
 * of at most 256 KiB whose views stay valid. Memory stays bounded whatever the file expands to. Throws
 * UPSTREAM_INVALID with the path, and for broken gzip with the byte offset; the signal's reason when it aborts.
 */
export async function* openBytes(
  path: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Buffer, void, undefined> {
  const chunks = readChunks(path, { signal });
  try {
    const first = await chunks.next();
    if (first.done) return;
    // A file system may give a single byte at first.
    const second = first.value.length === 1 ? await chunks.next() : null;
    const head = second && !second.done ? Buffer.concat([first.value, second.value]) : first.value;
    if (head[0] === 0x1f && head[1] === 0x8b) {
      yield* gunzip(head, chunks, { file: path, signal });
    } else {
      yield head;
      yield* chunks;
    }
  } finally {
    await chunks.return();
  }
}
