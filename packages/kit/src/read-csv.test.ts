import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HoldfastError, JsonText } from '@holdfast/core';
import type { CsvRow } from './csv-row.ts';
import { readCsv, readCsvRows, type CsvRowOptions } from './read-csv.ts';

async function* chunksOf(bytes: Uint8Array, cuts: readonly number[] = []): AsyncIterable<Uint8Array> {
  let start = 0;
  for (const cut of [...cuts].sort((left, right) => left - right)) {
    const end = Math.min(cut, bytes.length);
    yield bytes.subarray(start, end);
    start = end;
  }
  yield bytes.subarray(start);
}

const read = async (
  source: string | Uint8Array,
  cuts: readonly number[] = [],
  options: Partial<CsvRowOptions> = {},
): Promise<{ rows: CsvRow[]; problem: string | null }> => {
  const bytes = typeof source === 'string' ? Buffer.from(source) : source;
  const rows: CsvRow[] = [];
  try {
    for await (const row of readCsvRows(chunksOf(bytes, cuts), { file: 'a.csv', ...options })) rows.push(row);
  } catch (error) {
    if (!HoldfastError.is(error)) throw error;
    expect(error).toMatchObject({ code: 'RECORD_INVALID', facts: { file: 'a.csv', line: expect.any(Number) } });
    return { rows, problem: error.message };
  }
  return { rows, problem: null };
};
const told = ({ rows, problem }: Awaited<ReturnType<typeof read>>) => ({
  problem,
  rows: rows.map(({ line, row, cells }) => ({ line, row, cells: [...cells] })),
});
const everywhere = (text: string) => Array.from({ length: Buffer.byteLength(text) }, (_, at) => at);

const delimiters = fc.constantFrom(',', ';', '\t', '|');
const text = fc.string({
  unit: fc.constantFrom('"', '\n', '\r\n', '\r', ',', ';', '\t', '|', ' ', 'é', '😀', 'a', '\0'),
});
const names = fc
  .uniqueArray(fc.oneof(text, fc.constantFrom('__proto__', '1', '0', 'constructor', ' id')), {
    minLength: 1,
    maxLength: 5,
  })
  .filter(list => list.every(name => name.trim() !== '' && !name.includes('\r')));
const tables = names.chain(header =>
  fc.record({
    header: fc.constant(header),
    rows: fc.array(fc.array(text, { minLength: header.length, maxLength: header.length }), { maxLength: 8 }),
    delimiter: delimiters,
    end: fc.constantFrom('\n', '\r\n'),
    last: fc.boolean(),
    mark: fc.constantFrom('', '\ufeff'),
    blank: fc.nat(2),
    eager: fc.infiniteStream(fc.boolean()),
  }),
);

