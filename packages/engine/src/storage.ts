import { createHash } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HoldfastError, type JsonText } from '@holdfast/core';

/** Turns a file system's error into STORAGE_FAILED with a sentence; leaves other errors as they are. */
export function storageFailed(error: unknown, file: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (HoldfastError.is(error) || typeof code !== 'string') return error;
  const sentence =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? `${file}: the disk is full; free some space, then go on with --resume`
      : code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
        ? `${file}: may not be written; give the folder write permission or choose another with --out`
        : code === 'ENOTDIR' || code === 'EEXIST' || code === 'EISDIR'
          ? `${file}: something else stands in its place; choose another folder with --out`
          : `${file}: cannot be written or read (${code})`;
  return new HoldfastError('STORAGE_FAILED', sentence, { cause: error, facts: { file, code } });
}

/** Writes a whole file or nothing: a crash at any time leaves the old content or the new. */
export async function writeWhole(file: string, text: string | Uint8Array): Promise<void> {
  const partial = `${file}.partial-${process.pid}`;
  try {
    const handle = await open(partial, 'w');
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, file);
    await syncFolder(dirname(file));
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    throw storageFailed(error, file);
  }
}

/** Makes the names in a folder durable, where the platform can. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

/** Writes all of `parts`, however little the system takes at once. */
export async function writeAll(handle: FileHandle, parts: readonly Uint8Array[]): Promise<void> {
  const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  for (let from = 0; from < bytes.byteLength;) {
    from += (await handle.write(bytes, from, bytes.byteLength - from)).bytesWritten;
  }
}

/** What a file of lines came to. */
export interface WrittenLines {
  readonly bytes: number;
  readonly sha256: string;
}

const FLUSH = 1 << 20;

/** Writes a new file of JSON lines, gathered into megabytes, hashed on the way. */
export class LineWriter {
  readonly #handle: FileHandle;
  readonly #file: string;
  readonly #hash = createHash('sha256');
  #parts: Uint8Array[] = [];
  #pending = 0;
  #bytes = 0;

  private constructor(handle: FileHandle, file: string) {
    this.#handle = handle;
    this.#file = file;
  }

  static async create(file: string): Promise<LineWriter> {
    try {
      return new LineWriter(await open(file, 'wx'), file);
    } catch (error) {
      throw storageFailed(error, file);
    }
  }

  /** Where the next line will stand, in bytes. */
  get offset(): number {
    return this.#bytes;
  }

  /** Adds one line. Resolves at once until a megabyte has gathered; then when it is written. */
  add(line: JsonText): Promise<void> | void {
    for (const part of line.parts) this.#take(part);
    this.#take(lineFeed);
    if (this.#pending >= FLUSH) return this.#flush();
  }

  /** Writes the rest, makes it durable and closes. */
  async finish(): Promise<WrittenLines> {
    try {
      await this.#flush();
      await this.#handle.sync();
    } catch (error) {
      throw storageFailed(error, this.#file);
    } finally {
      await this.#handle.close();
    }
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  /** Closes without finishing, after an error elsewhere. */
  async abandon(): Promise<void> {
    await this.#handle.close().catch(() => {});
  }

  #take(part: Uint8Array): void {
    this.#parts.push(part);
    this.#pending += part.byteLength;
    this.#bytes += part.byteLength;
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#parts, this.#pending);
    this.#parts = [];
    this.#pending = 0;
    this.#hash.update(bytes);
    try {
      await writeAll(this.#handle, [bytes]);
    } catch (error) {
      throw storageFailed(error, this.#file);
    }
  }
}

const lineFeed = Buffer.from('\n');
