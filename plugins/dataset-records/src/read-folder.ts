import { HoldfastError, ORIGINAL, readRecord } from '@holdfast/core';
import { atLine, readRelease, readReleaseManifest } from '@holdfast/kit';
import type { PlacedRecord } from './read-plain.ts';

/**
 * The records of a release folder: hashes, counts and the number of questions are held to its manifest. Throws
 * UPSTREAM_INVALID, HASH_MISMATCH, or RECORD_INVALID with shard and line.
 */
export async function* readFolder(folder: string, signal: AbortSignal): AsyncIterable<PlacedRecord> {
  const { original_samples } = await readReleaseManifest(folder);
  let originals = 0;
  for await (const { bytes, file, number } of readRelease(folder, { signal })) {
    const place = `${file}:${number}`;
    let record;
    try {
      record = readRecord(bytes);
    } catch (error) {
      throw atLine(error, { file, line: number, bytes });
    }
    if (record.version === ORIGINAL) originals++;
    yield { record, place };
  }
  if (originals === original_samples) return;
  const sentence = `${folder}: it holds ${originals} questions, and its manifest says ${original_samples}`;
  throw new HoldfastError('UPSTREAM_INVALID', sentence, { facts: { folder } });
}
