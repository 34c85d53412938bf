import { access, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldfastError } from '@holdfast/core';
import { hashFile } from '@holdfast/kit';
import type { RunFile } from './identity.ts';
import { readManifest, type Manifest } from './manifest.ts';

/** Where runs go that were not told where: `runs/<recipe>-<UTC time>`. */
export function newRunFolder(recipe: string, now: Date): string {
  const time = now
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replaceAll(/[-:]/g, '')
    .replace('T', '-');
  return join('runs', `${recipe}-${time}`);
}

/** The newest folder that `newRunFolder` made for this recipe. Throws RECIPE_INVALID where there is none. */
export async function latestRunFolder(recipe: string): Promise<string> {
  const names = await readdir('runs').catch(() => [] as string[]);
  const own = names.filter(
    name => name.startsWith(`${recipe}-`) && /^\d{8}-\d{6}$/.test(name.slice(recipe.length + 1)),
  );
  const latest = own.sort().at(-1);
  if (latest !== undefined) return join('runs', latest);
  throw new HoldfastError(
    'RECIPE_INVALID',
    `there is no run of ${recipe} below runs/ to resume; give its folder with --out`,
  );
}

/** Whether any model of the folder has a decision. */
export async function hasDecisions(folder: string): Promise<boolean> {
  const models = await readdir(join(folder, 'models')).catch(() => [] as string[]);
  for (const model of models) {
    const size = await stat(join(folder, 'models', model, 'decisions.jsonl')).then(
      file => file.size,
      () => 0,
    );
    if (size > 0) return true;
  }
  return false;
}

/** Holds the records of a run folder to the hashes in its run.json. Throws HASH_MISMATCH or RECORD_INVALID. */
export async function verifyRecords(folder: string, run: RunFile): Promise<Manifest> {
  const records = join(folder, 'records');
  for (const name of ['base.jsonl', 'versions.jsonl'] as const) {
    const file = join(records, name);
    const expected = run.records[name];
    const { sha256 } = await hashFile(file);
    if (sha256 === expected.sha256) continue;
    throw new HoldfastError(
      'HASH_MISMATCH',
      `${file} has changed since it was built: its SHA-256 is ${sha256}, not ${expected.sha256}; build into another folder`,
      { facts: { file, expected: expected.sha256, actual: sha256 } },
    );
  }
  return readManifest(records);
}

/** Removes the records that a crash left before their run.json was written. Nothing but records of ours is removed. */
export async function removeUnfinished(folder: string): Promise<void> {
  const records = join(folder, 'records');
  if (
    await access(records).then(
      () => true,
      () => false,
    )
  ) {
    await readManifest(records).catch(() => {
      throw new HoldfastError(
        'STORAGE_FAILED',
        `${records} is in the way and holds no records of ours; choose another --out`,
      );
    });
    await rm(records, { recursive: true });
  }
  const names = await readdir(folder).catch(() => [] as string[]);
  for (const name of names) {
    if (/^records\.partial-\d+$/.test(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Removes a folder that a failed start has left empty. */
export async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => {});
}
