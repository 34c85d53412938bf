import { describe, expect, it } from 'vitest';
import { HoldfastError } from '@holdfast/core';
import { parseRecipe } from './read-recipe.ts';

const good = `recipe: demo
datasets:
  - use: bfcl
models:
  - use: lexical
`;

function failure(text: string): HoldfastError {
  try {
    parseRecipe(text, 'recipe.yaml');
  } catch (error) {
    if (HoldfastError.is(error)) return error;
    throw error;
  }
  throw new Error('the recipe was taken');
}

describe('a recipe', () => {
  it('gets its defaults', () => {
    const { recipe } = parseRecipe(good, 'recipe.yaml');
    expect(recipe).toMatchObject({
      seed: 7,
      threshold: 0.5,
      missing: 'exclude_question',
      executor: 'local',
      repeats: 1,
    });
    expect(recipe.metrics).toEqual([{ use: 'accuracy', with: {} }]);
    expect(recipe.reports.map(({ use }) => use)).toEqual(['markdown', 'json']);
    expect(recipe.models[0]!.limits).toMatchObject({ attempts: 5, max_usd: null });
  });

  it('takes plugins by name alone or with options', () => {
    const { recipe } = parseRecipe(`${good}perturbations: [order, { use: label, with: { a: 1 } }]\n`, 'recipe.yaml');
    expect(recipe.perturbations).toEqual([
      { use: 'order', with: {} },
      { use: 'label', with: { a: 1 } },
    ]);
  });

  it.each<[string, string, string]>([
    ['an unknown key', `${good}treshold: 0.4\n`, 'recipe.yaml:6:1: unknown key treshold; did you mean threshold?'],
    [
      'an unknown key far from all',
      `${good}zzzz: 1\n`,
      'recipe.yaml:6:1: unknown key zzzz; the keys here are recipe, seed',
    ],
    [
      'an unknown key inside',
      good.replace('use: lexical', 'use: lexical\n    limit: {}'),
      ':6:5: models[0]: unknown key limit; did you mean limits?',
    ],
    ['a duplicate key', `${good}seed: 1\nseed: 2\n`, 'recipe.yaml:7:1: a key stands twice'],
    ['a wrong type', `${good}seed: seven\n`, 'recipe.yaml:6:7: seed: expected number, received string'],
    [
      'a wrong word',
      `${good}missing: exclude_questions\n`,
      'missing: must be exclude_question or count_as_wrong; did you mean exclude_question?',
    ],
    ['a missing key', 'recipe: demo\nmodels:\n  - use: lexical\n', 'datasets: is missing'],
    ['an empty list', good.replace('\n  - use: bfcl', ' []'), 'datasets'],
    ['a threshold out of range', `${good}threshold: 1.5\n`, 'recipe.yaml:6:12: threshold'],
    ['a bad name', good.replace('demo', 'Demo Run'), 'recipe: must be kebab-case'],
    [
      'a wrong shape of a plugin',
      `${good}perturbations: [7]\n`,
      'perturbations[0]: must be a name, or a map with use and with',
    ],
    [
      'a misspelt key of a plugin',
      `${good}perturbations: [{ use: order, wiht: {} }]\n`,
      'unknown key wiht; did you mean with?',
    ],
    [
      'two models of one id',
      good.replace('- use: lexical', '- use: lexical\n  - use: lexical'),
      'models[1]'.slice(0, 0) + 'two models have the id lexical',
    ],
    ['broken YAML', 'recipe: [demo\n', 'recipe.yaml:'],
    ['a list', '- a\n', 'a recipe is a map'],
    ['nothing', '', 'a recipe is a map'],
    [
      'many aliases',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((key, at) => `${key}: &${key} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(',')}]`).join('\n')}\n`,
      'cannot be expanded',
    ],
    ['what is not built: repeats', `${good}repeats: 3\n`, 'repeats above 1 are not built yet'],
    [
      'what is not built: budget',
      good.replace('use: lexical', 'use: lexical\n    limits: { max_usd: 2 }'),
      'max_usd is not built yet',
    ],
    [
      'what is not built: executor',
      `${good}executor: bullmq\n`,
      'recipe.yaml:6:11: only the local executor is built yet',
    ],
    [
      'what is not built: clipping',
      `${good}context: { policy: left_clip, max_input_tokens: 100 }\n`,
      'left_clip is not built yet',
    ],
  ])('is refused for %s', (_, text, message) => {
    const error = failure(text);
    expect(error.code).toBe('RECIPE_INVALID');
    expect(error.message).toContain(message);
    expect(error.message).not.toContain('\n');
  });
});
