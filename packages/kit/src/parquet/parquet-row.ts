import { HoldfastError, json, type JsonText } from '@holdfast/core';

/** One row of a Parquet file. */
export class ParquetRow {
  readonly file: string;
  /** From 1. */
  readonly row: number;
  /** By column, in their order: every value as JSON, a null as `null`. */
  readonly cells: ReadonlyMap<string, JsonText>;

  constructor(place: { file: string; row: number }, cells: ReadonlyMap<string, JsonText>) {
    this.file = place.file;
    this.row = place.row;
    this.cells = cells;
  }

  /** The cell of a column. Throws RECORD_INVALID where the file has none of this name, or it was not read. */
  cell(column: string): JsonText {
    const value = this.cells.get(column);
    if (value !== undefined) return value;
    const known = [...this.cells.keys()].map(name => JSON.stringify(name)).join(', ');
    const message = `the column ${JSON.stringify(column)} is missing: there are ${known}`;
    throw this.locate(new HoldfastError('RECORD_INVALID', message));
  }

  /** The row as one JSON object. */
  json(): JsonText {
    return json.object(this.cells);
  }

  /** The error as `FILE: row ROW: reason`; for what is found wrong in a cell. What has a place stays as it is. */
  locate(error: unknown): unknown {
    return atRow(error, this);
  }
}

/** The error with its row, and with its column where that is known. */
export function atRow(error: unknown, place: { file: string; row: number; column?: string }): unknown {
  if (!HoldfastError.is(error) || error.facts.file !== undefined) return error;
  const { file, row, column } = place;
  const where = column === undefined ? `row ${row}` : `row ${row}, column ${JSON.stringify(column)}`;
  return new HoldfastError(error.code, `${file}: ${where}: ${error.message}`, {
    cause: error,
    facts: { ...error.facts, file, row, ...(column === undefined ? {} : { column }) },
  });
}
