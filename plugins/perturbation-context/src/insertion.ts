// Where the borrowed text and the scope sentence stand, and how they are found again.
import { JsonText, json, readMembers, readTree, sameJson, stringsOf, type JsonNode } from '@holdfast/core';

export interface Delimiters {
  readonly begin: string;
  readonly end: string;
}

export function delimit(excerpt: string, { begin, end }: Delimiters): string {
  return `${begin}\n${excerpt}\n${end}`;
}

/** What stands between the delimiters; null where they are not around the text. */
export function undelimit(text: string, { begin, end }: Delimiters): string | null {
  const [head, tail] = [`${begin}\n`, `\n${end}`];
  if (!text.startsWith(head) || !text.endsWith(tail) || text.length < head.length + tail.length) return null;
  return text.slice(head.length, text.length - tail.length);
}

/** The state with the text before it: inside a string state, beside any other. Its own bytes stay as they are. */
export function insertText(state: JsonText, text: string): JsonText {
  if (state.kind !== 'string') {
    return json.object([
      ['auxiliary_case', text],
      ['current_case', state],
    ]);
  }
  return JsonText.trusted(json.string(`${text}\n`).bytes.subarray(0, -1), state.bytes.subarray(1));
}

/** The text that `insertText` put to `state`; null where `changed` is not of that form. */
export function insertedText(state: JsonText, changed: JsonText): string | null {
  if (state.kind === 'string') {
    const rest = `\n${state.string()}`;
    const text = changed.kind === 'string' ? changed.string() : '';
    return text.endsWith(rest) ? text.slice(0, text.length - rest.length) : null;
  }
  const known = { key: 'current_case', value: state };
  const [auxiliary, current, ...more] = changed.kind === 'object' ? readMembers(changed.bytes, known) : [];
  if (auxiliary?.[0] !== 'auxiliary_case' || auxiliary[1].kind !== 'string' || more.length > 0) return null;
  return current?.[0] === 'current_case' && sameJson(current[1], state) ? auxiliary[1].string() : null;
}

/** The instructions with the sentence behind them. Their own bytes stay as they are. */
export function appendScope(instructions: JsonText, sentence: string): JsonText {
  if (instructions.kind !== 'string') {
    return json.object([
      ['instructions', instructions],
      ['scope', sentence],
    ]);
  }
  return JsonText.trusted(instructions.bytes.subarray(0, -1), json.string(`\n\n${sentence}`).bytes.subarray(1));
}

/** Says which part of the new state is to be decided. */
export function scopeOf(state: JsonText, { begin, end }: Delimiters): string {
  return state.kind === 'string'
    ? `Decide only about what follows the line ${end}. The text between ${begin} and ${end} comes from another case ` +
        `and must be ignored.`
    : `Decide only about current_case. The text in auxiliary_case comes from another case and must be ignored.`;
}

/**
 * The text that `changed` has beside the unchanged `state`: around it in a string, or in the other members of an
 * object that has it as a member or took in all of its members. Null where the state does not stand there unchanged.
 */
export function textBeside(state: JsonText, changed: JsonText): string | null {
  if (changed.kind === 'string') {
    const [outer, inner] = [changed.string(), state.kind === 'string' ? state.string() : state.toString()];
    // The material stands before the state, and could hold a copy of a short one.
    const at = outer.lastIndexOf(inner);
    if (at === -1) return null;
    return outer.slice(0, at).replace(/\n$/, '') + outer.slice(at + inner.length);
  }
  if (changed.kind !== 'object') return null;
  const members = readMembers(changed.bytes);
  const at = members.findLastIndex(([, value]) => sameJson(value, state));
  if (at !== -1) return textOf(members.toSpliced(at, 1));
  if (state.kind !== 'object') return null;
  const rest = [...members];
  for (const [key, value] of readMembers(state.bytes)) {
    const place = rest.findIndex(([other, found]) => other === key && sameJson(found, value));
    if (place === -1) return null;
    rest.splice(place, 1);
  }
  return textOf(rest);
}

function textOf(members: readonly (readonly [string, JsonText])[]): string {
  return members.flatMap(([, value]) => [...stringsOf(readTree(value))]).join('\n');
}

/** Whether the instructions stand somewhere in `changed`, as a value or, a string, inside of another one. */
export function holdsInstructions(changed: JsonText, instructions: JsonText): boolean {
  if (instructions.kind !== 'string') return hasValue(readTree(changed), instructions);
  const inner = instructions.string();
  return [...stringsOf(readTree(changed))].some(text => text.includes(inner));
}

function hasValue(node: JsonNode, value: JsonText): boolean {
  if (node.kind === value.kind && sameJson(node.text, value)) return true;
  return node.members.some(member => hasValue(member.value, value)) || node.items.some(item => hasValue(item, value));
}
