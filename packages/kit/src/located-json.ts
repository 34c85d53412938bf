import { isUtf8 } from 'node:buffer';
import { HoldfastError, JsonText, readMap } from '@holdfast/core';
import { atLine } from './at-line.ts';
import { firstNotUtf8 } from './read-lines.ts';

/** Where a value starts in its file. */
export interface JsonPlace {
  readonly file: string;
  /** In bytes of the (decompressed) stream. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  /** In bytes, from 1; a byte order mark has no column. */
  readonly column: number;
}

/** A JSON value that knows its place in a file: whatever is read from it fails with `FILE:LINE:COLUMN: reason`. */
export class LocatedJson implements JsonPlace {
  readonly file: string;
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  readonly #text: JsonText;

  constructor(text: JsonText, { file, offset, line, column }: JsonPlace) {
    this.#text = text;
    this.file = file;
    this.offset = offset;
    this.line = line;
    this.column = column;
  }

  /** A view: JSON in valid UTF-8, without space around it. */
  get bytes(): Uint8Array {
    return this.#text.bytes;
  }

  /** The value, which has been proved already. */
  json(): JsonText {
    return this.#text;
  }

  /** The members of the object by key. */
  members(): Map<string, JsonText> {
    return this.read(readMap);
  }

  /** What `reader` makes of the bytes: `element.read(readRecord)`. */
  read<Value>(reader: (bytes: Uint8Array) => Value): Value {
    try {
      return reader(this.bytes);
    } catch (error) {
      throw this.locate(error);
    }
  }

  /** The error with its place inside this value, or with the value's own; for what is found wrong later on. */
  locate(error: unknown): unknown {
    return atPlace(error, this.bytes, this);
  }
}

/** The one value in `bytes`, which start at `place`. Throws RECORD_INVALID where they are no UTF-8 or no JSON. */
export function proveJson(bytes: Uint8Array, place: JsonPlace): JsonText {
  if (!isUtf8(bytes)) {
    const offset = firstNotUtf8(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const byte = bytes[offset]!.toString(16).padStart(2, '0');
    throw invalidAt(`the byte 0x${byte} is not UTF-8: convert the file to UTF-8`, placeIn(bytes, offset, place));
  }
  try {
    return JsonText.parse(bytes);
  } catch (error) {
    throw atPlace(error, bytes, place);
  }
}

/** The RECORD_INVALID error for what is wrong at `place`. */
export function invalidAt(reason: string, { file, line, column }: JsonPlace, facts: object = {}): HoldfastError {
  const message = `${file}:${line}:${column}: ${reason}`;
  return new HoldfastError('RECORD_INVALID', message, { facts: { ...facts, file, line, column } });
}

/** The place of the byte `within` of `bytes`, which start at `start`. */
export function placeIn(bytes: Uint8Array, within: number, start: JsonPlace): JsonPlace {
  let { line, column } = start;
  column += within;
  for (let at = bytes.indexOf(0x0a); at !== -1 && at < within; at = bytes.indexOf(0x0a, at + 1)) {
    line++;
    column = within - at;
  }
  return { file: start.file, offset: start.offset + within, line, column };
}

/** `atLine` for a value that starts in the middle of a line, or goes over several. */
function atPlace(error: unknown, bytes: Uint8Array, start: JsonPlace): unknown {
  const told = atLine(error, { file: start.file, line: start.line, bytes });
  if (told === error || !HoldfastError.is(told)) return told;
  const { column } = told.facts;
  const exact = typeof column === 'number' && told.message.startsWith(`${start.file}:${start.line}:${column}: `);
  const known = `${start.file}:${start.line}${exact ? `:${column}` : ''}`;
  const { file, line, column: there } = placeIn(bytes, exact ? column - 1 : 0, start);
  return new HoldfastError(told.code, `${file}:${line}:${there}${told.message.slice(known.length)}`, {
    cause: error,
    facts: { ...told.facts, line, column: there },
  });
}
