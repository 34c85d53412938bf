import { readItems, readMap, type JsonText } from '@holdfast/core';
import { recordInvalid, member } from '@holdfast/kit';
import type { AgentRun, Turn } from './agent-run.ts';
import { optional } from './optional.ts';

/** The columns that are read. `eval_logs` tells the outcome of the hidden tests and is not even looked at. */
export const hubColumns = ['instance_id', 'model_name', 'target', 'trajectory', 'exit_status', 'generated_patch'];

/** A row of the Hub data set. Throws RECORD_INVALID with the member that is wrong. */
export function readHubRow(members: ReadonlyMap<string, JsonText>): AgentRun {
  const target = optional(members, 'target', 'boolean');
  const trajectory = optional(members, 'trajectory', 'array');
  return {
    instanceId: member(members, 'instance_id', 'string').string(),
    model: optional(members, 'model_name', 'string')?.string() ?? null,
    resolved: target === null ? null : target.toString() === 'true',
    turns: trajectory === null ? [] : readItems(trajectory.bytes).map(readTurn),
    exitStatus: optional(members, 'exit_status', 'string'),
    patch: optional(members, 'generated_patch', 'string'),
    demonstrations: 0,
  };
}

function readTurn(item: JsonText, index: number): Turn {
  const place = `trajectory.${index}`;
  if (item.kind !== 'object') throw recordInvalid(place, `must be an object, not ${item.kind}`);
  const members = readMap(item.bytes);
  const string = (name: string) => optional(members, name, 'string', `${place}.`);
  return {
    role: member(members, 'role', 'string', `${place}.`),
    // The system turn has its text in another member than all others.
    text: string('text') ?? string('system_prompt'),
    toolCalls: null,
  };
}
