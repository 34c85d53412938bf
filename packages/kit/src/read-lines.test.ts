import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLineBatches, readLines, type LineOptions } from './read-lines.ts';

async function* chunksOf(bytes: Uint8Array, cuts: readonly number[] = []): AsyncIterable<Uint8Array> {
  let start = 0;
  for (const cut of [...cuts].sort((left, right) => left - right)) {
    const end = Math.min(cut, bytes.length);
    yield bytes.subarray(start, end);
    start = end;
  }
  yield bytes.subarray(start);
}

const read = async (source: string | Uint8Array, cuts?: readonly number[], options: Partial<LineOptions> = {}) => {
  const bytes = typeof source === 'string' ? Buffer.from(source) : source;
  const lines = readLines(chunksOf(bytes, cuts), { file: 'a.jsonl', ...options });
  const found: { text: string; number: number; offset: number }[] = [];
  let problem: string | null = null;
  try {
    for await (const { bytes: view, number, offset } of lines) {
      found.push({ text: Buffer.from(view).toString(), number, offset });
      expect(Buffer.compare(view, bytes.subarray(offset, offset + view.length))).toBe(0);
    }
  } catch (error) {
    problem = (error as Error).message;
  }
  return { found, problem, counts: { ...lines.counts } };
};
const texts = async (...args: Parameters<typeof read>) => (await read(...args)).found.map(({ text }) => text);

describe('readLines', () => {
  it.each<[string, string, string[]]>([
    ['nothing', '', []],
    ['a last line without LF', 'a\nb', ['a', 'b']],
    ['a last line with LF', 'a\nb\n', ['a', 'b']],
    ['CR LF', 'a\r\nb\r\n', ['a', 'b']],
    ['a CR elsewhere', 'a\rb\n\rc\r\r\nd\r', ['a\rb', '\rc\r', 'd\r']],
    ['blank lines', '\n \t\n\r\na\n\n', ['a']],
    ['other line ends of Unicode', 'a\u2028b\u2029c\u0085d\ve\ff\n', ['a\u2028b\u2029c\u0085d\ve\ff']],
    ['a byte order mark', '\ufeffa\n\ufeffb\n', ['a', '\ufeffb']],
    ['a byte order mark alone', '\ufeff\na', ['a']],
    ['a second byte order mark', '\ufeff\ufeffa', ['\ufeffa']],
  ])('reads %s', async (_, source, lines) => {
    expect(await texts(source)).toEqual(lines);
    const each = Array.from({ length: Buffer.byteLength(source) }, (_unused, at) => at);
    expect(await texts(source, each)).toEqual(lines);
  });

  it('tells numbers, offsets and counts', async () => {
    expect(await read('\ufeffa\r\n\n  \nbb')).toEqual({
      found: [
        { text: 'a', number: 1, offset: 3 },
        { text: 'bb', number: 4, offset: 10 },
      ],
      problem: null,
      counts: { lines: 4, blank: 2 },
    });
  });

  it('gives the same however the stream is cut, problems too', async () => {
    const piece = fc.oneof(
      fc.constantFrom('\n', '\r\n', '\r', ' ', '\ufeff', '\u2028', 'é', '😀', '{"a":1}').map(text => Buffer.from(text)),
      fc.uint8Array({ maxLength: 3 }).map(bytes => Buffer.from(bytes)),
      fc.string({ maxLength: 12 }).map(text => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 30 }).map(pieces => Buffer.concat(pieces)),
        fc.array(fc.nat(200), { maxLength: 40 }),
        fc.integer({ min: 1, max: 40 }),
        async (bytes, cuts, limit) => {
          const whole = await read(bytes, [], { limit });
          const { found, problem, counts } = await read(bytes, cuts, { limit });
          expect({ found, problem }).toEqual({ found: whole.found, problem: whole.problem });
          if (problem === null) expect(counts).toEqual(whole.counts);
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each<[string, number[], string]>([
    ['a lone continuation byte', [0x61, 0x80], 'a.jsonl:2:2: the byte 0x80 is not UTF-8'],
    ['a cut character', [0x61, 0x62, 0xe2, 0x82], 'a.jsonl:2:3: the byte 0xe2'],
    ['a surrogate', [0xed, 0xa0, 0x80], 'a.jsonl:2:1: the byte 0xed'],
    ['an overlong spelling', [0x61, 0xc0, 0xaf], 'a.jsonl:2:2: the byte 0xc0'],
    ['latin1', [...Buffer.from('é'.repeat(100)), 0xe9, 0x20], 'a.jsonl:2:201: the byte 0xe9'],
    ['UTF-16', [0xff, 0xfe], 'a.jsonl:2:1: the byte 0xff'],
  ])('tells where %s stands', async (_, bytes, message) => {
    const source = Buffer.concat([Buffer.from('ok\n'), Buffer.from(bytes), Buffer.from('\nnever')]);
    const { found, problem } = await read(source);
    expect(found.map(({ text }) => text)).toEqual(['ok']);
    expect(problem).toContain(message);
  });

  it('finds the first bad byte wherever it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.string({ maxLength: 90 }),
        async (good, after) => {
          const head = Buffer.from(good.toWellFormed().replaceAll(/[\n\r\ufeff]/g, '_'));
          const tail = Buffer.from(after.toWellFormed().replaceAll(/[\n\r]/g, '_'));
          const { problem } = await read(Buffer.concat([head, Buffer.from([0xff]), tail]));
          expect(problem).toContain(`a.jsonl:1:${head.length + 1}: the byte 0xff`);
        },
      ),
    );
  });

  it('takes a line of the limit and refuses a longer one by the name of the option', async () => {
    expect(await texts('abcd\r\nabcd', [], { limit: 4 })).toEqual(['abcd', 'abcd']);
    const { found, problem } = await read('abcd\nabcde\n', [], { limit: 4 });
    expect(found.length).toBe(1);
    expect(problem).toBe('a.jsonl:2: the line is longer than 4 bytes: raise the option "limit" to read it');
  });

  it('refuses an endless line before it has read it', async () => {
    let given = 0;
    const source = (async function* () {
      for (;;) {
        given++;
        yield Buffer.alloc(1024, 0x61);
      }
    })();
    const lines = readLines(source, { file: 'a', limit: 10_000 });
    await expect(lines[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'RECORD_INVALID' });
    expect(given).toBeLessThan(12);
  });

  it('stops with the reason of the signal between two lines', async () => {
    const controller = new AbortController();
    const seen: number[] = [];
    const reading = (async () => {
      const options = { file: 'a', signal: controller.signal };
      for await (const line of readLines(chunksOf(Buffer.from('a\nb\nc\n')), options)) {
        seen.push(line.number);
        if (line.number === 2) controller.abort(new Error('enough'));
      }
    })();
    await expect(reading).rejects.toThrow('enough');
    expect(seen).toEqual([1, 2]);
  });

  it('gives views, not copies, of lines inside of a chunk', async () => {
    const chunk = Buffer.from('abc\ndef\n');
    for await (const batch of readLineBatches(chunksOf(chunk), { file: 'a' })) {
      for (const line of batch) expect(line.bytes.buffer).toBe(chunk.buffer);
    }
  });
});
