import { HoldfastError, readMap, type JsonKind, type JsonText } from '@holdfast/core';

/** The member of an object that must be there. Throws RECORD_INVALID with its place, which starts at `within`. */
export function member(object: Uint8Array, name: string, kind: JsonKind, within = ''): JsonText {
  const value = readMap(object).get(name);
  if (value === undefined) throw recordInvalid(`${within}${name}`, 'is missing');
  if (value.kind !== kind) throw recordInvalid(`${within}${name}`, `must be of kind ${kind}, not ${value.kind}`);
  return value;
}

/** A RECORD_INVALID error whose place the line's reader turns into a column. */
export function recordInvalid(place: string, reason: string): HoldfastError {
  return new HoldfastError('RECORD_INVALID', `${place} ${reason}`, { facts: { place, reason } });
}
