import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBytes } from './open-bytes.ts';
import { Xxh64 } from './xxh64.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kit-zstd-'));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
const put = async (...parts: Uint8Array[]) => {
  const path = join(folder, `${files++}.zst`);
  await writeFile(path, Buffer.concat(parts));
  return path;
};
const read = async (...parts: Uint8Array[]) => {
  const chunks: Buffer[] = [];
  for await (const chunk of openBytes(await put(...parts))) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const littleEndian = (value: bigint | number, width: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes.subarray(0, width);
};
const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const block = (type: number, size: number, body: Uint8Array, last: boolean) =>
  Buffer.concat([littleEndian((size << 3) | (type << 1) | (last ? 1 : 0), 3), body]);

interface FrameForm {
  /** Numbers are one byte, so many times. */
  readonly blocks: readonly (Uint8Array | number)[];
  readonly summed?: boolean;
  readonly sized?: boolean;
  /** The window's logarithm, from 10. */
  readonly log?: number;
}
const contentOf = ({ blocks }: FrameForm) =>
  Buffer.concat(blocks.map(body => (typeof body === 'number' ? Buffer.alloc(body, 0x5a) : body)));
/** A frame of raw and repeated blocks. */
const frame = (form: FrameForm) => {
  const { blocks, summed = false, sized = false, log = 17 } = form;
  const content = contentOf(form);
  const checksum = new Xxh64();
  checksum.update(content);
  return Buffer.concat([
    magic,
    Buffer.from([(summed ? 4 : 0) | (sized ? 0xc0 : 0), (log - 10) << 3]),
    sized ? littleEndian(content.length, 8) : Buffer.alloc(0),
    ...blocks.map((body, index) => {
      const last = index === blocks.length - 1;
      return typeof body === 'number' ? block(1, body, Buffer.from([0x5a]), last) : block(0, body.length, body, last);
    }),
    summed ? littleEndian(BigInt.asUintN(32, checksum.digest()), 4) : Buffer.alloc(0),
  ]);
};
const skippable = (content: Uint8Array, kind = 0) =>
  Buffer.concat([Buffer.from([0x50 | kind, 0x2a, 0x4d, 0x18]), littleEndian(content.length, 4), content]);

/** What zstd 1.5.4 -19 makes of two texts. */
const hello = Buffer.from('KLUv/QRojQAAOGhlbGxvIAoCALtqVhGjFAG9EXaf', 'base64');
const letters = Buffer.from(
  'KLUv/WRUAEUDAFJCCA7Q52VfiZDMu5+yAzSB46//1zVG2irUpNg4poguQLyjCB6gcIuh/Q0QEuaU3hhJROPsPaTtVejxvbCp5oY5' +
    'ZgedQbGxcdKAuZUDwvxkJBvRnAzhcLPwjGCiTV3DJouNtRw1MIQUGjU7pQ==',
  'base64',
);

describe('zstd in openBytes', () => {
  it('reads what zstd wrote', async () => {
    expect((await read(hello)).toString()).toBe('hello hello hello\n'.repeat(40));
    const text = (await read(letters, hello)).toString();
    expect(text.slice(0, 39)).toBe('gamma beta epsilon beta theta theta the');
    expect(text.length).toBe(340 + 18 * 40);
  });

  it('gives back what was put into any number of frames, passing over skippable ones', async () => {
    const frames = fc.record({
      blocks: fc.array(fc.oneof(fc.uint8Array({ maxLength: 60 }), fc.nat(3_000)), { minLength: 1, maxLength: 5 }),
      summed: fc.boolean(),
      sized: fc.boolean(),
      log: fc.integer({ min: 12, max: 18 }),
    });
    const parts = fc.array(fc.oneof(frames, fc.tuple(fc.uint8Array(), fc.nat(15))), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(parts, async list => {
        const packed = list.map(part => (Array.isArray(part) ? skippable(...part) : frame(part)));
        const content = list.map(part => (Array.isArray(part) ? Buffer.alloc(0) : contentOf(part)));
        expect(Buffer.compare(await read(...packed), Buffer.concat(content))).toBe(0);
      }),
      { numRuns: 100 },
    );
  });

  it('finds frames wherever they end within the chunks that are read', async () => {
    const tail = frame({ blocks: [Buffer.from('tail')], summed: true });
    const blocks = [Buffer.alloc(128 * 1024, 'a'), Buffer.alloc(100 * 1024, 'b')];
    for (let size = 28 * 1024 - 40; size < 28 * 1024 + 8; size++) {
      const back = await read(frame({ blocks: [...blocks, Buffer.alloc(size, 'c')], summed: true }), tail);
      expect(back.length).toBe(228 * 1024 + size + 4);
      expect(back.subarray(-5).toString()).toBe('ctail');
    }
  });

  const form: FrameForm = { blocks: [Buffer.from('hello'), 300], summed: true, sized: true };
  const whole = frame(form);
  const flip = (bytes: Buffer, at: number) => {
    const changed = Buffer.from(bytes);
    changed[at < 0 ? bytes.length + at : at]! ^= 0x55;
    return changed;
  };
  const header = (flags: number, ...rest: number[]) => Buffer.concat([magic, Buffer.from([flags, ...rest])]);
  it.each<[string, Buffer[], string]>([
    ['garbage behind a frame', [whole, Buffer.from('garbage')], `at byte ${whole.length}: only another zstd frame`],
    ['zero padding', [whole, Buffer.alloc(512)], `at byte ${whole.length}: only another zstd frame`],
    ['one byte too many', [whole, Buffer.from([0x28])], `at byte ${whole.length}: only another zstd frame`],
    ['a cut skippable frame', [whole, skippable(Buffer.alloc(9)).subarray(0, -1)], 'ends in the middle of a frame'],
    ['a cut checksum', [whole.subarray(0, -1)], `at byte ${whole.length - 1}: the file ends in the middle of a frame`],
    ['a missing checksum', [whole.subarray(0, -4)], 'ends in the middle of a frame'],
    ['a missing last block', [whole.subarray(0, -8)], 'ends in the middle of a frame'],
    ['a cut block', [letters.subarray(0, 40)], 'at byte 40: the file ends in the middle of a frame'],
    ['a cut header', [whole.subarray(0, 9)], 'ends in the middle of a frame'],
    ['a cut second frame', [whole, whole.subarray(0, 20)], 'ends in the middle of a frame'],
    ['a wrong checksum', [flip(whole, -1)], `at byte ${whole.length}: the checksum`],
    ['changed content', [flip(whole, 18)], 'the checksum of the frame that ends here is wrong'],
    ['a wrong length', [flip(whole, 7)], 'the length of the frame that ends here is 305, not '],
    ['damaged data', [flip(letters, 12)], 'at byte 7: the compressed data is damaged'],
    ['an unknown type of block', [header(0, 0x38), block(3, 0, Buffer.alloc(0), true)], 'at byte 6: the type'],
    [
      'a block over the limit',
      [header(0, 0x38), block(1, 128 * 1024 + 1, Buffer.alloc(1), true)],
      'longer than allowed',
    ],
    ['a reserved flag', [header(8, 0x38)], 'at byte 0: a reserved flag is set'],
    ['a dictionary', [header(1, 0x38, 7), Buffer.alloc(9)], 'needs a dictionary'],
    ['a window of 64 MiB', [header(0, 16 << 3), Buffer.alloc(9)], 'a window of 67108864 bytes, more than 33554432'],
    ['a window of terabytes', [header(0, 0xff), Buffer.alloc(9)], 'a window of 4123168604160 bytes'],
    ['one segment of exabytes', [header(0xe0), Buffer.alloc(8, 0x7f)], 'needs a window of'],
  ])('refuses %s', async (_, parts, message) => {
    await expect(read(...parts)).rejects.toMatchObject({
      code: 'UPSTREAM_INVALID',
      facts: { file: expect.stringMatching(/\.zst$/), offset: expect.any(Number) },
    });
    await expect(read(...parts)).rejects.toThrow(message);
  });

  it('never takes a changed byte for what it is not where there is a checksum', async () => {
    const content = await read(letters);
    for (let at = 4; at < letters.length; at++) {
      for (const mask of [0x01, 0x80]) {
        const changed = Buffer.from(letters);
        changed[at]! ^= mask;
        const back = await read(changed).catch((error: unknown) => error);
        // Without its flag the checksum is four bytes of garbage.
        if (Buffer.isBuffer(back)) expect(Buffer.compare(back, content)).toBe(0);
        else expect(back).toMatchObject({ code: 'UPSTREAM_INVALID' });
      }
    }
  });

  it('streams a bomb without holding it, and stops with the reason of the signal', async () => {
    const bomb = frame({ blocks: Array.from({ length: 4_000 }, () => 128 * 1024) });
    const path = await put(bomb, bomb);
    const before = process.memoryUsage().rss;
    let total = 0;
    let peak = 0;
    for await (const chunk of openBytes(path)) {
      total += chunk.length;
      peak = Math.max(peak, process.memoryUsage().rss);
    }
    expect(total).toBe(8_000 * 128 * 1024);
    expect(peak - before).toBeLessThan(400 * 1024 * 1024);

    const controller = new AbortController();
    await expect(async () => {
      for await (const chunk of openBytes(path, { signal: controller.signal })) {
        if (chunk.length > 0) controller.abort(new Error('later'));
      }
    }).rejects.toThrow('later');
  });
});
