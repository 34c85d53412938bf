import { JsonText } from './json-text.ts';

/**
 * The same value on one line: line feeds and carriage returns become spaces, one for one. Inside a string they cannot
 * stand as they are, so only white space between tokens changes. A text that has none is given back itself.
 */
export function oneLine(text: JsonText): JsonText {
  if (!text.parts.some(part => hasBreak(part))) return text;
  return JsonText.trusted(...text.parts.map(part => (hasBreak(part) ? withoutBreaks(part) : part)));
}

function hasBreak(part: Uint8Array): boolean {
  return part.includes(0x0a) || part.includes(0x0d);
}

function withoutBreaks(part: Uint8Array): Uint8Array {
  return part.map(byte => (byte === 0x0a || byte === 0x0d ? 0x20 : byte));
}
