/**
 * Reads SWE-agent trajectories: did the agent's patch resolve the issue.
 * https://huggingface.co/datasets/nebius/SWE-agent-trajectories
 */
import { basename, dirname } from 'node:path/posix';
import {
  HoldfastError,
  defineDataset,
  json,
  readMap,
  type BaseRecord,
  type Dataset,
  type DatasetInfo,
  type FoundFile,
  type JsonInput,
  type JsonText,
  type Option,
  type Skipped,
  type UpstreamFile,
} from '@holdfast/core';
import { readJsonArray, readJsonFile, readJsonLines } from '@holdfast/kit';
import { readParquet, type ParquetRow } from '@holdfast/kit/parquet';
import { z } from 'zod';
import { fingerprint, issueOf, type AgentRun, type Turn } from './agent-run.ts';
import { hubColumns, readHubRow } from './hub-row.ts';
import { readReport, readTrajFile } from './traj-file.ts';

const revision = '68195a1450865274106246d0d0296a1d6807b88e';

const pinned: readonly UpstreamFile[] = Array.from({ length: 12 }, (_, shard) => {
  const name = `data/train-${String(shard).padStart(5, '0')}-of-00012.parquet`;
  const url = `https://huggingface.co/datasets/nebius/SWE-agent-trajectories/resolve/${revision}/${name}`;
  return { name, url, revision };
});

const info: DatasetInfo = {
  id: 'swetraj',
  title: 'SWE-agent trajectories',
  homepage: 'https://huggingface.co/datasets/nebius/SWE-agent-trajectories',
  license: 'CC-BY-4.0',
  labels: {
    scenario: 'Software Development and Repair',
    decision_task: 'Outcome Verification',
    answer_format: 'Yes/No Judgment',
  },
};

const instructions = json.string(
  'Judge the finished run of a software agent. Does generated_patch resolve the issue that the agent was given, so ' +
    "that the project's own tests for it pass? The agent could not see these tests.",
);

const options: readonly Option[] = [
  { id: 'yes', canonical_id: 'yes', description: json.string('Yes: the issue is resolved and its tests pass.') },
  { id: 'no', canonical_id: 'no', description: json.string('No: the issue is not resolved, or tests fail.') },
];

const optionsSchema = z.strictObject({
  files: z
    .array(z.string().min(1))
    .min(1)
    .default([pinned[0]!.name])
    .describe(
      'Files of runs, names or globs: rows of the Hub (.parquet; .json for an array, .jsonl for lines) or files of ' +
        'SWE-agent (.traj) with their evaluation reports (report.json beside it or NAME.report.json). By default the ' +
        'first of the twelve shards.',
    ),
  system_prompt: z.boolean().default(true).describe('Whether the system prompt is shown.'),
  exit_status: z.boolean().default(true).describe('Whether it is shown how the run ended.'),
  last_turns: z
    .number()
    .int()
    .min(0)
    .nullable()
    .default(null)
    .describe('Most turns shown after the issue, the last ones; null for all.'),
  text_characters: z
    .number()
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('Most characters shown of the text of one turn after the issue, from its start; null for all.'),
});

type Options = z.infer<typeof optionsSchema>;

export default defineDataset({
  name: 'swetraj',
  summary: "SWE-agent trajectories: did the agent's patch resolve the issue.",
  options: optionsSchema,
  create: (given): Dataset => ({
    info,
    upstream: given.files.map(name => pinned.find(file => file.name === name) ?? { name }),
    units: files => [{ id: 'runs', files }],
    read: ({ files }, signal) => read(files, given, signal),
  }),
});

/** A run and where it stands. */
interface FoundRun {
  readonly run: AgentRun;
  readonly file: string;
  /** The row from 1, in a file of many. */
  readonly row: number | null;
  readonly place: string;
  readonly labelSource: string;
}

async function* read(
  files: readonly FoundFile[],
  given: Options,
  signal: AbortSignal,
): AsyncGenerator<BaseRecord | Skipped> {
  const reports = await readReports(files.filter(isReport), signal);
  const seen = new Set<string>();
  for (const file of files) {
    if (isReport(file)) continue;
    for await (const found of runs(file, reports, signal)) {
      signal.throwIfAborted();
      const { run, place } = found;
      const print = fingerprint(run);
      const skipped = reasonToSkip(run) ?? (seen.has(print) ? 'the same run again' : null);
      seen.add(print);
      yield skipped === null ? record(found, print, given) : { skipped, place };
    }
  }
  for (const { name } of reports.values()) yield { skipped: 'a report without its run', place: name };
}

function isReport({ name }: FoundFile): boolean {
  return /(^|[/.])report\.json$/.test(name);
}

interface Report {
  readonly name: string;
  readonly resolved: boolean | null;
}

/** The reports by the run they belong to. */
async function readReports(files: readonly FoundFile[], signal: AbortSignal): Promise<Map<string, Report>> {
  const reports = new Map<string, Report>();
  for (const { name, path } of files) {
    const document = await readJsonFile(path, { file: name, signal });
    const run = basename(name) === 'report.json' ? dirname(name) : name.replace(/\.report\.json$/, '');
    reports.set(run, { name, resolved: document.read(readReport) });
  }
  return reports;
}

