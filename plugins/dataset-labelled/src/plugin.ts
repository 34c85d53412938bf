/** Your own labelled decisions, as JSONL, a JSON array, CSV or Parquet: a state, a question, its options and the right one. */
import { defineDataset, type Dataset, type DatasetInfo } from '@holdfast/core';
import { options as schema, type LabelledOptions } from './options.ts';
import { Reader } from './reader.ts';

export default defineDataset({
  name: 'labelled',
  summary: 'Reads your own labelled decisions from JSONL, a JSON array, CSV or Parquet.',
  options: schema,
  create: (options): Dataset => ({
    info: infoOf(options),
    upstream: [{ name: options.file, location: 'recipe' }],
    units: files => [{ id: 'rows', files }],
    read: ({ files }, signal) => new Reader(options, files.length > 1).read(files, signal),
  }),
});

function infoOf({ dataset, title, license, scenario, decision_task, answer_format }: LabelledOptions): DatasetInfo {
  const labels = {
    ...(scenario === undefined ? {} : { scenario }),
    ...(decision_task === undefined ? {} : { decision_task }),
    ...(answer_format === undefined ? {} : { answer_format }),
  };
  return { id: dataset, title, homepage: '', license, labels };
}
