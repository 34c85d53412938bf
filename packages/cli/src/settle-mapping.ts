import { HoldfastError } from '@holdfast/core';
import {
  NEUTRAL_INSTRUCTIONS,
  guessMapping,
  sentenceOf,
  type InspectedFile,
  type SaidMapping,
  type Unclear,
} from '@holdfast/engine';

/** Asks a person one thing; an empty answer is the default. */
export type Ask = (question: string) => Promise<string>;

/**
 * What the user says of a file, made complete: by asking where somebody can answer. Throws RECIPE_INVALID with one
 * sentence and the flags to give where nobody can.
 */
export async function settleMapping(
  file: InspectedFile,
  said: SaidMapping,
  { ask, sure }: { readonly ask: Ask | null; readonly sure: boolean },
): Promise<SaidMapping> {
  let settled = said;
  for (;;) {
    const { unclear, mapping } = guessMapping(file, settled);
    const [first] = unclear;
    if (first !== undefined) {
      if (ask === null)
        throw new HoldfastError('RECIPE_INVALID', sentenceOf(file, unclear), { facts: { file: file.path } });
      settled = { ...settled, ...(await answer(first, file, ask)) };
      continue;
    }
    const assumed = mapping?.instructionsText === NEUTRAL_INSTRUCTIONS && settled.instructionsText === undefined;
    if (ask !== null && !sure && assumed) {
      const text = await ask(`What are models asked? [${NEUTRAL_INSTRUCTIONS}]`);
      settled = { ...settled, instructionsText: text === '' ? NEUTRAL_INSTRUCTIONS : text };
      continue;
    }
    return settled;
  }
}

/** One thing made clear. Asks again until the answer is a column, or a list of options. */
async function answer(unclear: Unclear, file: InspectedFile, ask: Ask): Promise<SaidMapping> {
  const { role, sentence, candidates } = unclear;
  const names = candidates.map(name => JSON.stringify(name)).join(', ');
  const known = new Set(file.columns.map(({ name }) => name));
  const fixed = role === 'options' || role === 'criteria';
  for (;;) {
    const hint = fixed ? ', or name the options as a,b,c' : '';
    const given = await ask(`${sentence}. Which column is it: ${names}${hint}?`);
    if (known.has(given)) {
      if (role === 'state') return { state: [given] };
      return role === 'options' ? { criteria: given } : { [role]: given };
    }
    const options = given.split(',').map(option => option.trim());
    if (fixed && options.length > 1 && !options.includes('')) return { options };
    if (given === '') throw new HoldfastError('RECIPE_INVALID', sentenceOf(file, [unclear]));
  }
}
