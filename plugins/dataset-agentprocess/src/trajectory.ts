import { json, readItems, readMap, type JsonText } from '@holdfast/core';
import { member, recordInvalid } from '@holdfast/kit';
import { readStepLabels, recordId, type StepLabels } from './labels.ts';
import { count } from './count.ts';

/** One message of a trajectory, a view of its line. */
export interface Message {
  readonly role: string;
  /** The message as it may be shown. */
  readonly shown: JsonText;
  /** Names of its members that are not shown. */
  readonly leftOut: readonly string[];
  readonly toolCalls: number;
}

/** One trajectory line, as far as it matters here. Labels of the outcome, answers and telemetry are not even read. */
export interface Trajectory {
  /** `<data_source>:<query_index>:<sample_index>`. */
  readonly id: string;
  readonly dataSource: string;
  readonly queryIndex: string;
  readonly sampleIndex: string;
  readonly totalIndex: JsonText | null;
  readonly question: JsonText;
  /** Null where the functions stand in the system prompt only. */
  readonly tools: JsonText | null;
  readonly messages: readonly Message[];
  readonly labels: StepLabels | null;
}

/** The trajectory in the bytes of a line. Throws RECORD_INVALID with the member that is wrong. */
export function readTrajectory(bytes: Uint8Array): Trajectory {
  const members = readMap(bytes);
  const tools = members.get('tools');
  return {
    id: recordId(members),
    dataSource: member(members, 'data_source', 'string').string(),
    queryIndex: count(members, 'query_index'),
    sampleIndex: count(members, 'sample_index'),
    totalIndex: members.get('total_index') ?? null,
    question: member(members, 'question', 'string'),
    tools: tools === undefined || tools.kind === 'null' ? null : tools,
    messages: readItems(member(members, 'messages', 'array').bytes).map(readMessage),
    labels: readStepLabels(members),
  };
}

/** What OpenAI chat messages hold. Other members are telemetry or grades of the run, and stay out of what is shown. */
const chat = new Set(['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'reasoning_content']);

function readMessage(item: JsonText, index: number): Message {
  const place = `messages.${index}`;
  if (item.kind !== 'object') throw recordInvalid(place, `must be an object, not ${item.kind}`);
  const members = readMap(item.bytes);
  const calls = members.get('tool_calls');
  const leftOut = [...members.keys()].filter(key => !chat.has(key));
  return {
    role: member(members, 'role', 'string', `${place}.`).string(),
    // The very bytes where nothing has to go.
    shown: leftOut.length === 0 ? item : json.object([...members].filter(([key]) => chat.has(key))),
    leftOut,
    toolCalls: calls?.kind === 'array' ? readItems(calls.bytes).length : 0,
  };
}
