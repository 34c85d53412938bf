import { json, type FoundFile } from '@holdfast/core';
import { firstByte, readCsv, readJsonArray, readJsonLines } from '@holdfast/kit';

/** One row of a file, whatever the file is: an object in JSON that knows its place. */
export interface Row {
  readonly bytes: Uint8Array;
  /** File and line, or row. */
  readonly place: string;
  readonly source: { readonly file: string; readonly row?: number; readonly index?: number };
  /** What `reader` makes of the bytes; its errors get the place. */
  read<Value>(reader: (bytes: Uint8Array) => Value): Value;
}

/** The rows of CSV, told by its name, of a JSON array, told by its first byte, or of JSONL. */
export async function* readRows({ name: file, path }: FoundFile, signal: AbortSignal): AsyncGenerator<Row> {
  if (/\.csv(\.gz)?$/.test(file)) {
    for await (const row of readCsv(path, { file, signal, delimiter: ',' })) {
      // An empty cell is what upstream's other files have null for.
      const cells = [...row.cells].filter(([, cell]) => cell !== '');
      const { bytes } = json.object(cells);
      const read = <Value>(reader: (bytes: Uint8Array) => Value): Value => {
        try {
          return reader(bytes);
        } catch (error) {
          throw row.locate(error);
        }
      };
      yield { bytes, place: `${file}:${row.line}`, source: { file, row: row.row }, read };
    }
    return;
  }
  if ((await firstByte(path, signal)) === 0x5b) {
    for await (const element of readJsonArray(path, { file, signal })) {
      const { bytes, index, line } = element;
      yield { bytes, place: `${file}:${line}`, source: { file, index }, read: reader => element.read(reader) };
    }
    return;
  }
  for await (const line of readJsonLines(path, { file, signal })) {
    const { bytes, number } = line;
    yield { bytes, place: `${file}:${number}`, source: { file, row: number }, read: reader => line.read(reader) };
  }
}
