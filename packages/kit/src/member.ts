import { HoldfastError, readMap, type JsonKind, type JsonText } from '@holdfast/core';

/** The member that must be there. Throws RECORD_INVALID with its place, which starts at `within`. */
export function member(members: ReadonlyMap<string, JsonText>, name: string, kind: JsonKind, within = ''): JsonText {
  const value = members.get(name);
  if (value === undefined) throw recordInvalid(`${within}${name}`, 'is missing');
  if (value.kind !== kind) throw recordInvalid(`${within}${name}`, `must be of kind ${kind}, not ${value.kind}`);
  return value;
}

/** `member` of an object's bytes. */
export function memberOf(object: Uint8Array, name: string, kind: JsonKind, within = ''): JsonText {
  return member(readMap(object), name, kind, within);
}

/** A RECORD_INVALID error whose place the row's reader turns into a line and a column. */
export function recordInvalid(place: string, reason: string): HoldfastError {
  return new HoldfastError('RECORD_INVALID', `${place} ${reason}`, { facts: { place, reason } });
}
