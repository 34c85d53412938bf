import { JsonText, type HoldfastError } from '@holdfast/core';
import { JsonElement } from './json-element.ts';
import { invalidAt, proveJson, type JsonPlace } from './located-json.ts';

/** What the next byte belongs to. */
const BEFORE = 0;
const FIRST = 1;
const NEXT = 2;
const INSIDE = 3;
const STRING = 4;
const ESCAPED = 5;
const SCALAR = 6;
const BEHIND = 7;
const AFTER = 8;
const ELSE = 9;

const LF = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const CLOSE = 0x5d;
const mark = [0xef, 0xbb, 0xbf];

/** The bytes that change the state inside of a container and inside of a string. */
const insideStops = new Uint8Array(256);
for (const byte of Buffer.from('"{}[]\n')) insideStops[byte] = 1;
const stringStops = new Uint8Array(256).fill(1, 0, 0x20);
stringStops[QUOTE] = 1;
stringStops[BACKSLASH] = 1;

/** How much of a file that is no array is looked at to say what it is instead. */
const HEAD = 64 * 1024;

/**
 * Finds where elements end by strings and depth alone, each byte once, however the stream is cut; the proof of what is
 * inside follows when an element is complete. Where the two could disagree the element is no JSON, and proof fails.
 */
export class JsonArraySplitter {
  readonly #file: string;
  readonly #limit: number;
  #state = BEFORE;
  #depth = 0;
  #index = 0;
  /** Where the next chunk, and the current line, start in the stream. */
  #offset = 0;
  #line = 1;
  #lineStart = 0;
  #marked = 0;
  /** The element that is open, or what has been seen of a file that is no array. */
  #pieces: Uint8Array[] = [];
  #length = 0;
  #start: JsonPlace | null = null;

  constructor(file: string, limit: number) {
    this.#file = file;
    this.#limit = limit;
  }

