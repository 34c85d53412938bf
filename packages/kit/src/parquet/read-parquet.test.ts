import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HoldfastError, json } from '@holdfast/core';
import { readParquet, readParquetFooter, type ParquetOptions } from './index.ts';

// A writer of the plainest Parquet: one page a column and row group, PLAIN values, levels in runs of one.

type Thrift = readonly (readonly [id: number, value: ThriftValue])[];
type ThriftValue =
  | { i32: number }
  | { i64: number | bigint }
  | { text: string }
  | { flag: boolean }
  | { byte: number }
  | { struct: Thrift }
  | { list: readonly ThriftValue[] };

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  for (; value > 0x7fn; value >>= 7n) bytes.push(Number(value & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(value)]);
}
const zigzag = (value: number | bigint) => varint(BigInt.asUintN(64, (BigInt(value) << 1n) ^ (BigInt(value) >> 63n)));

function thriftValue(value: ThriftValue): [type: number, bytes: Buffer] {
  if ('flag' in value) return [value.flag ? 1 : 2, Buffer.alloc(0)];
  if ('byte' in value) return [3, Buffer.from([value.byte])];
  if ('i32' in value) return [5, zigzag(value.i32)];
  if ('i64' in value) return [6, zigzag(value.i64)];
  if ('text' in value)
    return [8, Buffer.concat([varint(BigInt(Buffer.byteLength(value.text))), Buffer.from(value.text)])];
  if ('struct' in value) return [12, thrift(value.struct)];
  const items = value.list.map(thriftValue);
  const head = [Buffer.from([0xf0 | (items[0]?.[0] ?? 12)]), varint(BigInt(items.length))];
  return [9, Buffer.concat([...head, ...items.map(([, bytes]) => bytes)])];
}

function thrift(fields: Thrift): Buffer {
  let last = 0;
  const parts = fields.map(([id, value]) => {
    const [type, bytes] = thriftValue(value);
    const head = Buffer.from([((id - last) << 4) | type]);
    last = id;
    return Buffer.concat([head, bytes]);
  });
  return Buffer.concat([...parts, Buffer.from([0])]);
}

const types = { BOOLEAN: 0, INT32: 1, INT64: 2, INT96: 3, FLOAT: 4, DOUBLE: 5, BYTE_ARRAY: 6, FIXED: 7 };

interface Node {
  readonly name: string;
  readonly repetition: 0 | 1 | 2;
  readonly extra?: Thrift;
  readonly type?: keyof typeof types;
  readonly children?: readonly Node[];
  /** A plain value in the shape in which the columns hold it. */
  readonly store: (value: never) => unknown;
}

const leaf = (name: string, type: keyof typeof types, extra: Thrift = [], repetition: 0 | 1 | 2 = 1): Node => ({
  name,
  type,
  extra,
  repetition,
  store: value => value,
});
const converted = (id: number): Thrift => [[6, { i32: id }]];
const logical = (id: number, fields: Thrift = []): Thrift => [[10, { struct: [[id, { struct: fields }]] }]];
const text = (name: string) => leaf(name, 'BYTE_ARRAY', converted(0));
const list = (name: string, item: Node): Node => ({
  name,
  repetition: 1,
  extra: converted(3),
  children: [{ name: 'list', repetition: 2, children: [{ ...item, name: 'element' }], store: value => value }],
  store: (items: never[] | null) => items && { list: items.map(element => ({ element: item.store(element) })) },
});
const map = (name: string, key: Node, value: Node): Node => ({
  name,
  repetition: 1,
  extra: converted(1),
  children: [
    {
      name: 'key_value',
      repetition: 2,
      children: [
        { ...key, name: 'key', repetition: 0 },
        { ...value, name: 'value' },
      ],
      store: entry => entry,
    },
  ],
  store: (entries: [unknown, never][] | null) =>
    entries && { key_value: entries.map(([itsKey, itsValue]) => ({ key: itsKey, value: value.store(itsValue) })) },
});
const struct = (name: string, children: readonly Node[]): Node => ({
  name,
  repetition: 1,
  children,
  store: (value: Map<string, never> | null) =>
    value && Object.fromEntries(children.map(child => [child.name, child.store(value.get(child.name)!)])),
});

