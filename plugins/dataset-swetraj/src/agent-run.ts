import { createHash } from 'node:crypto';
import type { JsonText } from '@holdfast/core';

/** One run of an agent on an issue, whatever file it comes from. Everything is a view of what was read. */
export interface AgentRun {
  /** Upstream's id of the issue. Not unique: the same issue is tried many times. */
  readonly instanceId: string;
  readonly model: string | null;
  /** Whether the issue's tests passed afterwards; null where upstream does not say. */
  readonly resolved: boolean | null;
  readonly turns: readonly Turn[];
  readonly exitStatus: JsonText | null;
  readonly patch: JsonText | null;
  /** Messages of an example run that was shown to the agent: no part of this one. */
  readonly demonstrations: number;
}

export interface Turn {
  readonly role: JsonText;
  /** A string in all but odd files, where it is a list of parts; null where the turn is a call only. */
  readonly text: JsonText | null;
  readonly toolCalls: JsonText | null;
}

/** The issue without the number that exporters append to tell its runs apart (`owner__name-12_3`). */
export function issueOf(instanceId: string): string {
  return /^(.+-\d+)_\d+$/.exec(instanceId)?.[1] ?? instanceId;
}

/** A name for what happened in a run, the same whether it was read from Parquet or JSON: upstream has none. */
export function fingerprint({ instanceId, turns, patch }: AgentRun): string {
  const hash = createHash('sha256').update(issueOf(instanceId));
  for (const part of [...turns.flatMap(turn => [turn.text, turn.toolCalls]), patch]) {
    // A text's length first, so that no two runs can be cut differently into the same bytes.
    const text = part === null ? '' : part.kind === 'string' ? part.string() : part.toString();
    hash.update(`\n${text.length}\n`).update(text);
  }
  return hash.digest('hex').slice(0, 16);
}
