import { json, type JsonText } from '@holdfast/core';

/** One conversation. Its id is left out on purpose: upstream's ids tell evidence, and `_abs`, apart. */
export interface Session {
  /** As upstream writes it: `2023/05/30 (Tue) 04:10`. */
  readonly date: JsonText;
  /** Role and content of each. */
  readonly turns: readonly (readonly [role: JsonText, content: JsonText])[];
}

/** Upstream's oracle file is not sorted. Dates sort as text, since equal days have equal weekdays. */
export function sessionsByDate(sessions: readonly Session[]): Session[] {
  return sessions
    .map(session => [session.date.string(), session] as const)
    .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    .map(([, session]) => session);
}

export function writeSession({ date, turns }: Session): JsonText {
  return json.object([
    ['date', date],
    [
      'turns',
      turns.map(([role, content]) =>
        json.object([
          ['role', role],
          ['content', content],
        ]),
      ),
    ],
  ]);
}
