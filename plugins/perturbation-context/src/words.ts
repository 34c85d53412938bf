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
  if (code <= 0xffff) classes[code] = found;
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

/** A hash of one word (FNV-1a over its code units). */
export function wordHash(word: string, start = 0, end = word.length): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The hashes of the words of a text that is in lower case already: for long texts, no string is made a word. */
export function wordHashes(lower: string): Uint32Array {
  let hashes = new Uint32Array(64 + (lower.length >> 2));
  let count = 0;
  eachWord(lower, (start, end) => {
    if (count === hashes.length) {
      const more = new Uint32Array(count * 2);
      more.set(hashes);
      hashes = more;
    }
    hashes[count++] = wordHash(lower, start, end);
  });
  return hashes.subarray(0, count);
}
