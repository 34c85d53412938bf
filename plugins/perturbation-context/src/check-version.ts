import { checkPair, sameJson, type DecisionRecord, type Hashing, type Violation } from '@holdfast/core';
import { holds } from './excerpt.ts';
import { appendScope, holdsInstructions, insertedText, scopeOf, textBeside, undelimit } from './insertion.ts';
import { OwnMaterial, type Shared } from './own-material.ts';
import { readProvenance, type Provenance } from './provenance.ts';

/** The longest excerpt, in bytes. */
export const LONGEST = 8_192;

type Violated = (rule: string, message: string, severity?: Violation['severity']) => void;

/**
 * What a version with material of another case must keep. Versions of ours have one form and are held to all of it;
 * of those by other generators the form is not known, and what is only a guess there is a warning.
 */
export function checkVersion(
  original: DecisionRecord,
  version: DecisionRecord,
  hashing?: Hashing,
): readonly Violation[] {
  const changes = ['state', 'instructions', 'context_provenance'] as const;
  const violations: Violation[] = [...checkPair(original, version, { changes })];
  const violated: Violated = (rule, message, severity = 'violation') => violations.push({ rule, message, severity });
  const provenance = readProvenance(version.context_provenance);
  if (typeof provenance === 'string') violated('context_provenance', provenance);
  if (typeof provenance === 'object' && 'own' in provenance) {
    checkSource(original, provenance.own.source_record, violated);
    checkOwn({ original, version, provenance: provenance.own, hashing }, violated);
  } else {
    if (typeof provenance === 'object') checkSource(original, provenance.source, violated);
    checkForeign(original, version, violated);
  }
  return violations;
}

function checkSource({ id, base_id }: DecisionRecord, source: unknown, violated: Violated): void {
  if (source === id || source === base_id || (typeof source === 'string' && source.startsWith(`${base_id}::`))) {
    violated('source_record', 'the material comes from the case itself');
  }
}

interface OwnPair {
  readonly original: DecisionRecord;
  readonly version: DecisionRecord;
  readonly provenance: Provenance;
  readonly hashing: Hashing | undefined;
}

function checkOwn({ original, version, provenance, hashing }: OwnPair, violated: Violated): void {
  const { delimiters, hashes, source_group } = provenance;
  if (source_group === original.group_id) violated('source_group', 'the material comes from the same group');
  const scope = scopeOf(original.state, delimiters);
  if (!sameJson(version.instructions, appendScope(original.instructions, scope))) {
    violated('scope', 'the instructions are not those of the original with the scope sentence behind them');
  }
  const inserted = insertedText(original.state, version.state);
  if (inserted === null) {
    violated('current_case', 'the state does not stand unchanged behind the material');
    return;
  }
  if (hashing !== undefined && hashing.sha256(new TextEncoder().encode(inserted)) !== hashes.inserted_text) {
    violated('hash', 'the inserted text is not the one whose SHA-256 is in the provenance');
  }
  const excerpt = undelimit(inserted, delimiters);
  if (excerpt === null) {
    violated('delimiters', 'the inserted text does not stand between its delimiters');
    return;
  }
  if (holds(excerpt, delimiters.begin) || holds(excerpt, delimiters.end)) {
    violated('delimiters', 'the excerpt holds a delimiter');
  }
  const bytes = new TextEncoder().encode(excerpt).byteLength;
  if (excerpt.trim() === '') violated('empty', 'the excerpt is empty');
  if (bytes > LONGEST) violated('length', `the excerpt has ${bytes} bytes, more than ${LONGEST}`);
  checkShared(original, excerpt, violated);
}

function checkForeign(original: DecisionRecord, version: DecisionRecord, violated: Violated): void {
  if (sameJson(version.instructions, original.instructions)) {
    violated('scope', 'nothing in the instructions limits the decision to the case', 'warning');
  } else if (!holdsInstructions(version.instructions, original.instructions)) {
    violated('instructions', 'the instructions of the original do not stand in those of the version');
  }
  const text = textBeside(original.state, version.state);
  if (text === null) {
    violated('current_case', 'the state does not stand unchanged in the version');
    return;
  }
  if (text.trim() === '') violated('empty', 'there is no text beside the state');
  const bytes = version.state.byteLength - original.state.byteLength;
  if (bytes > Math.max(LONGEST, original.state.byteLength)) {
    violated('length', `${bytes} bytes were added to ${original.state.byteLength}`, 'warning');
  }
  checkShared(original, text, violated, ['plain_option', 'identifier']);
}

function checkShared(
  original: DecisionRecord,
  text: string,
  violated: Violated,
  guesses: readonly Shared['rule'][] = [],
): void {
  const shared = new OwnMaterial(original).sharedWith([text])[0]!;
  if (shared === null) return;
  const { rule, what } = shared;
  violated(
    rule,
    `the material says ${JSON.stringify(what)} as the case does`,
    guesses.includes(rule) ? 'warning' : 'violation',
  );
}
