import { readItems, readMap, type JsonText } from '@holdfast/core';
import { recordInvalid, member } from '@holdfast/kit';
import type { AgentRun, Turn } from './agent-run.ts';
import { optional } from './optional.ts';

/** SWE-agent's own file of one run, old or new, without its outcome, which stands in a report beside it. */
export function readTrajFile(bytes: Uint8Array): Omit<AgentRun, 'instanceId' | 'resolved'> {
  const members = readMap(bytes);
  const infoText = optional(members, 'info', 'object');
  const info = infoText === null ? new Map<string, JsonText>() : readMap(infoText.bytes);
  const messages = readItems(member(members, 'history', 'array').bytes).map(readMessage);
  const turns = messages.filter(({ demonstration }) => !demonstration);
  return {
    model: null,
    turns: turns.map(({ demonstration: _, ...turn }) => turn),
    exitStatus: optional(info, 'exit_status', 'string'),
    patch: optional(info, 'submission', 'string'),
    demonstrations: messages.length - turns.length,
  };
}

function readMessage(item: JsonText, index: number): Turn & { demonstration: boolean } {
  const place = `history.${index}`;
  if (item.kind !== 'object') throw recordInvalid(place, `must be an object, not ${item.kind}`);
  const members = readMap(item.bytes);
  return {
    role: member(members, 'role', 'string', `${place}.`),
    text: textOf(members.get('content')),
    toolCalls: optional(members, 'tool_calls', 'array', `${place}.`),
    demonstration: members.get('is_demo')?.toString() === 'true',
  };
}

/** New files write a text as a list of one part; its text is taken out, so that old and new turns look the same. */
function textOf(content: JsonText | undefined): JsonText | null {
  if (content === undefined || content.kind === 'null') return null;
  if (content.kind !== 'array') return content;
  const [part, ...others] = readItems(content.bytes);
  const text = part?.kind === 'object' && others.length === 0 ? readMap(part.bytes).get('text') : undefined;
  return text?.kind === 'string' ? text : content;
}

/** Whether a report says that the issue was resolved; null where it does not say. */
export function readReport(bytes: Uint8Array): boolean | null {
  const members = readMap(bytes);
  // SWE-bench wraps the report into a member that is named for the issue.
  const [only, ...others] = members.values();
  const wrapped = !members.has('resolved') && only?.kind === 'object' && others.length === 0;
  // patch_successfully_applied is false in resolved runs too: only resolved is a label.
  const resolved = optional(wrapped ? readMap(only.bytes) : members, 'resolved', 'boolean');
  return resolved === null ? null : resolved.toString() === 'true';
}
