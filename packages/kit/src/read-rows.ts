import { json, oneLine, type JsonText } from '@holdfast/core';
import { readCsv, type CsvDelimiter } from './read-csv.ts';
import { readJsonArray } from './read-json-array.ts';
import { readJsonLines } from './read-json-lines.ts';
import { rowFormatOf, type RowFormat } from './row-format.ts';

/** One row of a file, whatever the format: members by name, in their order. */
export interface Row {
  readonly file: string;
  /** What `number` counts. */
  readonly unit: 'line' | 'row';
  /** From 1. */
  readonly number: number;
  /** For people. */
  readonly place: string;
  /** Whether every row has the same members: those of a table's header. */
  readonly tabular: boolean;
  /** A cell of CSV is a JSON string. Values of JSON are their bytes, on one line. */
  readonly cells: ReadonlyMap<string, JsonText>;
  /** The error with the row's place. */
  locate(error: unknown): unknown;
}

export interface RowOptions {
  /** What errors call the file. @default the path */
  readonly file?: string;
  /** @default 'auto' */
  readonly format?: 'auto' | RowFormat;
  /** Of CSV. @default 'auto' */
  readonly delimiter?: 'auto' | CsvDelimiter;
  /** Of CSV: false where a quote is a character like any other. @default true */
  readonly quotes?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The rows of a JSONL, JSON array, CSV or Parquet file, one at a time. Throws as `rowFormatOf` and as the reader of the
 * format: RECORD_INVALID with the place where a row is malformed or no object.
 */
export async function* readRows(path: string, options: RowOptions = {}): AsyncGenerator<Row, void, undefined> {
  const { file = path, delimiter = 'auto', quotes = true, signal } = options;
  signal?.throwIfAborted();
  const format =
    options.format === undefined || options.format === 'auto'
      ? (await rowFormatOf(path, { file, signal })).format
      : options.format;
  switch (format) {
    case 'jsonl':
      for await (const line of readJsonLines(path, { file, signal })) {
        const place = `${file}:${line.number}`;
        const cells = line.members();
        yield { file, unit: 'line', number: line.number, place, tabular: false, cells, locate: e => line.locate(e) };
      }
      return;
    case 'json':
      for await (const element of readJsonArray(path, { file, signal })) {
        const { index, line } = element;
        const cells = new Map([...element.members()].map(([name, value]) => [name, oneLine(value)]));
        const place = `${file}:${line}`;
        yield { file, unit: 'row', number: index + 1, place, tabular: false, cells, locate: e => element.locate(e) };
      }
      return;
    case 'csv':
      for await (const row of readCsv(path, { file, delimiter, quotes, signal })) {
        const { line } = row;
        const cells = new Map([...row.cells].map(([name, text]) => [name, json.string(text)]));
        yield {
          file,
          unit: 'line',
          number: line,
          place: `${file}:${line}`,
          tabular: true,
          cells,
          locate: e => row.locate(e),
        };
      }
      return;
    case 'parquet': {
      // Loaded only where it is needed: its decoders are large.
      const { readParquet } = await import('./parquet/index.ts');
      for await (const row of readParquet(path, { file, signal })) {
        const cells = new Map([...row.cells].map(([name, value]) => [name, oneLine(value)]));
        const place = `${file}: row ${row.row}`;
        yield { file, unit: 'row', number: row.row, place, tabular: true, cells, locate: e => row.locate(e) };
      }
      return;
    }
  }
}
