// A strict JSON scanner on bytes (RFC 8259): finds where a value ends and proves that it is one, without decoding it.
// UTF-8 validity is not looked at here: whoever reads bytes from outside checks it once with buffer.isUtf8.
import { HoldfastError } from '../error.ts';

/** Deeper values are refused with a sentence: most servers' parsers recurse and fail not far beyond. */
export const MAX_DEPTH = 1_000;

const OBJECT = 1;
const ARRAY = 2;

const PLAIN = 0;
const QUOTE = 1;
const ESCAPE = 2;
const CONTROL = 3;
/** What each byte means inside a string. */
const inString = new Uint8Array(256);
inString.fill(CONTROL, 0, 0x20);
inString[0x22] = QUOTE;
inString[0x5c] = ESCAPE;

/** The error for bytes that are not JSON; `offset` counts bytes from the start of what was scanned. */
export function jsonInvalid(reason: string, offset: number): HoldfastError {
  return new HoldfastError('RECORD_INVALID', `not JSON at byte ${offset}: ${reason}`, { facts: { offset, reason } });
}

/** The first offset at or after `at` that is not JSON white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let byte = bytes[at];
  while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++at];
  return at;
}

/** The offset just behind the last byte before `end` that is not JSON white space. */
export function spaceBefore(bytes: Uint8Array, end: number): number {
  let byte = bytes[end - 1];
  while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[--end - 1];
  return end;
}

/** The end of the string whose opening quote is at `start`. */
export function scanString(bytes: Uint8Array, start: number): number {
  const length = bytes.length;
  let at = start + 1;
  for (;;) {
    while (at < length && inString[bytes[at]!] === PLAIN) at++;
    if (at >= length) throw jsonInvalid('the string that starts here has no end', start);
    const byte = bytes[at]!;
    if (byte === 0x22) return at + 1;
    if (byte !== 0x5c) throw jsonInvalid('a raw control character inside a string', at);
    const escaped = bytes[at + 1];
    switch (escaped) {
      case 0x22: // "
      case 0x5c: // \
      case 0x2f: // /
      case 0x62: // b
      case 0x66: // f
      case 0x6e: // n
      case 0x72: // r
      case 0x74: // t
        at += 2;
        break;
      case 0x75: // u
        for (let digit = at + 2; digit < at + 6; digit++) {
          if (!isHexDigit(bytes[digit])) throw jsonInvalid('\\u needs four hexadecimal digits', at);
        }
        at += 6;
        break;
      default:
        throw jsonInvalid('an unknown escape', at);
    }
  }
}

function isHexDigit(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66));
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function scanNumber(bytes: Uint8Array, start: number): number {
  let at = start;
  if (bytes[at] === 0x2d) at++;
  if (bytes[at] === 0x30) at++;
  else if (isDigit(bytes[at])) while (isDigit(bytes[at])) at++;
  else throw jsonInvalid(at === start ? 'a value was expected' : 'a digit was expected', at);
  if (bytes[at] === 0x2e) {
    if (!isDigit(bytes[++at])) throw jsonInvalid('a digit was expected after the decimal point', at);
    while (isDigit(bytes[at])) at++;
  }
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    at++;
    if (bytes[at] === 0x2b || bytes[at] === 0x2d) at++;
    if (!isDigit(bytes[at])) throw jsonInvalid('a digit was expected in the exponent', at);
    while (isDigit(bytes[at])) at++;
  }
  return at;
}

function scanWord(bytes: Uint8Array, start: number, word: string): number {
  for (let index = 0; index < word.length; index++) {
    if (bytes[start + index] !== word.charCodeAt(index)) throw jsonInvalid('a value was expected', start);
  }
  return start + word.length;
}

/** The end of the string, number or word at `at`. */
function scanScalar(bytes: Uint8Array, at: number): number {
  switch (bytes[at]) {
    case 0x22:
      return scanString(bytes, at);
    case 0x74:
      return scanWord(bytes, at, 'true');
    case 0x66:
      return scanWord(bytes, at, 'false');
    case 0x6e:
      return scanWord(bytes, at, 'null');
    case undefined:
      throw jsonInvalid('a value was expected, but the text ends here', at);
    default:
      return scanNumber(bytes, at);
  }
}

/** The start of a member's value, given the place where its key should start. */
function scanKey(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== 0x22) throw jsonInvalid('a quoted key was expected', at);
  at = skipSpace(bytes, scanString(bytes, at));
  if (bytes[at] !== 0x3a) throw jsonInvalid('a colon was expected', at);
  return skipSpace(bytes, at + 1);
}

/** The end of the value that starts at `start`. Iterative: depth costs one byte a level, never stack. */
export function scanValue(bytes: Uint8Array, start: number): number {
  const first = bytes[start];
  if (first !== 0x7b && first !== 0x5b) return scanScalar(bytes, start);
  const open = new Uint8Array(MAX_DEPTH + 1);
  let depth = 0;
  let at = start;
  for (;;) {
    // `at` is where a value starts.
    const byte = bytes[at];
    if (byte === 0x7b || byte === 0x5b) {
      if (depth === MAX_DEPTH) throw jsonInvalid(`more than ${MAX_DEPTH} levels of nesting`, at);
      const object = byte === 0x7b;
      open[++depth] = object ? OBJECT : ARRAY;
      at = skipSpace(bytes, at + 1);
      if (bytes[at] !== (object ? 0x7d : 0x5d)) {
        if (object) at = scanKey(bytes, at);
        continue;
      }
      at++;
      depth--;
    } else {
      at = scanScalar(bytes, at);
    }
    // A value has ended at `at`: close what ends here, then find the next value.
    for (;;) {
      if (depth === 0) return at;
      at = skipSpace(bytes, at);
      const separator = bytes[at];
      if (separator === 0x2c) {
        at = skipSpace(bytes, at + 1);
        if (open[depth] === OBJECT) at = scanKey(bytes, at);
        break;
      }
      if (separator !== (open[depth] === OBJECT ? 0x7d : 0x5d)) {
        const end = open[depth] === OBJECT ? '}' : ']';
        throw jsonInvalid(
          separator === undefined
            ? `the text ends before a closing ${end}`
            : `a comma or a closing ${end} was expected`,
          at,
        );
      }
      at++;
      depth--;
    }
  }
}

/** The end of the only value in `bytes` from `start` on; only white space may follow it. */
export function scanWhole(bytes: Uint8Array, start: number): number {
  const end = scanValue(bytes, start);
  const rest = skipSpace(bytes, end);
  if (rest !== bytes.length) throw jsonInvalid('more text after the value', rest);
  return end;
}
