import { HoldfastError, type JsonKind, type JsonText } from '@holdfast/core';
import { headOf, readRows, rowFormatOf, type Row, type RowFormat, type RowOptions } from '@holdfast/kit';

/** What was seen of one member or column. */
export interface InspectedColumn {
  readonly name: string;
  /** Rows in which it says something: no null, no empty cell. */
  readonly filled: number;
  readonly kinds: readonly JsonKind[];
  /** The words it holds and how often, in the order of their first sight; null where it holds anything else. */
  readonly words: ReadonlyMap<string, number> | null;
}

/** What the first rows of a file show. */
export interface InspectedFile {
  readonly path: string;
  readonly format: RowFormat;
  /** What says that it is this format. */
  readonly why: string;
  /** Of CSV: null for other formats. */
  readonly csv: Readonly<CsvDialect> | null;
  readonly rows: readonly Row[];
  /** Whether these are all rows of the file. */
  readonly whole: boolean;
  /** Of the rows that were seen, on average. */
  readonly bytesPerRow: number;
  readonly columns: readonly InspectedColumn[];
}

export interface CsvDialect {
  readonly delimiter: ',' | ';' | '\t' | '|';
  quotes: boolean;
}

export interface InspectOptions {
  /** @default 200 */
  readonly rows?: number;
  /** @default 8 MiB */
  readonly bytes?: number;
  readonly signal: AbortSignal;
}

/** The first rows of a file, whatever its format. Throws as `readRows`, and UPSTREAM_INVALID where there is no row. */
export async function inspectFile(
  path: string,
  { rows: most = 200, bytes: mostBytes = 8 * 1024 * 1024, signal }: InspectOptions,
): Promise<InspectedFile> {
  const { format, why } = await rowFormatOf(path, { signal });
  const csv = format === 'csv' ? await dialectOf(path, signal) : null;
  const limits = { most, mostBytes, signal };
  let read: FirstRows;
  try {
    read = await firstRows(path, { format, csv }, limits);
  } catch (error) {
    // Many TSV files know no quotes: there one is a character like any other.
    if (csv?.delimiter !== '\t' || !HoldfastError.is(error) || !error.message.includes('quote')) throw error;
    csv.quotes = false;
    read = await firstRows(path, { format, csv }, limits);
  }
  const { rows, whole, bytes } = read;
  if (rows.length === 0) {
    throw new HoldfastError('UPSTREAM_INVALID', `${path} has no row: a row for each decision is needed`, {
      facts: { file: path },
    });
  }
  return { path, format, why, csv, rows, whole, bytesPerRow: bytes / rows.length, columns: columnsOf(rows) };
}

interface FirstRows {
  readonly rows: readonly Row[];
  readonly whole: boolean;
  readonly bytes: number;
}

async function firstRows(
  path: string,
  how: Pick<InspectedFile, 'format' | 'csv'>,
  { most, mostBytes, signal }: { most: number; mostBytes: number; signal: AbortSignal },
): Promise<FirstRows> {
  const rows: Row[] = [];
  let bytes = 0;
  for await (const row of readRows(path, { ...rowOptions(how), signal })) {
    if (rows.length === most || bytes >= mostBytes) return { rows, bytes, whole: false };
    rows.push(row);
    for (const value of row.cells.values()) bytes += value.byteLength;
  }
  return { rows, bytes, whole: true };
}

/** How `readRows` reads a file that was looked at. */
export function rowOptions({ format, csv }: Pick<InspectedFile, 'format' | 'csv'>): RowOptions {
  return csv === null ? { format } : { format, ...csv };
}

/** The words of a string, a number or a truth value; null for what is none of them, undefined for what says nothing. */
export function wordIn(value: JsonText | undefined): string | null | undefined {
  if (value === undefined || value.kind === 'null') return undefined;
  if (value.kind === 'string') return value.byteLength === 2 ? undefined : value.string();
  return value.kind === 'number' || value.kind === 'boolean' ? value.toString() : null;
}

function columnsOf(rows: readonly Row[]): InspectedColumn[] {
  const columns = new Map<string, { filled: number; kinds: Set<JsonKind>; words: Map<string, number> | null }>();
  for (const { cells } of rows) {
    for (const [name, value] of cells) {
      let column = columns.get(name);
      if (column === undefined) columns.set(name, (column = { filled: 0, kinds: new Set(), words: new Map() }));
      const word = wordIn(value);
      if (word === undefined) continue;
      column.filled++;
      column.kinds.add(value.kind);
      if (word === null) column.words = null;
      else column.words?.set(word, (column.words.get(word) ?? 0) + 1);
    }
  }
  return [...columns].map(([name, { kinds, ...column }]) => ({ name, ...column, kinds: [...kinds] }));
}

const delimiters = [';', ',', '\t', '|'] as const;

/** As much of a file as is looked at for its delimiter. */
const HEAD = 256 * 1024;

/**
 * The delimiter that stands equally often in the header and in the first rows, and most often of those; where none
 * does, the one that stands most often in the header.
 */
async function dialectOf(path: string, signal: AbortSignal): Promise<CsvDialect> {
  const head = (await headOf(path, { bytes: HEAD, signal })).toString('utf8');
  const counts = delimiters.map(delimiter => {
    const [header = 0, ...rows] = countsIn(head, delimiter);
    return { delimiter, header, even: header > 0 && rows.every(count => count === header) };
  });
  const most = (found: typeof counts) =>
    found.reduce<(typeof counts)[number] | null>(
      (best, each) => (each.header > (best?.header ?? 0) ? each : best),
      null,
    );
  const { delimiter } = most(counts.filter(({ even }) => even)) ?? most(counts) ?? { delimiter: ',' as const };
  return { delimiter, quotes: true };
}

/** How often the delimiter stands in each of the first whole rows, outside of quotes. */
function countsIn(head: string, delimiter: string): number[] {
  const counts: number[] = [];
  let quoted = false;
  let count = 0;
  let blank = true;
  for (const character of head) {
    if (character === '"') quoted = !quoted;
    if (character === '\n' && !quoted) {
      if (!blank) counts.push(count);
      if (counts.length === 20) return counts;
      count = 0;
      blank = true;
      continue;
    }
    if (character !== '\r' && character !== '\ufeff') blank = false;
    if (character === delimiter && !quoted) count++;
  }
  // The last row may be cut, unless it is the only one.
  return counts.length === 0 ? [count] : counts;
}
