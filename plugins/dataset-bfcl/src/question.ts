import { json, readItems, readMap, type JsonText, type Option } from '@holdfast/core';
import { memberOf, recordInvalid } from '@holdfast/kit';

/** One question line, as far as it matters here: everything is a view of the line. */
export interface Question {
  readonly id: string;
  /** The lists of messages, one a turn. */
  readonly turns: readonly JsonText[];
  readonly candidates: readonly Option[];
}

/** The question in the bytes of a line. Throws RECORD_INVALID with the member that is wrong. */
export function readQuestion(bytes: Uint8Array): Question {
  return {
    id: memberOf(bytes, 'id', 'string').string(),
    turns: readItems(memberOf(bytes, 'question', 'array').bytes).map((turn, index) => {
      if (turn.kind !== 'array') throw recordInvalid(`question.${index}`, `must be a list, not ${turn.kind}`);
      return turn;
    }),
    candidates: readItems(memberOf(bytes, 'function', 'array').bytes).map(readCandidate),
  };
}

function readCandidate(item: JsonText, index: number): Option {
  const place = `function.${index}`;
  if (item.kind !== 'object') throw recordInvalid(place, `must be an object, not ${item.kind}`);
  const name = memberOf(item.bytes, 'name', 'string', `${place}.`).string();
  if (name === '') throw recordInvalid(`${place}.name`, 'must not be empty');
  const members = readMap(item.bytes);
  const shown = ['description', 'parameters'].flatMap(key => {
    const value = members.get(key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return { id: name, canonical_id: name, description: json.object(shown) };
}
