import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { HoldfastError, type Plugin, type PluginKind } from '@holdfast/core';
import { moduleResolve } from 'import-meta-resolve';
import { findPlugins } from './find-plugins.ts';
import { nearestWord } from './nearest-word.ts';

/** A plugin as it was found. */
export interface LoadedPlugin<Kind extends PluginKind = PluginKind> {
  readonly plugin: Plugin<Kind>;
  /** Its package's name, or the path as written for a file. */
  readonly name: string;
  /** Its package's version; for a file the hash of its text, since that is all its identity. */
  readonly version: string;
  /** The folder of its package: where its sample rows are. */
  readonly folder: string;
}

/** Sources are read inside the repository's own tests, builds everywhere else. */
const runsFromSource = import.meta.url.endsWith('.ts');
const conditions = new Set(['node', 'import', 'module', 'default', ...(runsFromSource ? ['@holdfast/source'] : [])]);

/** The folders in which a plugin is looked for, in this order: the recipe's, the working one, the command's own. */
export function pluginRoots(recipeFolder: string): string[] {
  return [...new Set([resolve(recipeFolder), process.cwd(), dirname(fileURLToPath(import.meta.url))])];
}

/**
 * The plugin that a recipe means by `use`: a short name (`bfcl`), a package (`@me/dataset-mine`) or a path
 * (`./mine.ts`). Throws PLUGIN_NOT_FOUND with the nearest name, or PLUGIN_MISFIT where it is no such plugin.
 */
export async function loadPlugin<Kind extends PluginKind>(
  kind: Kind,
  use: string,
  recipeFolder: string,
): Promise<LoadedPlugin<Kind>> {
  const place = isPath(use) ? pathPlace(use, recipeFolder) : await packagePlace(kind, use, recipeFolder);
  const module = await importModule(place.file, use);
  return { ...place, plugin: pick(module, kind, use) };
}

interface Place {
  readonly file: string;
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

function isPath(use: string): boolean {
  return use.startsWith('./') || use.startsWith('../') || isAbsolute(use);
}

function pathPlace(use: string, recipeFolder: string): Place {
  const file = resolve(recipeFolder, use);
  if (!existsSync(file)) {
    throw new HoldfastError('PLUGIN_NOT_FOUND', `there is no plugin at ${use} (looked for ${file}); correct the path`);
  }
  const digest = createHash('sha256').update(readFileSync(file)).digest('hex');
  return { file, name: use, version: `sha256:${digest}`, folder: dirname(file) };
}

/** The package names that a short name may stand for. */
function packageNames(kind: PluginKind, use: string): string[] {
  if (use.includes('/') || use.startsWith('@')) return [use];
  return [`@holdfast/${kind}-${use}`, `holdfast-${kind}-${use}`, use];
}

async function packagePlace(kind: PluginKind, use: string, recipeFolder: string): Promise<Place> {
  const names = packageNames(kind, use);
  for (const root of pluginRoots(recipeFolder)) {
    for (const name of names) {
      const file = resolvePackage(name, root);
      if (file !== null) return { file, name, ...(await manifestOf(file)) };
    }
  }
  const known = (await findPlugins(recipeFolder)).filter(found => found.kind === kind).map(found => found.name);
  const near = nearestWord(use, known);
  if (near === use) {
    throw new HoldfastError(
      'PLUGIN_NOT_FOUND',
      `the ${kind} plugin ${use} is installed, but the file it names is not there; build it`,
    );
  }
  const hint = near === null ? `install it with npm (looked for ${names.join(', ')})` : `did you mean ${near}?`;
  throw new HoldfastError('PLUGIN_NOT_FOUND', `there is no ${kind} plugin ${use}; ${hint}`, { facts: { kind, use } });
}

function resolvePackage(name: string, root: string): string | null {
  try {
    const file = fileURLToPath(moduleResolve(name, pathToFileURL(join(root, 'recipe.yaml')), conditions));
    // A package that is linked but not built resolves to a file that is not there.
    return existsSync(file) ? file : null;
  } catch {
    return null;
  }
}

async function manifestOf(file: string): Promise<{ version: string; folder: string }> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest)) {
      const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version?: string };
      if (version !== undefined) return { version, folder };
    }
    if (folder === dirname(folder)) return { version: 'unknown', folder: dirname(file) };
  }
}

async function importModule(file: string, use: string): Promise<unknown> {
  try {
    if (['.ts', '.mts', '.tsx'].includes(extname(file)) && !runsFromSource) return await importTypeScript(file);
    return await import(pathToFileURL(file).href);
  } catch (error) {
    throw new HoldfastError('PLUGIN_MISFIT', `the plugin ${use} cannot be loaded: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** A `.ts` plugin needs no build and no install: it gets the command's own core, kit and zod. */
async function importTypeScript(file: string): Promise<unknown> {
  const { createJiti } = await import('jiti');
  const own = ['@holdfast/core', '@holdfast/kit', 'zod'].map(name => [name, fileURLToPath(import.meta.resolve(name))]);
  const jiti = createJiti(import.meta.url, { alias: Object.fromEntries(own), fsCache: false, interopDefault: false });
  return jiti.import(file);
}

function pick<Kind extends PluginKind>(module: unknown, kind: Kind, use: string): Plugin<Kind> {
  const misfit = (sentence: string) => new HoldfastError('PLUGIN_MISFIT', `the plugin ${use} ${sentence}`);
  const exported = (module as { default?: unknown }).default;
  const plugins = (Array.isArray(exported) ? exported : [exported]).filter(isPlugin);
  if (plugins.length === 0) throw misfit('has no default export made by a define function of @holdfast/core');
  const fitting = plugins.filter(plugin => plugin.kind === kind);
  if (fitting.length === 0) throw misfit(`is a ${plugins[0]!.kind} plugin, but a ${kind} plugin is needed here`);
  const short = use.replace(/^.*\//, '').replace(new RegExp(`^(holdfast-)?${kind}-`), '');
  const chosen = fitting.find(plugin => plugin.name === short) ?? fitting[0]!;
  if (chosen.holdfast !== 1) throw misfit(`speaks generation ${chosen.holdfast} of the contract, and this command 1`);
  return chosen as Plugin<Kind>;
}

function isPlugin(value: unknown): value is Plugin {
  const candidate = value as Partial<Plugin> | null;
  return (
    typeof candidate === 'object' &&
    candidate !== null &&
    typeof candidate.kind === 'string' &&
    typeof candidate.name === 'string' &&
    typeof candidate.create === 'function' &&
    typeof candidate.options?.safeParse === 'function'
  );
}
