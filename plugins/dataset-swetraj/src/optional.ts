import type { JsonText, JsonKind } from '@holdfast/core';
import { recordInvalid } from '@holdfast/kit';

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
