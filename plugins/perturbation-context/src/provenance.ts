import { json, type JsonText } from '@holdfast/core';
import { z } from 'zod';

/** Told apart from other writers of such versions, whose form we do not know. */
export const GENERATOR = 'holdfast-context/1';

const foreignSchema = z.object({
  generator: z.string(),
  source_record: z.unknown(),
});

const ownSchema = z.object({
  generator: z.literal(GENERATOR),
  /** The record that the excerpt was taken from. */
  source_record: z.string(),
  source_group: z.string(),
  context_type: z.literal('other_case_excerpt'),
  delimiters: z.object({ begin: z.string().min(1), end: z.string().min(1) }),
  /** SHA-256 of the inserted text, delimiters included, and of the state that it was taken from. */
  hashes: z.object({ inserted_text: z.string(), source_state: z.string() }),
});

export type Provenance = Readonly<z.infer<typeof ownSchema>>;

export function writeProvenance(provenance: Omit<Provenance, 'generator' | 'context_type'>): JsonText {
  const { source_record, source_group, delimiters, hashes } = provenance;
  return json.value({
    generator: GENERATOR,
    source_record,
    source_group,
    context_type: 'other_case_excerpt',
    delimiters,
    hashes,
  });
}

/**
 * Where the material came from: ours in full, of another generator only its source. Text where it says neither: what
 * is wrong with it.
 */
export function readProvenance(text: JsonText | undefined): { own: Provenance } | { source: unknown } | string {
  if (text === undefined) return 'context_provenance is missing';
  const value = text.lossyValue() as { generator?: unknown } | null;
  if (value?.generator === GENERATOR) {
    const parsed = ownSchema.safeParse(value);
    return parsed.success ? { own: parsed.data } : problem(parsed.error);
  }
  const parsed = foreignSchema.safeParse(value);
  return parsed.success ? { source: parsed.data.source_record } : problem(parsed.error);
}

function problem({ issues }: z.ZodError): string {
  const { path, message } = issues[0]!;
  return `${['context_provenance', ...path].join('.')}: ${message}`;
}
