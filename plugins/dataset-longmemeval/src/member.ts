import { HoldfastError, type JsonKind, type JsonText } from '@holdfast/core';

/** The member that must be there. Throws RECORD_INVALID with its place, which starts at `within`. */
export function member(members: ReadonlyMap<string, JsonText>, name: string, kind: JsonKind, within = ''): JsonText {
  const value = members.get(name);
  if (value === undefined) throw recordInvalid(`${within}${name}`, 'is missing');
  if (value.kind !== kind) throw recordInvalid(`${within}${name}`, `must be of kind ${kind}, not ${value.kind}`);
  return value;
}

/** The string in a list. */
export function text(value: JsonText, place: string): string {
  if (value.kind !== 'string') throw recordInvalid(place, `must be a string, not ${value.kind}`);
  return value.string();
}

/** A RECORD_INVALID error whose place the row's reader turns into a line and a column. */
export function recordInvalid(place: string, reason: string): HoldfastError {
  return new HoldfastError('RECORD_INVALID', `${place} ${reason}`, { facts: { place, reason } });
}
