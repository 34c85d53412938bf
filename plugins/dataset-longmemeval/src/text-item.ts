import type { JsonText } from '@holdfast/core';
import { recordInvalid } from '@holdfast/kit';

/** The string in a list. */
export function text(value: JsonText, place: string): string {
  if (value.kind !== 'string') throw recordInvalid(place, `must be a string, not ${value.kind}`);
  return value.string();
}
