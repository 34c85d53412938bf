import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { storageFailed } from './storage.ts';

/**
 * Makes a folder and those above it. Throws STORAGE_FAILED. Not by mkdir's own recursion: where a folder cannot be made
 * although the one above it is there (as in /proc), that tries for ever.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await make(folder);
  } catch (error) {
    throw storageFailed(error, folder);
  }
}

async function make(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await make(dirname(folder));
    await mkdir(folder).catch((again: NodeJS.ErrnoException) => {
      if (again.code !== 'EEXIST') throw again;
    });
  }
}
