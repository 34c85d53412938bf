import { createHash } from 'node:crypto';
import { readChunks } from './read-chunks.ts';

/** The identity of a file as it lies on disk. */
export interface FileHash {
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Hashes the raw bytes of a file, streaming. Throws UPSTREAM_INVALID with the path where it cannot be read. */
export async function hashFile(path: string, options: { signal?: AbortSignal | undefined } = {}): Promise<FileHash> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of readChunks(path, options)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}