/** The table as CSV, and the line on which each row starts. */
function write({
  header,
  rows,
  delimiter,
  end,
  last,
  mark,
  blank,
  eager,
}: typeof tables extends fc.Arbitrary<infer T> ? T : never) {
  const quoted = (cell: string) =>
    /["\r\n]/.test(cell) || cell.includes(delimiter) || cell === '' || eager.next().value === true
      ? `"${cell.replaceAll('"', '""')}"`
      : cell;
  let csv = '';
  const lines: number[] = [];
  for (const row of [header, ...rows]) {
    csv += end.repeat(blank);
    lines.push(csv.split('\n').length);
    csv += row.map(quoted).join(delimiter) + end;
  }
  return { csv: mark + (last ? csv : csv.slice(0, -end.length)), lines: lines.slice(1) };
}

describe('readCsvRows', () => {
  it('gives back any table, however it is spelled and cut', async () => {
    await fc.assert(
      fc.asyncProperty(tables, fc.array(fc.nat(200), { maxLength: 30 }), async (table, cuts) => {
        const { csv, lines } = write(table);
        const delimiter = table.delimiter as CsvRowOptions['delimiter'];
        expect(told(await read(csv, cuts, { delimiter }))).toEqual({
          problem: null,
          rows: table.rows.map((cells, index) => ({
            line: lines[index],
            row: index + 1,
            cells: cells.map((cell, column) => [table.header[column], cell]),
          })),
        });
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same on any bytes however they are cut, problems too', async () => {
    const piece = fc.oneof(
      fc
        .constantFrom('"', '""', ',', '\n', '\r\n', '\r', '\ufeff', 'é', 'a', 'bc', ',"')
        .map(part => Buffer.from(part)),
      fc.uint8Array({ maxLength: 2 }).map(part => Buffer.from(part)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 25 }).map(pieces => Buffer.concat([Buffer.from('a,b\n'), ...pieces])),
        fc.array(fc.nat(60), { maxLength: 30 }),
        async (bytes, cuts) => {
          expect(told(await read(bytes, cuts))).toEqual(told(await read(bytes)));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['a,b\n1,2', { a: '1', b: '2' }],
    ['a;b\n1,5;2', { a: '1,5', b: '2' }],
    ['a\tb\n"1"\t2', { a: '1', b: '2' }],
    ['a|b|c,d\n1|2|3', { a: '1', b: '2', 'c,d': '3' }],
    ['"a,b,c";d\n1;2', { 'a,b,c': '1', d: '2' }],
    ['"a\n;;;",d\n1,2', { 'a\n;;;': '1', d: '2' }],
    ['\ufeff\r\n\na,b\r\n\r\n1,2\n\n', { a: '1', b: '2' }],
    ['a,b\n 1 ,2 \n', { a: ' 1 ', b: '2 ' }],
    ['a\n1\n', { a: '1' }],
    ['a,b\n,\n', { a: '', b: '' }],
    ['a,b\n"x\r\ny","""q"""\n', { a: 'x\r\ny', b: '"q"' }],
    ['a,b\n1\r,2\n', { a: '1\r', b: '2' }],
  ])('reads %j', async (csv, cells) => {
    const { rows, problem } = await read(csv, everywhere(csv));
    expect(problem).toBeNull();
    expect(rows.map(row => Object.fromEntries(row.cells))).toEqual([cells]);
  });

  it('keeps every line ending where lines end in both ways', async () => {
    const { rows } = await read('a,b\n1,2\r\n3,4\n');
    expect(rows.map(row => [...row.cells.values()])).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
  });

  it('takes quotes as they are where they mean nothing', async () => {
    const { rows, problem } = await read('a\tb\n5" disk\t"open\n', [], { quotes: false });
    expect(problem).toBeNull();
    expect([...rows[0]!.cells]).toEqual([
      ['a', '5" disk'],
      ['b', '"open'],
    ]);
  });

  const reads = 'a,b\n1,2\n';
  it.each([
    ['', 0, 'a.csv:1: the file is empty: a header row was expected'],
    ['\ufeff\n\n', 0, 'a.csv:3: the file is empty: a header row was expected'],
    ['a,b,a\n', 0, 'a.csv:1: the columns 1 and 3 are both called "a"'],
    ['\na,,b\n', 0, 'a.csv:2: the column 2 has no name in the header: give it one'],
    ['a,b;c\n', 0, 'a.csv:1: two delimiters stand equally often in the header'],
    ['a,b\r1,2\r', 0, 'a.csv:1: the lines end with CR alone'],
    [`${reads}\n1\n`, 1, 'a.csv:4: the row has 1 cells where the header has 2: add those missing'],
    [`${reads}1,2,3\n4,5\n`, 1, 'a.csv:3: the row has 3 cells where the header has 2: a cell that holds'],
    [`${reads}"x\r\ny",2\n1,2,3`, 2, 'a.csv:5: the row has 3 cells'],
    [`${reads}\n 1,"open\n2,3\n`, 1, 'a.csv:4:4: not CSV: the quote that opens here is never closed'],
    [`${reads}\n"open\n2,3\n`, 1, 'a.csv:4:1: not CSV: the quote that opens here is never closed'],
    [`${reads},"open`, 1, 'a.csv:3:2: not CSV: the quote that opens here is never closed'],
    [`${reads}é,"a"b\n`, 1, 'a.csv:3:4: not CSV: the cell in quotes that starts here has text behind its closing'],
    [`${reads}1,5" disk\n3,4\n`, 1, 'a.csv:3:3: not CSV: the cell that starts here has a quote but is not in quotes'],
  ])('says where and why %j cannot be read', async (csv, count, sentence) => {
    const whole = await read(csv);
    expect(whole.problem).toContain(sentence);
    expect(whole.rows).toHaveLength(count);
    expect(told(await read(csv, everywhere(csv)))).toEqual(told(whole));
  });

  it('gives the rows before a byte that is not UTF-8, and never a replacement character', async () => {
    const bytes = Buffer.concat([
      Buffer.from('\ufeffa,b\n"é\n",2\né,'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('\n5,6'),
    ]);
    for (const cuts of [[], everywhere(bytes.toString('latin1'))]) {
      const { rows, problem } = await read(bytes, cuts);
      expect(problem).toBe('a.csv:4:4: the byte 0xc3 is not UTF-8: convert the file to UTF-8');
      expect(rows.map(row => row.cells.get('a'))).toEqual(['é\n']);
    }
    expect((await read(bytes.subarray(0, -4))).problem).toContain('a.csv:4:4: the byte 0xc3');
    expect((await read('a\n\ufffd')).rows[0]!.cell('a')).toBe('\ufffd');
  });

  it('refuses a row over the limit and a header without end', async () => {
    const endless = async function* (start: string) {
      yield Buffer.from(start);
      for (;;) yield Buffer.alloc(64 * 1024, 'x');
    };
    const drain = async (source: AsyncIterable<Uint8Array>) => {
      for await (const row of readCsvRows(source, { file: 'a.csv', limit: 100_000 })) row.cell('a');
    };
    const sentence = 'a.csv:3: the row that starts here is longer than 100000 characters';
    await expect(drain(endless('a,b\n1,2\n3,"'))).rejects.toThrow(sentence);
    await expect(drain(endless('a,b'))).rejects.toThrow('a.csv:1: no header ends within 1048576 bytes: is it CSV?');
  });

  it('places what is found wrong in a cell', async () => {
    const { rows } = await read('a,b\n"\n",1\n{,2\n');
    const row = rows[1]!;
    let problem: unknown;
    try {
      JsonText.parse(row.cell('a'));
    } catch (error) {
      problem = row.locate(error);
    }
    expect((problem as Error).message).toBe('a.csv:4: not JSON at byte 1: a quoted key was expected');
    expect(problem).toMatchObject({ code: 'RECORD_INVALID', facts: { file: 'a.csv', line: 4 } });
    expect(row.locate(problem)).toBe(problem);
    expect(() => row.cell('c')).toThrow('a.csv:4: the column "c" is missing: the header has "a", "b"');
    const bug = new TypeError('bug');
    expect(row.locate(bug)).toBe(bug);
  });
});

describe('readCsv', () => {
  it('reads a file, gzip or not, and stops where the signal aborts', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'holdfast-csv-')), 'a.csv');
    const csv = `id;text\n${Array.from({ length: 40_000 }, (_, id) => `${id};"line\n${'é'.repeat(id % 9)}"\n`).join('')}`;
    for (const bytes of [Buffer.from(csv), gzipSync(csv)]) {
      writeFileSync(path, bytes);
      let count = 0;
      for await (const { row, line, cells } of readCsv(path)) {
        expect([cells.get('id'), row, line]).toEqual([String(count), count + 1, 2 + 2 * count]);
        count++;
      }
      expect(count).toBe(40_000);

      const controller = new AbortController();
      await expect(async () => {
        for await (const { row } of readCsv(path, { signal: controller.signal })) {
          if (row === 7) controller.abort(new Error('enough'));
          expect(row).toBeLessThan(8);
        }
      }).rejects.toThrow('enough');
    }
  });
});
