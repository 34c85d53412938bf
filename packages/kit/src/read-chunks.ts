import { open, type FileHandle } from 'node:fs/promises';
import { fileProblem } from './file-problem.ts';

const CHUNK = 512 * 1024;

/**
 * The bytes of a file as they are on disk, in chunks of 512 KiB. Each chunk has its own memory, so views of it stay
 * valid. Throws UPSTREAM_INVALID with the path where the file cannot be read, and the signal's reason when it aborts.
 */
export async function* readChunks(
  path: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Buffer, void, undefined> {
  signal?.throwIfAborted();
  const file = await open(path).catch((error: unknown) => {
    throw fileProblem(path, error);
  });
  try {
    // The next chunk is read while this one is worked on. A failure is thrown when its turn comes.
    let next = readChunk(file);
    for (;;) {
      signal?.throwIfAborted();
      const chunk = await next.catch((error: unknown) => {
        throw fileProblem(path, error);
      });
      if (chunk === null) return;
      next = readChunk(file);
      next.catch(() => {});
      yield chunk;
    }
  } finally {
    await file.close();
  }
}

async function readChunk(file: FileHandle): Promise<Buffer | null> {
  const chunk = Buffer.allocUnsafeSlow(CHUNK);
  const { bytesRead } = await file.read(chunk, 0, CHUNK);
  return bytesRead === 0 ? null : chunk.subarray(0, bytesRead);
}
