import { parquetRead, type Compressors, type FileMetaData } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { HoldfastError, JsonText } from '@holdfast/core';
import { bareMetadata } from './bare-schema.ts';
import { jsonOfColumn } from './json-of-value.ts';
import { damaged, ParquetFile } from './parquet-file.ts';
import { atRow, ParquetRow } from './parquet-row.ts';

export interface ParquetOptions {
  /** What errors call the file. @default the path */
  readonly file?: string | undefined;
  /** The columns to read, in the order wanted. Others cost nothing. @default all */
  readonly columns?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Pages of nulls alone are empty, and what stands for nothing is no valid stream to every decompressor. */
const decompressors: Compressors = Object.fromEntries(
  Object.entries(compressors).map(([codec, decompress]) => [
    codec,
    (input: Uint8Array, length: number) => (length === 0 ? new Uint8Array() : decompress(input, length)),
  ]),
);

/** About how many uncompressed bytes of a row group are read at once. */
const RANGE = 64 * 1024 * 1024;

/**
 * The rows of a Parquet file, in order. Memory is bounded by the row group, and less where the writer left an offset
 * index: large groups are read in ranges of rows. Values become JSON without loss:
 *
 * - texts (STRING, UTF8, ENUM) strings, JSON what it says, other bytes base64;
 * - integers and decimals all their digits, floats the shortest text of the same number;
 * - dates, times and timestamps ISO 8601 with all digits of their unit, and `Z` where they are UTC; UUIDs as usual;
 * - lists arrays; structs and maps objects in the order of the file, keys that are no texts by their JSON text.
 *
 * Throws UPSTREAM_INVALID where the file is no Parquet, damaged or cut, and RECORD_INVALID with row and column where a
 * column is missing or a value has no JSON: a NaN, an infinity, a text that is not UTF-8.
 */
export async function* readParquet(
  path: string,
  { file = path, columns, signal }: ParquetOptions = {},
): AsyncGenerator<ParquetRow, void, undefined> {
  signal?.throwIfAborted();
  const parquet = await ParquetFile.open(path, file);
  try {
    const names = columns ?? parquet.columns;
    const writers = names.map(name => {
      const node = parquet.schema.children.find(({ element }) => element.name === name);
      if (node === undefined) {
        const known = parquet.columns.map(column => JSON.stringify(column)).join(', ');
        const message = `${file}: the column ${JSON.stringify(name)} is missing: there are ${known}`;
        throw new HoldfastError('RECORD_INVALID', message, { facts: { file, column: name } });
      }
      return { name, write: jsonOfColumn(node) };
    });
    const metadata = bareMetadata(parquet.metadata);
    for (const [from, to] of rangesOf(metadata, names)) {
      signal?.throwIfAborted();
      const values = await readRange(parquet, { file, metadata, names, from, to });
      for (let row = from; row < to; row++) {
        signal?.throwIfAborted();
        const cells = new Map<string, JsonText>();
        for (const [index, { name, write }] of writers.entries()) {
          try {
            cells.set(name, JsonText.trusted(Buffer.from(write(values[row - from]![index]), 'utf8')));
          } catch (error) {
            throw atRow(error, { file, row: row + 1, column: name });
          }
        }
        yield new ParquetRow({ file, row: row + 1 }, cells);
      }
    }
  } finally {
    await parquet.close();
  }
}

/** Row ranges, from 0, each within a row group and of about as many bytes as may be read at once. */
function* rangesOf(metadata: FileMetaData, names: readonly string[]): Iterable<readonly [from: number, to: number]> {
  let start = 0;
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows);
    let bytes = 0;
    for (const { meta_data: column } of group.columns) {
      if (column && names.includes(column.path_in_schema[0]!)) bytes += Number(column.total_uncompressed_size);
    }
    const step = Math.max(1, Math.ceil(rows / Math.max(1, Math.ceil(bytes / RANGE))));
    for (let from = 0; from < rows; from += step) yield [start + from, start + Math.min(from + step, rows)];
    start += rows;
  }
}

async function readRange(
  { buffer }: ParquetFile,
  range: { file: string; metadata: FileMetaData; names: readonly string[]; from: number; to: number },
): Promise<unknown[][]> {
  const { file, metadata, names, from, to } = range;
  let rows: unknown[][] = [];
  try {
    await parquetRead({
      file: buffer,
      metadata,
      compressors: decompressors,
      columns: [...names],
      rowStart: from,
      rowEnd: to,
      rowFormat: 'array',
      utf8: false,
      geoparquet: false,
      useOffsetIndex: true,
      // INT96: nanoseconds, which hyparquet would cut to milliseconds.
      parsers: { timestampFromNanoseconds: nanoseconds => nanoseconds as never },
      onComplete: found => {
        rows = found;
      },
    });
  } catch (error) {
    throw damaged(`${file}: the rows ${from + 1} to ${to} cannot be read`, { file, row: from + 1 }, error);
  }
  return rows;
}
