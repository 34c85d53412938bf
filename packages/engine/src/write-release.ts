import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { PassThrough } from 'node:stream';
import { createGzip } from 'node:zlib';
import { ORIGINAL, readMap } from '@holdfast/core';
import { RELEASE_FORMAT, hashFile, openBytes, readLines, type ReleaseManifest, type ReleaseShard } from '@holdfast/kit';
import { makeFolder } from './make-folder.ts';
import type { Manifest } from './manifest.ts';
import { datasetCard, licenceFile } from './release-card.ts';
import { storageFailed, syncFolder, writeWhole } from './storage.ts';

/** Shards are cut at a question's end once they hold this many bytes before compression. */
const SHARD_BYTES = 64 * 1024 * 1024;

/**
 * Writes `release/` of a run folder: its versions.jsonl as gzip shards with a manifest, the licences of the sources
 * and a dataset card. The versions of a question stay in one shard. The folder appears when it is whole.
 */
export async function writeRelease(folder: string, manifest: Manifest): Promise<ReleaseManifest> {
  const target = join(folder, 'release');
  const partial = join(folder, `release.partial-${process.pid}`);
  try {
    await rm(partial, { recursive: true, force: true });
    await makeFolder(partial);
    const shards = await writeShards(join(folder, 'records', 'versions.jsonl'), partial);
    const release: ReleaseManifest = {
      format: RELEASE_FORMAT,
      original_samples: manifest.questions,
      version_instances: manifest.records,
      // The stream of all shards is the file itself.
      stream_sha256: manifest.files['versions.jsonl'].sha256,
      shards,
    };
    await writeWhole(join(partial, 'manifest.json'), `${JSON.stringify(release, null, 2)}\n`);
    await writeWhole(join(partial, 'README.md'), datasetCard(manifest, release));
    await writeWhole(join(partial, 'LICENSES.md'), licenceFile(manifest));
    await rm(target, { recursive: true, force: true });
    await rename(partial, target);
    await syncFolder(folder);
    return release;
  } catch (error) {
    throw storageFailed(error, target);
  } finally {
    await rm(partial, { recursive: true, force: true }).catch(() => {});
  }
}

async function writeShards(file: string, folder: string): Promise<ReleaseShard[]> {
  const shards: ReleaseShard[] = [];
  let shard: Shard | null = null;
  let bytes = 0;
  let records = 0;
  const finish = async () => {
    if (shard === null) return;
    await shard.end();
    const { sha256 } = await hashFile(join(folder, shard.name));
    shards.push({ path: shard.name, records, sha256 });
    shard = null;
    bytes = 0;
    records = 0;
  };
  for await (const line of readLines(openBytes(file), { file })) {
    if (bytes >= SHARD_BYTES && isOriginal(line.bytes)) await finish();
    shard ??= new Shard(folder, `records-${String(shards.length).padStart(5, '0')}.jsonl.gz`);
    await shard.write(line.bytes);
    bytes += line.bytes.byteLength;
    records++;
  }
  await finish();
  return shards;
}

function isOriginal(line: Uint8Array): boolean {
  return readMap(line).get('version')?.string() === ORIGINAL;
}

const lineFeed = Buffer.from('\n');

/** One gzip file that is being written. Its compressed bytes may differ between versions of the compressor. */
class Shard {
  readonly name: string;
  readonly #input = new PassThrough({ highWaterMark: 1 << 20 });
  readonly #done: Promise<void>;

  constructor(folder: string, name: string) {
    this.name = name;
    this.#done = pipeline(
      this.#input,
      createGzip({ level: 6 }),
      createWriteStream(join(folder, name), { flags: 'wx', flush: true }),
    );
    // Seen by whoever awaits the end; a failure before that must not end the process.
    this.#done.catch(() => {});
  }

  async write(line: Uint8Array): Promise<void> {
    this.#input.write(line);
    if (!this.#input.write(lineFeed)) await Promise.race([once(this.#input, 'drain'), this.#done]);
  }

  async end(): Promise<void> {
    this.#input.end();
    await this.#done;
  }
}
