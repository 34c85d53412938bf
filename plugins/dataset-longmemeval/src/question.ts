import { readItems, readMap, type JsonText } from '@holdfast/core';
import { member, recordInvalid } from '@holdfast/kit';
import { text } from './text-item.ts';
import { sessionsByDate, type Session } from './session.ts';

export const questionTypes = [
  'single-session-user',
  'single-session-assistant',
  'single-session-preference',
  'temporal-reasoning',
  'knowledge-update',
  'multi-session',
] as const;

/** One question, with the conversations that it is to be answered from. */
export interface Question {
  /** Upstream's id; of a question that cannot be answered it ends in `_abs`. */
  readonly id: string;
  readonly type: string;
  readonly answerable: boolean;
  readonly question: JsonText;
  /** Null in the converted files. */
  readonly date: JsonText | null;
  /** What is shown, sorted by time. */
  readonly evidence: readonly Session[];
  /** How many sessions the row has. */
  readonly sessions: number;
  readonly format: 'native' | 'converted';
}

const unanswerable = '_abs';

/** The question without what tells whether it can be answered: the same for a question and its twin. */
export function groupOf(id: string): string {
  return id.endsWith(unanswerable) ? id.slice(0, -unanswerable.length) : id;
}

/** The question in an element of upstream's array. Its answer is not read: it would tell. */
export function readNative(bytes: Uint8Array, { evidence }: { evidence: 'oracle' | 'all' }): Question {
  const members = readMap(bytes);
  const id = member(members, 'question_id', 'string').string();
  const list = (name: string) => readItems(member(members, name, 'array').bytes);
  const dates = list('haystack_dates');
  const sessions = list('haystack_sessions');
  const ids = list('haystack_session_ids').map((value, index) => text(value, `haystack_session_ids.${index}`));
  const oracle = new Set(list('answer_session_ids').map((value, index) => text(value, `answer_session_ids.${index}`)));
  for (const [name, { length }] of [
    ['haystack_dates', dates],
    ['haystack_session_ids', ids],
  ] as const) {
    if (length !== sessions.length) {
      throw recordInvalid(name, `has ${length} items, but there are ${sessions.length} sessions`);
    }
  }
  const shown = sessions.flatMap((session, index) => {
    if (evidence === 'oracle' && !oracle.has(ids[index]!)) return [];
    const place = `haystack_sessions.${index}`;
    if (session.kind !== 'array') throw recordInvalid(place, `must be a list, not ${session.kind}`);
    const date = dates[index]!;
    if (date.kind !== 'string') throw recordInvalid(`haystack_dates.${index}`, `must be a string, not ${date.kind}`);
    return [{ date, turns: readItems(session.bytes).map((turn, at) => readTurn(turn, `${place}.${at}`)) }];
  });
  return {
    id,
    type: member(members, 'question_type', 'string').string(),
    answerable: !id.endsWith(unanswerable),
    question: member(members, 'question', 'string'),
    date: member(members, 'question_date', 'string'),
    evidence: sessionsByDate(shown),
    sessions: sessions.length,
    format: 'native',
  };
}

/**
 * The questions in a row of the converted files, where sessions stand in one list of turns that each have a date. All of
 * it is shown: which sessions hold the evidence is not known any more.
 */
export function readConverted(row: JsonText, place: string): Question[] {
  if (row.kind !== 'object') throw recordInvalid(place, `must be an object, not ${row.kind}`);
  const members = readMap(row.bytes);
  const type = member(members, 'question_type', 'string', `${place}.`).string();
  const rowId = member(members, 'id', 'string', `${place}.`).string();
  // The converter puts the start of the type before upstream's id.
  const prefix = type === 'abstention' ? 'abstain-' : `${type.slice(0, 12)}-`;
  const upstreamId = rowId.startsWith(prefix) ? rowId.slice(prefix.length) : rowId;
  const sessions: { date: JsonText; turns: (readonly [JsonText, JsonText])[] }[] = [];
  for (const [index, turn] of readItems(member(members, 'conversation', 'array', `${place}.`).bytes).entries()) {
    const at = `${place}.conversation.${index}`;
    const said = readTurn(turn, at);
    const date = member(readMap(turn.bytes), 'date', 'string', `${at}.`);
    const open = sessions.at(-1);
    if (open?.date.equals(date) === true) open.turns.push(said);
    else sessions.push({ date, turns: [said] });
  }
  const questions = readItems(member(members, 'questions', 'array', `${place}.`).bytes);
  return questions.map((item, index) => {
    const at = `${place}.questions.${index}`;
    if (item.kind !== 'object') throw recordInvalid(at, `must be an object, not ${item.kind}`);
    const asked = readMap(item.bytes);
    const marked = asked.get('is_abstention')?.toString();
    const named = upstreamId.endsWith(unanswerable);
    if (marked === 'false' && named)
      throw recordInvalid(`${at}.is_abstention`, `is false, but the id is ${upstreamId}`);
    return {
      id: questions.length === 1 ? upstreamId : `${upstreamId}:${member(asked, 'id', 'string', `${at}.`).string()}`,
      type,
      answerable: !(named || marked === 'true'),
      question: member(asked, 'question', 'string', `${at}.`),
      date: null,
      evidence: sessionsByDate(sessions),
      sessions: sessions.length,
      format: 'converted',
    };
  });
}

/** Role and content. `has_answer` beside them tells where the answer is and goes no further. */
function readTurn(turn: JsonText, place: string): readonly [JsonText, JsonText] {
  if (turn.kind !== 'object') throw recordInvalid(place, `must be an object, not ${turn.kind}`);
  const members = readMap(turn.bytes);
  return [member(members, 'role', 'string', `${place}.`), member(members, 'content', 'string', `${place}.`)];
}
