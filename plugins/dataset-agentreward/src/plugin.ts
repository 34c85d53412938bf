/**
 * Reads AgentRewardBench: did a web agent succeed, loop, or cause side effects, where its annotators agree.
 * https://agent-reward-bench.github.io
 */
import { basename, dirname } from 'node:path/posix';
import {
  HoldfastError,
  defineDataset,
  json,
  type BaseRecord,
  type Dataset,
  type DatasetInfo,
  type FoundFile,
  type JsonInput,
  type JsonText,
  type Skipped,
  type UpstreamFile,
} from '@holdfast/core';
import { z } from 'zod';
import { readAnnotations, readSplits, plainTask, trajectoryKey, type Annotated } from './annotations.ts';
import { UNSURE, questionNames, questions, type Label, type QuestionName } from './questions.ts';
import { readTrajectory, type Trajectory } from './trajectory.ts';

const revision = 'ea58fb5b17cd0d8b28b89918a9a02953b51ae59c';
const folder = `https://raw.githubusercontent.com/McGill-NLP/agent-reward-bench/${revision}/agent_reward_bench/data`;

const pinned: readonly UpstreamFile[] = [
  {
    name: 'data/annotations.csv',
    url: `${folder}/annotations.csv`,
    revision,
    bytes: 265_137,
    sha256: '155be0e6530d190c14a056f0195aaafa081c2a45a36e8f72b922c9fdc6838367',
  },
  {
    name: 'data/splits.csv',
    url: `${folder}/splits.csv`,
    revision,
    bytes: 19_149,
    sha256: '42bfeef886c1d7b216d31a6c8e9f7af58a6c4bd4d236df9f230e24c558c2499d',
  },
];

const info: DatasetInfo = {
  id: 'agentreward',
  title: 'AgentRewardBench',
  homepage: 'https://agent-reward-bench.github.io',
  license: 'No licence file; the Hub card asks for lawful use, fair use and acknowledgement of third-party sources.',
  labels: {
    scenario: 'Web and Browser Operations',
    decision_task: 'Outcome Verification',
    answer_format: 'Yes/No Judgment',
  },
};

const optionsSchema = z.strictObject({
  annotations: z.string().min(1).default(pinned[0]!.name).describe('File of the annotations, CSV.'),
  splits: z.string().min(1).default(pinned[1]!.name).describe("File of upstream's splits, CSV."),
  trajectories: z
    .array(z.string().min(1))
    .min(1)
    // The Hub has 1,302 files, 38 GB with their screenshots: no list of pins.
    .default(['cleaned/*/*/*/*.json'])
    .describe('Files of trajectories, one each, names or globs. They must end in AGENT/EXPERIMENT/TASK.json.'),
  trajectories_from: z
    .enum(['upstream', 'recipe'])
    .default('upstream')
    .describe("Whether the trajectories lie below the folder of the data set, or by paths from the recipe's folder."),
  ask: z
    .array(z.enum(questionNames))
    .min(1)
    .default([...questionNames])
    .describe('What is asked about each trajectory.'),
  annotators: z
    .number()
    .int()
    .min(1)
    .default(2)
    .describe('How many annotators a trajectory must have at least. All of them must agree on what is asked.'),
  last_steps: z
    .number()
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('Most steps shown, the last ones; null for all.'),
  reasoning: z.boolean().default(true).describe("Whether the agent's reasoning is shown with each step."),
  text_characters: z
    .number()
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('Most characters shown of each action, reasoning and error, from their start; null for all.'),
  observation_characters: z
    .number()
    .int()
    .min(0)
    .nullable()
    .default(null)
    .describe('Most characters shown of the last pruned accessibility tree, from its start; null for all.'),
});

type Options = z.infer<typeof optionsSchema>;

export default defineDataset({
  name: 'agentreward',
  summary: 'AgentRewardBench: did a web agent succeed, loop, or cause side effects.',
  options: optionsSchema,
  create: (given): Dataset => ({
    info,
    upstream: [
      ...[given.annotations, given.splits].map(name => pinned.find(file => file.name === name) ?? { name }),
      ...given.trajectories.map(name => ({ name, location: given.trajectories_from })),
    ],
    units: files => [{ id: 'trajectories', files }],
    read: ({ files }, signal) => read(files, given, signal),
  }),
});

async function* read(
  files: readonly FoundFile[],
  given: Options,
  signal: AbortSignal,
): AsyncGenerator<BaseRecord | Skipped> {
  const annotated = await readAnnotations(named(files, given.annotations), signal);
  const splits = await readSplits(named(files, given.splits), signal);
  const trajectories = trajectoryFiles(files, given);
  for (const [key, each] of annotated) {
    const file = trajectories.get(key);
    trajectories.delete(key);
    const agreed: [QuestionName, Label][] = [];
    for (const question of new Set(given.ask)) {
      const label = agreement(each, question, given.annotators);
      if (typeof label !== 'string') yield { skipped: label.skipped, place: each.place };
      else if (file === undefined) yield { skipped: 'the trajectory is not at hand', place: each.place };
      else agreed.push([question, label]);
    }
    if (agreed.length === 0) continue;
    const trajectory = await readTrajectory(file!, signal);
    const split = splits.get(plainTask(each.taskId)) ?? null;
    for (const [question, label] of agreed) {
      signal.throwIfAborted();
      yield record({ annotated: each, question, label, trajectory, split, file: file!.name, given });
    }
  }
  for (const { name } of trajectories.values()) yield { skipped: 'the trajectory is not annotated', place: name };
}

