import { join } from 'node:path';
import { HoldfastError } from '@holdfast/core';
import { lockFile } from '@holdfast/kit';
import { makeFolder } from './make-folder.ts';
import { storageFailed } from './storage.ts';

/**
 * Keeps every other process out of a run folder until the returned function is called, or this process is gone: the
 * lock of a process that was killed is taken over. Throws RUN_LOCKED where another one is at work.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'run.lock');
  try {
    await makeFolder(folder);
    return await lockFile(file, who => {
      const sentence = `${folder} is in use by ${who}; wait for it to end, or choose another folder with --out`;
      return new HoldfastError('RUN_LOCKED', sentence, { facts: { folder } });
    });
  } catch (error) {
    throw storageFailed(error, file);
  }
}
