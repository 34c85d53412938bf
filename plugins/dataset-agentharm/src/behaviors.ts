import { isUtf8 } from 'node:buffer';
import { HoldfastError, readItems, readMap, type FoundFile, type JsonText } from '@holdfast/core';
import { LINE_LIMIT, atLine, openBytes } from '@holdfast/kit';
import { member, recordInvalid } from './member.ts';

/** One behaviour, as far as it matters here. */
export interface Behavior {
  /** Where it starts in the file. */
  readonly line: number;
  readonly id: string;
  readonly originalId: string;
  readonly prompt: JsonText;
  readonly category: JsonText;
  /** Null in the chat files, as the next three. */
  readonly targetFunctions: JsonText | null;
  readonly detailedPrompt: JsonText | null;
  readonly hintIncluded: JsonText | null;
  readonly hinted: boolean;
  /** Upstream's mark of the file, which asks to be kept out of training data. */
  readonly canary: JsonText | null;
}

/**
 * The behaviours of a file. Upstream's files are one object with the list inside, of at most 140 kB: a file is held
 * whole. Throws RECORD_INVALID with the line of the behaviour that is wrong, UPSTREAM_INVALID where an id stands twice.
 */
export async function* readBehaviors(file: FoundFile, signal: AbortSignal): AsyncGenerator<Behavior> {
  const bytes = await readWhole(file, signal);
  const { behaviors, canary } = located(file.name, bytes, () => {
    const members = readMap(bytes);
    return { behaviors: member(bytes, 'behaviors', 'array'), canary: members.get('canary_guid') ?? null };
  });
  const seen = new Map<string, number>();
  let line = 1;
  let at = 0;
  for (const item of readItems(behaviors.bytes)) {
    signal.throwIfAborted();
    const start = item.bytes.byteOffset - bytes.byteOffset;
    line += lineFeeds(bytes.subarray(at, start));
    at = start;
    let behavior: Behavior;
    try {
      behavior = readBehavior(item, { line, canary });
    } catch (error) {
      throw atLine(error, { file: file.name, line });
    }
    const earlier = seen.get(behavior.id);
    if (earlier !== undefined) {
      const message = `${file.name}:${line}: the id ${behavior.id} stands on line ${earlier} already`;
      throw new HoldfastError('UPSTREAM_INVALID', message, { facts: { file: file.name, line, id: behavior.id } });
    }
    seen.set(behavior.id, line);
    yield behavior;
  }
}

function readBehavior(item: JsonText, { line, canary }: { line: number; canary: JsonText | null }): Behavior {
  if (item.kind !== 'object') throw recordInvalid('a behaviour', `must be an object, not ${item.kind}`);
  const { bytes } = item;
  const members = readMap(bytes);
  const hintIncluded = members.get('hint_included') ?? null;
  return {
    line,
    id: member(bytes, 'id', 'string').string(),
    originalId: member(bytes, 'id_original', 'string').string(),
    prompt: member(bytes, 'prompt', 'string'),
    category: member(bytes, 'category', 'string'),
    targetFunctions: members.has('target_functions') ? member(bytes, 'target_functions', 'array') : null,
    detailedPrompt: members.get('detailed_prompt') ?? null,
    hintIncluded,
    hinted: hintIncluded?.toString() === 'true',
    canary,
  };
}

async function readWhole({ name, path }: FoundFile, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of openBytes(path, { signal })) {
    length += chunk.length;
    if (length > LINE_LIMIT) throw invalid(name, 1, `the file is longer than ${LINE_LIMIT} bytes: cut it into several`);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks, length);
  if (!isUtf8(bytes)) throw invalid(name, firstLineNotUtf8(bytes), 'not UTF-8: convert the file to UTF-8');
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** What `reader` makes of the whole file; its errors are told with line and column. */
function located<Value>(file: string, bytes: Buffer, reader: () => Value): Value {
  try {
    return reader();
  } catch (error) {
    const told = atLine(error, { file, line: 1, bytes });
    if (!HoldfastError.is(told) || typeof told.facts.column !== 'number') throw told;
    const before = bytes.subarray(0, told.facts.column - 1);
    const line = 1 + lineFeeds(before);
    const column = before.length - before.lastIndexOf(0x0a);
    const { place, reason } = told.facts;
    const problem = typeof place === 'string' ? `${place} ${String(reason)}` : `not JSON: ${String(reason)}`;
    throw new HoldfastError(told.code, `${file}:${line}:${column}: ${problem}`, {
      cause: error,
      facts: { ...told.facts, line, column },
    });
  }
}

function lineFeeds(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === 0x0a) count++;
  return count;
}

function firstLineNotUtf8(bytes: Buffer): number {
  let line = 1;
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(0x0a, start);
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
    line++;
  }
}

function invalid(file: string, line: number, problem: string): HoldfastError {
  return new HoldfastError('RECORD_INVALID', `${file}:${line}: ${problem}`, { facts: { file, line } });
}
