import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, deflateRawSync, crc32 } from 'node:zlib';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBytes } from './open-bytes.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kit-bytes-'));
});
afterAll(() => rm(folder, { recursive: true }));

let files = 0;
const put = async (...parts: Uint8Array[]) => {
  const path = join(folder, `${files++}.bin`);
  await writeFile(path, Buffer.concat(parts));
  return path;
};
const read = async (path: string, signal?: AbortSignal) => {
  const chunks: Buffer[] = [];
  for await (const chunk of openBytes(path, { signal })) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** A member with every optional field that RFC 1952 knows. */
const decorated = (data: Buffer) => {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(data), 0);
  trailer.writeUInt32LE(data.length, 4);
  const head = Buffer.from([0x1f, 0x8b, 8, 4 | 8 | 16 | 2, 0, 0, 0, 0, 0, 255, 3, 0, 1, 0, 2]);
  return Buffer.concat([head, Buffer.from('name\0comment\0'), Buffer.from([0, 0]), deflateRawSync(data), trailer]);
};

describe('openBytes', () => {
  it('gives plain bytes as they are, whatever the name says', async () => {
    const path = join(folder, 'plain.gz');
    await writeFile(path, 'abc');
    expect((await read(path)).toString()).toBe('abc');
    expect((await read(await put())).length).toBe(0);
    expect(await read(await put(Buffer.from([0x1f])))).toEqual(Buffer.from([0x1f]));
  });

  it('gives back what was put into any number of members of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.uint8Array({ maxLength: 2_000 }), fc.boolean(), fc.integer({ min: 0, max: 9 })), {
          minLength: 1,
          maxLength: 8,
        }),
        async members => {
          const packed = members.map(([data, plain, level]) =>
            plain ? gzipSync(data, { level }) : decorated(Buffer.from(data)),
          );
          const path = await put(...packed);
          expect(Buffer.compare(await read(path), Buffer.concat(members.map(([data]) => data)))).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('finds members wherever they end within the chunks that are read', async () => {
    // Incompressible members around 256 KiB put the ends, headers and trailers on and about the border of a chunk.
    const random = (length: number) => {
      const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, n) =>
        createHash('sha256').update(`${length}-${n}`),
      );
      return Buffer.concat(blocks.map(block => block.digest())).subarray(0, length);
    };
    for (let size = 256 * 1024 - 60; size < 256 * 1024 + 8; size += 1) {
      const data = random(size);
      const path = await put(gzipSync(data, { level: 0 }), gzipSync(Buffer.from('tail')));
      const back = await read(path);
      expect(back.length).toBe(size + 4);
      expect(back.subarray(-4).toString()).toBe('tail');
      await rm(path);
    }
  });

  const member = gzipSync(Buffer.from('hello hello hello'));
  const flip = (at: number) => {
    const bytes = Buffer.from(member);
    bytes[at < 0 ? bytes.length + at : at]! ^= 0x55;
    return bytes;
  };
  it.each<[string, Buffer[], string]>([
    ['garbage behind a member', [member, Buffer.from('garbage')], `at byte ${member.length}: only another gzip member`],
    ['zero padding', [member, Buffer.alloc(512)], `at byte ${member.length}: only another gzip member`],
    ['one byte too many', [member, Buffer.from([0x1f])], `at byte ${member.length}: only another gzip member`],
    ['a cut header', [member.subarray(0, 7)], 'ends in the middle of a member'],
    ['cut data', [member.subarray(0, 14)], 'ends in the middle of a member'],
    ['a cut trailer', [member.subarray(0, -3)], 'ends in the middle of a member'],
    ['a cut second member', [member, member.subarray(0, -9)], 'ends in the middle of a member'],
    ['a name without end', [Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3, 0x61])], 'ends in the middle of a member'],
    ['a wrong checksum', [flip(-7)], `at byte ${member.length}: the checksum`],
    ['a wrong length', [flip(-2)], `at byte ${member.length}: the length`],
    ['damaged data', [flip(10), member], 'the compressed data is damaged'],
    ['an unknown method', [flip(2)], 'the compression method'],
    ['reserved flags', [Buffer.from([0x1f, 0x8b, 8, 0x80, 0, 0, 0, 0, 0, 3])], 'reserved flags'],
  ])('refuses %s', async (_, parts, message) => {
    const path = await put(...parts);
    await expect(read(path)).rejects.toMatchObject({ code: 'UPSTREAM_INVALID', facts: { file: path } });
    await expect(read(path)).rejects.toThrow(message);
  });

  it('streams a bomb without holding it', async () => {
    const zeros = Buffer.alloc(64 * 1024 * 1024);
    const path = await put(...Array.from({ length: 16 }, () => gzipSync(zeros, { level: 1 })));
    const before = process.memoryUsage().rss;
    let total = 0;
    let peak = 0;
    for await (const chunk of openBytes(path)) {
      total += chunk.length;
      peak = Math.max(peak, process.memoryUsage().rss);
    }
    expect(total).toBe(1024 ** 3);
    expect(peak - before).toBeLessThan(400 * 1024 * 1024);
  });

  it('says in a sentence what is wrong with the path', async () => {
    await expect(read(join(folder, 'none'))).rejects.toMatchObject({
      code: 'UPSTREAM_INVALID',
      message: `${join(folder, 'none')} does not exist: put the file there, or correct the path`,
    });
    await mkdir(join(folder, 'inner'));
    await expect(read(join(folder, 'inner'))).rejects.toThrow('is a folder where a file is expected');
  });

  it('stops with the reason of the signal, and closes when it is left early', async () => {
    const path = await put(gzipSync(Buffer.alloc(4 * 1024 * 1024)));
    await expect(read(path, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    const controller = new AbortController();
    const reading = (async () => {
      for await (const chunk of openBytes(path, { signal: controller.signal })) {
        if (chunk.length > 0) controller.abort(new Error('later'));
      }
    })();
    await expect(reading).rejects.toThrow('later');
    for await (const chunk of openBytes(path)) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
  });
});
