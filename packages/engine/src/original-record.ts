import {
  ORIGINAL,
  RECORD_SCHEMA,
  checkRecord,
  json,
  type BaseRecord,
  type Dataset,
  type DecisionRecord,
} from '@holdfast/core';
import { partition } from './partition.ts';

/** What the recipe says of a dataset's records. */
export interface OriginalContext {
  readonly dataset: Dataset;
  readonly labels: Readonly<Record<string, string>>;
  readonly seed: number;
}

/** The whole `v0_original` record of a case that a dataset plugin has read: what is the same for all is added here. */
export function originalRecord(base: BaseRecord, { dataset, labels, seed }: OriginalContext): DecisionRecord {
  const { info } = dataset;
  const record: DecisionRecord = {
    schema_version: RECORD_SCHEMA,
    id: recordId(base.base_id, ORIGINAL),
    base_id: base.base_id,
    group_id: base.group_id,
    dataset: info.id,
    split: 'test',
    local_partition: partition(seed, info.id, base.group_id),
    scenario: base.scenario,
    decision_type: base.decision_type,
    tags: base.tags ?? [],
    state: base.state,
    instructions: base.instructions,
    options: base.options,
    gold: base.gold,
    primitive: base.primitive ?? 'choice',
    source: base.source,
    metadata: base.metadata ?? json.value({}),
    version: ORIGINAL,
    actual_operator: 'clean',
    labels: { ...info.labels, ...base.labels, ...labels },
  };
  checkRecord(record);
  return record;
}

/** The id of a version of a question. */
export function recordId(base_id: string, version: string): string {
  return `${base_id}::${version}`;
}
