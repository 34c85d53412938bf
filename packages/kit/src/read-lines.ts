import { isUtf8 } from 'node:buffer';
import { HoldfastError } from '@holdfast/core';

/** One line without its line end. */
export interface Line {
  /** A view: valid UTF-8, never empty or white space alone. */
  readonly bytes: Uint8Array;
  /** From 1, blank lines counted. */
  readonly number: number;
  /** Where the bytes start in the (decompressed) stream. */
  readonly offset: number;
}

/** How much has been read so far. */
export interface LineCounts {
  /** Lines met, blank ones included. */
  readonly lines: number;
  readonly blank: number;
}

/** Lines, or lists of them, and how many have been read: complete when the iteration is. To be iterated once. */
export interface Lines<Item> extends AsyncIterable<Item> {
  readonly counts: LineCounts;
}

export interface LineOptions {
  /** What errors call the source. */
  readonly file: string;
  /** Most bytes of one line. @default 64 MiB */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export const LINE_LIMIT = 64 * 1024 * 1024;

const LF = 0x0a;
const CR = 0x0d;
const nothing = Buffer.alloc(0);

/**
 * The lines of a byte stream, framed on LF alone: no other character ends a line. A CR before the LF and one byte
 * order mark at the very start are dropped, blank lines are skipped and counted, a last line needs no LF. Throws
 * RECORD_INVALID with file and line where a line is over the limit, and with the column (in bytes, from 1) where it
 * stops being UTF-8; the signal's reason when it aborts.
 */
export function readLines(source: AsyncIterable<Uint8Array>, options: LineOptions): Lines<Line> {
  const batches = readLineBatches(source, options);
  return {
    counts: batches.counts,
    async *[Symbol.asyncIterator]() {
      for await (const batch of batches) {
        for (const line of batch) {
          options.signal?.throwIfAborted();
          yield line;
        }
      }
    },
  };
}

/** `readLines`, a list for each chunk of the source: for hot paths, which cannot afford a promise for each line. */
export function readLineBatches(
  source: AsyncIterable<Uint8Array>,
  { file, limit = LINE_LIMIT, signal }: LineOptions,
): Lines<readonly Line[]> {
  const framer = new Framer(file, limit);
  return {
    counts: framer.counts,
    async *[Symbol.asyncIterator]() {
      signal?.throwIfAborted();
      for await (const chunk of source) {
        signal?.throwIfAborted();
        framer.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
        yield* framer.take();
      }
      signal?.throwIfAborted();
      framer.end();
      yield* framer.take();
    },
  };
}

class Framer {
  readonly counts = { lines: 0, blank: 0 };
  readonly #file: string;
  readonly #limit: number;
  /** The start of a line whose end has not come yet. */
  #open: Buffer[] = [];
  #openLength = 0;
  /** Where the open line starts in the stream. */
  #offset = 0;
  #batch: Line[] = [];
  #problem: HoldfastError | null = null;

  constructor(file: string, limit: number) {
    this.#file = file;
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    let start = 0;
    while (this.#problem === null) {
      const end = chunk.indexOf(LF, start);
      if (end === -1) break;
      this.#close(chunk.subarray(start, end), 1);
      start = end + 1;
    }
    if (start === chunk.length) return;
    this.#open.push(chunk.subarray(start));
    this.#openLength += chunk.length - start;
    // The byte order mark and the CR are not yet told apart from the line.
    if (this.#openLength > this.#limit + 4) this.#problem ??= this.#tooLong(this.counts.lines + 1);
  }

  end(): void {
    if (this.#problem === null && this.#openLength > 0) this.#close(nothing, 0);
  }

  /** The lines found since the last call; then the problem behind them, if there was one. */
  *take(): Iterable<readonly Line[]> {
    const batch = this.#batch;
    this.#batch = [];
    if (batch.length > 0) yield batch;
    if (this.#problem !== null) throw this.#problem;
  }

  #close(rest: Buffer, lineEnd: 0 | 1): void {
    let bytes = rest;
    if (this.#openLength > 0) {
      if (rest.length > 0) this.#open.push(rest);
      bytes = this.#open.length === 1 ? this.#open[0]! : Buffer.concat(this.#open, this.#openLength + rest.length);
      this.#open = [];
      this.#openLength = 0;
    }
    let offset = this.#offset;
    this.#offset += bytes.length + lineEnd;
    const number = ++this.counts.lines;
    if (number === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
      bytes = bytes.subarray(3);
      offset += 3;
    }
    if (lineEnd === 1 && bytes[bytes.length - 1] === CR) bytes = bytes.subarray(0, -1);
    if (isBlank(bytes)) this.counts.blank++;
    else if (bytes.length > this.#limit) this.#problem = this.#tooLong(number);
    else if (!isUtf8(bytes)) this.#problem = this.#notUtf8(bytes, number);
    else this.#batch.push({ bytes, number, offset });
  }

  #tooLong(line: number): HoldfastError {
    const facts = { file: this.#file, line, limit: this.#limit };
    const message = `${this.#file}:${line}: the line is longer than ${this.#limit} bytes: raise the option "limit" to read it`;
    return new HoldfastError('RECORD_INVALID', message, { facts });
  }

  #notUtf8(bytes: Buffer, line: number): HoldfastError {
    const column = firstNotUtf8(bytes) + 1;
    const byte = bytes[column - 1]!.toString(16).padStart(2, '0');
    const message = `${this.#file}:${line}:${column}: the byte 0x${byte} is not UTF-8: convert the file to UTF-8`;
    return new HoldfastError('RECORD_INVALID', message, { facts: { file: this.#file, line, column } });
  }
}

function isBlank(bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== CR) return false;
  }
  return true;
}

/** The offset of the first byte that starts no whole UTF-8 character. */
export function firstNotUtf8(bytes: Buffer): number {
  // Most of a line is good: halve it until what is left is short. Cuts are only made between characters.
  let good = 0;
  let end = bytes.length;
  while (end - good > 16) {
    let middle = good + ((end - good) >> 1);
    while (middle > good && (bytes[middle]! & 0xc0) === 0x80) middle--;
    if (middle === good) break;
    if (isUtf8(bytes.subarray(good, middle))) good = middle;
    else end = middle;
  }
  for (;;) {
    const width = [1, 2, 3, 4].find(size => good + size <= bytes.length && isUtf8(bytes.subarray(good, good + size)));
    if (width === undefined) return good;
    good += width;
  }
}
