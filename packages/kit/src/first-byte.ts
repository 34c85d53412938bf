import { openBytes } from './open-bytes.ts';

/** The first byte of a file, decompressed, that is no white space and no byte order mark: `{`, `[`, or something else. */
export async function firstByte(path: string, signal?: AbortSignal): Promise<number | null> {
  for await (const chunk of openBytes(path, { signal })) {
    for (const byte of chunk) if (byte > 0x20 && ![0xef, 0xbb, 0xbf].includes(byte)) return byte;
  }
  return null;
}
