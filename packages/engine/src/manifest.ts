import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldfastError } from '@holdfast/core';
import { z } from 'zod';

export const MANIFEST_FORMAT = 'holdfast-records/1';

const written = z.object({ bytes: z.number(), sha256: z.string(), records: z.number() });

const manifestSchema = z.object({
  format: z.literal(MANIFEST_FORMAT),
  recipe: z.string(),
  seed: z.number(),
  questions: z.number(),
  records: z.number(),
  /** Planned versions, the original first. */
  versions: z.array(z.string()),
  datasets: z.array(
    z.object({
      dataset: z.string(),
      title: z.string(),
      license: z.string(),
      origin: z.enum(['upstream', 'sample', 'own']),
      questions: z.number(),
      /** What a sample left out, or a limit. */
      not_sampled: z.number(),
      skipped: z.array(z.object({ reason: z.string(), count: z.number(), first: z.string() })),
      /** How often each canonical gold is right; null where the options differ from question to question. */
      gold: z.array(z.object({ canonical_id: z.string(), count: z.number() })).nullable(),
      versions: z.array(z.object({ version: z.string(), records: z.number() })),
      files: z.array(
        z.object({ name: z.string(), bytes: z.number(), sha256: z.string(), revision: z.string().nullable() }),
      ),
    }),
  ),
  operators: z.array(
    z.object({
      version: z.string(),
      operation: z.string(),
      plugin: z.string(),
      plugin_version: z.string(),
      seed: z.number(),
      inapplicable: z.number(),
      violations: z.number(),
      warnings: z.number(),
    }),
  ),
  files: z.object({ 'base.jsonl': written, 'versions.jsonl': written }),
});

/** What was built: counts, hashes of the files, and where everything came from. No clock in it. */
export type Manifest = z.infer<typeof manifestSchema>;

/** The manifest of a records folder. Throws RECORD_INVALID where it is no manifest of ours. */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, 'manifest.json');
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new HoldfastError('RECORD_INVALID', `${file}: cannot be read as JSON; build the records again`, {
      cause: error,
    });
  }
  const parsed = manifestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new HoldfastError('RECORD_INVALID', `${file}: ${issue.path.join('.')}: ${issue.message}`, { facts: { file } });
}
