/**
 * Reads AgentProcessBench: is one step of an agent's work right, neutral or wrong.
 * https://arxiv.org/abs/2603.14465
 */
import {
  HoldfastError,
  defineDataset,
  json,
  type BaseRecord,
  type Dataset,
  type DatasetInfo,
  type FoundFile,
  type Option,
  type Skipped,
  type UpstreamFile,
} from '@holdfast/core';
import { readJsonLines, type JsonLine } from '@holdfast/kit';
import { z } from 'zod';
import { grades, readLabelFiles, sameLabels, type Grade, type StepLabels } from './labels.ts';
import { readTrajectory, type Message, type Trajectory } from './trajectory.ts';

const revision = '0a42606b178a8c69d40c5765dc05c342f921e578';

const pinned: readonly UpstreamFile[] = ['hotpotqa', 'gaia_dev', 'bfcl', 'tau2'].map(domain => ({
  name: `data/AgentProcessBench/${domain}.jsonl`,
  url: `https://raw.githubusercontent.com/RUCBM/AgentProcessBench/${revision}/data/AgentProcessBench/${domain}.jsonl`,
  revision,
  // The other files are not at hand to be hashed.
  ...(domain === 'hotpotqa' && {
    bytes: 3_174_572,
    sha256: '160eef2ded872d8dc6ddf4cee5752295fda691b6a9e99b5bafc2d484e6309c57',
  }),
}));

const info: DatasetInfo = {
  id: 'agentprocess',
  title: 'AgentProcessBench',
  homepage: 'https://huggingface.co/datasets/LulaCola/AgentProcessBench',
  license: 'MIT',
  labels: { decision_task: 'Process Evaluation', answer_format: 'Fixed-Category Classification' },
};

const instructions = json.string(
  "Judge one step of an agent's work: the assistant message at position target_message_index of messages, counted " +
    'from 0. Choose the category that fits this step, given the task and everything before the step.',
);

const meanings: Readonly<Record<Grade, string>> = {
  '1': 'Right: the step is correct and brings the task closer to its goal.',
  '0': 'Neutral: the step explores or changes nothing, or its worth cannot be told.',
  '-1': 'Wrong: the step is incorrect, harmful or needless, or builds on an error that was not corrected.',
};

const options: readonly Option[] = grades.map(id => ({
  id,
  canonical_id: id,
  description: json.string(meanings[id]),
}));

const optionsSchema = z.strictObject({
  files: z
    .array(z.string().min(1))
    .min(1)
    .default(pinned.map(file => file.name))
    .describe(
      'Files below the folder of the data set, names or globs: trajectories, one a line, and files of labels ' +
        '(AnswerOnly), which give labels to trajectories without any and must agree with those that have some.',
    ),
  scenarios: z
    .record(z.string().min(1), z.string().min(1))
    .default({
      hotpotqa: 'Information Retrieval and Knowledge QA',
      gaia_dev: 'Information Retrieval and Knowledge QA',
      bfcl: 'Tool and API Interactions',
      tau2: 'Business Service Interactions',
    })
    .describe('The reporting scenario of each domain. A domain is a part of data_source; the first that fits counts.'),
  history: z
    .number()
    .int()
    .min(0)
    .nullable()
    .default(null)
    .describe('Most messages shown between the first user message and the step, the latest ones; null for all.'),
  after_step: z
    .enum(['nothing', 'results'])
    .default('nothing')
    .describe('What is shown behind the step: nothing, or the results of its own tool calls.'),
  question: z
    .boolean()
    .default(false)
    .describe(
      "Whether the question is shown beside the messages. In tau2 it is the simulated user's script, which tells what " +
        'the user will say later.',
    ),
});

type Options = z.infer<typeof optionsSchema>;

export default defineDataset({
  name: 'agentprocess',
  summary: "AgentProcessBench: is one step of an agent's work right, neutral or wrong.",
  options: optionsSchema,
  create: (given): Dataset => ({
    info,
    upstream: given.files.map(name => pinned.find(file => file.name === name) ?? { name }),
    units: files => [{ id: 'steps', files }],
    read: ({ files }, signal) => read(files, given, signal),
  }),
});

async function* read(
  files: readonly FoundFile[],
  given: Options,
  signal: AbortSignal,
): AsyncGenerator<BaseRecord | Skipped> {
  const kinds = await Promise.all(files.map(file => holdsTrajectories(file, signal)));
  const open = await readLabelFiles(
    files.filter((_, at) => !kinds[at]),
    signal,
  );
  const seen = new Map<string, string>();
  for (const { name, path } of files.filter((_, at) => kinds[at])) {
    for await (const line of readJsonLines(path, { file: name, signal })) {
      const place = `${name}:${line.number}`;
      const trajectory = line.read(readTrajectory);
      const { id } = trajectory;
      const earlier = seen.get(id);
      if (earlier !== undefined) throw upstreamInvalid(line, id, `${id} stands at ${earlier} already`);
      seen.set(id, place);
      const other = open.get(id);
      open.delete(id);
      if (other !== undefined && trajectory.labels !== null && !sameLabels(trajectory.labels, other.labels)) {
        throw upstreamInvalid(line, id, `the labels of ${id} are others at ${other.place}; take files of one revision`);
      }
      const labels = trajectory.labels ?? other?.labels;
      if (labels === undefined) yield { skipped: 'the trajectory has no labels', place };
      else
        yield* steps(trajectory, labels, { line, given, labelled: trajectory.labels === null ? other!.place : place });
    }
  }
  for (const { place } of open.values()) yield { skipped: 'labels of a trajectory that is not at hand', place };
}

