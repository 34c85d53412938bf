import { dirname, resolve } from 'node:path';
import {
  HoldfastError,
  type Instances,
  type ModelAdapter,
  type Perturbation,
  type Plugin,
  type PluginKind,
} from '@holdfast/core';
import { type z } from 'zod';
import type { DependencyContainer } from 'tsyringe';
import { tokens } from './compose.ts';
import type { LoadedPlugin } from './load-plugin.ts';
import type { ReadRecipe, RecipePath } from './read-recipe.ts';
import { modelId, type DatasetEntry, type ModelEntry } from './recipe.ts';

/** A plugin of the recipe with its options parsed. Made into an instance only when a stage needs it. */
export interface Prepared<Kind extends PluginKind> {
  readonly loaded: LoadedPlugin<Kind>;
  /** As parsed by the plugin's schema, defaults filled in. */
  readonly options: unknown;
  create(): Instances[Kind];
}

/** A recipe whose plugins are found and whose options are right. */
export interface PreparedRun {
  readonly read: ReadRecipe;
  readonly folder: string;
  readonly datasets: readonly (Prepared<'dataset'> & { readonly entry: DatasetEntry })[];
  readonly perturbations: readonly (Prepared<'perturbation'> & { readonly instance: Perturbation })[];
  readonly models: readonly (Prepared<'model'> & { readonly entry: ModelEntry; readonly id: string })[];
  readonly metrics: readonly Prepared<'metric'>[];
  readonly reports: readonly Prepared<'report'>[];
  /** Planned versions, the original first. */
  readonly versions: readonly string[];
}

/** Finds every plugin of the recipe and parses its options. Throws RECIPE_INVALID with the place, or as `loadPlugin`. */
export async function prepare(read: ReadRecipe, container: DependencyContainer): Promise<PreparedRun> {
  const folder = dirname(resolve(read.file));
  const load = container.resolve(tokens.loadPlugin);
  const environment = container.resolve(tokens.environment);

  const ready = async <Kind extends PluginKind>(
    kind: Kind,
    entry: { use: string; with: Record<string, unknown> },
    path: RecipePath,
  ): Promise<Prepared<Kind>> => {
    const loaded = await load(kind, entry.use, folder).catch((error: unknown) => {
      throw HoldfastError.is(error) ? located(error, read, [...path, 'use']) : error;
    });
    const options = parseOptions(loaded.plugin, entry.with, [...path, 'with'], read);
    const services = { env: (name: string) => environment[name], folder };
    return { loaded, options, create: () => loaded.plugin.create(options, services) as Instances[Kind] };
  };
  const all = <Kind extends PluginKind, Entry extends { use: string; with: Record<string, unknown> }>(
    kind: Kind,
    key: string,
    entries: readonly Entry[],
  ) => Promise.all(entries.map(async (entry, index) => ({ ...(await ready(kind, entry, [key, index])), entry })));

  const { recipe } = read;
  const perturbations = (await all('perturbation', 'perturbations', recipe.perturbations)).map(prepared => ({
    ...prepared,
    instance: prepared.create(),
  }));
  const versions = ['v0_original', ...perturbations.map(({ instance }) => instance.version)];
  const twice = versions.findIndex((version, index) => versions.indexOf(version) !== index);
  if (twice !== -1)
    throw read.fault(['perturbations', twice - 1], `a second operator makes ${versions[twice]}; remove it`);
  return {
    read,
    folder,
    datasets: await all('dataset', 'datasets', recipe.datasets),
    perturbations,
    models: (await all('model', 'models', recipe.models)).map(prepared => ({
      ...prepared,
      id: modelId(prepared.entry),
    })),
    metrics: await all('metric', 'metrics', recipe.metrics),
    reports: await all('report', 'reports', recipe.reports),
    versions,
  };
}

/** A model ready to decide. Errors of its `create` are the recipe's: they carry the place. */
export function createModel(prepared: PreparedRun['models'][number], read: ReadRecipe): ModelAdapter {
  try {
    return prepared.create();
  } catch (error) {
    if (!HoldfastError.is(error)) throw error;
    throw located(error, read, ['models', read.recipe.models.indexOf(prepared.entry)]);
  }
}

function parseOptions(plugin: Plugin, given: unknown, path: RecipePath, read: ReadRecipe): unknown {
  const parsed = plugin.options.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw read.misfit(path, parsed.error as z.ZodError, plugin.options);
}

function located(error: HoldfastError, read: ReadRecipe, path: RecipePath): HoldfastError {
  const place = read.fault(path, error.message);
  return new HoldfastError(error.code, place.message, { cause: error, facts: { ...error.facts, ...place.facts } });
}
