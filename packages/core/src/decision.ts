import { z } from 'zod';
import { failureKinds } from './error.ts';

/** One finished request: a row of decisions.jsonl. Names are fixed; later fields may be added. */
export const decisionSchema = z.object({
  record_id: z.string(),
  base_id: z.string(),
  version: z.string(),
  dataset: z.string(),
  group_id: z.string(),
  status: z.enum(['ok', 'failed']),
  choice: z.string().nullable(),
  canonical_choice: z.string().nullable(),
  gold: z.string(),
  canonical_gold: z.string(),
  correct: z.boolean().nullable(),
  /** Ordered pairs as the provider returned them, never renormalised. */
  probabilities: z.array(z.tuple([z.string(), z.number()])).nullable(),
  confidence: z.number().nullable(),
  confidence_source: z.enum(['provided', 'none']).nullable(),
  option_count: z.number().int(),
  served_model: z.string().nullable(),
  usage: z.object({ input_tokens: z.number().nullable(), output_tokens: z.number().nullable() }).nullable(),
  /** In US dollars; null where no price is known. */
  cost_usd: z.number().nullable(),
  attempts: z.number().int(),
  /** From the first byte sent to the last byte read, of the last attempt, in milliseconds. */
  latency_ms: z.number().nullable(),
  repeat: z.number().int(),
  request_sha256: z.string(),
  request_id: z.string().nullable(),
  truncation: z.unknown().nullable(),
  options_policy: z.string().nullable(),
  failure: z
    .object({
      kind: z.enum(failureKinds),
      status: z.number().nullable(),
      message: z.string(),
    })
    .nullable(),
  /** Where the answer stands in answers.jsonl, in bytes; null where nothing came back. */
  answer: z.object({ offset: z.number().int(), length: z.number().int() }).nullable(),
});

export type Decision = Readonly<z.infer<typeof decisionSchema>>;
export type Failure = NonNullable<Decision['failure']>;