async function* runs(
  { name, path }: FoundFile,
  reports: Map<string, Report>,
  signal: AbortSignal,
): AsyncGenerator<FoundRun> {
  const at = (run: AgentRun, row: number, place = `${name}:${row}`): FoundRun => ({
    run,
    file: name,
    row,
    place,
    labelSource: 'target: whether the tests of the issue passed',
  });
  if (/\.parquet$/.test(name)) {
    for await (const row of readParquet(path, { file: name, columns: hubColumns, signal })) {
      yield at(readCells(row), row.row, `${name}: row ${row.row}`);
    }
  } else if (/\.jsonl(\.gz)?$/.test(name)) {
    for await (const line of readJsonLines(path, { file: name, signal })) yield at(line.read(hubRow), line.number);
  } else if (/\.traj$/.test(name)) {
    const stem = name.replace(/\.traj$/, '');
    const key = [stem, dirname(name)].find(each => reports.has(each)) ?? stem;
    const report = reports.get(key);
    reports.delete(key);
    const document = await readJsonFile(path, { file: name, signal });
    const run = { ...document.read(readTrajFile), instanceId: basename(stem), resolved: report?.resolved ?? null };
    yield { run, file: name, row: null, place: name, labelSource: `resolved in ${report?.name ?? 'no report'}` };
  } else if (/\.json(\.gz)?$/.test(name)) {
    for await (const element of readJsonArray(path, { file: name, signal })) {
      yield at(element.read(hubRow), element.index + 1, `${name}:${element.line}`);
    }
  } else {
    const message = `${name} is of no known kind; name .parquet, .json, .jsonl or .traj files`;
    throw new HoldfastError('UPSTREAM_INVALID', message, { facts: { file: name } });
  }
}

function readCells(row: ParquetRow): AgentRun {
  try {
    return readHubRow(row.cells);
  } catch (error) {
    throw row.locate(error);
  }
}

const hubRow = (bytes: Uint8Array): AgentRun => readHubRow(readMap(bytes));

function reasonToSkip({ resolved, turns }: AgentRun): string | null {
  if (resolved === null) return 'the outcome of the run is not known';
  return turns.length === 0 ? 'the run has no turns' : null;
}

function record({ run, file, row, labelSource }: FoundRun, print: string, given: Options): BaseRecord {
  const issue = issueOf(run.instanceId);
  const { turns, shown } = show(run.turns, given);
  return {
    base_id: `swetraj:${issue}:${print}`,
    group_id: `swetraj:${issue}`,
    scenario: 'issue_repair',
    decision_type: 'repair_outcome',
    state: json.object([
      ['trajectory', turns],
      ...(given.exit_status ? [['exit_status', run.exitStatus] as const] : []),
      ['generated_patch', run.patch],
    ]),
    instructions,
    options,
    gold: run.resolved === true ? 'yes' : 'no',
    source: json.value({
      file,
      row,
      instance_id: run.instanceId,
      model_name: run.model,
      upstream_split: row === null ? null : 'train',
    }),
    metadata: json.value({
      label_source: labelSource,
      ...shown,
      exit_status_shown: given.exit_status,
      demonstration_messages_left_out: run.demonstrations,
      has_patch: run.patch !== null && run.patch.string() !== '',
    }),
  };
}

/** The turns that are shown, and how much was left out. The issue, the first user turn, is always shown whole. */
function show(all: readonly Turn[], given: Options): { turns: readonly JsonText[]; shown: Record<string, JsonInput> } {
  const isSystem = ({ role }: Turn) => role.string() === 'system';
  const firstUser = all.findIndex(({ role }) => role.string() === 'user');
  const head = all.slice(0, firstUser + 1).filter(turn => given.system_prompt || !isSystem(turn));
  const rest = all.slice(firstUser + 1).filter(turn => given.system_prompt || !isSystem(turn));
  const from = given.last_turns === null ? 0 : Math.max(0, rest.length - given.last_turns);
  let cutTexts = 0;
  let cutCharacters = 0;
  const text = (value: JsonText | null): JsonText | null => {
    if (value?.kind !== 'string') return value;
    const { kept, leftOut } = cut(value, given.text_characters);
    if (leftOut > 0) cutTexts++;
    cutCharacters += leftOut;
    return kept;
  };
  const turns = [
    ...head.map(turn => turnText(turn, turn.text)),
    ...(from === 0 ? [] : [json.object([['omitted_turns', from]])]),
    ...rest.slice(from).map(turn => turnText(turn, text(turn.text))),
  ];
  return {
    turns,
    shown: {
      turns: all.length,
      last_turns: given.last_turns,
      turns_omitted: from,
      system_prompt_shown: given.system_prompt,
      text_characters: given.text_characters,
      texts_cut: cutTexts,
      text_characters_left_out: cutCharacters,
    },
  };
}

function turnText({ role, toolCalls }: Turn, text: JsonText | null): JsonText {
  return json.object([
    ['role', role],
    ['text', text],
    ...(toolCalls === null ? [] : [['tool_calls', toolCalls] as const]),
  ]);
}

/** The text's own bytes where it is short enough; else its start, cut between characters. */
function cut(text: JsonText, limit: number | null): { kept: JsonText; leftOut: number } {
  if (limit === null) return { kept: text, leftOut: 0 };
  const characters = [...text.string()];
  if (characters.length <= limit) return { kept: text, leftOut: 0 };
  return { kept: json.string(characters.slice(0, limit).join('')), leftOut: characters.length - limit };
}
