import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { UpstreamFile } from '@holdfast/core';

/** The folder that `holdfast fetch` fills: HOLDFAST_CACHE, or holdfast below the user's cache folder. */
export function cacheRoot(environment: Readonly<Record<string, string | undefined>>): string {
  const { HOLDFAST_CACHE: own = '', XDG_CACHE_HOME: caches = '', HOME: home = '' } = environment;
  if (own !== '') return resolve(own);
  // The XDG specification has relative paths ignored.
  if (isAbsolute(caches)) return join(caches, 'holdfast');
  return join(home === '' ? homedir() : home, '.cache', 'holdfast');
}

/**
 * The folder of the cache below which a file of a dataset stands by its name: one a revision, so that another pin never
 * finds old bytes. Null where id, revision or name would lead elsewhere.
 */
export function cacheFolder(root: string, id: string, file: UpstreamFile): string | null {
  const state = file.revision ?? file.sha256?.slice(0, 16) ?? 'unpinned';
  // A revision such as refs/pr/1 is one folder too.
  const parts = [id, encodeURIComponent(state.toWellFormed())];
  return [...parts, ...file.name.split('/')].every(isPlainName) ? join(root, 'upstream', ...parts) : null;
}

/** Where a file of a dataset stands in the cache. Null as for `cacheFolder`. */
export function cachePath(root: string, id: string, file: UpstreamFile): string | null {
  const folder = cacheFolder(root, id, file);
  return folder === null ? null : join(folder, ...file.name.split('/'));
}

/** Whether a word is a name in its folder, on any system: no way up, no drive, no second path. */
function isPlainName(word: string): boolean {
  return word !== '' && word !== '.' && word !== '..' && !/[\\/:\0]/.test(word);
}
