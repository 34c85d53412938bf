// JSON text as a JSON string, and back: the whole of the `format` operator, on bytes.
import { JsonText } from './json-text.ts';
import { jsonInvalid } from './scan.ts';

const short = new Map([
  [0x08, 0x62],
  [0x09, 0x74],
  [0x0a, 0x6e],
  [0x0c, 0x66],
  [0x0d, 0x72],
  [0x22, 0x22],
  [0x5c, 0x5c],
]);
/** How many bytes each byte takes inside a string: 1 as it is, 2 as a short escape, 6 as \u00xx. */
const widths = new Uint8Array(256).fill(1);
widths.fill(6, 0, 0x20);
/** The letter of each short escape. */
const letters = new Uint8Array(256);
for (const [byte, letter] of short) {
  widths[byte] = 2;
  letters[byte] = letter;
}

const quoteMark = Buffer.from('"');

/**
 * The bytes of `text` as one JSON string: quotes, backslashes and control characters escaped, every other byte kept.
 * `unquote` gives the same bytes back.
 */
export function quote(text: JsonText): JsonText {
  const bytes = text.bytes;
  let size = 0;
  for (let at = 0; at < bytes.length; at++) size += widths[bytes[at]!]!;
  if (size === bytes.length) return JsonText.trusted(quoteMark, bytes, quoteMark);
  const quoted = Buffer.allocUnsafe(size + 2);
  quoted[0] = 0x22;
  let to = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    const width = widths[byte]!;
    if (width === 1) {
      quoted[to++] = byte;
    } else if (width === 2) {
      quoted[to++] = 0x5c;
      quoted[to++] = letters[byte]!;
    } else {
      to += quoted.write(controlEscape(byte), to, 'latin1');
    }
  }
  quoted[to] = 0x22;
  return JsonText.trusted(quoted);
}

/** Whether `quoted` is exactly what `quote` makes of `text`: compared byte by byte, without making it. */
export function isQuoteOf(quoted: JsonText, text: JsonText): boolean {
  const [bytes, inner] = [quoted.bytes, text.bytes];
  let at = 1;
  for (let from = 0; from < inner.length; from++) {
    const byte = inner[from]!;
    const width = widths[byte]!;
    if (width === 1) {
      if (bytes[at] !== byte) return false;
    } else if (width === 2) {
      if (bytes[at] !== 0x5c || bytes[at + 1] !== letters[byte]) return false;
    } else if (Buffer.from(bytes.subarray(at, at + 6)).toString('latin1') !== controlEscape(byte)) {
      return false;
    }
    at += width;
  }
  return bytes[0] === 0x22 && bytes[at] === 0x22 && at + 1 === bytes.length;
}

function controlEscape(byte: number): string {
  return `\\u${byte.toString(16).padStart(4, '0')}`;
}

/**
 * The JSON text that the JSON string `text` spells. Throws RECORD_INVALID where it is no string, or spells no JSON,
 * or holds a lone surrogate outside of an escape of the inner text (no bytes can spell that).
 */
export function unquote(text: JsonText): JsonText {
  const inner = text.string();
  if (!inner.isWellFormed()) throw jsonInvalid('the string holds a lone surrogate, which no UTF-8 text can', 0);
  return JsonText.parse(inner);
}
