import { isUtf8 } from 'node:buffer';
import { HoldfastError, JsonText } from '@holdfast/core';
import { LocatedJson, openBytes, type JsonPlace } from '@holdfast/kit';

/** One piece of a JSON object that is too large to be held: a member at its top, or an item of the list `within`. */
export class Piece extends LocatedJson {
  readonly key: string;
  /** Position in the list; null for a whole member. */
  readonly item: number | null;

  constructor(text: JsonText, place: JsonPlace, { key, item }: Pick<Piece, 'key' | 'item'>) {
    super(text, place);
    this.key = key;
    this.item = item;
  }
}

export interface PieceOptions {
  /** What errors call the file. */
  readonly file: string;
  /** The member whose items come one by one. */
  readonly within: string;
  readonly signal: AbortSignal;
  /** Most bytes of one piece. @default 256 MiB */
  readonly limit?: number;
}

/**
 * The pieces of the one JSON object in a file, in order. Only one is held at a time, since upstream's trajectories
 * are up to 184 MB, nearly all of it accessibility trees. Throws RECORD_INVALID with file and line.
 */
export async function* readPieces(path: string, options: PieceOptions): AsyncGenerator<Piece> {
  const splitter = new Splitter(options);
  for await (const chunk of openBytes(path, { signal: options.signal })) {
    for (const piece of splitter.push(chunk)) {
      options.signal.throwIfAborted();
      yield piece;
    }
  }
  splitter.end();
}

type Expectation = 'object' | 'key' | 'colon' | 'value' | 'comma' | 'nothing';

const LF = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Finds where pieces end by quotes and brackets alone; whether they are JSON is proved when they are whole. */
class Splitter {
  readonly #options: PieceOptions;
  #next: Expectation = 'object';
  #first = true;
  #key = '';
  /** Position in the list `within` while it is read. */
  #item: number | null = null;
  // Where the chunk and the current line start in the stream.
  #offset = 0;
  #line = 1;
  #lineStart = 0;
  // The value that is being read: where its bytes so far are, and what its end depends on.
  #held: Buffer[] = [];
  #heldLength = 0;
  #start: JsonPlace;
  #open: 'no' | 'scalar' | 'nested' = 'no';
  #depth = 0;
  #string = false;
  #escaped = false;

  constructor(options: PieceOptions) {
    this.#options = options;
    this.#start = this.#place(0);
  }

  *push(chunk: Buffer): Generator<Piece> {
    let at = 0;
    while (at < chunk.length) {
      if (this.#open === 'no') {
        const byte = chunk[at]!;
        if (isSpace(byte)) {
          at++;
          if (byte === LF) this.#newLine(at);
        } else if (this.#next === 'value' || this.#next === 'key') {
          at = this.#begin(byte, at);
        } else {
          this.#punctuation(byte, at++);
        }
        continue;
      }
      const end = this.#open === 'scalar' ? scalarEnd(chunk, at) : this.#nestedEnd(chunk, at);
      this.#hold(chunk.subarray(at, end ?? chunk.length));
      if (end === null) break;
      at = end;
      this.#open = 'no';
      const piece = this.#finish();
      if (piece !== null) yield piece;
    }
    this.#offset += chunk.length;
  }

  end(): void {
    if (this.#next !== 'nothing' || this.#open !== 'no') {
      throw this.#invalid('not JSON: the file ends within the object; fetch it again', this.#place(0));
    }
  }

