import { json, type JsonText } from '@holdfast/core';
import { member, recordInvalid } from '@holdfast/kit';
import { wholeNumber } from './whole-number.ts';
import type { Candidate, NoTurn, Turn } from './turn.ts';

/** The turn in a row of the chat files: everything but the action, which is the answer, may be shown. */
export function readChat(members: ReadonlyMap<string, JsonText>, { html }: { html: 'clean' | 'none' }): Turn | NoTurn {
  const demo = member(members, 'demo', 'string').string();
  const turn = wholeNumber(members, 'turn');
  const target = uidOf(member(members, 'action', 'string').string());
  if (target === null) return { demo, turn, skipped: 'the action has no element' };
  const list = members.get('candidates');
  const candidates = list?.kind === 'string' ? readBlocks(list.string()) : [];
  if (!candidates.some(({ uid }) => uid === target)) {
    return { demo, turn, skipped: 'the target is not among the candidates' };
  }
  if (candidates.length < 2) return { demo, turn, skipped: 'fewer than two candidates' };
  const page = members.get('clean_html');
  const shown = ['viewport', 'utterances', 'action_history', ...(html === 'clean' ? ['clean_html'] : [])];
  return {
    demo,
    turn,
    state: shown.flatMap((name): [string, JsonText][] => {
      const value = members.get(name);
      // Where nothing has been said or done yet some rows have null.
      if (value === undefined || value.kind === 'null') return [];
      if (value.kind !== 'string') throw recordInvalid(name, `must be of kind string, not ${value.kind}`);
      return [[name, value]];
    }),
    candidates,
    target,
    notes: {
      label_source: 'the uid in the action',
      html: html === 'none' || page?.kind !== 'string' ? 'none' : 'clean_html',
      html_bytes: page?.byteLength ?? 0,
    },
  };
}

/**
 * The uid among the arguments of `click(uid="…")`, `text_input(text="…", uid="…")` and the like; null where there is
 * none. Arguments are read one after the other, since what was typed may look like one.
 */
export function uidOf(action: string): string | null {
  const call = /^\s*\w+\(/.exec(action);
  if (call === null) return null;
  const argument = /\s*,?\s*(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|[^,)"']*)/gy;
  argument.lastIndex = call[0].length;
  let found: string | null = null;
  for (let match = argument.exec(action); match !== null; match = argument.exec(action)) {
    if (match[1] === 'uid') found = match[2] ?? match[3] ?? null;
  }
  // Quotes within a text are not always escaped: the uid is then the last argument.
  found ??= /,\s*uid="([^"]*)"\s*\)\s*$/.exec(action)?.[1] ?? null;
  return found === '' || found === 'None' ? null : found;
}

/** The blocks of `(uid = …) [[tag]] … [[xpath]] …`, each without its uid; of two with one uid, the first. */
function readBlocks(text: string): Candidate[] {
  const heads = [...text.matchAll(/\(uid = ([^\s()]+)\)\s*(?=\[\[tag\]\])/g)];
  const candidates = new Map<string, Candidate>();
  for (const [index, head] of heads.entries()) {
    const uid = head[1]!;
    const block = text.slice(head.index + head[0].length, heads[index + 1]?.index).trimEnd();
    if (candidates.has(uid)) continue;
    const xpath = /\[\[xpath\]\]\s*(\/\S*)/.exec(block)?.[1] ?? null;
    candidates.set(uid, { uid, description: json.string(block), xpath, rank: null });
  }
  return [...candidates.values()];
}
