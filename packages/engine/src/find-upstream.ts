import { existsSync } from 'node:fs';
import { globSync, isDynamicPattern } from 'tinyglobby';
import { join, resolve } from 'node:path';
import { HoldfastError, type Dataset, type FoundFile, type UpstreamFile } from '@holdfast/core';
import { hashFile } from '@holdfast/kit';
import type { DatasetEntry } from './recipe.ts';
import { cacheFolder } from './upstream-cache.ts';

export type Origin = 'upstream' | 'sample' | 'own';

/** What a dataset's bytes were: part of the run's identity. */
export interface DatasetLock {
  readonly dataset: string;
  readonly origin: Origin;
  readonly files: readonly {
    readonly name: string;
    readonly bytes: number;
    readonly sha256: string;
    readonly revision: string | null;
  }[];
}

export interface FoundDataset {
  readonly origin: Origin;
  readonly files: readonly FoundFile[];
}

/** Where files are looked for. */
export interface UpstreamPlaces {
  readonly recipeFile: string;
  readonly recipeFolder: string;
  readonly pluginFolder: string;
  /** HOLDFAST_UPSTREAM: looked into before the cache. */
  readonly upstreamFolder: string | undefined;
  readonly cache: string;
}

/** Where the files of a dataset are, by its recipe entry. Throws UPSTREAM_INVALID with every path that is missing. */
export function findUpstream(dataset: Dataset, entry: DatasetEntry, places: UpstreamPlaces): FoundDataset {
  const { recipeFolder, pluginFolder, upstreamFolder } = places;
  const { id } = dataset.info;
  const base =
    entry.from === 'sample'
      ? join(pluginFolder, 'sample')
      : entry.from === 'upstream'
        ? upstreamFolder === undefined
          ? null
          : resolve(upstreamFolder, id)
        : resolve(recipeFolder, entry.from);
  const files = dataset.upstream.flatMap(file => {
    const found = expand(file, file.location === 'recipe' ? recipeFolder : base);
    if (entry.from !== 'upstream' || file.location === 'recipe' || found.some(isThere)) return found;
    const cached = expand(file, cacheFolder(places.cache, id, file)).filter(isThere);
    return cached.length > 0 ? cached : found;
  });
  const missing = files.filter(file => !isThere(file));
  if (missing.length > 0) throw notThere(id, missing, base, entry, places.recipeFile);
  const own = dataset.upstream.every(file => file.location === 'recipe');
  const origin = own ? 'own' : entry.from === 'sample' || entry.from === 'upstream' ? entry.from : 'own';
  return { origin, files: files as FoundFile[] };
}

export function isThere<File extends { path: string | null }>(file: File): file is File & { path: string } {
  return file.path !== null && existsSync(file.path);
}

/** The files that a name stands for: itself, or what a pattern such as `data/*.jsonl` finds, by code point. */
export function expand({ name }: UpstreamFile, base: string | null): { name: string; path: string | null }[] {
  if (base === null) return [{ name, path: null }];
  if (!isDynamicPattern(name)) return [{ name, path: resolve(base, name) }];
  const found = globSync(name, { cwd: base, expandDirectories: false }).sort((left, right) =>
    Buffer.compare(Buffer.from(left), Buffer.from(right)),
  );
  if (found.length === 0) return [{ name, path: resolve(base, name) }];
  return found.map(match => ({ name: match, path: resolve(base, match) }));
}

function notThere(
  id: string,
  missing: readonly { name: string; path: string | null }[],
  base: string | null,
  { from }: DatasetEntry,
  recipeFile: string,
): HoldfastError {
  const names = missing.map(file => file.path ?? file.name).join(', ');
  const remedy =
    from === 'upstream'
      ? base === null
        ? `set HOLDFAST_UPSTREAM to a folder that has them below ${id}/, run holdfast fetch ${recipeFile}, or write from: FOLDER`
        : `put the files there, run holdfast fetch ${recipeFile}, or write from: with the folder they are in`
      : 'put the files there, or write from: with the folder they are in';
  return new HoldfastError('UPSTREAM_INVALID', `dataset ${id}: missing ${names}; ${remedy}`, {
    facts: { dataset: id, missing: missing.map(file => file.name) },
  });
}

/** Hashes the files and holds upstream's own to their pins. Throws HASH_MISMATCH. */
export async function lockDataset(dataset: Dataset, found: FoundDataset): Promise<DatasetLock> {
  const pins = new Map(dataset.upstream.map(file => [file.name, file]));
  const files = [];
  for (const { name, path } of found.files) {
    const { bytes, sha256 } = await hashFile(path);
    const pin = pins.get(name);
    if (found.origin === 'upstream' && pin?.sha256 !== undefined && pin.sha256 !== sha256) {
      throw new HoldfastError(
        'HASH_MISMATCH',
        `${path} is not the pinned file: its SHA-256 is ${sha256}, not ${pin.sha256}; fetch revision ` +
          `${pin.revision ?? 'pinned by the plugin'} again, or write from: with the folder to take it as your own`,
        { facts: { file: path, expected: pin.sha256, actual: sha256 } },
      );
    }
    files.push({ name, bytes, sha256, revision: found.origin === 'upstream' ? (pin?.revision ?? null) : null });
  }
  return { dataset: dataset.info.id, origin: found.origin, files };
}
