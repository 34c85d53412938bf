import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldfastError, type ModelIdentity } from '@holdfast/core';
import type { LockedDataset } from './lock-datasets.ts';
import type { Manifest } from './manifest.ts';
import type { PreparedRun } from './prepare.ts';
import { writeWhole } from './storage.ts';

export const PROTOCOL = 'holdfast-run/1';

/** A model as the identity of a run names it. */
export interface IdentifiedModel {
  readonly id: string;
  readonly plugin: string;
  readonly plugin_version: string;
  readonly identity: ModelIdentity;
}

/**
 * All that decides the bytes of requests and what their answers mean. Limits, threshold, metrics, slices and reports
 * are not in it: they may change between sessions without touching a decision.
 */
export interface RunIdentity {
  readonly protocol: string;
  readonly recipe: string;
  readonly seed: number;
  readonly limit: number | null;
  readonly datasets: readonly unknown[];
  readonly perturbations: readonly unknown[];
  readonly on_violation: string;
  readonly inapplicable: string;
  readonly context: unknown;
  readonly options_over_limit: string;
  readonly repeats: number;
  readonly models: readonly IdentifiedModel[];
}

/** What reports say of a model beside its identity. */
export interface ModelNote {
  readonly model: string;
  readonly confidence: 'provided' | 'none';
  readonly caveats: readonly string[];
}

/** run.json: the identity, what was built, and the recipe's text for whoever scores the run again. */
export interface RunFile {
  readonly identity: RunIdentity;
  readonly model_notes: readonly ModelNote[];
  readonly records: Manifest['files'];
  readonly recipe_text: string;
}

/** The identity of a run. `models` come in the recipe's order. */
export function identityOf(
  run: PreparedRun,
  locked: readonly LockedDataset[],
  models: readonly IdentifiedModel[],
  limit: number | null,
): RunIdentity {
  const { recipe } = run.read;
  return {
    protocol: PROTOCOL,
    recipe: recipe.recipe,
    seed: recipe.seed,
    limit,
    datasets: locked.map(({ prepared: { entry, loaded, options }, lock }) => ({
      plugin: loaded.name,
      plugin_version: loaded.version,
      options,
      sample: entry.sample,
      labels: entry.labels,
      ...lock,
    })),
    perturbations: run.perturbations.map(({ loaded, options, instance }) => ({
      version: instance.version,
      operation: instance.operation,
      plugin: loaded.name,
      plugin_version: loaded.version,
      options,
    })),
    on_violation: recipe.on_violation,
    inapplicable: recipe.inapplicable,
    context: recipe.context,
    options_over_limit: recipe.options_over_limit,
    repeats: recipe.repeats,
    models,
  };
}

/** The place and both values of the first difference; null where there is none. */
export function firstDifference(
  before: unknown,
  now: unknown,
  path = '',
): { path: string; before: unknown; now: unknown } | null {
  if (before === now) return null;
  if (typeof before !== 'object' || typeof now !== 'object' || before === null || now === null)
    return { path, before, now };
  if (Array.isArray(before) !== Array.isArray(now)) return { path, before, now };
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  for (const key of keys) {
    const inside = Array.isArray(before) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const found = firstDifference(
      (before as Record<string, unknown>)[key],
      (now as Record<string, unknown>)[key],
      inside,
    );
    if (found !== null) return found;
  }
  return null;
}

/** Throws IDENTITY_MISMATCH, naming the field, unless a run may go on under this identity. */
export function refuseOther(folder: string, before: unknown, now: unknown): void {
  // Through JSON and back, as the stored one went: absent and undefined are the same.
  const found = firstDifference(before, JSON.parse(JSON.stringify(now)));
  if (found === null) return;
  const show = (value: unknown) => (value === undefined ? 'absent' : JSON.stringify(value));
  throw new HoldfastError(
    'IDENTITY_MISMATCH',
    `${folder} holds another run: ${found.path} was ${show(found.before)} and is ${show(found.now)} now; ` +
      `choose another folder with --out, or put the old value back`,
    { facts: { folder, field: found.path } },
  );
}

/** The run.json of a folder; null where there is none. Throws IDENTITY_MISMATCH where it is not one of ours. */
export async function readRunFile(folder: string): Promise<RunFile | null> {
  const file = join(folder, 'run.json');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (text === null) return null;
  const invalid = () =>
    new HoldfastError(
      'IDENTITY_MISMATCH',
      `${file} is not a run file of this version; choose another folder with --out`,
    );
  let value: Partial<RunFile>;
  try {
    value = JSON.parse(text) as Partial<RunFile>;
  } catch {
    throw invalid();
  }
  if (value.identity?.protocol !== PROTOCOL || value.records === undefined || typeof value.recipe_text !== 'string') {
    throw invalid();
  }
  return value as RunFile;
}

/** Writes run.json, once. */
export async function writeRunFile(folder: string, run: RunFile): Promise<void> {
  await writeWhole(join(folder, 'run.json'), `${JSON.stringify(run, null, 2)}\n`);
}