interface Leaf {
  readonly node: Node;
  readonly path: readonly string[];
  readonly most: { readonly repetition: number; readonly definition: number };
  readonly levels: { readonly repetition: number; readonly definition: number }[];
  readonly values: unknown[];
}

function leavesOf(node: Node, path: readonly string[] = [], repetition = 0, definition = 0): Leaf[] {
  const most = {
    repetition: repetition + (node.repetition === 2 ? 1 : 0),
    definition: definition + (node.repetition === 0 ? 0 : 1),
  };
  const here = [...path, node.name];
  if (!node.children) return [{ node, path: here, most, levels: [], values: [] }];
  return node.children.flatMap(child => leavesOf(child, here, most.repetition, most.definition));
}

/** Puts a value into the leaves below `node`, in their order (Dremel). */
function shred(node: Node, value: unknown, leaves: readonly Leaf[], repetition = 0, definition = 0, depth = 0): void {
  const put = (item: unknown, itsRepetition: number, itsDefinition: number, itsDepth: number) => {
    if (!node.children) {
      leaves[0]!.levels.push({ repetition: itsRepetition, definition: itsDefinition });
      leaves[0]!.values.push(item);
      return;
    }
    let from = 0;
    for (const child of node.children) {
      const count = leavesOf(child).length;
      const below = leaves.slice(from, (from += count));
      shred(child, (item as Record<string, unknown>)[child.name], below, itsRepetition, itsDefinition, itsDepth);
    }
  };
  const items = node.repetition === 2 ? (value as unknown[]) : value === null ? [] : [value];
  if (items.length === 0) for (const { levels } of leaves) levels.push({ repetition, definition });
  const [defined, deeper] = [definition + (node.repetition === 0 ? 0 : 1), depth + (node.repetition === 2 ? 1 : 0)];
  for (const [index, item] of items.entries()) put(item, index === 0 ? repetition : deeper, defined, deeper);
}

function plain(type: keyof typeof types, values: readonly unknown[]): Buffer {
  if (type === 'BOOLEAN') {
    const bits = Buffer.alloc(Math.ceil(values.length / 8));
    for (const [index, value] of values.entries()) if (value) bits[index >> 3]! |= 1 << (index & 7);
    return bits;
  }
  return Buffer.concat(
    values.map(value => {
      const bytes = Buffer.alloc(8);
      if (type === 'INT32') return (bytes.writeInt32LE(value as number), bytes.subarray(0, 4));
      if (type === 'INT64') return (bytes.writeBigInt64LE(value as bigint), bytes);
      if (type === 'FLOAT') return (bytes.writeFloatLE(value as number), bytes.subarray(0, 4));
      if (type === 'DOUBLE') return (bytes.writeDoubleLE(value as number), bytes);
      const content = typeof value === 'string' ? Buffer.from(value) : (value as Buffer);
      if (type !== 'BYTE_ARRAY') return content;
      bytes.writeUInt32LE(content.length);
      return Buffer.concat([bytes.subarray(0, 4), content]);
    }),
  );
}

/** One raw block. */
const zstd = (content: Buffer) => {
  const header = Buffer.alloc(3);
  header.writeUIntLE((content.length << 3) | 1, 0, 3);
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x38]), header, content]);
};
/** One literal. */
const snappy = (content: Buffer) => {
  const head = Buffer.concat([varint(BigInt(content.length)), Buffer.from([61 << 2, 0, 0])]);
  head.writeUInt16LE(content.length - 1, head.length - 2);
  return Buffer.concat([head, content]);
};
const codecs = {
  none: [0, (content: Buffer) => content],
  snappy: [1, snappy],
  gzip: [2, (content: Buffer) => gzipSync(content)],
  zstd: [6, zstd],
} as const;

interface Form {
  readonly codec?: keyof typeof codecs;
  /** Rows of a row group. */
  readonly group?: number;
  /** What a column is said to be long. */
  readonly claimed?: number;
}

