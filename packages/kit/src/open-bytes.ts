import { readChunks } from './read-chunks.ts';
import { gunzip } from './gunzip.ts';
import { isZstd, unzstd } from './unzstd.ts';

/**
 * The bytes of a file, decompressed where they are gzip or zstd (told by the first bytes, never by the name), in chunks
 * of about 256 KiB at most whose views stay valid. Memory stays bounded whatever the file expands to. Throws
 * UPSTREAM_INVALID with the path, and for broken gzip or zstd with the byte offset; the signal's reason when it aborts.
 */
export async function* openBytes(
  path: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Buffer, void, undefined> {
  const chunks = readChunks(path, { signal });
  try {
    const first = await chunks.next();
    if (first.done) return;
    let head = first.value;
    // A file system may give a single byte at first.
    while (head.length < 4) {
      const next = await chunks.next();
      if (next.done) break;
      head = Buffer.concat([head, next.value]);
    }
    if (head[0] === 0x1f && head[1] === 0x8b) {
      yield* gunzip(head, chunks, { file: path, signal });
    } else if (isZstd(head)) {
      yield* unzstd(head, chunks, { file: path, signal });
    } else {
      yield head;
      yield* chunks;
    }
  } finally {
    await chunks.return();
  }
}