function named(files: readonly FoundFile[], name: string): FoundFile {
  const file = files.find(candidate => candidate.name === name);
  if (file === undefined) throw new HoldfastError('UPSTREAM_INVALID', `agentreward: ${name} is not among the files`);
  return file;
}

/** The trajectory files by what their annotations are joined by: the task is told by the file's name only. */
function trajectoryFiles(files: readonly FoundFile[], given: Options): Map<string, FoundFile> {
  const found = new Map<string, FoundFile>();
  for (const file of files) {
    const { name } = file;
    if (name === given.annotations || name === given.splits) continue;
    const key = trajectoryKey(basename(name, '.json'), basename(dirname(dirname(name))));
    const earlier = found.get(key);
    if (earlier !== undefined) {
      const message = `${name} is the trajectory of ${earlier.name} again; name one of them`;
      throw new HoldfastError('UPSTREAM_INVALID', message, { facts: { file: name } });
    }
    found.set(key, file);
  }
  return found;
}

/** The label that all annotators give, or why there is none. */
function agreement(
  { annotations }: Annotated,
  question: QuestionName,
  annotators: number,
): Label | { skipped: string } {
  const labels = new Set(annotations.map(({ labels }) => labels.get(question) ?? null));
  if (labels.has(UNSURE)) return { skipped: 'an annotator was unsure' };
  if (labels.has(null)) return { skipped: 'an annotator gave no label' };
  if (labels.size > 1) return { skipped: 'the annotators disagree' };
  if (new Set(annotations.map(({ annotator }) => annotator)).size < annotators)
    return { skipped: 'too few annotators' };
  return [...labels][0] as Label;
}

interface Asked {
  readonly annotated: Annotated;
  readonly question: QuestionName;
  readonly label: Label;
  readonly trajectory: Trajectory;
  readonly split: string | null;
  readonly file: string;
  readonly given: Options;
}

function record({ annotated, question, label, trajectory, split, file, given }: Asked): BaseRecord {
  const { benchmark, taskId, model, annotations } = annotated;
  const group = `agentreward:${taskId}:${model}`;
  const { state, shown } = show(trajectory, given);
  const { instructions, options, column } = questions[question];
  return {
    base_id: `${group}:${question}`,
    group_id: group,
    scenario: benchmark.toLowerCase().replace(/[^a-z0-9]+/g, '_'),
    decision_type: `trajectory_${question}`,
    state,
    instructions,
    options,
    gold: label,
    source: json.value({
      file,
      row: annotations.map(({ line }) => line),
      benchmark,
      task_id: taskId,
      model_name: model,
      upstream_split: split,
    }),
    metadata: json.value({
      label_source: `agreement of the annotators on ${column}`,
      annotators: annotations.map(({ annotator }) => annotator),
      annotators_at_least: given.annotators,
      ...shown,
      valid: trajectory.valid,
      package_version: trajectory.packageVersion,
    }),
  };
}

/** What a judge sees of a trajectory, and how much of it was left out. */
function show({ goal, steps, finalUrl, observation }: Trajectory, given: Options) {
  const from = given.last_steps === null ? 0 : Math.max(0, steps.length - given.last_steps);
  let cutTexts = 0;
  let cutCharacters = 0;
  const text = (value: JsonText): JsonText => {
    const { kept, leftOut } = cut(value, given.text_characters);
    if (leftOut > 0) cutTexts++;
    cutCharacters += leftOut;
    return kept;
  };
  const tree = observation === null ? null : cut(observation, given.observation_characters);
  const state: [string, JsonInput][] = [
    ['goal', goal],
    ...(from === 0 ? [] : [['omitted_earlier_steps', from] satisfies [string, JsonInput]]),
    [
      'steps',
      steps
        .slice(from)
        .map(({ url, reasoning, action, error }) =>
          json.object([
            ['url', url],
            ...(given.reasoning && reasoning !== null ? [['reasoning', text(reasoning)] as const] : []),
            ['action', action === null ? null : text(action)],
            ...(error === null ? [] : [['action_error', text(error)] as const]),
          ]),
        ),
    ],
    ['final_url', finalUrl],
    ['final_page', tree?.kept ?? null],
  ];
  return {
    state: json.object(state),
    shown: {
      steps: steps.length,
      last_steps: given.last_steps,
      steps_omitted: from,
      reasoning_shown: given.reasoning,
      text_characters: given.text_characters,
      texts_cut: cutTexts,
      text_characters_left_out: cutCharacters,
      observation: 'axtree_pruned of the last entry that has one; no screenshot',
      observation_characters: given.observation_characters,
      observation_characters_left_out: tree?.leftOut ?? 0,
    },
  };
}

/** The text's own bytes where it is short enough; else its start, cut between characters. */
function cut(text: JsonText, limit: number | null): { kept: JsonText; leftOut: number } {
  if (limit === null) return { kept: text, leftOut: 0 };
  const characters = [...text.string()];
  if (characters.length <= limit) return { kept: text, leftOut: 0 };
  return { kept: json.string(characters.slice(0, limit).join('')), leftOut: characters.length - limit };
}
