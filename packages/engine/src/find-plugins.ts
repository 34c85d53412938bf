import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PluginKind } from '@holdfast/core';
import { pluginRoots } from './load-plugin.ts';

/** An installed plugin package. */
export interface FoundPlugin {
  readonly kind: PluginKind;
  /** What a recipe writes behind `use`. */
  readonly name: string;
  readonly package: string;
  readonly version: string;
  readonly description: string;
}

const pattern = /^(?:@holdfast\/|holdfast-)(dataset|perturbation|model|metric|report|trajectory|executor)-(.+)$/;

/** The plugins that short names can reach from a recipe in `recipeFolder`, found by their package names, sorted. */
export async function findPlugins(recipeFolder: string): Promise<FoundPlugin[]> {
  const found = new Map<string, FoundPlugin>();
  for (const modules of moduleFolders(pluginRoots(recipeFolder))) {
    for (const name of await packagesIn(modules)) {
      const match = pattern.exec(name);
      if (match === null || found.has(name)) continue;
      const manifest = await readManifest(join(modules, name, 'package.json'));
      if (manifest === null) continue;
      found.set(name, {
        kind: match[1] as PluginKind,
        name: match[2]!,
        package: name,
        version: manifest.version ?? 'unknown',
        description: manifest.description ?? '',
      });
    }
  }
  return [...found.values()].sort((left, right) => (left.package < right.package ? -1 : 1));
}

function* moduleFolders(roots: readonly string[]): Iterable<string> {
  const seen = new Set<string>();
  for (const root of roots) {
    for (let folder = root; ; folder = dirname(folder)) {
      const modules = join(folder, 'node_modules');
      if (!seen.has(modules)) yield modules;
      seen.add(modules);
      if (folder === dirname(folder)) break;
    }
  }
}

async function packagesIn(modules: string): Promise<string[]> {
  const list = async (folder: string) => readdir(folder).catch(() => [] as string[]);
  const plain = (await list(modules)).filter(name => name.startsWith('holdfast-'));
  const scoped = (await list(join(modules, '@holdfast'))).map(name => `@holdfast/${name}`);
  return [...scoped, ...plain];
}

async function readManifest(file: string): Promise<{ version?: string; description?: string } | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as { version?: string; description?: string };
  } catch {
    return null;
  }
}
