import { readItems, type FoundFile } from '@holdfast/core';
import { readJsonFile, recordInvalid } from '@holdfast/kit';

/** Which split each demonstration belongs to. */
export interface Splits {
  of(demo: string): string | null;
}

/** Upstream's splits.json: lists of demonstrations by split. */
export async function readSplits({ name, path }: FoundFile, signal: AbortSignal): Promise<Splits> {
  const file = await readJsonFile(path, { file: name, signal });
  const splits = new Map<string, string>();
  const members = file.members();
  file.read(() => {
    for (const [split, demos] of members) {
      // "dev" repeats demonstrations of other splits.
      if (split === 'dev') continue;
      if (demos.kind !== 'array') throw recordInvalid(split, `must be a list, not ${demos.kind}`);
      for (const demo of readItems(demos.bytes)) splits.set(demo.string(), split);
    }
  });
  return { of: demo => splits.get(demo) ?? null };
}
