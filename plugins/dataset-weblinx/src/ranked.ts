import { json, readMap, type JsonText } from '@holdfast/core';
import { member, recordInvalid } from '@holdfast/kit';
import { wholeNumber } from './whole-number.ts';
import type { Candidate, NoTurn, Turn } from './turn.ts';

/** One line of the candidates files: an element, and whether the human acted on it. */
export interface RankedLine {
  readonly demo: string;
  readonly turn: number;
  readonly query: JsonText;
  readonly candidate: Candidate;
  readonly isTarget: boolean;
}

/** Score, rank and label are read here and shown nowhere. */
export function readRanked(members: ReadonlyMap<string, JsonText>): RankedLine {
  const uid = member(members, 'uid', 'string').string();
  if (uid === '') throw recordInvalid('uid', 'must not be empty');
  const element = member(members, 'elem_dict', 'object');
  const xpath = readMap(element.bytes).get('xpath');
  const rank = members.get('rank');
  const label = wholeNumber(members, 'label');
  if (label > 1) throw recordInvalid('label', 'must be 0 or 1');
  return {
    demo: member(members, 'demo_name', 'string').string(),
    turn: wholeNumber(members, 'turn_index'),
    query: member(members, 'query', 'string'),
    candidate: {
      uid,
      description: element,
      xpath: xpath?.kind === 'string' ? xpath.string() : null,
      rank: rank?.kind === 'number' ? Number(rank.toString()) : null,
    },
    isTarget: label === 1,
  };
}

/** The turn that its lines make up, in upstream's order. */
export function turnOf(lines: readonly RankedLine[]): Turn | NoTurn {
  const { demo, turn, query } = lines[0]!;
  const targets = lines.filter(line => line.isTarget).map(({ candidate }) => candidate.uid);
  if (targets.length === 0) return { demo, turn, skipped: 'no candidate is the target' };
  if (new Set(targets).size > 1) return { demo, turn, skipped: 'several candidates are the target' };
  const candidates = new Map<string, Candidate>();
  for (const { candidate } of lines) if (!candidates.has(candidate.uid)) candidates.set(candidate.uid, candidate);
  if (candidates.size < 2) return { demo, turn, skipped: 'fewer than two candidates' };
  const target = targets[0]!;
  return {
    demo,
    turn,
    state: stateOf(query),
    candidates: [...candidates.values()],
    target,
    notes: { label_source: 'label', target_rank: candidates.get(target)!.rank, html: 'none' },
  };
}

/** The parts of a query, under the names that the chat files have for them; the query itself where it has no parts. */
function stateOf(query: JsonText): [string, JsonText][] {
  const parts = /^(.*?) ---- Instructor Utterances: ?([^]*?) ---- Previous Turns: ?([^]*)$/.exec(query.string());
  if (parts === null) return [['query', query]];
  const [, viewport, utterances, history] = parts as unknown as [string, string, string, string];
  return [
    ['viewport', json.string(viewport)],
    ['utterances', json.string(utterances)],
    ['action_history', json.string(history)],
  ];
}