function parquet(columns: readonly Node[], rows: readonly (readonly unknown[])[], form: Form = {}): Buffer {
  const { codec = 'none', group = Math.max(1, rows.length), claimed } = form;
  const [codecId, compress] = codecs[codec];
  const parts: Buffer[] = [Buffer.from('PAR1')];
  let offset = 4;
  const groups: ThriftValue[] = [];
  for (let from = 0; from < rows.length; from += group) {
    const these = rows.slice(from, from + group);
    const chunks: ThriftValue[] = [];
    for (const [index, column] of columns.entries()) {
      const leaves = leavesOf(column);
      for (const row of these) shred(column, column.store(row[index] as never), leaves);
      for (const { node, path, most, levels, values } of leaves) {
        const runs = (kind: 'repetition' | 'definition') => {
          if (most[kind] === 0) return Buffer.alloc(0);
          const bytes = Buffer.from(levels.flatMap(level => [2, level[kind]]));
          const length = Buffer.alloc(4);
          length.writeUInt32LE(bytes.length);
          return Buffer.concat([length, bytes]);
        };
        const content = Buffer.concat([runs('repetition'), runs('definition'), plain(node.type!, values)]);
        const packed = compress(content);
        const header = thrift([
          [1, { i32: 0 }],
          [2, { i32: content.length }],
          [3, { i32: packed.length }],
          [
            5,
            {
              struct: [
                [1, { i32: levels.length }],
                [2, { i32: 0 }],
                [3, { i32: 3 }],
                [4, { i32: 3 }],
              ],
            },
          ],
        ]);
        parts.push(header, packed);
        const size = header.length + packed.length;
        const meta: Thrift = [
          [1, { i32: types[node.type!] }],
          [2, { list: [{ i32: 0 }, { i32: 3 }] }],
          [3, { list: path.map(name => ({ text: name })) }],
          [4, { i32: codecId }],
          [5, { i64: levels.length }],
          [6, { i64: claimed ?? header.length + content.length }],
          [7, { i64: size }],
          [9, { i64: offset }],
        ];
        chunks.push({
          struct: [
            [2, { i64: offset }],
            [3, { struct: meta }],
          ],
        });
        offset += size;
      }
    }
    groups.push({
      struct: [
        [1, { list: chunks }],
        [2, { i64: offset }],
        [3, { i64: these.length }],
      ],
    });
  }
  const elements = (node: Node): ThriftValue[] => [
    {
      struct: (
        [
          ...(node.type ? [[1, { i32: types[node.type] }] as const] : []),
          [3, { i32: node.repetition }],
          [4, { text: node.name }],
          ...(node.children ? [[5, { i32: node.children.length }] as const] : []),
          ...(node.extra ?? []),
        ] as Thrift
      ).toSorted(([left], [right]) => left - right),
    },
    ...(node.children ?? []).flatMap(elements),
  ];
  const footer = thrift([
    [1, { i32: 1 }],
    [
      2,
      {
        list: [
          {
            struct: [
              [4, { text: 'schema' }],
              [5, { i32: columns.length }],
            ],
          },
          ...columns.flatMap(elements),
        ],
      },
    ],
    [3, { i64: rows.length }],
    [4, { list: groups }],
    [6, { text: 'a test' }],
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([...parts, footer, length, Buffer.from('PAR1')]);
}

const folder = mkdtempSync(join(tmpdir(), 'holdfast-parquet-'));
let files = 0;
const put = (bytes: Uint8Array) => {
  const path = join(folder, `${files++}.parquet`);
  writeFileSync(path, bytes);
  return path;
};
const read = async (bytes: Uint8Array, options: ParquetOptions = {}) => {
  const rows: string[] = [];
  for await (const row of readParquet(put(bytes), { file: 'a.parquet', ...options })) {
    expect(row.row).toBe(rows.length + 1);
    rows.push(row.json().toString());
  }
  return rows;
};
const problemOf = async (bytes: Uint8Array, options: ParquetOptions = {}) => {
  const error: unknown = await read(bytes, options).catch((thrown: unknown) => thrown);
  if (!HoldfastError.is(error)) throw error;
  return error;
};

/** A column, values for it, and what each is as JSON. */
type Column = readonly [node: Node, values: fc.Arbitrary<unknown>, write: (value: never) => string];
const column = fc.letrec<{ column: Column }>(tie => ({
  column: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant<Column>([
      text('t'),
      fc.option(fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\0', 'é', '😀', '\ufeff', 'a') })),
      value => JSON.stringify(value),
    ]),
    fc.constant<Column>([
      leaf('i', 'INT64'),
      fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
      value => String(value),
    ]),
    tie('column').map(([node, values, write]): Column => [
      list('l', node),
      fc.option(fc.array(values, { maxLength: 3 })),
      (items: never[] | null) => (items ? `[${items.map(write).join(',')}]` : 'null'),
    ]),
    tie('column').map(([node, values, write]): Column => [
      map('m', leaf('key', 'INT32'), node),
      fc.option(fc.array(fc.tuple(fc.nat(12), values), { maxLength: 3 })),
      (entries: [number, never][] | null) =>
        entries ? `{${entries.map(([key, value]) => `"${key}":${write(value)}`).join(',')}}` : 'null',
    ]),
    fc.tuple(tie('column'), tie('column')).map(([[node, values, write], [other, others, writeOther]]): Column => [
      struct('s', [
        { ...node, name: '10' },
        { ...other, name: '2' },
      ]),
      fc.option(
        fc.tuple(values, others).map(
          ([first, second]) =>
            new Map([
              ['10', first],
              ['2', second],
            ]),
        ),
      ),
      (value: Map<string, never> | null) =>
        value ? `{"10":${write(value.get('10')!)},"2":${writeOther(value.get('2')!)}}` : 'null',
    ]),
  ),
})).column;

describe('readParquet', () => {
  it('gives nested values without loss of order, digits, nulls or duplicates', async () => {
    const tables = column.chain(([node, values, write]) =>
      fc.record({
        node: fc.constant(node),
        rows: fc.array(values, { maxLength: 12 }),
        write: fc.constant(write),
        codec: fc.constantFrom('none' as const, 'gzip' as const, 'zstd' as const),
        group: fc.integer({ min: 1, max: 12 }),
        claimed: fc.constantFrom(undefined, 2 ** 28),
      }),
    );
    await fc.assert(
      fc.asyncProperty(tables, async ({ node, rows, write, codec, group, claimed }) => {
        const columns = [{ ...node, name: '7' }, leaf('__proto__', 'INT32', [], 0)];
        const bytes = parquet(
          columns,
          rows.map((value, index) => [value, index]),
          { codec, group, ...(claimed === undefined ? {} : { claimed }) },
        );
        expect(await read(bytes)).toEqual(
          rows.map((value, index) => `{"7":${write(value as never)},"__proto__":${index}}`),
        );
      }),
      { numRuns: 300 },
    );
  });

  const fixed = (length: number, extra: Thrift) => leaf('v', 'FIXED', [[2, { i32: length }], ...extra]);
  const unit = (id: number): ThriftValue => ({ struct: [[id, { struct: [] }]] });
  const uuid = '00112233-4455-6677-8899-aabbccddeeff';
  const int96 = Buffer.alloc(12);
  int96.writeBigInt64LE(86_399_999_999_999n);
  int96.writeInt32LE(2_440_587, 8);
  it.each<[string, Node, unknown, string]>([
    ['a boolean', leaf('v', 'BOOLEAN'), true, 'true'],
    ['the least int64', leaf('v', 'INT64'), -(2n ** 63n), '-9223372036854775808'],
    ['an int64 that no double holds', leaf('v', 'INT64'), 2n ** 53n + 1n, '9007199254740993'],
    ['an unsigned int64', leaf('v', 'INT64', converted(14)), -1n, '18446744073709551615'],
    ['an unsigned int32', leaf('v', 'INT32', converted(13)), -1, '4294967295'],
    [
      'an int of 8 bits',
      leaf(
        'v',
        'INT32',
        logical(10, [
          [1, { byte: 8 }],
          [2, { flag: true }],
        ]),
      ),
      -1,
      '-1',
    ],
    ['a float', leaf('v', 'FLOAT'), 0.1, '0.1'],
    ['the greatest float', leaf('v', 'FLOAT'), 3.4028234663852886e38, '3.4028235e+38'],
    ['minus zero', leaf('v', 'FLOAT'), -0, '-0'],
    ['a double', leaf('v', 'DOUBLE'), 5e-324, '5e-324'],
    ['a half float', fixed(2, logical(15)), Buffer.from([0x00, 0x38]), '0.5'],
    ['a text', text('v'), 'é"\\\n\0', '"é\\"\\\\\\n\\u0000"'],
    ['an enum', leaf('v', 'BYTE_ARRAY', converted(4)), 'RED', '"RED"'],
    ['JSON', leaf('v', 'BYTE_ARRAY', converted(19)), ' {"2":1.0,"1":[]}', '{"2":1.0,"1":[]}'],
    ['bytes', leaf('v', 'BYTE_ARRAY'), Buffer.from([0, 255]), '"AP8="'],
    ['a UUID', fixed(16, logical(14)), Buffer.from(uuid.replaceAll('-', ''), 'hex'), `"${uuid}"`],
    [
      'a decimal of int32',
      leaf('v', 'INT32', [
        [6, { i32: 5 }],
        [7, { i32: 3 }],
        [8, { i32: 9 }],
      ]),
      -5,
      '-0.005',
    ],
    [
      'a decimal of bytes',
      fixed(3, [
        [6, { i32: 5 }],
        [7, { i32: 2 }],
        [8, { i32: 6 }],
      ]),
      Buffer.from([0xff, 0xff, 0x38]),
      '-2.00',
    ],
    [
      'a decimal without scale',
      leaf('v', 'INT64', [
        [6, { i32: 5 }],
        [8, { i32: 18 }],
      ]),
      12n,
      '12',
    ],
    ['a date before 1970', leaf('v', 'INT32', converted(6)), -1, '"1969-12-31"'],
    [
      'a time',
      leaf(
        'v',
        'INT64',
        logical(7, [
          [1, { flag: true }],
          [2, unit(3)],
        ]),
      ),
      3_661_000_000_001n,
      '"01:01:01.000000001"',
    ],
    ['milliseconds', leaf('v', 'INT64', converted(9)), 1n, '"1970-01-01T00:00:00.001Z"'],
    ['microseconds before 1970', leaf('v', 'INT64', converted(10)), -1n, '"1969-12-31T23:59:59.999999Z"'],
    [
      'local nanoseconds',
      leaf(
        'v',
        'INT64',
        logical(8, [
          [1, { flag: false }],
          [2, unit(3)],
        ]),
      ),
      -1n,
      '"1969-12-31T23:59:59.999999999"',
    ],
    ['an INT96', leaf('v', 'INT96'), int96, '"1969-12-31T23:59:59.999999999Z"'],
    ['a repeated column', leaf('v', 'INT32', [], 2), [1, 2], '[1,2]'],
    ['an empty repeated column', leaf('v', 'INT32', [], 2), [], '[]'],
    ['a null', text('v'), null, 'null'],
  ])('gives %s as JSON', async (_, node, value, expected) => {
    expect(await read(parquet([node], [[value]]))).toEqual([`{"v":${expected}}`]);
  });

  it.each(['none', 'snappy', 'gzip', 'zstd'] as const)('reads pages that are compressed: %s', async codec => {
    const rows = Array.from({ length: 100 }, (_, index) => [`text ${index}`, [BigInt(index), null]]);
    const bytes = parquet([text('a'), list('b', leaf('element', 'INT64'))], rows, { codec, group: 30 });
    expect(await read(bytes)).toEqual(rows.map((__, index) => `{"a":"text ${index}","b":[${index},null]}`));
  });

  it('reads the columns that are wanted, in the order wanted, and no others', async () => {
    const bytes = parquet([leaf('a', 'DOUBLE'), text('b'), leaf('c', 'INT32')], [[Number.NaN, 'x', 1]]);
    expect(await read(bytes, { columns: ['c', 'b'] })).toEqual(['{"c":1,"b":"x"}']);
    const missing = await problemOf(bytes, { columns: ['b', 'd'] });
    expect(missing.message).toBe('a.parquet: the column "d" is missing: there are "a", "b", "c"');
  });

  it('tells the footer', async () => {
    const path = put(
      parquet(
        [text('a'), list('b', text('element'))],
        [
          ['x', []],
          ['y', null],
          ['z', null],
        ],
        { group: 2 },
      ),
    );
    expect(await readParquetFooter(path)).toEqual({ rows: 3, columns: ['a', 'b'], rowGroups: 2, writtenBy: 'a test' });
    expect(await read(parquet([text('a')], []))).toEqual([]);
  });

  it.each<[string, Node, unknown, string]>([
    ['NaN', leaf('v', 'DOUBLE'), Number.NaN, 'the value is NaN, which JSON cannot say: leave the column out'],
    ['an infinity', leaf('v', 'FLOAT'), Infinity, 'the value is Infinity, which JSON cannot say'],
    ['a text that is not UTF-8', text('v'), Buffer.from([0xff]), 'a text is not UTF-8'],
    ['JSON that is none', leaf('v', 'BYTE_ARRAY', converted(19)), '{"a"}', 'not JSON at byte 4: a colon was expected'],
    ['a date beyond the calendar', leaf('v', 'INT32', converted(6)), 2 ** 31 - 1, 'further than a calendar goes'],
  ])('says in which row and column %s stands', async (_, node, value, sentence) => {
    const problem = await problemOf(
      parquet(
        [text('a'), node],
        [
          ['x', null],
          ['y', value],
        ],
        { group: 1 },
      ),
    );
    expect(problem).toMatchObject({ code: 'RECORD_INVALID', facts: { file: 'a.parquet', row: 2, column: 'v' } });
    expect(problem.message).toContain(`a.parquet: row 2, column "v": `);
    expect(problem.message).toContain(sentence);
  });

  it('refuses a field that an object cannot hold, unless its column is left out', async () => {
    const bytes = parquet([struct('s', [text('__proto__')]), text('t')], [[new Map([['__proto__', 'x']]), 'y']]);
    expect((await problemOf(bytes)).message).toContain('a field that is called "__proto__" cannot be read');
    expect(await read(bytes, { columns: ['t'] })).toEqual(['{"t":"y"}']);
  });

  const whole = parquet(
    [text('a'), leaf('b', 'INT64')],
    [
      ['x', 1n],
      ['y', 2n],
    ],
  );
  it.each<[string, Uint8Array, string]>([
    ['an empty file', Buffer.alloc(0), 'is not a Parquet file, which would start with PAR1'],
    ['JSONL', Buffer.from('{"a":1}\n{"a":2}\n'), 'is not a Parquet file, which would start with PAR1'],
    ['an encrypted file', Buffer.from('PARE12345678PARE'), 'is an encrypted Parquet file'],
    ['a cut file', whole.subarray(0, -9), 'is a Parquet file that was cut: it does not end with PAR1; fetch it again'],
    ['magic alone', Buffer.from('PAR1PAR1'), 'is a Parquet file that was cut'],
    ['a footer that is none', Buffer.concat([whole.subarray(0, 40), whole.subarray(-8)]), 'the footer cannot be read'],
    [
      'damaged pages',
      Buffer.concat([whole.subarray(0, 4), Buffer.alloc(60, 0xff), whole.subarray(64)]),
      'the rows 1 to 2',
    ],
  ])('refuses %s with a sentence', async (_, bytes, sentence) => {
    const problem = await problemOf(bytes);
    expect(problem).toMatchObject({ code: 'UPSTREAM_INVALID', facts: { file: 'a.parquet' } });
    expect(problem.message).toContain(sentence);
  });

  it('places what is found wrong in a cell', async () => {
    for await (const row of readParquet(put(whole), { file: 'a.parquet' })) {
      const wrong = new HoldfastError('RECORD_INVALID', 'b must be a text');
      expect((row.locate(wrong) as Error).message).toBe(`a.parquet: row ${row.row}: b must be a text`);
      expect(row.locate(row.locate(wrong))).toEqual(row.locate(wrong));
      expect(() => row.cell('c')).toThrow(`a.parquet: row ${row.row}: the column "c" is missing: there are "a", "b"`);
      expect(row.cell('a').equals(json.string(row.row === 1 ? 'x' : 'y'))).toBe(true);
    }
  });

  it('stops with the reason of the signal, and says what is wrong with the path', async () => {
    const controller = new AbortController();
    await expect(async () => {
      for await (const { row } of readParquet(put(whole), { signal: controller.signal })) {
        expect(row).toBe(1);
        controller.abort(new Error('enough'));
      }
    }).rejects.toThrow('enough');
    await expect(readParquetFooter(join(folder, 'none'))).rejects.toThrow('does not exist: put the file there');
  });
});
