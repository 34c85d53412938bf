import { HoldfastError, type JsonKind, type JsonText } from '@holdfast/core';

/** The member, or null where it is missing or null. Throws RECORD_INVALID with its place where it is another kind. */
export function optional(
  members: ReadonlyMap<string, JsonText>,
  name: string,
  kind: JsonKind,
  within = '',
): JsonText | null {
  const value = members.get(name);
  if (value === undefined || value.kind === 'null') return null;
  if (value.kind !== kind) throw recordInvalid(`${within}${name}`, `must be of kind ${kind}, not ${value.kind}`);
  return value;
}

/** The member that must be there. Throws as `optional`. */
export function required(members: ReadonlyMap<string, JsonText>, name: string, kind: JsonKind, within = ''): JsonText {
  const value = optional(members, name, kind, within);
  if (value === null) throw recordInvalid(`${within}${name}`, 'is missing');
  return value;
}

/** A RECORD_INVALID error whose place the file's reader turns into a line and column. */
export function recordInvalid(place: string, reason: string): HoldfastError {
  return new HoldfastError('RECORD_INVALID', `${place} ${reason}`, { facts: { place, reason } });
}
