import { findUpstream, lockDataset, type DatasetLock, type FoundDataset } from './find-upstream.ts';
import type { PreparedRun } from './prepare.ts';
import { cacheRoot } from './upstream-cache.ts';

/** A dataset of the recipe with its files found and hashed. */
export interface LockedDataset {
  readonly prepared: PreparedRun['datasets'][number];
  readonly dataset: ReturnType<PreparedRun['datasets'][number]['create']>;
  readonly found: FoundDataset;
  readonly lock: DatasetLock;
}

/** Finds and hashes the files of every dataset. Throws UPSTREAM_INVALID or HASH_MISMATCH. */
export async function lockDatasets(
  run: PreparedRun,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<LockedDataset[]> {
  const locked: LockedDataset[] = [];
  for (const prepared of run.datasets) {
    const dataset = prepared.create();
    const found = findUpstream(dataset, prepared.entry, {
      recipeFile: run.read.file,
      recipeFolder: run.folder,
      pluginFolder: prepared.loaded.folder,
      upstreamFolder: environment['HOLDFAST_UPSTREAM'],
      cache: cacheRoot(environment),
    });
    locked.push({ prepared, dataset, found, lock: await lockDataset(dataset, found) });
  }
  return locked;
}
