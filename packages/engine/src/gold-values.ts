import { HoldfastError } from '@holdfast/core';
import { readRows } from '@holdfast/kit';
import { rowOptions, wordIn, type InspectedFile } from './inspect-file.ts';

/** No question may have more options. */
const MOST_OPTIONS = 255;

/**
 * The different gold values of a whole file and how often each stands there, in the order of their first sight. Throws
 * RECIPE_INVALID where there are too many or too few of them to be the options.
 */
export async function goldValues(
  file: InspectedFile,
  gold: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const values = new Map<string, number>();
  const refuse = (sentence: string) =>
    new HoldfastError(
      'RECIPE_INVALID',
      `${file.path}: there is no column of options, and ${JSON.stringify(gold)} ${sentence}; name the options with --criteria COLUMN or --options a,b,c`,
      { facts: { file: file.path } },
    );
  for await (const { cells } of readRows(file.path, { ...rowOptions(file), signal })) {
    const word = wordIn(cells.get(gold));
    if (word === undefined || word === null) continue;
    values.set(word, (values.get(word) ?? 0) + 1);
    if (values.size > MOST_OPTIONS)
      throw refuse(`has more than ${MOST_OPTIONS} different values, too many to take for them`);
  }
  if (values.size < 2) throw refuse(`is the same in every row, ${JSON.stringify([...values.keys()][0] ?? '')}`);
  return values;
}
