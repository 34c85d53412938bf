import { createHash, type Hash } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { HoldfastError } from '@holdfast/core';
import type { FileHash } from './hash-file.ts';
import { lockFile } from './lock-file.ts';
import { readChunks } from './read-chunks.ts';

/** What the first bytes of a partial file came from: says whether more of the same can be asked for. */
export interface PartialOrigin {
  readonly url: string;
  /** A strong ETag, or a Last-Modified date; null where the server gave none. */
  readonly validator: string | null;
}

/**
 * A file that is being downloaded, as `<to>.partial`, with its origin beside it in `<to>.partial.json`. Only one
 * process has it at a time; a crash at any time leaves the bytes that were written. Its methods throw STORAGE_FAILED.
 */
export class PartialFile {
  readonly #to: string;
  readonly #path: string;
  readonly #unlock: () => Promise<void>;
  #handle: FileHandle | null;
  #hash: Hash = createHash('sha256');
  #bytes = 0;
  #origin: PartialOrigin | null;

  private constructor(to: string, handle: FileHandle, origin: PartialOrigin | null, unlock: () => Promise<void>) {
    this.#to = to;
    this.#path = `${to}.partial`;
    this.#handle = handle;
    this.#origin = origin;
    this.#unlock = unlock;
  }

  /** Opens what is there, or a new one, and hashes it. Throws RUN_LOCKED where another process is at it. */
  static async open(to: string, signal: AbortSignal): Promise<PartialFile> {
    const path = `${to}.partial`;
    const lock = `${path}.lock`;
    try {
      await mkdir(dirname(to), { recursive: true });
      const unlock = await lockFile(lock, who => {
        const sentence = `${to} is being fetched by ${who}; wait for it to end, or remove ${lock} if it has ended`;
        return new HoldfastError('RUN_LOCKED', sentence, { facts: { file: to } });
      });
      let handle: FileHandle | null = null;
      try {
        handle = await open(path, 'a');
        const partial = new PartialFile(to, handle, await readOrigin(path), unlock);
        for await (const chunk of readChunks(path, { signal })) partial.#count(chunk);
        return partial;
      } catch (error) {
        await handle?.close();
        await unlock();
        throw error;
      }
    } catch (error) {
      throw storageFailed(error, to);
    }
  }

  /** How many bytes are there. */
  get bytes(): number {
    return this.#bytes;
  }

  get origin(): PartialOrigin | null {
    return this.#origin;
  }

  /** Drops what is there. What comes next is of `origin`, or of nobody knows where. */
  async startOver(origin: PartialOrigin | null): Promise<void> {
    await this.#stored(async () => {
      if (this.#bytes > 0) {
        await this.#handle!.truncate(0);
        // Old bytes must be gone before a new origin stands beside them.
        await this.#handle!.sync();
      }
      this.#hash = createHash('sha256');
      this.#bytes = 0;
      this.#origin = origin;
      const sidecar = `${this.#path}.json`;
      if (origin === null) {
        await rm(sidecar, { force: true });
      } else {
        await writeFile(`${sidecar}.new`, JSON.stringify(origin));
        await rename(`${sidecar}.new`, sidecar);
      }
    });
  }

  async append(chunk: Buffer): Promise<void> {
    await this.#stored(async () => {
      for (let from = 0; from < chunk.length;) {
        from += (await this.#handle!.write(chunk, from, chunk.length - from)).bytesWritten;
      }
    });
    this.#count(chunk);
  }

  /** What all bytes so far come to. */
  identity(): FileHash {
    return { bytes: this.#bytes, sha256: this.#hash.copy().digest('hex') };
  }

  /** Makes it durable and puts it in its place, whole. */
  async finish(): Promise<void> {
    await this.#stored(async () => {
      await this.#handle!.sync();
      await this.#closeHandle();
      await rename(this.#path, this.#to);
      await syncFolder(dirname(this.#to));
      await rm(`${this.#path}.json`, { force: true });
    });
  }

  async discard(): Promise<void> {
    await this.#stored(async () => {
      await this.#closeHandle();
      await rm(this.#path, { force: true });
      await rm(`${this.#path}.json`, { force: true });
    });
  }

  /** Lets go of it. What is there stays for the next time. */
  async close(): Promise<void> {
    if (this.#handle !== null && this.#bytes === 0) await this.discard();
    await this.#closeHandle();
    await this.#unlock();
  }

  #count(chunk: Buffer): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
  }

  async #closeHandle(): Promise<void> {
    await this.#handle?.close();
    this.#handle = null;
  }

  async #stored(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw storageFailed(error, this.#to);
    }
  }
}

/** Null where it is not there, torn, or something else. */
async function readOrigin(path: string): Promise<PartialOrigin | null> {
  try {
    const { url, validator } = JSON.parse(await readFile(`${path}.json`, 'utf8')) as Record<string, unknown>;
    const known = typeof url === 'string' && (typeof validator === 'string' || validator === null);
    return known ? { url, validator } : null;
  } catch {
    return null;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

function storageFailed(error: unknown, file: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (HoldfastError.is(error) || typeof code !== 'string') return error;
  const sentence =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? `${file}: the disk is full; free some space, then fetch again: what came so far is kept`
      : code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
        ? `${file}: may not be written; give its folder write permission, or fetch to another folder`
        : code === 'ENOTDIR' || code === 'EEXIST' || code === 'EISDIR'
          ? `${file}: something else stands in its place; remove it, or fetch to another folder`
          : `${file}: cannot be written (${code})`;
  return new HoldfastError('STORAGE_FAILED', sentence, { cause: error, facts: { file, code } });
}
