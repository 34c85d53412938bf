import { crc32, createInflateRaw } from 'node:zlib';
import { HoldfastError } from '@holdfast/core';

const CHUNK = 256 * 1024;
const nothing = Buffer.alloc(0);

/** Compressed bytes that can be given back: a member ends where it likes, in the middle of a chunk. */
export class Input {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer;
  /** How many bytes have been taken, from the start of the file. */
  offset = 0;

  constructor(head: Buffer, chunks: AsyncIterator<Buffer>) {
    this.#rest = head;
    this.#chunks = chunks;
  }

  /** What is at hand, or the next chunk; empty at the end. */
  async chunk(): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next();
      if (next.done) return nothing;
      this.#rest = next.value;
    }
    const chunk = this.#rest;
    this.#rest = nothing;
    this.offset += chunk.length;
    return chunk;
  }

  giveBack(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([bytes, this.#rest]);
    this.offset -= bytes.length;
  }

  /** The next `length` bytes, fewer at the end of the file. */
  async take(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let missing = length;
    while (missing > 0) {
      const chunk = await this.chunk();
      if (chunk.length === 0) break;
      pieces.push(chunk.subarray(0, missing));
      if (chunk.length > missing) this.giveBack(chunk.subarray(missing));
      missing -= Math.min(missing, chunk.length);
    }
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }

  /** Passes over everything up to and with the next zero byte; false where there is none. */
  async passZero(): Promise<boolean> {
    for (;;) {
      const chunk = await this.chunk();
      if (chunk.length === 0) return false;
      const zero = chunk.indexOf(0);
      if (zero === -1) continue;
      this.giveBack(chunk.subarray(zero + 1));
      return true;
    }
  }
}

/**
 * The decompressed bytes of a gzip file, member after member (RFC 1952), beginning with the bytes in `head`. Unlike
 * node's own gunzip it takes nothing but members: garbage or zeros behind one, a cut member and a wrong checksum are
 * UPSTREAM_INVALID errors with the byte offset in the compressed file.
 */
export async function* gunzip(
  head: Buffer,
  chunks: AsyncIterator<Buffer>,
  { file, signal }: { file: string; signal?: AbortSignal | undefined },
): AsyncGenerator<Buffer, void, undefined> {
  const input = new Input(head, chunks);
  const broken = (problem: string, offset = input.offset, cause?: unknown) =>
    new HoldfastError('UPSTREAM_INVALID', `${file} is broken gzip at byte ${offset}: ${problem}; fetch it again`, {
      facts: { file, offset },
      ...(cause === undefined ? {} : { cause }),
    });
  const whole = (bytes: Buffer, length: number) => {
    if (bytes.length < length) throw broken('the file ends in the middle of a member');
    return bytes;
  };
  for (;;) {
    const start = input.offset;
    const magic = await input.take(2);
    if (magic.length === 0) return;
    if (magic[0] !== 0x1f || magic[1] !== 0x8b) {
      throw broken('only another gzip member may follow a member', start);
    }
    const header = whole(await input.take(8), 8);
    const method = header[0]!;
    const flags = header[1]!;
    if (method !== 8) throw broken(`the compression method ${method} is unknown`, start);
    if (flags & 0xe0) throw broken('reserved flags are set', start);
    if (flags & 4) {
      const length = whole(await input.take(2), 2).readUInt16LE(0);
      whole(await input.take(length), length);
    }
    for (const flag of [8, 16]) {
      if (flags & flag && !(await input.passZero())) throw broken('the file ends in the middle of a member');
    }
    if (flags & 2) whole(await input.take(2), 2);

    let checksum = 0;
    let length = 0;
    for await (const bytes of inflate(input, broken, signal)) {
      checksum = crc32(bytes, checksum);
      length += bytes.length;
      yield bytes;
    }
    const trailer = whole(await input.take(8), 8);
    if (trailer.readUInt32LE(0) !== checksum) throw broken('the checksum of the member that ends here is wrong');
    if (trailer.readUInt32LE(4) !== length % 2 ** 32) throw broken('the length of the member that ends here is wrong');
  }
}

/** One deflate stream. Leaves the input just behind its last byte. */
async function* inflate(
  input: Input,
  broken: (problem: string, offset?: number, cause?: unknown) => HoldfastError,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  const start = input.offset;
  const stream = createInflateRaw({ chunkSize: CHUNK });
  let last: Buffer = nothing;
  const feed = async () => {
    // Zlib leaves bytes of a chunk alone only where the deflate stream has ended.
    while (!stream.destroyed && stream.bytesWritten === input.offset - start) {
      last = await input.chunk();
      if (last.length === 0) {
        stream.end();
        return;
      }
      await new Promise<void>(resolve => {
        stream.once('close', resolve);
        stream.write(last, () => {
          stream.off('close', resolve);
          resolve();
        });
      });
    }
  };
  let failed: { readonly error: unknown } | null = null;
  const fed = feed().catch((error: unknown) => {
    failed = { error };
    stream.destroy();
  });
  try {
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      yield bytes;
    }
  } catch (error) {
    if (failed !== null) throw (failed as { error: unknown }).error;
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'Z_BUF_ERROR') throw broken('the file ends in the middle of a member', undefined, error);
    if (typeof code === 'string' && code.startsWith('Z_')) {
      throw broken('the compressed data is damaged', start + stream.bytesWritten, error);
    }
    throw error;
  } finally {
    stream.destroy();
    await fed;
  }
  // What zlib was given and did not want belongs to the trailer and to the members behind it.
  const unread = input.offset - start - stream.bytesWritten;
  if (unread > 0) input.giveBack(last.subarray(last.length - unread));
}
