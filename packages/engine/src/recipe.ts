import { z } from 'zod';

const name = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be kebab-case, such as city-jev');
const folderName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be letters, digits, dots, dashes, underscores');
const use = z.string().min(1).describe('Short name, package name, or path of a plugin.');
const options = z.record(z.string(), z.unknown()).default({}).describe("The plugin's own options.");

/** A plugin by its name alone, or with options. */
const choice = z.union([
  use.transform(plugin => ({ use: plugin, with: {} as Record<string, unknown> })),
  z.strictObject({ use, with: options }),
]);

const dataset = z.strictObject({
  use,
  with: options,
  from: z
    .string()
    .min(1)
    .default('upstream')
    .describe(
      'Where its files are: upstream (HOLDFAST_UPSTREAM/<dataset>), sample (the rows of the plugin), or a folder.',
    ),
  sample: z
    .strictObject({
      size: z.number().int().positive().describe('How many questions: those with the smallest seeded hashes.'),
      by: z.enum(['gold']).nullable().default(null).describe('Stratify by canonical gold, in proportion.'),
    })
    .nullable()
    .default(null)
    .describe('Take only some of the questions.'),
  labels: z
    .record(z.string(), z.string())
    .default({})
    .describe('Reporting labels of all its records, over those of the plugin.'),
});

const limits = z.strictObject({
  concurrency: z.number().int().min(1).max(4096).optional().describe('Requests in flight at once.'),
  attempts: z.number().int().min(1).max(20).default(5).describe('Tries of one request, the first included.'),
  backoff_ms: z.number().int().min(0).max(60_000).default(500).describe('Longest first wait between tries; doubles.'),
  max_wait_ms: z
    .number()
    .int()
    .min(0)
    .max(600_000)
    .default(60_000)
    .describe('Longest single wait, Retry-After included.'),
  requests_per_minute: z.number().positive().nullable().default(null),
  tokens_per_minute: z.number().positive().nullable().default(null),
  max_usd: z.number().positive().nullable().default(null),
});

const model = z.strictObject({
  id: folderName.optional().describe('Its name in the run folder and in reports.'),
  use,
  with: options,
  limits: limits.prefault({}),
});

export const defaultSlices = ['scenario', 'decision_task', 'answer_format', 'dataset'];

/** One run, wired: the whole key set of a recipe, with its defaults. */
export const recipeSchema = z.strictObject({
  recipe: name.describe('Its name.'),
  seed: z
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .default(7)
    .describe('Decides sampling, partition and operators.'),
  datasets: z.array(dataset).min(1),
  perturbations: z.array(choice).default([]),
  models: z.array(model).min(1),
  threshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .describe('A decision abstains when its confidence is strictly below.'),
  missing: z.enum(['exclude_question', 'count_as_wrong']).default('exclude_question'),
  repeats: z.number().int().min(1).default(1),
  on_violation: z.enum(['fail', 'drop', 'keep']).default('fail'),
  inapplicable: z.enum(['fail', 'exclude_question']).default('fail'),
  context: z
    .strictObject({
      policy: z.enum(['error', 'left_clip']).default('error'),
      max_input_tokens: z.number().int().positive().optional(),
    })
    .prefault({}),
  options_over_limit: z.enum(['error', 'keep_gold_hash_distractors']).default('error'),
  writer: z.unknown().default(null),
  prices: z.string().nullable().default(null),
  executor: z.string().default('local'),
  metrics: z.array(choice).min(1).prefault(['accuracy']),
  slices: z.array(z.string().min(1)).default(defaultSlices),
  reports: z.array(choice).prefault(['markdown', 'json']),
});

export type Recipe = z.infer<typeof recipeSchema>;
export type DatasetEntry = Recipe['datasets'][number];
export type ModelEntry = Recipe['models'][number];
export type PluginChoice = Recipe['perturbations'][number];

/** A key of the recipe that is set to something this version cannot do, and what to do about it. */
export interface NotBuilt {
  readonly path: readonly (string | number)[];
  readonly sentence: string;
}

/** The parts of a valid recipe that this version refuses, rather than ignores. */
export function notBuiltYet(recipe: Recipe): NotBuilt[] {
  const found: NotBuilt[] = [];
  const refuse = (when: boolean, path: (string | number)[], sentence: string) => {
    if (when) found.push({ path, sentence });
  };
  refuse(recipe.repeats !== 1, ['repeats'], 'repeats above 1 are not built yet; remove the line or write 1');
  refuse(recipe.context.policy !== 'error', ['context', 'policy'], 'left_clip is not built yet; write error');
  refuse(
    recipe.options_over_limit !== 'error',
    ['options_over_limit'],
    'keep_gold_hash_distractors is not built yet; write error',
  );
  refuse(recipe.writer !== null, ['writer'], 'writers are not built yet; write null');
  refuse(recipe.prices !== null, ['prices'], 'prices are not built yet; write null');
  refuse(recipe.executor !== 'local', ['executor'], 'only the local executor is built yet; write local');
  for (const [index, { limits }] of recipe.models.entries()) {
    for (const key of ['requests_per_minute', 'tokens_per_minute', 'max_usd'] as const) {
      refuse(limits[key] !== null, ['models', index, 'limits', key], `${key} is not built yet; remove the line`);
    }
  }
  return found;
}

/** The id of a model entry: its own, or its plugin's last path part. */
export function modelId(entry: ModelEntry): string {
  return (
    entry.id ??
    entry.use
      .replace(/^.*\//, '')
      .replace(/\.[a-z]+$/, '')
      .replace(/^model-/, '')
  );
}
