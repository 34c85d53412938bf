// The ordered reader: one level of a value at a time, as views of its bytes.
import { JsonText } from './json-text.ts';
import { jsonInvalid, scanString, scanValue, skipSpace } from './scan.ts';

/** One member of an object, in the order of the text. Keys are decoded, values stay bytes. */
export type JsonMember = readonly [key: string, value: JsonText];

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
 * Throws RECORD_INVALID with the offset where it is not an object or not JSON.
 */
export function readMembers(bytes: Uint8Array): JsonMember[] {
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
      const end = scanValue(bytes, start);
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

/** The members as a Map. Throws RECORD_INVALID where a key stands twice, since no reader could say which one counts. */
export function readMap(bytes: Uint8Array): Map<string, JsonText> {
  const map = new Map<string, JsonText>();
  for (const [key, value] of readMembers(bytes)) {
    if (map.has(key)) throw jsonInvalid(`the key ${JSON.stringify(key)} stands twice`, 0);
    map.set(key, value);
  }
  return map;
}
