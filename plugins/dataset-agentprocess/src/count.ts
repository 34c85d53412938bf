import type { JsonText } from '@holdfast/core';
import { member, recordInvalid } from '@holdfast/kit';

/** A whole number of at least 0, as it is written. */
export function count(members: ReadonlyMap<string, JsonText>, name: string): string {
  const text = member(members, name, 'number').toString();
  if (!/^(0|[1-9][0-9]*)$/.test(text)) throw recordInvalid(name, `must be a whole number of at least 0, not ${text}`);
  return text;
}
