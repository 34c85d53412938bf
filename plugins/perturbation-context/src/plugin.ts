/** Puts an excerpt of another case before the state, and says in the instructions that it is to be ignored. */
import {
  checkPair,
  definePerturbation,
  type DecisionRecord,
  type Donors,
  type Hashing,
  type Violation,
} from '@holdfast/core';
import { z } from 'zod';
import { excerptOf, holds, type Excerpt, type ExcerptLimits } from './excerpt.ts';
import {
  appendScope,
  delimit,
  holdsInstructions,
  insertText,
  scopeOf,
  textBeside,
  undelimit,
} from './insertion.ts';
import { OwnMaterial } from './own-material.ts';
import { readProvenance, writeProvenance, type Provenance } from './provenance.ts';

/** The longest excerpt that the options allow. */
const LONGEST = 8_192;
/** How many donors are looked at for one whose beginning can be taken as it is. */
const DONORS = 64;

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
          hashes: { inserted_text: sha256(utf8(inserted)), source_state: sha256(donor.state.bytes) },
        }),
      };
    },

    check(original, version, hashing) {
      const changes = ['state', 'instructions', 'context_provenance'] as const;
      const violations: Violation[] = [...checkPair(original, version, { changes })];
      const violated: Violated = (rule, message, severity = 'violation') =>
        violations.push({ rule, message, severity });
      const provenance = readProvenance(version.context_provenance);
      const beside = textBeside(original.state, version.state);
      if (beside === null) violated('current_case', 'the state does not stand unchanged in the version');
      if (typeof provenance === 'string') {
        violated('context_provenance', provenance);
      } else if ('own' in provenance) {
        checkOwn({ original, version, provenance: provenance.own, hashing }, violated);
      } else {
        if (typeof provenance.source_record === 'string') checkSource(original, provenance.source_record, violated);
        if (beside !== null) checkForeign(original, version, beside, violated);
      }
      return violations;
    },
  }),
});

type Violated = (rule: string, message: string, severity?: Violation['severity']) => void;

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
    const excerpt = excerptOf(donor.state, own, limits);
    if (excerpt !== null && !excerpt.trimmed) return { ...excerpt, donor };
    if (excerpt !== null) second ??= { ...excerpt, donor };
    if (--left === 0) break;
  }
  return second;
}

interface OwnPair {
  readonly original: DecisionRecord;
  readonly version: DecisionRecord;
  readonly provenance: Provenance;
  readonly hashing: Hashing | undefined;
}

/** A version in our own form: everything has its place, so everything is held to it. */
function checkOwn({ original, version, provenance, hashing }: OwnPair, violated: Violated): void {
  const { delimiters, hashes, source_record, source_group } = provenance;
  checkSource(original, source_record, violated);
  if (source_group === original.group_id) violated('source_group', 'the material comes from the same group');
  if (!same(version.instructions, appendScope(original.instructions, scopeOf(original.state, delimiters)))) {
    violated('scope', 'the instructions are not those of the original with the scope sentence behind them');
  }
  const inserted = insertedText(original, version);
  if (inserted === null || !same(version.state, insertText(original.state, inserted))) {
    violated('place', 'the inserted text does not stand before the state, where it belongs');
    return;
  }
  if (hashing !== undefined && hashing.sha256(utf8(inserted)) !== hashes.inserted_text) {
    violated('hash', 'the inserted text is not the one whose SHA-256 is in the provenance');
  }
  const excerpt = undelimit(inserted, delimiters);
  if (excerpt === null) {
    violated('delimiters', 'the inserted text does not stand between its delimiters');
    return;
  }
  for (const each of [delimiters.begin, delimiters.end]) {
    if (holds(excerpt, each)) violated('delimiters', `the excerpt holds the delimiter ${each}`);
  }
  if (excerpt.trim() === '') violated('empty', 'the excerpt is empty');
  const bytes = utf8(excerpt).byteLength;
  if (bytes > LONGEST) violated('length', `the excerpt has ${bytes} bytes, more than ${LONGEST}`);
  const shared = new OwnMaterial(original).sharedWith([excerpt])[0]!;
  if (shared !== null) violated(shared.rule, `the excerpt shares ${JSON.stringify(shared.what)} with the case`);
}
