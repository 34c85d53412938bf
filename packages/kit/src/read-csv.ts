import { CsvError, parse, type Parser } from 'csv-parse';
import { HoldfastError } from '@holdfast/core';
import { checkUtf8 } from './check-utf8.ts';
import { findDelimiter, type CsvDelimiter } from './csv-delimiter.ts';
import { CsvRow } from './csv-row.ts';
import { openBytes } from './open-bytes.ts';
import { TextPosition } from './text-position.ts';

export type { CsvDelimiter };

export interface CsvRowOptions {
  /** What errors call the source. */
  readonly file: string;
  /** 'auto': whichever stands most often in the header, outside of quotes. @default 'auto' */
  readonly delimiter?: 'auto' | CsvDelimiter | undefined;
  /** False where a quote is a character like any other, as in many TSV files. @default true */
  readonly quotes?: boolean | undefined;
  /** Most characters of one row. @default 64 Mi */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CsvOptions extends Omit<CsvRowOptions, 'file'> {
  /** What errors call the file. @default the path */
  readonly file?: string | undefined;
}

/** A longer header is no header but a file of another kind. */
const HEADER_LIMIT = 1024 * 1024;

/**
 * The rows of a CSV file with a header (RFC 4180), compressed or not, in order: rows end with LF or CR LF, cells in
 * quotes may hold both, empty lines are passed over, so that an empty cell of an only column must be quoted. Throws as
 * `openBytes`, and RECORD_INVALID with file and line where the header is missing, empty or ambiguous, a row has more or
 * fewer cells than the header, a quote is out of place, or a byte is not UTF-8.
 */
export function readCsv(path: string, options: CsvOptions = {}): AsyncIterable<CsvRow> {
  const { file = path, signal } = options;
  return readCsvRows(openBytes(path, { signal }), { ...options, file });
}

/** `readCsv` for bytes that come from elsewhere. */
export async function* readCsvRows(
  source: AsyncIterable<Uint8Array>,
  { file, delimiter = 'auto', quotes = true, limit = 64 * 1024 * 1024, signal }: CsvRowOptions,
): AsyncGenerator<CsvRow, void, undefined> {
  signal?.throwIfAborted();
  const table = new Table(file, { quotes, limit });
  try {
    // The header as long as its delimiter is not known.
    let head: Buffer | null = Buffer.alloc(0);
    for await (let piece of checkUtf8(source, (offset, byte) => table.notUtf8(offset, byte))) {
      signal?.throwIfAborted();
      table.position.add(piece);
      if (head !== null) {
        piece = head = Buffer.concat([head, piece]);
        const found = delimiter === 'auto' ? findDelimiter(head, quotes, false) : delimiter;
        if (found === null) {
          if (head.length > HEADER_LIMIT)
            throw table.invalid(`no header ends within ${HEADER_LIMIT} bytes: is it CSV?`);
          continue;
        }
        table.open(found === 'tie' ? table.ambiguous() : found);
        head = null;
      }
      for (const row of await table.push(piece)) {
        yield row;
        signal?.throwIfAborted();
      }
      table.check();
    }
    signal?.throwIfAborted();
    if (head !== null) {
      const found = findDelimiter(head, quotes, true)!;
      table.open(found === 'tie' ? table.ambiguous() : found);
      yield* await table.push(head);
      table.check();
    }
    yield* await table.end();
    table.check();
  } finally {
    table.close();
  }
}

/** What has been read of one file. The parser knows cells, and offsets, but miscounts lines in quoted cells. */
class Table {
  readonly position = new TextPosition();
  readonly #file: string;
  readonly #quotes: boolean;
  readonly #limit: number;
  #delimiter: CsvDelimiter = ',';
  #parser: Parser | null = null;
  /** The rows that the parser has found since they were last taken, and where each ends. */
  #found: { readonly cells: readonly string[]; readonly end: number }[] = [];
  #header: readonly string[] | null = null;
  #rows = 0;
  #problem: Error | null = null;

  constructor(file: string, { quotes, limit }: { quotes: boolean; limit: number }) {
    this.#file = file;
    this.#quotes = quotes;
    this.#limit = limit;
  }

  open(delimiter: CsvDelimiter): void {
    this.#delimiter = delimiter;
    const parser = parse({
      delimiter,
      quote: this.#quotes ? '"' : null,
      escape: this.#quotes ? '"' : null,
      // Given, since it would be guessed from the first line for all the others.
      record_delimiter: ['\r\n', '\n'],
      skip_empty_lines: true,
      relax_column_count: true,
      max_record_size: this.#limit,
      // Rows that are pushed get lost when an error follows within the same chunk.
      on_record: (cells: string[]) => {
        this.#found.push({ cells, end: parser.info.bytes });
        return null;
      },
    });
    parser.on('error', (error: Error) => {
      this.#problem ??= error;
    });
    // Nothing comes out, but only a stream that is read from comes to its end.
    parser.resume();
    this.#parser = parser;
  }

