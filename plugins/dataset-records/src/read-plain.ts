import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { HoldfastError, readMap, readRecord, type DecisionRecord, type FoundFile, type JsonText } from '@holdfast/core';
import { hashFile, readJsonLines } from '@holdfast/kit';

/** A record and where it stands. */
export interface PlacedRecord {
  readonly record: DecisionRecord;
  readonly place: string;
}

/**
 * The records of a JSONL file. Where a manifest.json beside it names the file with a SHA-256, that is checked first.
 * Throws HASH_MISMATCH, or RECORD_INVALID with file, line and column.
 */
export async function* readPlain({ path, name }: FoundFile, signal: AbortSignal): AsyncIterable<PlacedRecord> {
  await checkAgainstManifest(path);
  for await (const line of readJsonLines(path, { signal, file: name })) {
    yield { record: line.read(readRecord), place: `${name}:${line.number}` };
  }
}

async function checkAgainstManifest(path: string): Promise<void> {
  const expected = await hashInManifest(path);
  if (expected === null) return;
  const { sha256 } = await hashFile(path);
  if (sha256 === expected) return;
  throw new HoldfastError(
    'HASH_MISMATCH',
    `${path}: its SHA-256 is ${sha256}, and the manifest.json beside it says ${expected}; take the file it was written for`,
    { facts: { file: path, expected, actual: sha256 } },
  );
}

/** What `files[<name>].sha256` of a manifest beside the file says; null where there is no such thing. */
async function hashInManifest(path: string): Promise<string | null> {
  const bytes = await readFile(join(dirname(path), 'manifest.json')).catch(() => null);
  if (bytes === null) return null;
  const member = (from: JsonText | undefined, key: string) =>
    from?.kind === 'object' ? readMap(from.bytes).get(key) : undefined;
  try {
    const files = readMap(bytes).get('files');
    const sha256 = member(member(files, basename(path)), 'sha256');
    return sha256?.kind === 'string' ? sha256.string() : null;
  } catch {
    // A manifest of something else, perhaps not even JSON: it says nothing of this file.
    return null;
  }
}
