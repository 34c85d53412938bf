import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldfastError, type JsonText, readItems, readMap } from '@holdfast/core';
import { hashFile } from './hash-file.ts';
import { openBytes } from './open-bytes.ts';
import { readLines, type Line } from './read-lines.ts';

export const RELEASE_FORMAT = 'jev-release/gzip-jsonl-v1';

/** The manifest of a release folder, checked for form. */
export interface ReleaseManifest {
  readonly format: typeof RELEASE_FORMAT;
  /** Base questions. */
  readonly original_samples: number;
  /** Records in all shards. */
  readonly version_instances: number;
  /** SHA-256 of the decompressed bytes of all shards, in order. */
  readonly stream_sha256: string;
  readonly shards: readonly ReleaseShard[];
}

export interface ReleaseShard {
  /** A plain file name in the folder. */
  readonly path: string;
  readonly records: number;
  /** SHA-256 of the compressed file. */
  readonly sha256: string;
}

/** A line of a release: its offset counts from the start of the whole stream. */
export interface ReleaseLine extends Line {
  /** The shard, and the line in it. */
  readonly file: string;
}

/** Whether `path` is a folder with the manifest of a release in it. */
export async function isRelease(path: string): Promise<boolean> {
  if (!(await stat(path).catch(() => null))?.isDirectory()) return false;
  const text = await readFile(join(path, 'manifest.json'), 'utf8').catch(() => '');
  return text.includes(`"${RELEASE_FORMAT}"`);
}

/**
 * The manifest of a release folder. Throws UPSTREAM_INVALID where it is malformed: another format, no shard, a shard
 * name that is no plain unique file name, or counts that do not add up.
 */
export async function readReleaseManifest(folder: string): Promise<ReleaseManifest> {
  const file = join(folder, 'manifest.json');
  const invalid = (problem: string) =>
    new HoldfastError('UPSTREAM_INVALID', `${file}: ${problem}`, { facts: { file } });
  let members: Map<string, JsonText>;
  try {
    members = readMap(await readFile(file));
  } catch (error) {
    if (HoldfastError.is(error)) throw invalid(error.message);
    throw invalid('cannot be read; a release folder needs its manifest.json');
  }
  const text = (from: ReadonlyMap<string, JsonText>, key: string): string => {
    const value = from.get(key);
    if (value?.kind !== 'string') throw invalid(`${key} must be a string`);
    return value.string();
  };
  const count = (from: ReadonlyMap<string, JsonText>, key: string): number => {
    const value = Number(from.get(key)?.toString());
    if (!Number.isSafeInteger(value) || value < 0) throw invalid(`${key} must be a count`);
    return value;
  };
  const format = text(members, 'format');
  if (format !== RELEASE_FORMAT) throw invalid(`format is ${JSON.stringify(format)}, and ${RELEASE_FORMAT} is needed`);
  const list = members.get('shards');
  if (list?.kind !== 'array') throw invalid('shards must be a list');
  const shards = readItems(list.bytes).map(item => {
    if (item.kind !== 'object') throw invalid('a shard must be an object');
    const shard = readMap(item.bytes);
    return { path: text(shard, 'path'), records: count(shard, 'records'), sha256: text(shard, 'sha256') };
  });
  if (shards.length === 0) throw invalid('there must be at least one shard');
  const names = new Set<string>();
  for (const { path } of shards) {
    // A name with a separator could lead out of the folder.
    if (!/^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(path)) throw invalid(`${JSON.stringify(path)} is not a plain file name`);
    if (names.has(path)) throw invalid(`the shard ${path} stands twice`);
    names.add(path);
  }
  const version_instances = count(members, 'version_instances');
  const total = shards.reduce((sum, { records }) => sum + records, 0);
  if (total !== version_instances) {
    throw invalid(`its shards hold ${total} records together, and version_instances says ${version_instances}`);
  }
  const original_samples = count(members, 'original_samples');
  return { format, original_samples, version_instances, stream_sha256: text(members, 'stream_sha256'), shards };
}

/**
 * The lines of a release, shard by shard. Every compressed hash is checked before the first line is given; the records
 * of each shard and the hash of the stream as they are read. Throws HASH_MISMATCH or UPSTREAM_INVALID with the shard.
 */
export async function* readRelease(
  folder: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<ReleaseLine, void, undefined> {
  const manifest = await readReleaseManifest(folder);
  for (const { path, sha256 } of manifest.shards) {
    const file = join(folder, path);
    const actual = await hashFile(file, { signal });
    if (actual.sha256 !== sha256) throw mismatch(file, sha256, actual.sha256);
  }
  const hash = createHash('sha256');
  let before = 0;
  for (const { path, records } of manifest.shards) {
    const file = join(folder, path);
    let bytes = 0;
    const hashed = async function* () {
      for await (const chunk of openBytes(file, { signal })) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    };
    let count = 0;
    for await (const line of readLines(hashed(), { file, signal })) {
      count++;
      yield { ...line, file, offset: before + line.offset };
    }
    before += bytes;
    if (count !== records) {
      throw new HoldfastError(
        'UPSTREAM_INVALID',
        `${file}: it holds ${count} records, and the manifest says ${records}`,
        {
          facts: { file },
        },
      );
    }
  }
  const stream = hash.digest('hex');
  if (stream !== manifest.stream_sha256) throw mismatch(`${folder} (stream)`, manifest.stream_sha256, stream);
}

function mismatch(file: string, expected: string, actual: string): HoldfastError {
  return new HoldfastError('HASH_MISMATCH', `${file}: its SHA-256 is ${actual}, not ${expected} as the manifest says`, {
    facts: { file, expected, actual },
  });
}
