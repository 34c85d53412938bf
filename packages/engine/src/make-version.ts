import {
  HoldfastError,
  JsonText,
  checkRecord,
  json,
  type DecisionRecord,
  type Donors,
  type Perturbation,
  type Version,
} from '@holdfast/core';
import { recordId } from './original-record.ts';
import { random } from './random.ts';
import { sha256 } from './sha256.ts';

/** All operators are applied in full. */
const STRENGTH = JsonText.parse('1.0');

/**
 * The record of one version: the original with what the operator changed, and its provenance; null where the operator
 * cannot be applied. Throws RECORD_INVALID where the operator made what is no record.
 */
export async function makeVersion(
  original: DecisionRecord,
  perturbation: Perturbation,
  { seed, donors }: { readonly seed: number; readonly donors: Donors },
): Promise<DecisionRecord | null> {
  const { version, operation, expectation } = perturbation;
  const chances = { random: random(seed, operation, original.base_id), donors, writer: null, sha256 };
  const change = await perturbation.apply(original, chances);
  if (change === null) return null;
  const record: DecisionRecord = {
    ...original,
    ...present(change),
    id: recordId(original.base_id, version),
    version,
    actual_operator: operation,
    base_record_file: 'base.jsonl',
    perturbation: json.value({
      operation,
      seed,
      strength: STRENGTH,
      label_preserving: expectation === 'same_decision',
      parent_id: original.id,
    }),
  };
  try {
    checkRecord(record);
  } catch (error) {
    throw new HoldfastError('RECORD_INVALID', `${record.id}, made by ${operation}: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return record;
}

/** Only the fields that an operator may change. */
function present({
  state,
  instructions,
  options,
  gold,
  metadata,
  context_provenance,
}: Version): Partial<DecisionRecord> {
  const fields = { state, instructions, options, gold, metadata, context_provenance };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
