import { readStrings, type JsonText } from '@holdfast/core';
import type { OwnMaterial } from './own-material.ts';

export interface ExcerptLimits {
  /** UTF-8 bytes. */
  readonly maxBytes: number;
  /** Texts that no excerpt may hold: the delimiters. */
  readonly without: readonly string[];
}

/** An excerpt, and whether parts were left out of it because the case says the same. */
export interface Excerpt {
  readonly text: string;
  readonly trimmed: boolean;
}

/** How much of a donor is looked at, in excerpts: enough to get past the rules that all cases of a benchmark repeat. */
const REACH = 16;

/**
 * The beginning of `state` as plain text for the case that `own` is of: its strings line by line. Lines that the case
 * says too are left out if `trim`. Null where it shares something, or nothing readable is left.
 */
export function excerptOf(
  state: JsonText,
  own: OwnMaterial,
  { maxBytes, without, trim }: ExcerptLimits & { readonly trim: boolean },
): Excerpt | null {
  const lines = linesOf(state, maxBytes * (trim ? REACH : 2)).filter(
    line => !own.saysPlainOption(line) && !without.some(text => holds(line, text)),
  );
  const head = cut(lines.join('\n'), maxBytes);
  if (isClean(head, own, without)) return { text: head, trimmed: false };
  if (!trim) return null;
  const rest = cut(unshared(lines, own).join('\n'), maxBytes);
  return isClean(rest, own, without) ? { text: rest, trimmed: true } : null;
}

/** The lines that share nothing with the case, neither alone nor with the next one. */
function unshared(lines: readonly string[], own: OwnMaterial): readonly string[] {
  const alone = own.sharedWith(lines);
  const left = lines.filter((_, index) => alone[index] === null);
  const together = own.sharedWith(left.map((line, index) => `${line}\n${left[index + 1] ?? ''}`));
  return left.filter((_, index) => together[index] === null && (index === 0 || together[index - 1] === null));
}

// Short lines that share nothing can do so together, so the whole text is looked at again.
function isClean(text: string, own: OwnMaterial, without: readonly string[]): boolean {
  return /[\p{L}\p{N}]/u.test(text) && own.sharedWith([text])[0] === null && !without.some(each => holds(text, each));
}

/** Whether the text holds the delimiter, in whatever case. */
export function holds(text: string, delimiter: string): boolean {
  return text.toLowerCase().includes(delimiter.toLowerCase());
}

/** The strings of the state in lines of readable text, about `enough` characters of it. */
function linesOf(state: JsonText, enough: number): readonly string[] {
  const texts = readStrings(state);
  // Ids, roles and types are no reading; where there is nothing else, they must do.
  const prose = texts.filter(text => /\S\s+\S+\s+\S|\p{Lo}{6}/u.test(text));
  const lines: string[] = [];
  let length = 0;
  for (const text of prose.length === 0 ? texts : prose) {
    for (const line of text.toWellFormed().split(/[\n\r\u2028\u2029]+/u)) {
      for (const part of partsOf(line)) {
        lines.push(part);
        length += part.length;
      }
      if (length > enough) return lines;
    }
  }
  return lines;
}

/** Long lines, such as a page of HTML, fall into sentences and elements, so that one of them can be left out. */
function partsOf(line: string): readonly string[] {
  // Control characters, such as the colours of a terminal, are no text.
  const clean = line
    .replace(/\p{Cc}\[[0-9;]*m|\p{Cc}/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const parts = clean.length > 400 ? clean.split(/(?<=[.!?。！？>])\s+|(?<=>)(?=<)|(?<=[。！？])/u) : [clean];
  return parts.filter(part => part !== '');
}

/** At most `maxBytes` of UTF-8, cut between two characters. */
function cut(text: string, maxBytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read).trimEnd();
}
