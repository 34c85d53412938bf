import { JsonText, json, readMembers } from '@holdfast/core';
import { recordInvalid } from '@holdfast/kit';
import { Members } from './members.ts';

/** One element of the page that upstream names as a target, or as none. */
export interface Candidate {
  readonly node: string;
  readonly tag: JsonText;
  readonly attributes: Attributes;
  /** Place in the ranking of the authors' candidate model, 0 the best; null where the file has none. */
  readonly rank: number | null;
  readonly target: 'original' | 'top_level' | 'other';
}

/** `repaired`: a comma was missing. `unreadable`: it is not JSON and is not shown. */
export interface Attributes {
  readonly state: 'read' | 'repaired' | 'unreadable';
  readonly shown: JsonText | null;
}

/** The candidates in a list whose items are objects, or objects printed into strings. */
export function readCandidates(list: readonly JsonText[], place: string): Candidate[] {
  const seen = new Set<string>();
  return list
    .map((item, index) => readCandidate(Members.of(item, `${place}.${index}`)))
    .filter(({ node }) => !seen.has(node) && seen.add(node));
}

function readCandidate(members: Members): Candidate {
  const id = members.raw('backend_node_id');
  // A string upstream; converters make a number of it.
  const node = id?.kind === 'string' ? id.string() : id?.kind === 'number' ? id.toString() : '';
  if (node === '') throw recordInvalid(members.place('backend_node_id'), 'must be a string that is not empty');
  const rank = members.find('rank', 'number');
  return {
    node,
    tag: members.get('tag', 'string'),
    attributes: readAttributes(members.raw('attributes')),
    rank: rank === null ? null : Number(rank.toString()),
    target: isTrue(members, 'is_original_target')
      ? 'original'
      : isTrue(members, 'is_top_level_target')
        ? 'top_level'
        : 'other',
  };
}

const isTrue = (members: Members, name: string) => members.raw(name)?.toString() === 'true';

/** Upstream's own marks: the node id, by which targets stand out, and the recorder's. */
const marked = (key: string) => key === 'backend_node_id' || /^data[-_]pw[-_]testid[-_]buckeye/.test(key);

function readAttributes(value: JsonText | undefined): Attributes {
  if (value === undefined || value.kind === 'null') return { state: 'read', shown: null };
  if (value.kind === 'object') return { state: 'read', shown: withoutMarks(value) };
  if (value.kind !== 'string') return { state: 'unreadable', shown: null };
  const text = value.string();
  const first = object(text);
  if (first !== null) return { state: 'read', shown: withoutMarks(first) };
  // Some rows lack the comma between two members.
  const second = object(text.replaceAll(/" "(?=[\w-]+": )/g, '", "'));
  return second === null ? { state: 'unreadable', shown: null } : { state: 'repaired', shown: withoutMarks(second) };
}

function object(text: string): JsonText | null {
  try {
    const value = JsonText.parse(text);
    return value.kind === 'object' ? value : null;
  } catch {
    return null;
  }
}

function withoutMarks(attributes: JsonText): JsonText {
  return json.object(readMembers(attributes.bytes).filter(([key]) => !marked(key)));
}