  *push(chunk: Uint8Array): Generator<JsonElement, void, undefined> {
    const length = chunk.length;
    let at = 0;
    let from = 0;
    while (at < length) {
      const byte = chunk[at]!;
      switch (this.#state) {
        case INSIDE: {
          while (at < length && insideStops[chunk[at]!] === 0) at++;
          if (at === length) break;
          const stop = chunk[at++]!;
          if (stop === QUOTE) this.#state = STRING;
          else if (stop === LF) this.#newLine(at);
          else if (stop === 0x7b || stop === 0x5b) this.#depth++;
          else if (--this.#depth === 0) yield this.#close(chunk.subarray(from, at));
          break;
        }
        case STRING: {
          while (at < length && stringStops[chunk[at]!] === 0) at++;
          if (at === length) break;
          const stop = chunk[at++]!;
          if (stop === BACKSLASH) this.#state = ESCAPED;
          else if (stop !== QUOTE)
            // A raw control character: the proof fails there or before.
            yield this.#close(chunk.subarray(from, at));
          else if (this.#depth > 0) this.#state = INSIDE;
          else yield this.#close(chunk.subarray(from, at));
          break;
        }
        case ESCAPED:
          if (byte < 0x20) {
            yield this.#close(chunk.subarray(from, at + 1));
          } else {
            this.#state = STRING;
          }
          at++;
          break;
        case SCALAR:
          if (byte === COMMA || byte === CLOSE || isSpace(byte)) yield this.#close(chunk.subarray(from, at));
          else at++;
          break;
        case ELSE:
          at = length;
          break;
        default:
          if (isSpace(byte)) {
            at++;
            if (byte === LF) this.#newLine(at);
          } else if (this.#state === BEFORE) {
            from = at;
            at = this.#begin(byte, at);
          } else if (this.#state === BEHIND) {
            if (byte === COMMA) this.#state = NEXT;
            else if (byte === CLOSE) this.#state = AFTER;
            else throw invalidAt('not JSON: a comma or a closing ] was expected', this.#place(at));
            at++;
          } else if (this.#state === AFTER) {
            const reason = 'not JSON: more text after the array: only space may follow its closing ]';
            throw invalidAt(reason, this.#place(at));
          } else if (byte === CLOSE && this.#state === FIRST) {
            this.#state = AFTER;
            at++;
          } else if (byte === CLOSE || byte === COMMA) {
            throw invalidAt('not JSON: a value was expected', this.#place(at));
          } else {
            this.#start = this.#place(at);
            from = at;
            this.#depth = byte === 0x7b || byte === 0x5b ? 1 : 0;
            this.#state = this.#depth === 1 ? INSIDE : byte === QUOTE ? STRING : SCALAR;
            at++;
          }
      }
    }
    if (this.#open) this.#keep(chunk.subarray(from));
    this.#offset += length;
  }

  *end(): Generator<JsonElement, void, undefined> {
    if (this.#state === ELSE) throw this.#notAnArray();
    if (this.#state === AFTER) return;
    if (this.#state === BEFORE) {
      const reason = 'a JSON array was expected, but the file is empty: an array without elements is written []';
      throw invalidAt(reason, this.#place(0));
    }
    // A number may be whole here; anything else fails its proof at the place where the text ends.
    if (this.#open) yield this.#close(new Uint8Array());
    throw invalidAt('not JSON: the text ends before the closing ] of the array; fetch it again', this.#place(0));
  }

  get #open(): boolean {
    return (this.#state >= INSIDE && this.#state <= SCALAR) || this.#state === ELSE;
  }

  #newLine(at: number): void {
    this.#line++;
    this.#lineStart = this.#offset + at;
  }

  #place(at: number): JsonPlace {
    const offset = this.#offset + at;
    return { file: this.#file, offset, line: this.#line, column: offset - this.#lineStart + 1 };
  }

  /** The first byte that is no space: the array's bracket, a part of the byte order mark, or neither. */
  #begin(byte: number, at: number): number {
    const offset = this.#offset + at;
    if (this.#marked === offset && byte === mark[offset]) {
      this.#marked++;
      this.#lineStart = offset + 1;
      return at + 1;
    }
    if (byte === 0x5b && this.#marked !== 1 && this.#marked !== 2) {
      this.#state = FIRST;
      return at + 1;
    }
    this.#start = this.#place(at);
    this.#state = ELSE;
    return at;
  }

  #keep(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#state === ELSE) {
      if (this.#length > HEAD) throw this.#notAnArray();
    } else if (this.#length > this.#limit) {
      throw this.#tooLong();
    }
  }

  #close(last: Uint8Array): JsonElement {
    let bytes = last;
    if (this.#pieces.length > 0) {
      this.#pieces.push(last);
      bytes = Buffer.concat(this.#pieces);
      this.#pieces = [];
      this.#length = 0;
    }
    if (bytes.length > this.#limit) throw this.#tooLong();
    this.#state = BEHIND;
    return new JsonElement(this.#index++, proveJson(bytes, this.#start!), this.#start!);
  }

  #tooLong(): HoldfastError {
    const limit = this.#limit;
    const reason = `the element ${this.#index} is longer than ${limit} bytes: raise the option "limit" to read it`;
    return invalidAt(reason, this.#start!, { limit });
  }

  #notAnArray(): HoldfastError {
    const head = Buffer.concat(this.#pieces).subarray(0, HEAD);
    return invalidAt(`one JSON array was expected, but ${insteadOfArray(head)}`, this.#start!);
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === LF || byte === 0x0d || byte === 0x09;
}

/** What a file is that starts with `head`, and what to do about it. */
function insteadOfArray(head: Buffer): string {
  const lineEnd = head.indexOf(LF);
  if (lineEnd !== -1 && isJson(head.subarray(0, lineEnd)) && /\S/.test(head.toString('latin1', lineEnd))) {
    return 'this is JSONL, a value on each line: read it as JSONL, or make an array of it with "jq -s ."';
  }
  if (head[0] === 0x7b) {
    return 'this is an object: name the file that holds the array, or take it out of the object with "jq .KEY"';
  }
  return 'the file starts with something else: name the file that holds the array';
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JsonText.parse(bytes);
    return true;
  } catch {
    return false;
  }
}
