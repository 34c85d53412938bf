import { HoldfastError, JsonText, json, readMap, type FoundFile } from '@holdfast/core';
import { readPieces } from './read-pieces.ts';

/** What is kept of one entry of `steps`. */
export interface Step {
  readonly url: JsonText | null;
  readonly reasoning: JsonText | null;
  readonly action: JsonText | null;
  /** What went wrong with this step's action: upstream writes it into the entry behind. */
  readonly error: JsonText | null;
}

/** One trajectory, as far as it may be shown. The environment's reward in `summary_info` is never read. */
export interface Trajectory {
  readonly goal: JsonText;
  readonly steps: readonly Step[];
  /** Where the agent was in the end. */
  readonly finalUrl: JsonText | null;
  /** The last pruned accessibility tree; null where no entry has one. */
  readonly observation: JsonText | null;
  readonly valid: JsonText | null;
  readonly packageVersion: JsonText | null;
}

interface Entry {
  readonly url: JsonText | null;
  readonly reasoning: JsonText | null;
  readonly action: JsonText | null;
  readonly lastError: JsonText | null;
}

/** Reads a trajectory file, one step in memory at a time. Throws RECORD_INVALID with file and line. */
export async function readTrajectory({ name, path }: FoundFile, signal: AbortSignal): Promise<Trajectory> {
  const tops = new Map<string, JsonText>();
  const entries: Entry[] = [];
  let observation: JsonText | null = null;
  for await (const piece of readPieces(path, { file: name, within: 'steps', signal })) {
    const { key, item } = piece;
    if (item !== null) {
      const { axtree, ...entry } = piece.read(readEntry);
      entries.push(entry);
      observation = axtree ?? observation;
    } else if (['goal', 'valid', 'package_version', 'steps'].includes(key)) {
      tops.set(key, kept(piece.json()));
    }
  }
  const missing = (what: string) =>
    new HoldfastError('RECORD_INVALID', `${name}:1: ${what}; take the file from upstream's folder cleaned`, {
      facts: { file: name, line: 1 },
    });
  const goal = tops.get('goal');
  if (goal?.kind !== 'string') throw missing('goal is missing or no string');
  if (tops.has('steps')) throw missing('steps is no list');
  return {
    goal,
    ...stepsOf(entries),
    observation,
    valid: tops.get('valid') ?? null,
    packageVersion: tops.get('package_version') ?? null,
  };
}

/** The last entry is what the agent saw in the end: it has neither reasoning nor action of its own. */
function stepsOf(entries: readonly Entry[]): Pick<Trajectory, 'steps' | 'finalUrl'> {
  const last = entries.at(-1);
  const ended = last !== undefined && last.action === null && last.reasoning === null;
  const steps = (ended ? entries.slice(0, -1) : entries).map(({ lastError: _, ...entry }, index) => ({
    ...entry,
    error: entries[index + 1]?.lastError ?? null,
  }));
  return { steps, finalUrl: last?.url ?? null };
}

function readEntry(bytes: Uint8Array): Entry & { axtree: JsonText | null } {
  const members = readMap(bytes);
  const text = (name: string): JsonText | null => {
    const value = members.get(name);
    if (value === undefined || value.kind === 'null') return null;
    if (value.kind !== 'string') {
      const reason = `must be a string or null, not ${value.kind}`;
      throw new HoldfastError('RECORD_INVALID', `${name} ${reason}`, { facts: { place: name, reason } });
    }
    return kept(value);
  };
  const lastError = text('last_action_error');
  return {
    url: text('url'),
    reasoning: text('reasoning'),
    action: text('action'),
    // Upstream writes an empty text where the action went well.
    lastError: lastError?.equals(empty) ? null : lastError,
    axtree: text('axtree_pruned'),
  };
}

const empty = json.string('');

/** A copy of its own: a view would keep the whole step, megabytes of trees, in memory. */
function kept(value: JsonText): JsonText {
  return JsonText.trusted(Uint8Array.from(value.bytes));
}
