// The ordered writer: puts byte views and small texts together in the order given, without decoding any of them.
import { JsonText } from './json-text.ts';

/** What `json.value` can write. Objects are for fixed keys of ours; whatever is keyed by ids or by users is a Map. */
export type JsonInput =
  | null
  | boolean
  | number
  | string
  | JsonText
  | readonly JsonInput[]
  | ReadonlyMap<string, JsonInput>
  | { readonly [key: string]: JsonInput | undefined };

/** Text that is gathered as a string and turned into bytes only where a view of bytes comes between. */
class Pieces {
  readonly parts: Uint8Array[] = [];
  #text = '';

  text(text: string): void {
    this.#text += text;
  }

  view(value: JsonText): void {
    this.#flush();
    this.parts.push(...value.parts);
  }

  finish(): JsonText {
    this.#flush();
    return JsonText.trusted(...this.parts);
  }

  #flush(): void {
    if (this.#text === '') return;
    this.parts.push(Buffer.from(this.#text, 'utf8'));
    this.#text = '';
  }
}

function write(pieces: Pieces, input: JsonInput): void {
  if (input === null || typeof input === 'boolean') pieces.text(String(input));
  else if (typeof input === 'number') pieces.text(numberText(input));
  else if (typeof input === 'string') pieces.text(JSON.stringify(input));
  else if (JsonText.is(input)) pieces.view(input);
  else if (Array.isArray(input)) writeArray(pieces, input);
  else if (input instanceof Map) writeMembers(pieces, input);
  else writeMembers(pieces, fixedMembers(input as { readonly [key: string]: JsonInput | undefined }));
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`JSON has no ${value}: write null with a reason`);
  return Object.is(value, -0) ? '-0' : String(value);
}

function writeArray(pieces: Pieces, items: Iterable<JsonInput>): void {
  let before = '[';
  for (const item of items) {
    pieces.text(before);
    write(pieces, item);
    before = ',';
  }
  pieces.text(before === '[' ? '[]' : ']');
}

function writeMembers(pieces: Pieces, members: Iterable<readonly [string, JsonInput]>): void {
  let before = '{';
  for (const [key, value] of members) {
    pieces.text(`${before}${JSON.stringify(key)}:`);
    write(pieces, value);
    before = ',';
  }
  pieces.text(before === '{' ? '{}' : '}');
}

function* fixedMembers(object: { readonly [key: string]: JsonInput | undefined }): Iterable<[string, JsonInput]> {
  for (const [key, value] of Object.entries(object)) {
    // JavaScript has already moved such a key to the front: the order that was meant is lost.
    if (/^(0|[1-9][0-9]*)$/.test(key)) throw new TypeError(`key ${key} needs a Map: objects move integer-like keys`);
    if (value !== undefined) yield [key, value];
  }
}

function gather(fill: (pieces: Pieces) => void): JsonText {
  const pieces = new Pieces();
  fill(pieces);
  return pieces.finish();
}

/** Makers of JsonText. Compact: no white space but what the given texts have inside. */
export const json = {
  /** An object with these members, in this order, duplicates included. */
  object: (members: Iterable<readonly [string, JsonInput]>): JsonText =>
    gather(pieces => writeMembers(pieces, members)),
  /** An array of these items. */
  array: (items: Iterable<JsonInput>): JsonText => gather(pieces => writeArray(pieces, items)),
  /** A JSON string; lone surrogates are written as escapes. */
  string: (text: string): JsonText => JsonText.trusted(Buffer.from(JSON.stringify(text), 'utf8')),
  /** Any value; undefined members of objects are left out. Throws TypeError for NaN and infinities. */
  value: (input: JsonInput): JsonText => gather(pieces => write(pieces, input)),
} as const;
