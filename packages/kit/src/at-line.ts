import { HoldfastError, readItems, readMembers } from '@holdfast/core';

export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The line itself, where it is at hand: then a member that is wrong is told with its column. */
  readonly bytes?: Uint8Array;
}

/**
 * The error of a line's reader, told as `FILE:LINE:COLUMN: reason` with the same code and the place in its facts
 * (`file`, `line`, `column` in bytes from 1). What has a place already, and what is no HoldfastError, comes back as it is.
 */
export function atLine(error: unknown, { file, line, bytes }: Place): unknown {
  if (!HoldfastError.is(error) || error.facts.file !== undefined) return error;
  const { offset, place, reason } = error.facts;
  let column: number | null = null;
  let text = error.message;
  if (typeof offset === 'number') {
    column = offset + 1;
    if (typeof reason === 'string') text = `not JSON: ${reason}`;
  } else if (typeof place === 'string' && bytes !== undefined) {
    column = columnOf(bytes, place);
  }
  const where = column === null ? `${file}:${line}` : `${file}:${line}:${column}`;
  return new HoldfastError(error.code, `${where}: ${text}`, {
    cause: error,
    facts: { ...error.facts, file, line, ...(column === null ? {} : { column }) },
  });
}

/** The column of the member that `place` (`options.1.id`) names, or of what would hold it. */
function columnOf(bytes: Uint8Array, place: string): number {
  let at = bytes;
  try {
    for (const name of place.split('.')) {
      const values =
        at[0] === 0x5b
          ? readItems(at).map((item, index) => [String(index), item] as const)
          : at === bytes || at[0] === 0x7b
            ? readMembers(at)
            : [];
      const found = values.find(([key]) => key === name);
      if (found === undefined) break;
      at = found[1].bytes;
    }
  } catch {
    // The place is as near as it can be told.
  }
  return at.byteOffset - bytes.byteOffset + 1;
}
