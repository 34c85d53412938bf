import { HoldfastError, JsonText, readMap } from '@holdfast/core';
import { BadRow } from './bad-row.ts';

/** A member that stands there and says something; in tables an empty cell says nothing. */
export function given(value: JsonText | undefined): JsonText | undefined {
  if (value === undefined || value.kind === 'null') return undefined;
  return value.kind === 'string' && value.byteLength === 2 ? undefined : value;
}

/** The words of a string, a number or a truth value, exactly as they are written; null for what is none of them. */
export function wordOf(value: JsonText): string | null {
  if (value.kind === 'string') return value.string();
  return value.kind === 'number' || value.kind === 'boolean' ? value.toString() : null;
}

/** A list or a map that a table could only hold as text; anything else as it is. */
export function structured(value: JsonText): JsonText {
  if (value.kind !== 'string') return value;
  const text = value.string();
  return /^\s*[[{]/.test(text) ? JsonText.parse(text) : value;
}

/** The members of an object. Throws BadRow where it is none, or a key stands twice. */
export function membersOf(value: JsonText, member: string): Map<string, JsonText> {
  if (value.kind !== 'object') throw new BadRow(member, `${member} is no object`, `is ${value.kind}, not an object`);
  try {
    return readMap(value.bytes);
  } catch (error) {
    if (!HoldfastError.is(error)) throw error;
    throw new BadRow(member, 'a key stands twice in one object', `is wrong: ${String(error.facts.reason)}`);
  }
}
