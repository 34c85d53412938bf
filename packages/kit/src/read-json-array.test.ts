import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HoldfastError, readMembers } from '@holdfast/core';
import type { JsonElement } from './json-element.ts';
import { readJsonArray, readJsonElements, type JsonElementOptions } from './read-json-array.ts';

async function* chunksOf(bytes: Uint8Array, cuts: readonly number[] = []): AsyncIterable<Uint8Array> {
  let start = 0;
  for (const cut of [...cuts].sort((left, right) => left - right)) {
    const end = Math.min(cut, bytes.length);
    yield bytes.subarray(start, end);
    start = end;
  }
  yield bytes.subarray(start);
}

const everywhere = (bytes: Uint8Array) => Array.from(bytes, (_, at) => at);

async function read(
  source: string | Uint8Array,
  cuts: readonly number[] = [],
  options: Partial<JsonElementOptions> = {},
): Promise<{ elements: JsonElement[]; problem: string | null }> {
  const bytes = typeof source === 'string' ? Buffer.from(source) : source;
  const elements: JsonElement[] = [];
  try {
    for await (const element of readJsonElements(chunksOf(bytes, cuts), { file: 'a.json', ...options })) {
      const { offset, bytes: view } = element;
      expect(Buffer.compare(view, bytes.subarray(offset, offset + view.length))).toBe(0);
      elements.push(element);
    }
  } catch (error) {
    if (!HoldfastError.is(error)) throw error;
    expect(error.facts).toMatchObject({ file: 'a.json', line: expect.any(Number), column: expect.any(Number) });
    return { elements, problem: error.message };
  }
  return { elements, problem: null };
}

const told = ({ elements, problem }: Awaited<ReturnType<typeof read>>) => ({
  problem,
  elements: elements.map(({ index, offset, line, column, bytes }) => ({
    index,
    offset,
    line,
    column,
    text: Buffer.from(bytes).toString(),
  })),
});

const space = fc.constantFrom('', '', '', ' ', '\n', '\r\n', '\t', ' \n\n ');
/** JSON texts spelled in every way: spaces inside, escapes, brackets and quotes in strings. */
const spelled: fc.Arbitrary<string> = fc.letrec<{ value: string; text: string }>(tie => ({
  text: fc.tuple(space, tie('value'), space).map(parts => parts.join('')),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('true', 'false', 'null', '0', '-1.50', '12345678901234567890', '1e400'),
    fc
      .string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', '\n', 'é', '😀', '\ud800', 'a') })
      .map(text => JSON.stringify(text)),
    fc.array(tie('text'), { maxLength: 4 }).map(items => `[${items.join(',')}]`),
    fc
      .array(fc.tuple(fc.string(), tie('text')), { maxLength: 4 })
      .map(members => `{${members.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(',')}}`),
  ),
})).value;
const arrays = fc
  .tuple(space, fc.array(fc.tuple(space, spelled, space), { maxLength: 6 }), space, fc.boolean())
  .map(([before, items, after, marked]) => ({
    values: items.map(([, value]) => value),
    text: `${marked ? '\ufeff' : ''}${before}[${items.map(item => item.join('')).join(',')}${items.length ? '' : after}]${after}`,
  }));
const cuts = fc.array(fc.nat(300), { maxLength: 40 });

