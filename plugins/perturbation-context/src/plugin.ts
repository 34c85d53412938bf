/** Puts an excerpt of another case before the state, and says in the instructions that it is to be ignored. */
import { definePerturbation, type DecisionRecord, type Donors } from '@holdfast/core';
import { z } from 'zod';
import { LONGEST, checkVersion } from './check-version.ts';
import { excerptOf, holds, type Excerpt, type ExcerptLimits } from './excerpt.ts';
import { appendScope, delimit, insertText, scopeOf } from './insertion.ts';
import { OwnMaterial } from './own-material.ts';
import { writeProvenance } from './provenance.ts';

/** How many donors are looked at for one whose beginning can be taken as it is. */
const DONORS = 16;

const delimiter = z
  .string()
  .max(200)
  .regex(/^\S(?:[^\p{Cc}\u2028\u2029]*\S)?$/u, 'must be one line of text without space around it');

const options = z
  .strictObject({
    max_bytes: z.int().min(64).max(LONGEST).default(2_048).describe('Longest excerpt, in bytes of UTF-8.'),
    begin: delimiter.default('[Auxiliary case, not part of this decision]').describe('The line before the excerpt.'),
    end: delimiter.default('[End of auxiliary case]').describe('The line behind the excerpt.'),
  })
  .refine(({ begin, end }) => !holds(begin, end) && !holds(end, begin), 'begin and end must not hold each other');

export default definePerturbation({
  name: 'context',
  summary: 'Puts an excerpt of another case before the state, with a sentence that it is to be ignored.',
  options,
  create: ({ max_bytes, begin, end }) => ({
    version: 'v4_context',
    operation: 'insert_context',
    expectation: 'same_decision',

    async apply(record, { donors, sha256 }) {
      const borrowed = await borrow(record, donors, { maxBytes: max_bytes, without: [begin, end] });
      if (borrowed === null) return null;
      const { text, donor } = borrowed;
      const delimiters = { begin, end };
      const inserted = delimit(text, delimiters);
      return {
        state: insertText(record.state, inserted),
        instructions: appendScope(record.instructions, scopeOf(record.state, delimiters)),
        context_provenance: writeProvenance({
          source_record: donor.id,
          source_group: donor.group_id,
          delimiters,
          hashes: {
            inserted_text: sha256(new TextEncoder().encode(inserted)),
            source_state: sha256(donor.state.bytes),
          },
        }),
      };
    },

    check: checkVersion,
  }),
});

/**
 * An excerpt of the first donor whose beginning shares nothing with the case; where none of the first donors has one,
 * of the first that has some lines left when those that share something are gone.
 */
async function borrow(
  record: DecisionRecord,
  donors: Donors,
  limits: ExcerptLimits,
): Promise<(Excerpt & { donor: DecisionRecord }) | null> {
  const own = new OwnMaterial(record);
  let second: (Excerpt & { donor: DecisionRecord }) | null = null;
  let left = DONORS;
  for await (const donor of donors.of(record)) {
    if (donor.group_id === record.group_id || donor.base_id === record.base_id) continue;
    const excerpt = excerptOf(donor.state, own, { ...limits, trim: second === null });
    if (excerpt !== null && !excerpt.trimmed) return { ...excerpt, donor };
    if (excerpt !== null) second ??= { ...excerpt, donor };
    if (--left === 0) break;
  }
  return second;
}
