import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BaseRecord, Plugin, Skipped } from '@holdfast/core';
import { make } from './plugin-promises.ts';

export interface DatasetSource {
  /** Where the upstream files are. @default a temporary folder, removed after reading */
  readonly folder?: string;
  /** Files that the test makes itself, written into the folder first: content by name, with forward slashes. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** What stands under `with`. @default {} */
  readonly options?: unknown;
  /** @default never aborts */
  readonly signal?: AbortSignal;
}

export interface DatasetReading {
  /** All that was read, in upstream's order. */
  readonly items: readonly (BaseRecord | Skipped)[];
  readonly records: readonly BaseRecord[];
  readonly skipped: readonly Skipped[];
}

/**
 * Reads a dataset whole: every unit of the files that the plugin names, in its order. Throws what reading throws, and
 * leaves no temporary folder behind. For plugins that make base records of upstream cases.
 */
export async function readDataset(
  plugin: Plugin<'dataset'>,
  { folder, files = {}, options, signal = new AbortController().signal }: DatasetSource,
): Promise<DatasetReading> {
  const place = folder ?? (await mkdtemp(join(tmpdir(), `${plugin.name}-`)));
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(place, name)), { recursive: true });
      await writeFile(join(place, name), content);
    }
    const dataset = make(plugin, { options, folder: place });
    const items: (BaseRecord | Skipped)[] = [];
    for (const unit of dataset.units(dataset.upstream.map(({ name }) => ({ name, path: join(place, name) })))) {
      for await (const item of dataset.read(unit, signal)) items.push(item as BaseRecord | Skipped);
    }
    return {
      items,
      records: items.filter(item => 'base_id' in item),
      skipped: items.filter(item => 'skipped' in item),
    };
  } finally {
    if (folder === undefined) await rm(place, { recursive: true });
  }
}

/**
 * The folder of a dataset's real files, or null where they are not at hand: below HOLDFAST_UPSTREAM, else below
 * `shared/upstream` beside the repository.
 */
export function upstreamFolder(id: string): string | null {
  const root =
    process.env['HOLDFAST_UPSTREAM'] ?? fileURLToPath(new URL('../../../../../shared/upstream', import.meta.url));
  const folder = join(root, id);
  return existsSync(folder) ? folder : null;
}
