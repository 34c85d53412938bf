import { HoldfastError, json, readItems, readMap, type FoundFile, type JsonKind, type JsonText } from '@holdfast/core';
import { memberOf, readJsonFile, recordInvalid } from '@holdfast/kit';

/** One behaviour, as far as it matters here. */
export interface Behavior {
  readonly id: string;
  readonly originalId: string;
  readonly prompt: JsonText;
  readonly category: JsonText;
  /** Null in the chat files, as the next two. */
  readonly targetFunctions: JsonText | null;
  readonly detailedPrompt: JsonText | null;
  readonly hintIncluded: JsonText | null;
  /** Upstream's mark of the file, which asks to be kept out of training data. */
  readonly canary: JsonText | null;
}

/**
 * The behaviours of a file. Upstream's files are one object with the list inside, of at most 140 kB: a file is held
 * whole. Throws RECORD_INVALID with the place of what is wrong, UPSTREAM_INVALID where an id stands twice.
 */
export async function* readBehaviors({ name, path }: FoundFile, signal: AbortSignal): AsyncGenerator<Behavior> {
  const file = await readJsonFile(path, { file: name, signal });
  const { list, canary } = file.read(bytes => ({
    list: readItems(memberOf(bytes, 'behaviors', 'array').bytes),
    canary: optional(readMap(bytes), 'canary_guid', 'string'),
  }));
  const seen = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    signal.throwIfAborted();
    yield file.read(() => {
      const behavior = readBehavior(item, `behaviors.${index}`, canary);
      const earlier = seen.get(behavior.id);
      if (earlier !== undefined) throw repeated(index, behavior.id, earlier);
      seen.set(behavior.id, index);
      return behavior;
    });
  }
}

function readBehavior(item: JsonText, place: string, canary: JsonText | null): Behavior {
  if (item.kind !== 'object') throw recordInvalid(place, `must be an object, not ${item.kind}`);
  const { bytes } = item;
  const within = `${place}.`;
  const members = readMap(bytes);
  const functions = optional(members, 'target_functions', 'array');
  return {
    id: memberOf(bytes, 'id', 'string', within).string(),
    originalId: memberOf(bytes, 'id_original', 'string', within).string(),
    prompt: memberOf(bytes, 'prompt', 'string', within),
    category: memberOf(bytes, 'category', 'string', within),
    // Upstream's lists go over several lines, a record stands on one.
    targetFunctions: functions === null ? null : json.array(readItems(functions.bytes)),
    detailedPrompt: optional(members, 'detailed_prompt', 'boolean'),
    hintIncluded: optional(members, 'hint_included', 'boolean'),
    canary,
  };
}

function optional(members: ReadonlyMap<string, JsonText>, name: string, kind: JsonKind): JsonText | null {
  const value = members.get(name);
  return value?.kind === kind ? value : null;
}

function repeated(index: number, id: string, earlier: number): HoldfastError {
  const [place, reason] = [`behaviors.${index}.id`, `is ${id}, as behaviors.${earlier}.id already is`];
  return new HoldfastError('UPSTREAM_INVALID', `${place} ${reason}`, { facts: { place, reason } });
}
