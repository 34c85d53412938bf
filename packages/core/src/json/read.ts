// The ordered reader: one level of a value at a time, as views of its bytes.
import { JsonText } from './json-text.ts';
import { jsonInvalid, scanString, scanValue, skipSpace } from './scan.ts';

/** One member of an object, in the order of the text. Keys are decoded, values stay bytes. */
export type JsonMember = readonly [key: string, value: JsonText];

/** A member that may be met again: its key, and its value as it was read and proved before. */
export interface KnownMember {
  readonly key: string;
  readonly value: JsonText;
}

/** The end of the value at `start`: found by comparing where it is the known one, which says itself where it ends. */
function endOfKnown(bytes: Uint8Array, start: number, { bytes: known, kind }: JsonText): number {
  const end = start + known.byteLength;
  const closed = kind === 'object' || kind === 'array' || kind === 'string';
  if (closed && end <= bytes.byteLength && Buffer.compare(bytes.subarray(start, end), known) === 0) return end;
  return scanValue(bytes, start);
}

/** The string in `bytes[start, end)`, quotes included. */
function decodeString(bytes: Uint8Array, start: number, end: number): string {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  // Without a backslash the text between the quotes is the string.
  return view.includes(0x5c)
    ? (JSON.parse(view.toString('utf8')) as string)
    : view.toString('utf8', 1, end - start - 1);
}

/**
 * The members of the object in `bytes`, in order, duplicates included; the whole text is proved to be JSON.
 * Throws RECORD_INVALID with the offset where it is not an object or not JSON. A member whose bytes are those of
 * `known` is not scanned again.
 */
export function readMembers(bytes: Uint8Array, known: KnownMember | null = null): JsonMember[] {
  const members: JsonMember[] = [];
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== 0x7b) throw jsonInvalid('an object was expected', at);
  at = skipSpace(bytes, at + 1);
  if (bytes[at] === 0x7d) {
    at++;
  } else {
    for (;;) {
      if (bytes[at] !== 0x22) throw jsonInvalid('a quoted key was expected', at);
      const keyEnd = scanString(bytes, at);
      const key = decodeString(bytes, at, keyEnd);
      at = skipSpace(bytes, keyEnd);
      if (bytes[at] !== 0x3a) throw jsonInvalid('a colon was expected', at);
      const start = skipSpace(bytes, at + 1);
      const end = known?.key === key ? endOfKnown(bytes, start, known.value) : scanValue(bytes, start);
      members.push([key, JsonText.trusted(bytes.subarray(start, end))]);
      at = skipSpace(bytes, end);
      if (bytes[at] === 0x7d) break;
      if (bytes[at] !== 0x2c) throw jsonInvalid('a comma or a closing } was expected', at);
      at = skipSpace(bytes, at + 1);
    }
    at++;
  }
  const rest = skipSpace(bytes, at);
  if (rest !== bytes.length) throw jsonInvalid('more text after the value', rest);
  return members;
}

/** The items of the array in `bytes`, in order; the whole text is proved to be JSON. Throws as `readMembers`. */
export function readItems(bytes: Uint8Array): JsonText[] {
  const items: JsonText[] = [];
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== 0x5b) throw jsonInvalid('an array was expected', at);
  at = skipSpace(bytes, at + 1);
  if (bytes[at] === 0x5d) {
    at++;
  } else {
    for (;;) {
      const end = scanValue(bytes, at);
      items.push(JsonText.trusted(bytes.subarray(at, end)));
      at = skipSpace(bytes, end);
      if (bytes[at] === 0x5d) break;
      if (bytes[at] !== 0x2c) throw jsonInvalid('a comma or a closing ] was expected', at);
      at = skipSpace(bytes, at + 1);
    }
    at++;
  }
  const rest = skipSpace(bytes, at);
  if (rest !== bytes.length) throw jsonInvalid('more text after the value', rest);
  return items;
}

/**
 * Every string value in `text`, decoded, in document order; keys are left out. Faster than a tree: nothing but the
 * strings is looked at, since `text` is known to be JSON.
 */
export function readStrings(text: JsonText): string[] {
  const { bytes } = text;
  const strings: string[] = [];
  for (let at = bytes.indexOf(0x22); at !== -1;) {
    const end = scanString(bytes, at);
    if (bytes[skipSpace(bytes, end)] !== 0x3a) strings.push(decodeString(bytes, at, end));
    at = bytes.indexOf(0x22, end);
  }
  return strings;
}

/** The members as a Map. Throws RECORD_INVALID where a key stands twice, since no reader could say which one counts. */
export function readMap(bytes: Uint8Array, known: KnownMember | null = null): Map<string, JsonText> {
  const map = new Map<string, JsonText>();
  for (const [key, value] of readMembers(bytes, known)) {
    if (map.has(key)) throw jsonInvalid(`the key ${JSON.stringify(key)} stands twice`, 0);
    map.set(key, value);
  }
  return map;
}
