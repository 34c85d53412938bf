import type { Violation } from '@holdfast/core';

/** Something that reworded instructions must say as often as the original: what is found is compared as a bag. */
export interface Promised {
  readonly rule: string;
  readonly severity: Violation['severity'];
  find(text: string): readonly string[];
}

const matches = (pattern: RegExp) => (text: string) => text.match(pattern) ?? [];

const units =
  'ms|s|secs?|seconds?|mins?|minutes?|h|hours?|days?|weeks?|months?|years?|[ckm]?m|kg|m?g|[kmgt]?b|bytes?|tokens?|' +
  'words?|characters?|sentences?|steps?|times?|points?|usd|eur|gbp|dollars?|euros?|percent';
const number = new RegExp(
  String.raw`(?:[€$£¥] ?)?(?<![\p{L}\p{N}_.])[-+]?\p{Nd}+(?:[.,:/]\p{Nd}+)*(?: ?(?:[%‰€$£¥]|°[cf]?|(?:${units})\b))?`,
  'giu',
);
const numberWord =
  /\b(?:zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million|twice|half|second|third)\b/gi;

const quotations =
  /"([^"\n]+)"|“([^”\n]+)”|«([^»\n]+)»|「([^」\n]+)」|(?<![\p{L}\p{N}])['‘]([^'’\n]+)['’](?![\p{L}\p{N}])/gu;
const code = /```[\s\S]*?```|`[^`\n]+`/g;
const address = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s<>"'`)\]}]+/gi;
const placeholder =
  /\{\{[^{}\n]*\}\}|\$?\{[^{}\n]*\}|<[^<>\s][^<>\n]*>|%\(\w+\)[sdif]|%[sdif]\b|\[[A-Z][A-Z0-9_ ]*\]|__[A-Z]\w*__/g;
const identifier = /(?<![\p{L}\p{N}_])(?:\p{L}[\p{L}\p{N}]*(?:_[\p{L}\p{N}]+)+|\p{Ll}+(?:\p{Lu}[\p{Ll}\p{N}]*)+)/gu;

const atLeast = /\b(?:at least|no less than|no fewer than|not less than|not fewer than)\b/gi;
const atMost = /\b(?:at most|no more than|not more than|up to(?= \p{N}))\b/giu;
const negation =
  /\b(?:not|no|never|cannot|neither|nor|none|nothing|nobody|nowhere|without)\b|(?<=\p{L})n['’]t(?!\p{L})/giu;
const exception = /\b(?:unless|except|excluding|other than)\b/gi;
const restriction = /\b(?:only|solely|exclusively)\b/gi;
const duty = /\b(?:must|should|shall|ought|has to|have to)\b/gi;
const possibility = /\b(?:may|might|can|could)\b/gi;

/** Each word of a kind counts for the same: `never` may become `not`. */
const kindOf = (kind: string, pattern: RegExp) => (text: string) => matches(pattern)(text).map(() => kind);
const withoutBounds = (text: string) => text.replace(atLeast, ' ').replace(atMost, ' ');

/** Words with a capital that no start of a sentence asks for, and words in capitals. */
const entity =
  /(?<=[^\s.!?:"“'‘([*-][ \t]+)\p{Lu}[\p{L}\p{N}'’-]*\p{L}|(?<![\p{L}\p{N}_])\p{Lu}{2,}(?![\p{L}\p{N}_])/gu;

/** What is written down in one spelling is compared exactly; where words can change, a difference is only a sign. */
export const promises: readonly Promised[] = [
  { rule: 'number', severity: 'violation', find: text => matches(number)(text).map(spellNumber) },
  { rule: 'quotation', severity: 'violation', find: text => [...text.matchAll(quotations)].map(quoted) },
  { rule: 'code', severity: 'violation', find: matches(code) },
  { rule: 'address', severity: 'violation', find: text => matches(address)(text).map(withoutStop) },
  { rule: 'placeholder', severity: 'violation', find: matches(placeholder) },
  { rule: 'identifier', severity: 'violation', find: matches(identifier) },
  { rule: 'at_least', severity: 'violation', find: kindOf('at least', atLeast) },
  { rule: 'at_most', severity: 'violation', find: kindOf('at most', atMost) },
  { rule: 'negation', severity: 'violation', find: text => kindOf('not', negation)(withoutBounds(text)) },
  { rule: 'exception', severity: 'violation', find: kindOf('except', exception) },
  { rule: 'restriction', severity: 'violation', find: kindOf('only', restriction) },
  { rule: 'duty', severity: 'warning', find: kindOf('must', duty) },
  { rule: 'possibility', severity: 'warning', find: kindOf('may', possibility) },
  { rule: 'number_word', severity: 'warning', find: text => matches(numberWord)(text).map(word => word.toLowerCase()) },
  { rule: 'entity', severity: 'warning', find: text => [...new Set(matches(entity)(text))] },
];

function spellNumber(text: string): string {
  return text
    .toLowerCase()
    .replace(/\s/gu, '')
    .replace(/percent$/, '%');
}

function quoted(match: RegExpMatchArray): string {
  return match.slice(1).find(group => group !== undefined) ?? '';
}

// The stop of a sentence is none of the address.
function withoutStop(text: string): string {
  return text.replace(/[.,;:!?]+$/, '');
}
