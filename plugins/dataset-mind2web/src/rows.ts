import { type FoundFile } from '@holdfast/core';
import { openBytes, readJsonArray, readJsonLines } from '@holdfast/kit';

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

/** The rows of a JSON array or of JSONL, told by the first byte. */
export async function* readRows({ name: file, path }: FoundFile, signal: AbortSignal): AsyncGenerator<Row> {
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

/** The first byte that is no white space and no byte order mark. */
async function firstByte(path: string, signal: AbortSignal): Promise<number | null> {
  for await (const chunk of openBytes(path, { signal })) {
    for (const byte of chunk) if (byte > 0x20 && ![0xef, 0xbb, 0xbf].includes(byte)) return byte;
  }
  return null;
}
