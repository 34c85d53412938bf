import { HoldfastError } from '@holdfast/core';

/** One row below the header. */
export class CsvRow {
  readonly file: string;
  /** Where the row starts, from 1: a cell may go over several lines. */
  readonly line: number;
  /** From 1, the header not counted. */
  readonly row: number;
  /** By header, in the order of the columns, exactly as they stand: neither trimmed nor guessed at. */
  readonly cells: ReadonlyMap<string, string>;

  constructor(place: { file: string; line: number; row: number }, cells: ReadonlyMap<string, string>) {
    this.file = place.file;
    this.line = place.line;
    this.row = place.row;
    this.cells = cells;
  }

  /** The cell of a column. Throws RECORD_INVALID where the header has none of this name. */
  cell(header: string): string {
    const text = this.cells.get(header);
    if (text !== undefined) return text;
    const known = [...this.cells.keys()].map(name => JSON.stringify(name)).join(', ');
    throw this.locate(
      new HoldfastError('RECORD_INVALID', `the column ${JSON.stringify(header)} is missing: the header has ${known}`),
    );
  }

  /** The error as `FILE:LINE: reason`; for what is found wrong in a cell. What has a place already stays as it is. */
  locate(error: unknown): unknown {
    if (!HoldfastError.is(error) || error.facts.file !== undefined) return error;
    return new HoldfastError(error.code, `${this.file}:${this.line}: ${error.message}`, {
      cause: error,
      facts: { ...error.facts, file: this.file, line: this.line },
    });
  }
}
