import stem from 'wink-porter2-stemmer';

const stopWords = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it ' +
    'its me my no not of on or our s she should so t than that the their them then there these they this those to us ' +
    'was we were what when where which who will with would you your please'
  ).split(' '),
);

// Scripts that put no spaces between words are taken by the character.
const unspaced = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]`;
const word = new RegExp(String.raw`${unspaced}|(?:(?!${unspaced})[\p{L}\p{M}])+|\p{N}+`, 'gu');

/** Porter2 knows English words; nothing longer than this is one, and its patterns are slow on long texts. */
const LONGEST_WORD = 40;

/**
 * The distinct stems of a text in order of appearance, each with how often it stands there. Identifiers fall apart at
 * dots, underscores and camel humps; letters and digits are told apart; stop words are left out.
 */
export function stemsOf(text: string): Map<string, number> {
  const humps = text
    .normalize('NFKC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  const words = new Map<string, number>();
  for (const [found] of humps.toLowerCase().matchAll(word)) {
    if (!stopWords.has(found)) words.set(found, (words.get(found) ?? 0) + 1);
  }
  const stems = new Map<string, number>();
  for (const [found, count] of words) {
    const key = stemOf(found);
    stems.set(key, (stems.get(key) ?? 0) + count);
  }
  return stems;
}

function stemOf(found: string): string {
  return found.length > LONGEST_WORD || !/^[a-z]+$/.test(found) ? found : stem(found);
}

/**
 * The text of JSON text, with every escape undone until none is left: a state gives the same words whether it comes
 * as JSON or, by the format perturbation, as a string of that JSON. Nothing is parsed, so keys are words too.
 */
export function unescaped(jsonText: string): string {
  let text = jsonText;
  while (text.includes('\\')) text = text.replace(/\\(u[0-9a-fA-F]{4}|[^]|$)/g, unescape);
  return text;
}

function unescape(_: string, escaped: string): string {
  if (escaped.length > 1) return String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  return /[bfnrt]/.test(escaped) ? ' ' : escaped;
}
