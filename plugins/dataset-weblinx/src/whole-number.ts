import type { JsonText } from '@holdfast/core';
import { recordInvalid } from '@holdfast/kit';

/** A whole number that a CSV file holds as text. */
export function wholeNumber(members: ReadonlyMap<string, JsonText>, name: string): number {
  const value = members.get(name);
  if (value === undefined) throw recordInvalid(name, 'is missing');
  const text = value.kind === 'string' ? value.string() : value.toString();
  if (!/^\d{1,9}(\.0)?$/.test(text)) throw recordInvalid(name, 'must be a whole number');
  return Number(text);
}
