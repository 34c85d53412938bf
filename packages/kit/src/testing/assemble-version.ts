import { JsonText, json, type DecisionRecord, type Perturbation, type Version } from '@holdfast/core';

const strength = JsonText.parse('1.0');

/** The whole record of a version, as the engine puts it together: what the operator left out is the original's. */
export function assembleVersion(
  original: DecisionRecord,
  change: Version,
  { version, operation, expectation }: Pick<Perturbation, 'version' | 'operation' | 'expectation'>,
  seed = 7,
): DecisionRecord {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return {
    ...original,
    ...Object.fromEntries(given),
    id: `${original.base_id}::${version}`,
    version,
    actual_operator: operation,
    perturbation: json.value({
      operation,
      seed,
      strength,
      label_preserving: expectation === 'same_decision',
      parent_id: original.id,
    }),
  };
}