describe('readJsonElements', () => {
  it('gives the elements of any array, however the stream is cut', async () => {
    await fc.assert(
      fc.asyncProperty(arrays, cuts, async ({ values, text }, at) => {
        const { elements, problem } = await read(text, at);
        expect(problem).toBeNull();
        expect(elements.map(element => Buffer.from(element.bytes).toString())).toEqual(values);
        expect(elements.map(element => element.json().lossyValue())).toEqual(JSON.parse(text.replace(/^\ufeff/, '')));
        expect(elements.map(element => element.index)).toEqual([...values.keys()]);
        for (const { offset, line, column } of elements) {
          const before = Buffer.from(text)
            .subarray(0, offset)
            .toString()
            .replace(/^\ufeff/, '')
            .split('\n');
          expect([line, column]).toEqual([before.length, Buffer.byteLength(before.at(-1)!) + 1]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('refuses exactly what JSON.parse refuses when a byte is changed, and the same however the stream is cut', async () => {
    const marks = fc.constantFrom(...'{}[]",:\\u0123eE+-. \ntfn\u0001'.split(''));
    await fc.assert(
      fc.asyncProperty(arrays, fc.nat(), marks, fc.constantFrom(0, 1), cuts, async ({ text }, spot, byte, gone, at) => {
        const plain = text.replace(/^\ufeff/, '');
        const place = spot % (plain.length + 1);
        const changed = plain.slice(0, place) + byte + plain.slice(place + gone);
        if (!changed.isWellFormed()) return;
        let isArray = false;
        try {
          isArray = Array.isArray(JSON.parse(changed));
        } catch {
          // Then it is none.
        }
        const whole = await read(changed);
        expect(whole.problem === null).toBe(isArray);
        expect(told(await read(changed, at))).toEqual(told(whole));
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives the same on arbitrary bytes and limits however the stream is cut', async () => {
    const piece = fc.oneof(
      fc
        .constantFrom('[', ']', '{', '}', '"', '\\', ',', ':', '1', ' ', '\n', '\ufeff', 'é')
        .map(at => Buffer.from(at)),
      fc.uint8Array({ maxLength: 3 }).map(bytes => Buffer.from(bytes)),
    );
    const streams = fc.array(piece, { maxLength: 30 }).map(pieces => Buffer.concat([Buffer.from('['), ...pieces]));
    await fc.assert(
      fc.asyncProperty(streams, cuts, fc.integer({ min: 1, max: 20 }), async (bytes, at, limit) => {
        expect(told(await read(bytes, at, { limit }))).toEqual(told(await read(bytes, [], { limit })));
      }),
      { numRuns: 500 },
    );
  });

  it('tells index, offset, line and column', async () => {
    expect(told(await read('\ufeff[1,\n {"a":\n2},\t"]"\r\n]\n'))).toEqual({
      problem: null,
      elements: [
        { index: 0, offset: 4, line: 1, column: 2, text: '1' },
        { index: 1, offset: 8, line: 2, column: 2, text: '{"a":\n2}' },
        { index: 2, offset: 18, line: 3, column: 5, text: '"]"' },
      ],
    });
  });

  it.each(['[]', ' [ ] ', '\ufeff[\n]\n'])('has no elements in %j', async text => {
    expect(await read(text)).toEqual({ elements: [], problem: null });
  });

  it.each([
    ['', '1:1: a JSON array was expected, but the file is empty: an array without elements is written []'],
    ['\n \n', '3:1: a JSON array was expected, but the file is empty: an array without elements is written []'],
    ['[1', '1:3: not JSON: the text ends before the closing ] of the array; fetch it again'],
    ['[1,\n', '2:1: not JSON: the text ends before the closing ] of the array; fetch it again'],
    ['[{"a":\n [1,', '2:5: not JSON: a value was expected, but the text ends here'],
    ['["a', '1:2: not JSON: the string that starts here has no end'],
    ['[1,]', '1:4: not JSON: a value was expected'],
    ['[,1]', '1:2: not JSON: a value was expected'],
    ['[1 2]', '1:4: not JSON: a comma or a closing ] was expected'],
    ['[{"a":1}{"a":2}]', '1:9: not JSON: a comma or a closing ] was expected'],
    ['[1]]', '1:4: not JSON: more text after the array: only space may follow its closing ]'],
    ['[1]\n[2]', '2:1: not JSON: more text after the array: only space may follow its closing ]'],
    ['[{"a":1]]', '1:8: not JSON: a comma or a closing } was expected'],
    ['[{"a":\n nul}]', '2:2: not JSON: a value was expected'],
    ['[NaN]', '1:2: not JSON: a value was expected'],
    ['[01]', '1:3: not JSON: more text after the value'],
    ['["a\nb"]', '1:4: not JSON: a raw control character inside a string'],
    ['["a\\\nb"]', '1:4: not JSON: an unknown escape'],
    ['{"a":[1]}', '1:1: one JSON array was expected, but this is an object'],
    [' {"a":1,\n"b":2}\n', '1:2: one JSON array was expected, but this is an object'],
    ['{"a":1}\n', '1:1: one JSON array was expected, but this is an object'],
    ['\ufeff{"a":1}\n{"a":2}', '1:1: one JSON array was expected, but this is JSONL, a value on each line'],
    ['1\n2\n', '1:1: one JSON array was expected, but this is JSONL, a value on each line'],
    ['a,b\n1,2\n', '1:1: one JSON array was expected, but the file starts with something else'],
  ])('says where and why %j is no array', async (text, sentence) => {
    const whole = await read(text);
    expect(whole.problem).toContain(`a.json:${sentence}`);
    expect(told(await read(text, everywhere(Buffer.from(text))))).toEqual(told(whole));
  });

  it('says which byte is not UTF-8', async () => {
    const bytes = Buffer.from('["é",\n {"k": "é€"}]', 'utf8');
    bytes[bytes.length - 5] = 0xff;
    const { elements, problem } = await read(bytes);
    expect(elements).toHaveLength(1);
    expect(problem).toBe('a.json:2:11: the byte 0xe2 is not UTF-8: convert the file to UTF-8');
  });

  it('refuses an element over the limit before it is whole', async () => {
    const endless = (async function* () {
      yield Buffer.from('["a",\n "');
      for (;;) yield Buffer.alloc(1_000, 'b');
    })();
    const elements: string[] = [];
    await expect(async () => {
      for await (const element of readJsonElements(endless, { file: 'a.json', limit: 10_000 })) {
        elements.push(element.json().string());
      }
    }).rejects.toThrow('a.json:2:2: the element 1 is longer than 10000 bytes: raise the option "limit" to read it');
    expect(elements).toEqual(['a']);
  });

  // With a scan from the element's start for each chunk this takes longer than any test may.
  it('reads an element of 20 MB in chunks of 1 kB', async () => {
    const bytes = Buffer.from(`[${JSON.stringify({ a: 'x"'.repeat(5_000_000), b: [1, { c: [] }] })}]`);
    const at = Array.from({ length: Math.floor(bytes.length / 1_000) }, (_, index) => index * 1_000);
    const { elements } = await read(bytes, at);
    expect(elements[0]!.bytes.length).toBe(bytes.length - 2);
  });

  it('places what is found wrong inside an element', async () => {
    const { elements } = await read('[{"id": 1},\n {"id": 2,\n  "options": [{"id": "a"},\n {"id": 3}]}]');
    const second = elements[1]!;
    const wrong = (facts: object) => new HoldfastError('RECORD_INVALID', 'id must be a text', { facts: { ...facts } });
    const message = (error: unknown) => (second.locate(error) as Error).message;
    expect(message(wrong({ place: 'options.1.id' }))).toBe('a.json:4:9: id must be a text');
    expect(message(wrong({ place: 'id' }))).toBe('a.json:2:9: id must be a text');
    expect(message(wrong({}))).toBe('a.json:2:2: id must be a text');
    expect(() => second.read(() => readMembers(Buffer.from('{"id" 2}')))).toThrow('a.json:2:8: not JSON: a colon');
    expect(() => elements[0]!.read(bytes => readMembers(bytes)[9]!.length)).toThrow(TypeError);
    const known = new HoldfastError('RECORD_INVALID', 'b.json:1: no', { facts: { file: 'b.json' } });
    expect(second.locate(known)).toBe(known);
    expect(second.members().get('id')!.toString()).toBe('2');
  });
});

describe('readJsonArray', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-array-'));
  afterEach(() => vi.restoreAllMocks());

  it('reads a file, gzip or not, and stops where the signal aborts', async () => {
    const text = JSON.stringify(Array.from({ length: 30_000 }, (_, index) => ({ index, text: 'é"\\'.repeat(9) })));
    for (const [name, bytes] of [
      ['a.json', Buffer.from(text)],
      ['a.json.gz', gzipSync(text)],
    ] as const) {
      const path = join(folder, name);
      writeFileSync(path, bytes);
      let count = 0;
      for await (const element of readJsonArray(path)) {
        expect(element.members().get('index')!.toString()).toBe(String(count++));
      }
      expect(count).toBe(30_000);

      const controller = new AbortController();
      await expect(async () => {
        for await (const { index } of readJsonArray(path, { signal: controller.signal })) {
          if (index === 7) controller.abort(new Error('enough'));
          expect(index).toBeLessThan(8);
        }
      }).rejects.toThrow('enough');
    }
  });

  it('calls the file by the name that is given', async () => {
    const path = join(folder, 'b.json');
    writeFileSync(path, '[1');
    await expect(async () => {
      for await (const element of readJsonArray(path, { file: 'data/b.json' })) element.json();
    }).rejects.toThrow(/^data\/b\.json:1:3: /);
    await expect(async () => {
      for await (const element of readJsonArray(join(folder, 'none.json'))) element.json();
    }).rejects.toThrow('does not exist');
  });
});