  /** Starts a value or a key, or steps into or out of the list. */
  #begin(byte: number, at: number): number {
    const { within } = this.#options;
    const closing = byte === 0x5d ? this.#item !== null : byte === 0x7d && this.#item === null && this.#next === 'key';
    if (closing && this.#first) {
      this.#close();
      return at + 1;
    }
    if (this.#next === 'key' && byte !== QUOTE) {
      throw this.#invalid('not JSON: a quoted key was expected', this.#place(at));
    }
    if (this.#next === 'value' && this.#item === null && this.#key === within && byte === 0x5b) {
      this.#item = 0;
      this.#first = true;
      return at + 1;
    }
    this.#start = this.#place(at);
    this.#depth = 0;
    this.#string = false;
    this.#escaped = false;
    this.#open = byte === QUOTE || byte === 0x7b || byte === 0x5b ? 'nested' : 'scalar';
    return at;
  }

  #punctuation(byte: number, at: number): void {
    if (this.#next === 'object' && byte === 0x7b) {
      this.#next = 'key';
      this.#first = true;
    } else if (this.#next === 'colon' && byte === COLON) {
      this.#next = 'value';
    } else if (this.#next === 'comma' && byte === COMMA) {
      this.#next = this.#item === null ? 'key' : 'value';
      this.#first = false;
    } else if (this.#next === 'comma' && byte === (this.#item === null ? 0x7d : 0x5d)) {
      this.#close();
    } else {
      const problem = problems[this.#next] ?? 'a comma or a closing bracket was expected';
      throw this.#invalid(`not JSON: ${problem}`, this.#place(at));
    }
  }

  #close(): void {
    if (this.#item === null) {
      this.#next = 'nothing';
    } else {
      this.#item = null;
      this.#next = 'comma';
    }
  }

  /** Null where the value goes on in the next chunk. */
  #nestedEnd(chunk: Buffer, at: number): number | null {
    for (; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte === LF) this.#newLine(at + 1);
      if (this.#string) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) {
          this.#string = false;
          if (this.#depth === 0) return at + 1;
        }
      } else if (byte === QUOTE) this.#string = true;
      else if (byte === 0x7b || byte === 0x5b) this.#depth++;
      else if ((byte === 0x7d || byte === 0x5d) && --this.#depth === 0) return at + 1;
    }
    return null;
  }

  #hold(bytes: Buffer): void {
    const { limit = 256 * 1024 * 1024 } = this.#options;
    this.#held.push(bytes);
    this.#heldLength += bytes.length;
    if (this.#heldLength > limit) throw this.#invalid(`one value is longer than ${limit} bytes`, this.#start);
  }

  #finish(): Piece | null {
    const bytes = this.#held.length === 1 ? this.#held[0]! : Buffer.concat(this.#held, this.#heldLength);
    this.#held = [];
    this.#heldLength = 0;
    if (!isUtf8(bytes)) throw this.#invalid('a value is not UTF-8: convert the file to UTF-8', this.#start);
    const text = new LocatedJson(JsonText.trusted(bytes), this.#start).read(JsonText.parse);
    if (this.#next === 'key') {
      this.#key = text.string();
      this.#next = 'colon';
      return null;
    }
    this.#next = 'comma';
    const item = this.#item === null ? null : this.#item++;
    return new Piece(text, this.#start, { key: this.#key, item });
  }

  #newLine(at: number): void {
    this.#line++;
    this.#lineStart = this.#offset + at;
  }

  #place(at: number): JsonPlace {
    const offset = this.#offset + at;
    return { file: this.#options.file, offset, line: this.#line, column: offset - this.#lineStart + 1 };
  }

  #invalid(problem: string, { file, line, column }: JsonPlace): HoldfastError {
    return new HoldfastError('RECORD_INVALID', `${file}:${line}:${column}: ${problem}`, {
      facts: { file, line, column },
    });
  }
}

const problems: Partial<Readonly<Record<Expectation, string>>> = {
  object: 'an object was expected',
  colon: 'a colon was expected',
  nothing: 'more text after the object',
};

function scalarEnd(chunk: Buffer, at: number): number | null {
  for (; at < chunk.length; at++) {
    const byte = chunk[at]!;
    if (byte === COMMA || byte === 0x7d || byte === 0x5d || isSpace(byte)) return at;
  }
  return null;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === LF || byte === 0x0d || byte === 0x09;
}
