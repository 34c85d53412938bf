import { open } from 'node:fs/promises';
import { fileProblem } from './file-problem.ts';

const CHUNK = 256 * 1024;

/**
 * The bytes of a file as they are on disk, in chunks of 256 KiB. Each chunk has its own memory, so views of it stay
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
    for (;;) {
      signal?.throwIfAborted();
      const chunk = Buffer.allocUnsafeSlow(CHUNK);
      const { bytesRead } = await file.read(chunk, 0, CHUNK).catch((error: unknown) => {
        throw fileProblem(path, error);
      });
      if (bytesRead === 0) return;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
