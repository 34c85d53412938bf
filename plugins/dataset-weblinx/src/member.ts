import { HoldfastError, type JsonKind, type JsonText } from '@holdfast/core';

/** The member that must be there. Throws RECORD_INVALID with its place, which starts at `within`. */
export function member(members: ReadonlyMap<string, JsonText>, name: string, kind: JsonKind, within = ''): JsonText {
  const value = members.get(name);
  if (value === undefined) throw recordInvalid(`${within}${name}`, 'is missing');
  if (value.kind !== kind) throw recordInvalid(`${within}${name}`, `must be of kind ${kind}, not ${value.kind}`);
  return value;
}

/** A whole number that a CSV file holds as text. */
export function wholeNumber(members: ReadonlyMap<string, JsonText>, name: string): number {
  const value = members.get(name);
  if (value === undefined) throw recordInvalid(name, 'is missing');
  const text = value.kind === 'string' ? value.string() : value.toString();
  if (!/^\d{1,9}(\.0)?$/.test(text)) throw recordInvalid(name, 'must be a whole number');
  return Number(text);
}

/** A RECORD_INVALID error whose place the line's reader turns into a column. */
export function recordInvalid(place: string, reason: string): HoldfastError {
  return new HoldfastError('RECORD_INVALID', `${place} ${reason}`, { facts: { place, reason } });
}
