import { type FoundFile } from '@holdfast/core';
import { firstByte, readJsonArray, readJsonLines } from '@holdfast/kit';
import { readParquet, readParquetFooter } from '@holdfast/kit/parquet';

/** One row of a file, whatever the file is: an object in JSON that knows its place. */
export interface Row {
  readonly bytes: Uint8Array;
  /** File and line, or row. */
  readonly place: string;
  readonly source: { readonly file: string; readonly row?: number; readonly index?: number };
  /** What `reader` makes of the bytes; its errors get the place. */
  read<Value>(reader: (bytes: Uint8Array) => Value): Value;
}

/** A task brings the pages of all its steps, raw ones too, which are passed over. */
const limit = 512 * 1024 * 1024;

/** The rows of Parquet, told by its name, of a JSON array, told by its first byte, or of JSONL. */
export async function* readRows({ name: file, path }: FoundFile, signal: AbortSignal): AsyncGenerator<Row> {
  if (file.endsWith('.parquet')) {
    yield* readParquetRows({ name: file, path }, signal);
    return;
  }
  if ((await firstByte(path, signal)) === 0x5b) {
    for await (const element of readJsonArray(path, { file, signal, limit })) {
      const { bytes, index, line } = element;
      yield { bytes, place: `${file}:${line}`, source: { file, index }, read: reader => element.read(reader) };
    }
    return;
  }
  for await (const line of readJsonLines(path, { file, signal, limit })) {
    const { bytes, number } = line;
    yield { bytes, place: `${file}:${number}`, source: { file, row: number }, read: reader => line.read(reader) };
  }
}

/** What is never shown and makes up most of a file of Multimodal-Mind2Web. */
const heavy = new Set(['screenshot', 'raw_html']);

async function* readParquetRows({ name: file, path }: FoundFile, signal: AbortSignal): AsyncGenerator<Row> {
  const { columns } = await readParquetFooter(path, { file });
  const wanted = columns.filter(column => !heavy.has(column));
  for await (const row of readParquet(path, { file, signal, columns: wanted })) {
    const { bytes } = row.json();
    const read = <Value>(reader: (bytes: Uint8Array) => Value): Value => {
      try {
        return reader(bytes);
      } catch (error) {
        throw row.locate(error);
      }
    };
    yield { bytes, place: `${file}: row ${row.row}`, source: { file, row: row.row }, read };
  }
}
