/**
 * Reads Mind2Web: which element of a web page the next step of a task acts on. What is done with it is not scored.
 * https://osu-nlp-group.github.io/Mind2Web/
 */
import {
  defineDataset,
  json,
  readMap,
  type BaseRecord,
  type Dataset,
  type DatasetInfo,
  type FoundFile,
  type Skipped,
  type UpstreamFile,
} from '@holdfast/core';
import { recordInvalid } from '@holdfast/kit';
import { z } from 'zod';
import { readFlatAction, readTask, type Action } from './action.ts';
import { askAction, type Asked, type Presentation } from './ask-action.ts';
import { askChoice, readMultipleChoice, type MultipleChoice } from './multiple-choice.ts';
import { readRows } from './rows.ts';

const revision = '17ece8eb89862368edc0cc806acee6fca5163474';

const info: DatasetInfo = {
  id: 'mind2web',
  title: 'Mind2Web',
  homepage: 'https://osu-nlp-group.github.io/Mind2Web/',
  license: 'CC-BY-4.0',
  labels: {
    scenario: 'Web and Browser Operations',
    decision_task: 'Action Selection',
    answer_format: 'Dynamic Candidate Selection',
  },
};

const instructions = json.string(
  'Choose the element of the web page that the next action of the task should be performed on, given the actions before it.',
);

export default defineDataset({
  name: 'mind2web',
  summary: 'Mind2Web: which element of the page the next action of a task is performed on.',
  options: z.strictObject({
    files: z
      .array(z.string().min(1))
      .min(1)
      .default(['data/train/train_0.json'])
      .describe(
        'Files below the folder of the data set, or globs: arrays of tasks (train_*.json, and test_*/*.json of the unpacked test.zip), Parquet of Multimodal-Mind2Web, JSONL of SeeAct, or multiple-choice questions of inspect_evals. Each is told by what is in it.',
      ),
    negatives: z
      .int()
      .min(1)
      .max(254)
      .default(9)
      .describe(
        'Most wrong elements to offer beside the right one: the best ranked where ranks are known, else by chance.',
      ),
    nested: z
      .enum(['keep', 'leave_out'])
      .default('keep')
      .describe('Whether wrong elements may lie in the right one or around it, as upstream counts them.'),
    html: z
      .enum(['pruned', 'cleaned', 'none'])
      .default('pruned')
      .describe(
        "What is shown of the page: the surroundings of the candidates, the whole cleaned page, or nothing beyond the candidates. Multiple-choice questions keep the converter's.",
      ),
    text_characters: z
      .int()
      .min(0)
      .default(200)
      .describe("Most characters of an element's text in its description; how many texts were cut is in the metadata."),
    seed: z.int().min(0).default(0).describe('Where chance starts from: which negatives are chosen, and their order.'),
  }),
  create: ({ files: names, ...presentation }): Dataset => ({
    info,
    upstream: names.map(pinOf),
    units: files => files.map(file => ({ id: file.name, files: [file] })),
    read: ({ files }, signal) => read(files[0]!, presentation, signal),
  }),
});

/** Upstream publishes neither sizes nor hashes that are known here, so that the revision is the pin. */
function pinOf(name: string): UpstreamFile {
  if (!/^data\/train\/train_(\d|10)\.json$/.test(name)) return { name };
  return { name, url: `https://huggingface.co/datasets/osunlp/Mind2Web/resolve/${revision}/${name}`, revision };
}

async function* read(file: FoundFile, given: Presentation, signal: AbortSignal): AsyncGenerator<BaseRecord | Skipped> {
  const seen = new Set<string>();
  for await (const row of readRows(file, signal)) {
    const cases = row.read(bytes => casesIn(bytes));
    for (;;) {
      // One after the other, since each step of a task brings its own page.
      const next = row.read(() => cases.next());
      if (next.done === true) break;
      const { value: found } = next;
      const id = `${found.annotation}:${found.uid}`;
      const made = seen.has(id) ? 'the action stands earlier in the file' : row.read(() => ask(found, id, given));
      seen.add(id);
      yield typeof made === 'string'
        ? { skipped: made, place: `${row.place} (${found.uid})` }
        : {
            base_id: id,
            group_id: found.annotation,
            scenario: 'web_navigation',
            decision_type: 'element_selection',
            instructions,
            source: json.value({
              ...row.source,
              annotation_id: found.annotation,
              action_uid: found.uid,
              ...('index' in found ? { action_index: found.index } : {}),
              upstream_split: splitOf(file.name),
            }),
            ...made,
          };
      signal.throwIfAborted();
    }
  }
}

/** What a row holds: the steps of a task, one step, or a question that was made of one. */
function* casesIn(bytes: Uint8Array): Generator<Action | MultipleChoice, void, undefined> {
  const members = readMap(bytes);
  if (members.has('actions')) yield* readTask(members);
  else if (members.has('pos_candidates')) yield readFlatAction(members);
  else if (members.has('choices')) yield readMultipleChoice(members);
  else throw recordInvalid('actions', 'is missing, and so are pos_candidates and choices: this is no row of Mind2Web');
}

function ask(found: Action | MultipleChoice, id: string, given: Presentation): Asked | string {
  return 'choices' in found ? askChoice(found, id, given) : askAction(found, id, given);
}

/** Upstream's split as its folders and the shards of its Parquet files name it. */
function splitOf(name: string): string | null {
  return /(?:^|[/\\])(train|test_task|test_website|test_domain)(?=[/\\_-])/.exec(name)?.[1] ?? null;
}
