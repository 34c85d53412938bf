/** Scripts that put no space between words: each character of them is taken for a word. */
export const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

const letter = /[\p{L}\p{M}\p{N}_]/u;

const GAP = 1;
const LETTER = 2;
const WHOLE = 3;

/** What each code unit is, found out when it is first met; 0 until then. */
const classes = new Uint8Array(0x1_0000);

function classOf(code: number, character: string): number {
  const known = code <= 0xffff ? classes[code]! : 0;
  if (known !== 0) return known;
  const found = unspaced.test(character) ? WHOLE : letter.test(character) ? LETTER : GAP;
  // Half a pair says nothing of the pair: surrogates stay unknown.
  if (code <= 0xffff && (code < 0xd800 || code > 0xdfff)) classes[code] = found;
  return found;
}

/** The places of the words of `text`, one call a word. */
function eachWord(text: string, tell: (start: number, end: number) => void): void {
  let start = -1;
  for (let at = 0; at < text.length;) {
    const unit = text.charCodeAt(at);
    const code = unit >= 0xd800 && unit <= 0xdbff ? text.codePointAt(at)! : unit;
    const width = code > 0xffff ? 2 : 1;
    const kind = classes[code] || classOf(code, String.fromCodePoint(code));
    if (kind === LETTER) {
      if (start === -1) start = at;
    } else {
      if (start !== -1) tell(start, at);
      start = -1;
      if (kind === WHOLE) tell(at, at + width);
    }
    at += width;
  }
  if (start !== -1) tell(start, text.length);
}

/** The words of `text` in lower case, in order. */
export function wordsOf(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const words: string[] = [];
  eachWord(lower, (start, end) => words.push(lower.slice(start, end)));
  return words;
}

// FNV-1a over code units.
const START = 0x811c9dc5;
const PRIME = 0x01000193;

/** A hash of one word. */
export function wordHash(word: string, start = 0, end = word.length): number {
  let hash = START;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ word.charCodeAt(at), PRIME);
  return hash >>> 0;
}

/** Where the hashes of one text are gathered: a text has at most as many words as code units. */
let scratch = new Uint32Array(1 << 16);

/** The hashes of the words of a text that is in lower case already: for long texts, no string is made a word. */
export function wordHashes(lower: string): Uint32Array {
  const { length } = lower;
  if (scratch.length < length) scratch = new Uint32Array(length * 2);
  const hashes = scratch;
  let count = 0;
  let hash = START;
  let inWord = false;
  for (let at = 0; at < length; at++) {
    const unit = lower.charCodeAt(at);
    let kind = classes[unit]!;
    if (kind === LETTER) {
      inWord = true;
      hash = Math.imul(hash ^ unit, PRIME);
      continue;
    }
    let width = 1;
    if (kind !== GAP) {
      // A character of an unspaced script, or one that is met for the first time, perhaps of two code units.
      const code = lower.codePointAt(at)!;
      width = code > 0xffff ? 2 : 1;
      kind = classOf(code, String.fromCodePoint(code));
    }
    if (kind === LETTER) {
      inWord = true;
      for (let step = 0; step < width; step++) hash = Math.imul(hash ^ lower.charCodeAt(at + step), PRIME);
    } else {
      if (inWord) hashes[count++] = hash;
      inWord = false;
      hash = START;
      if (kind === WHOLE) hashes[count++] = wordHash(lower, at, at + width);
    }
    at += width - 1;
  }
  if (inWord) hashes[count++] = hash;
  return hashes.slice(0, count);
}
