/** Rewords the instructions from a reviewed bank; instructions that are in no bank get a frame around them. */
import { checkPair, definePerturbation, type DecisionRecord, type JsonText, type Violation } from '@holdfast/core';
import { z } from 'zod';
import { rewritesOf } from './bank.ts';
import { compareInstructions, keepsMetadata } from './compare.ts';
import { framesOf, lastFrames } from './frames.ts';

export default definePerturbation({
  name: 'paraphrase',
  summary: 'Rewords the instructions from a reviewed bank, and frames those that are in no bank.',
  options: z.strictObject({}),
  create: () => ({
    version: 'v5_paraphrase',
    operation: 'paraphrase_instructions',
    expectation: 'same_decision',

    apply(record, { random }) {
      const { instructions } = record;
      const candidates = [
        random.shuffle(rewritesOf(instructions)),
        random.shuffle(framesOf(instructions)),
        lastFrames(instructions),
      ];
      return firstThatKeeps(record, candidates.flat());
    },

    check(original, version) {
      // The card tells details of the rewording in the metadata.
      const changes = ['instructions', 'metadata'] as const;
      const violations: Violation[] = [...checkPair(original, version, { changes })];
      if (!keepsMetadata(original.metadata, version.metadata)) {
        violations.push({ rule: 'metadata', message: 'metadata of the original is lost', severity: 'violation' });
      }
      return [...violations, ...compareInstructions(original, version.instructions)];
    },
  }),
});

/** A frame can name an option of the case by chance: then the next one is taken. */
function firstThatKeeps(record: DecisionRecord, candidates: readonly JsonText[]): { instructions: JsonText } | null {
  const kept = candidates.find(instructions => compareInstructions(record, instructions).length === 0);
  return kept === undefined ? null : { instructions: kept };
}