/** Told by the first line, since names are the user's: files of labels have no messages. */
async function holdsTrajectories({ name, path }: FoundFile, signal: AbortSignal): Promise<boolean> {
  for await (const line of readJsonLines(path, { file: name, signal })) return line.members().has('messages');
  return false;
}

interface Origin {
  readonly line: JsonLine;
  readonly given: Options;
  /** File and line of the labels. */
  readonly labelled: string;
}

function* steps(trajectory: Trajectory, labels: StepLabels, origin: Origin): Generator<BaseRecord | Skipped> {
  const place = `${origin.line.file}:${origin.line.number}`;
  for (const [index, { role }] of trajectory.messages.entries()) {
    const grade = labels.get(index);
    if (role === 'assistant') {
      if (grade === undefined) yield { skipped: 'the step has no label', place };
      else yield step(trajectory, { index, grade }, origin);
    } else if (grade !== undefined) {
      yield { skipped: "the label is not of the assistant's message", place };
    }
  }
  for (const index of labels.keys()) {
    if (index >= trajectory.messages.length) yield { skipped: 'the label is of no message', place };
  }
}

function step(
  { messages, ...trajectory }: Trajectory,
  { index, grade }: { index: number; grade: Grade },
  { line, given, labelled }: Origin,
): BaseRecord {
  const firstUser = messages.findIndex(({ role }) => role === 'user');
  const head = messages.slice(0, firstUser === -1 || firstUser > index ? 0 : firstUser + 1);
  const since = messages.slice(head.length, index);
  const before = given.history === null ? since : since.slice(Math.max(0, since.length - given.history));
  const omitted = since.length - before.length;
  const results = given.after_step === 'results' ? resultsOf(messages, index) : [];
  const shown = [...head, ...before, messages[index]!, ...results];
  const { dataSource, queryIndex } = trajectory;
  return {
    base_id: `agentprocess:${trajectory.id}:step:${index}`,
    // Five trajectories share a query: their questions are not independent.
    group_id: `agentprocess:${dataSource}:${queryIndex}`,
    scenario: dataSource.toLowerCase().replace(/[^a-z0-9]+/g, '_'),
    decision_type: 'step_quality',
    state: json.object([
      ...(given.question ? [['question', trajectory.question] as const] : []),
      ...(trajectory.tools === null ? [] : [['tools', trajectory.tools] as const]),
      ['messages', shown.map(message => message.shown)],
      ['target_message_index', head.length + before.length],
      ...(omitted === 0 ? [] : [['omitted_messages_before_target', omitted] as const]),
    ]),
    instructions,
    options,
    gold: grade,
    source: json.value({
      file: line.file,
      row: line.number,
      id: trajectory.id,
      total_index: trajectory.totalIndex,
      data_source: dataSource,
      query_index: Number(queryIndex),
      sample_index: Number(trajectory.sampleIndex),
      message_index: index,
      upstream_split: null,
    }),
    metadata: json.value({
      label_source: "step_labels: upstream's annotation of each assistant message",
      label_place: labelled,
      history: given.history,
      after_step: given.after_step,
      question_shown: given.question,
      messages: messages.length,
      messages_omitted_before: omitted,
      messages_shown_after: results.length,
      messages_not_shown_after: messages.length - index - 1 - results.length,
      message_members_left_out: [...new Set(shown.flatMap(message => message.leftOut))].sort(),
      tool_calls_in_step: messages[index]!.toolCalls,
    }),
    labels: { scenario: scenarioOf(dataSource, given.scenarios, line) },
  };
}

/** The tool messages right behind a step: upstream answers every call before anybody speaks again. */
function resultsOf(messages: readonly Message[], index: number): readonly Message[] {
  if (messages[index]!.toolCalls === 0) return [];
  const behind = messages.slice(index + 1);
  const end = behind.findIndex(({ role }) => role !== 'tool');
  return end === -1 ? behind : behind.slice(0, end);
}

function scenarioOf(dataSource: string, scenarios: Options['scenarios'], line: JsonLine): string {
  for (const [domain, scenario] of Object.entries(scenarios)) if (dataSource.includes(domain)) return scenario;
  const problem = `data_source ${JSON.stringify(dataSource)} has no scenario; add its domain to the option scenarios`;
  throw upstreamInvalid(line, dataSource, problem);
}

function upstreamInvalid({ file, number }: JsonLine, id: string, problem: string): HoldfastError {
  return new HoldfastError('UPSTREAM_INVALID', `${file}:${number}: ${problem}`, { facts: { file, line: number, id } });
}
