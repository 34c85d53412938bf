import { readStrings, type DecisionRecord } from '@holdfast/core';
import { GramIndex } from './gram-index.ts';
import { unspaced, wordHashes, wordsOf } from './words.ts';

/** Something of the case itself that stands in borrowed text, where it could tell of the right answer. */
export interface Shared {
  readonly rule: 'option_text' | 'plain_option' | 'identifier' | 'n_gram';
  readonly what: string;
}

/**
 * What a case says itself, for keeping it out of material that is borrowed for it: the texts of its options, the
 * things it names (ids, addresses, names) and its runs of eight words.
 */
export class OwnMaterial {
  readonly #options: readonly OptionText[];
  /** In lower case. */
  readonly #texts: readonly string[];
  #words: readonly Uint32Array[] | undefined;

  constructor({ state, instructions, options }: DecisionRecord) {
    const described = options.map(({ description }) => readStrings(description));
    this.#options = optionTexts(options, described);
    const said = [state, instructions].flatMap(readStrings);
    this.#texts = [...said, ...options.map(({ id }) => id), ...described.flat()].map(text => text.toLowerCase());
  }

  /** Whether `text` says an id that is a mere number or short word, which prose says without meaning the option. */
  saysPlainOption(text: string): boolean {
    const folded = fold(text);
    return this.#options.some(option => option.plain && says(folded, option.folded));
  }

  /** What each text shares with the case, the first thing found; null where it shares nothing. */
  sharedWith(texts: readonly string[]): readonly (Shared | null)[] {
    const grams = this.#sharedGrams(texts);
    return texts.map((text, index) => {
      const folded = fold(text);
      const option = this.#options.find(each => says(folded, each.folded));
      if (option !== undefined) return { rule: option.plain ? 'plain_option' : 'option_text', what: option.text };
      const gram = grams.get(index);
      if (gram !== undefined) return { rule: 'n_gram', what: gram };
      const named = identifiersOf(text).find(identifier => this.#texts.some(own => says(own, identifier)));
      return named === undefined ? null : { rule: 'identifier', what: named };
    });
  }

  /** A run of words of each text that the case has too, by the text's index. One pass over the case. */
  #sharedGrams(texts: readonly string[]): Map<number, string> {
    const index = new GramIndex(texts.map(wordsOf));
    const shared = new Map<number, string>();
    if (index.isEmpty) return shared;
    this.#words ??= this.#texts.map(wordHashes);
    for (const hashes of this.#words) {
      for (const { text, gram } of index.takeFrom(hashes)) if (!shared.has(text)) shared.set(text, gram);
    }
    return shared;
  }
}

interface OptionText {
  readonly text: string;
  readonly folded: string;
  readonly plain: boolean;
}

function optionTexts(
  options: DecisionRecord['options'],
  described: readonly (readonly string[])[],
): readonly OptionText[] {
  const texts = new Set<string>();
  for (const [index, { id, canonical_id, description }] of options.entries()) {
    for (const text of [id, canonical_id]) texts.add(text);
    for (const text of described[index]!) {
      // Inside a schema stand single words of its language, such as "string"; a description as such is a text.
      if (description.kind === 'string' || wordsOf(text).length > 2) texts.add(text);
    }
  }
  const found = [...texts].flatMap(text => {
    const folded = fold(text).trim();
    // The article and the pronoun are in every English text.
    if (folded === '' || folded === 'a' || folded === 'i') return [];
    const plain = /^(?:.{1,3}|[\p{N}\p{P}\p{S}]+|true|false|null|none)$/su.test(folded);
    return [{ text, folded, plain }];
  });
  // What tells more is found first.
  return [...found.filter(({ plain }) => !plain), ...found.filter(({ plain }) => plain)];
}

/** Whether `text` holds `part` as whole words; scripts that put no space between words have no edges to look at. */
function says(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    if (!isInsideWord(text, at) && !isInsideWord(text, at + part.length)) return true;
  }
  return false;
}

const letter = /[\p{L}\p{M}\p{N}_]/u;

function isInsideWord(text: string, at: number): boolean {
  const [before, after] = [text.charAt(at - 1), text.charAt(at)];
  return letter.test(before) && letter.test(after) && !unspaced.test(before) && !unspaced.test(after);
}

function fold(text: string): string {
  return text.toLowerCase().replace(/\s+/gu, ' ');
}

// The longest run is bounded: what looks for digits among letters takes time with the square of it.
const token = /[\p{L}\p{N}#][\p{L}\p{N}_@./:#?=&%+-]{3,200}/gu;
const name = /\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)+/gu;
/** Addresses, snake_case, camelCase, digits among letters, long numbers. */
const identifier = /@|:\/\/|\p{L}_|_\p{L}|\p{Ll}\p{Lu}|\p{N}{6,}|(?=.{5})(?:\p{L}.*\p{N}|\p{N}.*\p{L})/u;

/** The things that a text names: what looks like an id, an address or a path, and names of two words or more. */
function identifiersOf(text: string): readonly string[] {
  const tokens = (text.match(token) ?? []).map(each => each.replace(/[^\p{L}\p{N}]+$/u, ''));
  return [...tokens.filter(each => identifier.test(each)), ...(text.match(name) ?? [])].map(each => each.toLowerCase());
}
