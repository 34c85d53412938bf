import { json, type JsonText } from '@holdfast/core';
import type { Chance } from './chance.ts';
import { kindOf } from './kind.ts';

/** What is known of an item, decoded: to compare with, never to be shown. */
export interface Fact {
  readonly item: string;
  readonly value: string;
  /** The value and all alternatives. */
  readonly accepted: readonly string[];
}

export const rules = ['swap', 'change_number'] as const;
export type Rule = (typeof rules)[number];

export interface WrongAnswer {
  readonly text: JsonText;
  readonly rule: Rule;
  readonly kind: string;
  /** The item whose value it is; null where a number was changed. */
  readonly swappedWith: string | null;
}

interface Candidate {
  readonly item: string;
  readonly value: string;
  readonly text: JsonText;
}

const anyWords = 'words of any kind';

/** Makes wrong answers by rule, from the values of all items. */
export class WrongAnswers {
  readonly #pools = new Map<string, Candidate[]>();
  readonly #items = new Set<string>();

  /** Makes the value of an item a candidate for the others. An item counts once. */
  add({ item, value }: Pick<Fact, 'item' | 'value'>, text: JsonText): void {
    if (this.#items.has(item)) return;
    this.#items.add(item);
    const kind = kindOf(item, value);
    for (const pool of kind.words ? [kind.name, anyWords] : [kind.name]) {
      const candidates = this.#pools.get(pool) ?? [];
      candidates.push({ item, value, text });
      this.#pools.set(pool, candidates);
    }
  }

  /** A wrong answer by the rule, by the other one where it makes none, null where neither does. */
  make(fact: Fact, rule: Rule, chance: Chance): WrongAnswer | null {
    const order = rule === 'swap' ? rules : [...rules].reverse();
    for (const each of order) {
      const made = each === 'swap' ? this.#swap(fact, chance) : changeNumber(fact, chance);
      if (made !== null) return made;
    }
    return null;
  }

  #swap(fact: Fact, chance: Chance): WrongAnswer | null {
    const kind = kindOf(fact.item, fact.value);
    for (const name of kind.words ? [kind.name, anyWords] : [kind.name]) {
      const pool = this.#pools.get(name) ?? [];
      const start = chance('swap', pool.length);
      for (let step = 0; step < pool.length; step++) {
        const { item, value, text } = pool[(start + step) % pool.length]!;
        if (item !== fact.item && isWrong(value, fact)) return { text, rule: 'swap', kind: name, swappedWith: item };
      }
    }
    return null;
  }
}

function changeNumber(fact: Fact, chance: Chance): WrongAnswer | null {
  const { value } = fact;
  const kind = kindOf(fact.item, value).name;
  const places = changeable(value, kind);
  const choices = places.length * 10;
  const start = chance('change_number', choices);
  for (let step = 0; step < choices; step++) {
    const choice = (start + step) % choices;
    const place = places[Math.floor(choice / 10)]!;
    const digit = String(choice % 10);
    // No number starts with a nought, unless it did.
    if (digit === '0' && !/\d/.test(value[place - 1] ?? '')) continue;
    const changed = value.slice(0, place) + digit + value.slice(place + 1);
    if (kind === 'date' && !isDate(changed)) continue;
    // "1 days" would be told by its grammar.
    if (/^1 \S+s\b/.test(changed)) continue;
    if (isWrong(changed, fact)) return { text: json.string(changed), rule: 'change_number', kind, swappedWith: null };
  }
  return null;
}

/** The digits whose change leaves a likely answer of the same kind. */
function changeable(value: string, kind: string): readonly number[] {
  const digits = [...value.matchAll(/\d/g)].map(({ index }) => index);
  if (kind === 'date' || kind === 'year') return digits.slice(-2);
  if (kind === 'phone') return digits.slice(-4);
  if (kind === 'score') return digits.filter(place => place < value.indexOf('/'));
  // Round numbers stay round.
  const significant = digits.filter(place => value[place] !== '0');
  return significant.length > 0 ? significant : digits;
}

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/**
 * Whether an answer is none that is accepted. Upstream accepts a message that holds an accepted answer, so neither may
 * hold the other, whatever the case, the spaces and the punctuation.
 */
export function isWrong(answer: string, { accepted }: Pick<Fact, 'accepted'>): boolean {
  const plain = plainText(answer);
  if (plain === '') return false;
  return accepted.every(right => {
    if (right !== '' && answer.toLowerCase().includes(right.toLowerCase())) return false;
    const plainRight = plainText(right);
    return plainRight === '' || !(plain.includes(plainRight) || plainRight.includes(plain));
  });
}

function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
