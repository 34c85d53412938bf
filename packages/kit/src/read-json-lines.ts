import { JsonText, readMap } from '@holdfast/core';
import { atLine } from './at-line.ts';
import { openBytes } from './open-bytes.ts';
import { readLineBatches, type Line, type LineOptions, type Lines } from './read-lines.ts';

/** A line that knows its file: whatever is read from it fails with `FILE:LINE:COLUMN: reason`. */
export class JsonLine implements Line {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly number: number;
  readonly offset: number;

  constructor(file: string, { bytes, number, offset }: Line) {
    this.file = file;
    this.bytes = bytes;
    this.number = number;
    this.offset = offset;
  }

  /** The line's one value, proved to be JSON. */
  json(): JsonText {
    return this.read(JsonText.parse);
  }

  /** The members of the line's object by key. */
  members(): Map<string, JsonText> {
    return this.read(readMap);
  }

  /** What `reader` makes of the bytes: `line.read(readRecord)`. */
  read<Value>(reader: (bytes: Uint8Array) => Value): Value {
    try {
      return reader(this.bytes);
    } catch (error) {
      throw this.locate(error);
    }
  }

  /** The error with this line's place; for what is found wrong later on. */
  locate(error: unknown): unknown {
    return atLine(error, { file: this.file, line: this.number, bytes: this.bytes });
  }
}

export interface JsonLinesOptions extends Omit<LineOptions, 'file'> {
  /** What errors call the file. @default the path */
  readonly file?: string | undefined;
}

/** The lines of a JSONL file, gzip or not. Nothing is parsed before it is asked for. Throws as `openBytes` and `readLines`. */
export function readJsonLines(path: string, options: JsonLinesOptions = {}): Lines<JsonLine> {
  const { file = path, signal } = options;
  const batches = readLineBatches(openBytes(path, { signal }), { ...options, file });
  return {
    counts: batches.counts,
    async *[Symbol.asyncIterator]() {
      for await (const batch of batches) {
        for (const line of batch) {
          signal?.throwIfAborted();
          yield new JsonLine(file, line);
        }
      }
    },
  };
}