  async push(bytes: Buffer): Promise<CsvRow[]> {
    const parser = this.#parser!;
    this.#problem = await new Promise(resolve => {
      parser.write(bytes, error => resolve(error ?? null));
    });
    return this.#take();
  }

  async end(): Promise<CsvRow[]> {
    const parser = this.#parser!;
    await new Promise<void>(resolve => {
      parser.once('finish', resolve);
      parser.once('error', () => resolve());
      parser.end();
    });
    const rows = this.#take();
    this.position.passBlankLines();
    if (this.#header === null) this.#problem ??= this.invalid('the file is empty: a header row was expected');
    return rows;
  }

  close(): void {
    this.#parser?.destroy();
  }

  /** Throws what stands behind the rows that were taken last. */
  check(): void {
    if (this.#problem === null) return;
    throw this.#problem instanceof CsvError ? this.#located(this.#problem) : this.#problem;
  }

  invalid(reason: string, { column = null }: { column?: number | null } = {}): HoldfastError {
    const { line } = this.position;
    const where = column === null ? `${this.#file}:${line}` : `${this.#file}:${line}:${column}`;
    return new HoldfastError('RECORD_INVALID', `${where}: ${reason}`, {
      facts: { file: this.#file, line, ...(column === null ? {} : { column }) },
    });
  }

  ambiguous(): never {
    this.position.passBlankLines();
    throw this.invalid(
      'two delimiters stand equally often in the header: name the right one by the option "delimiter"',
    );
  }

  notUtf8(offset: number, byte: number): HoldfastError {
    this.position.moveTo(offset);
    const reason = `the byte 0x${byte.toString(16).padStart(2, '0')} is not UTF-8: convert the file to UTF-8`;
    return this.invalid(reason, this.position);
  }

  #take(): CsvRow[] {
    const rows: CsvRow[] = [];
    const found = this.#found;
    this.#found = [];
    for (const { cells, end } of found) {
      this.position.passBlankLines();
      const wrong = this.#header === null ? wrongHeader(cells) : this.#wrongRow(cells);
      if (wrong !== null) {
        this.#problem = this.invalid(wrong);
        break;
      }
      if (this.#header === null) {
        this.#header = cells;
      } else {
        const place = { file: this.#file, line: this.position.line, row: ++this.#rows };
        rows.push(new CsvRow(place, new Map(this.#header.map((name, index) => [name, cells[index]!]))));
      }
      this.position.moveTo(end);
    }
    return rows;
  }

  #wrongRow(cells: readonly string[]): string | null {
    const expected = this.#header!.length;
    if (cells.length === expected) return null;
    const remedy = cells.length > expected ? 'a cell that holds the delimiter must be in quotes' : 'add those missing';
    return `the row has ${cells.length} cells where the header has ${expected}: ${remedy}`;
  }

  /** What the parser found wrong, at the start of the cell that it was in. */
  #located(error: CsvError): HoldfastError {
    this.position.passBlankLines();
    if (error.code === 'CSV_MAX_RECORD_SIZE') {
      const remedy = 'close the quote that is open in it, or raise the option "limit"';
      return this.invalid(`the row that starts here is longer than ${this.#limit} characters: ${remedy}`);
    }
    this.position.moveTo(this.#parser!.info.bytes);
    if (this.position.byte(0) === this.#delimiter.charCodeAt(0)) this.position.moveTo(this.position.offset + 1);
    return this.invalid(`not CSV: ${quoteProblem(error.code)}`, this.position);
  }
}

function quoteProblem(code: string): string {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'the quote that opens here is never closed';
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'the cell in quotes that starts here has text behind its closing quote: double the quotes inside it';
    default:
      return 'the cell that starts here has a quote but is not in quotes: quote it, or set the option "quotes" to false';
  }
}

function wrongHeader(names: readonly string[]): string | null {
  if (names.some(name => name.includes('\r'))) return 'the lines end with CR alone: convert them to end with LF';
  for (const [index, name] of names.entries()) {
    if (name.trim() === '') return `the column ${index + 1} has no name in the header: give it one`;
    const first = names.indexOf(name);
    if (first < index) return `the columns ${first + 1} and ${index + 1} are both called ${JSON.stringify(name)}`;
  }
  return null;
}
