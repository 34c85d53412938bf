import { Decompress } from 'fzstd';
import { HoldfastError } from '@holdfast/core';
import { Input } from './gunzip.ts';
import { Xxh64 } from './xxh64.ts';

/** RFC 8878: no block is longer, compressed or not. */
const BLOCK_LIMIT = 128 * 1024;
/** The furthest that fzstd can look back. */
const WINDOW_LIMIT = 32 * 1024 * 1024;
const nothing = Buffer.alloc(0);

/** Whether a file that starts with `head` is zstd: a frame, or one of the frames that readers pass over. */
export function isZstd(head: Uint8Array): boolean {
  return isFrame(head) || isSkippable(head);
}

function isFrame(head: Uint8Array): boolean {
  return head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd;
}

function isSkippable(head: Uint8Array): boolean {
  return (head[0]! & 0xf0) === 0x50 && head[1] === 0x2a && head[2] === 0x4d && head[3] === 0x18;
}

/** What a frame's header tells. */
interface Frame {
  readonly header: Buffer;
  readonly window: number;
  /** Null where the header does not tell it. */
  readonly size: bigint | null;
  readonly summed: boolean;
}

/**
 * The decompressed bytes of a zstd file, frame after frame (RFC 8878), beginning with the bytes in `head`: node 20 has
 * no zstd. Memory is bounded by a frame's window. Garbage behind a frame, a cut frame, a wrong checksum and a wrong
 * length are UPSTREAM_INVALID errors with the byte offset in the compressed file, and so are frames that need a
 * dictionary or a window over 32 MiB. Damage in a frame that was written without a checksum may go unnoticed.
 */
export async function* unzstd(
  head: Buffer,
  chunks: AsyncIterator<Buffer>,
  { file, signal }: { file: string; signal?: AbortSignal | undefined },
): AsyncGenerator<Buffer, void, undefined> {
  const input = new Input(head, chunks);
  const fail = (message: string, offset: number, cause?: unknown) =>
    new HoldfastError('UPSTREAM_INVALID', message, {
      facts: { file, offset },
      ...(cause === undefined ? {} : { cause }),
    });
  const broken = (problem: string, offset = input.offset, cause?: unknown) =>
    fail(`${file} is broken zstd at byte ${offset}: ${problem}; fetch it again`, offset, cause);
  const unable = (problem: string, offset: number) =>
    fail(`${file} cannot be read: the zstd frame at byte ${offset} ${problem}`, offset);
  const whole = async (length: number) => {
    const bytes = await input.take(length);
    if (bytes.length < length) throw broken('the file ends in the middle of a frame');
    return bytes;
  };

  for (;;) {
    const start = input.offset;
    const magic = await input.take(4);
    if (magic.length === 0) return;
    if (isSkippable(magic)) {
      let missing = (await whole(4)).readUInt32LE(0);
      while (missing > 0) missing -= (await whole(Math.min(missing, BLOCK_LIMIT))).length;
      continue;
    }
    if (!isFrame(magic)) throw broken('only another zstd frame may follow a frame', start);
    const frame = await readHeader(magic, whole, problem => broken(problem, start));
    if (frame === 'dictionary') {
      throw unable('needs a dictionary: unpack the file with "zstd -d -D DICTIONARY" first', start);
    }
    if (frame.window > WINDOW_LIMIT) {
      const size = `needs a window of ${frame.window} bytes, more than ${WINDOW_LIMIT}`;
      throw unable(`${size}: unpack the file with "zstd -d --long=31" first`, start);
    }

    const checksum = new Xxh64();
    let size = 0;
    for await (const bytes of blocks(frame, input, whole, broken)) {
      signal?.throwIfAborted();
      if (frame.summed) checksum.update(bytes);
      size += bytes.length;
      if (bytes.length > 0) yield bytes;
    }
    if (frame.size !== null && frame.size !== BigInt(size)) {
      throw broken(`the length of the frame that ends here is ${size}, not ${frame.size} as its header says`);
    }
    if (frame.summed && (await whole(4)).readUInt32LE(0) !== Number(BigInt.asUintN(32, checksum.digest()))) {
      throw broken('the checksum of the frame that ends here is wrong');
    }
  }
}

async function readHeader(
  magic: Buffer,
  whole: (length: number) => Promise<Buffer>,
  broken: (problem: string) => HoldfastError,
): Promise<Frame | 'dictionary'> {
  const descriptor = (await whole(1))[0]!;
  if (descriptor & 8) throw broken('a reserved flag is set');
  const single = (descriptor & 0x20) !== 0;
  const windowByte = single ? nothing : await whole(1);
  const dictionary = await whole([0, 1, 2, 4][descriptor & 3]!);
  if (dictionary.some(byte => byte !== 0)) return 'dictionary';
  const sizeBytes = await whole([single ? 1 : 0, 2, 4, 8][descriptor >> 6]!);
  let size: bigint | null = null;
  if (sizeBytes.length > 0) {
    size = BigInt(`0x${Buffer.from(sizeBytes).reverse().toString('hex')}`) + (sizeBytes.length === 2 ? 256n : 0n);
  }
  let window = Number(size);
  if (!single) {
    const base = 2 ** (10 + (windowByte[0]! >> 3));
    window = base + (base / 8) * (windowByte[0]! & 7);
  }
  // The checksum is not fzstd's business: it would only pass over it.
  const flags = Buffer.from([descriptor & ~4]);
  const header = Buffer.concat([magic, flags, windowByte, dictionary, sizeBytes]);
  return { header, window, size, summed: (descriptor & 4) !== 0 };
}

/** The contents of a frame's blocks. Leaves the input just behind the last one. */
async function* blocks(
  { header, window }: Frame,
  input: Input,
  whole: (length: number) => Promise<Buffer>,
  broken: (problem: string, offset?: number, cause?: unknown) => HoldfastError,
): AsyncGenerator<Buffer, void, undefined> {
  let made: Buffer[] = [];
  const decompress = new Decompress(bytes => {
    made.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  });
  const push = (bytes: Uint8Array, last: boolean, offset: number) => {
    made = [];
    try {
      decompress.push(bytes, last);
    } catch (error) {
      throw broken('the compressed data is damaged', offset, error);
    }
    return made;
  };
  // The last byte of each block waits for the next one: fzstd 0.1.1 never lets go of a block that it was given whole.
  let waiting = header;
  let before = input.offset;
  for (;;) {
    const start = input.offset;
    const blockHeader = await whole(3);
    const bits = blockHeader.readUIntLE(0, 3);
    const type = (bits >> 1) & 3;
    const size = bits >> 3;
    if (type === 3) throw broken('the type of the block is unknown', start);
    if (size > Math.min(BLOCK_LIMIT, Math.max(window, 1024))) throw broken('the block is longer than allowed', start);
    const body = await whole(type === 1 ? 1 : size);
    const block = Buffer.concat([waiting, blockHeader, body]);
    yield* push(block.subarray(0, -1), false, before);
    waiting = block.subarray(-1);
    if (bits & 1) {
      yield* push(waiting, true, start);
      return;
    }
    before = start;
  }
}
