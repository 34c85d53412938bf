/**
 * Reads BFCL V4 "multiple": which of the offered functions fits the user's request. Arguments are not scored.
 * https://gorilla.cs.berkeley.edu/leaderboard.html
 */
import { createHash } from 'node:crypto';
import {
  HoldfastError,
  defineDataset,
  json,
  type BaseRecord,
  type Dataset,
  type DatasetInfo,
  type FoundFile,
  type JsonText,
  type Skipped,
  type UpstreamFile,
} from '@holdfast/core';
import { readJsonLines, type JsonLine } from '@holdfast/kit';
import { z } from 'zod';
import { readAnswers, type Answer } from './answers.ts';
import { readQuestion, type Question } from './question.ts';

const revision = '6ea57973c7a6097fd7c5915698c54c17c5b1b6c8';
const folder = `https://raw.githubusercontent.com/ShishirPatil/gorilla/${revision}/berkeley-function-call-leaderboard/bfcl_eval/data`;

const pinned: readonly UpstreamFile[] = [
  {
    name: 'BFCL_v4_multiple.json',
    url: `${folder}/BFCL_v4_multiple.json`,
    revision,
    bytes: 316_583,
    sha256: 'aef168155ebd74b7ac2401198b201343bc7d16d7a3d7e0d4e6d8ee82c6969b2a',
  },
  {
    name: 'possible_answer/BFCL_v4_multiple.json',
    url: `${folder}/possible_answer/BFCL_v4_multiple.json`,
    revision,
    bytes: 32_254,
    sha256: '244e00ce9395df948bcafc7bee64e8f9c87ef70887587d83cae45b13699f3047',
  },
];

const info: DatasetInfo = {
  id: 'bfcl',
  title: 'Berkeley Function Calling Leaderboard V4, category "multiple"',
  homepage: 'https://gorilla.cs.berkeley.edu/leaderboard.html',
  license: 'Apache-2.0',
  labels: {
    scenario: 'Tool and API Interactions',
    decision_task: 'Action Selection',
    answer_format: 'Dynamic Candidate Selection',
  },
};

const instructions = json.string("Choose the function that should be called to fulfil the user's request.");

export default defineDataset({
  name: 'bfcl',
  summary: 'BFCL V4 multiple: which of the offered functions fits the request.',
  options: z.strictObject({
    questions: z
      .string()
      .min(1)
      .default(pinned[0]!.name)
      .describe('File of the questions, one JSON object a line, below the folder of the data set.'),
    answers: z
      .string()
      .min(1)
      .default(pinned[1]!.name)
      .describe('File of the answers, joined to the questions by id, below the folder of the data set.'),
  }),
  create: ({ questions, answers }): Dataset => ({
    info,
    upstream: [questions, answers].map(name => pinned.find(file => file.name === name) ?? { name }),
    units: files => [{ id: 'multiple', files: [named(files, questions), named(files, answers)] }],
    read: ({ files }, signal) => read(named(files, questions), named(files, answers), signal),
  }),
});

function named(files: readonly FoundFile[], name: string): FoundFile {
  const file = files.find(candidate => candidate.name === name);
  if (file === undefined) throw new HoldfastError('UPSTREAM_INVALID', `bfcl: ${name} is not among the files`);
  return file;
}

async function* read(
  questions: FoundFile,
  answers: FoundFile,
  signal: AbortSignal,
): AsyncGenerator<BaseRecord | Skipped> {
  const open = await readAnswers(answers, signal);
  const seen = new Map<string, number>();
  for await (const line of readJsonLines(questions.path, { file: questions.name, signal })) {
    const question = line.read(readQuestion);
    const { id } = question;
    const earlier = seen.get(id);
    if (earlier !== undefined) throw upstreamInvalid(line, id, `${id} stands on line ${earlier} already`);
    seen.set(id, line.number);
    const answer = open.get(id);
    if (answer === undefined) throw upstreamInvalid(line, id, `${answers.name} has no answer to ${id}`);
    open.delete(id);
    const skipped = reasonToSkip(question, answer);
    yield skipped === null ? baseRecord(question, answer, line) : { skipped, place: `${line.file}:${line.number}` };
  }
  for (const [id, { place }] of open) {
    throw new HoldfastError('UPSTREAM_INVALID', `${place}: ${questions.name} has no question ${id}`, { facts: { id } });
  }
}

/** Why a question is no choice of one function; null where it is. */
function reasonToSkip({ turns, candidates }: Question, answer: Answer): string | null {
  // Answers of multi-turn categories have another form, so the turns come first.
  if (turns.length !== 1) return turns.length === 0 ? 'no turn' : 'several turns';
  if (candidates.length < 2) return 'fewer than two functions';
  if (candidates.length > 255) return 'more than 255 functions';
  const names = new Set(candidates.map(candidate => candidate.id));
  if (names.size < candidates.length) return 'two functions with one name';
  const [gold, ...others] = answer.functions();
  if (gold === undefined) return 'no call in the answer';
  if (others.length > 0) return 'several calls in the answer';
  return names.has(gold) ? null : 'the right function is not offered';
}

function baseRecord({ id, turns, candidates }: Question, answer: Answer, line: JsonLine): BaseRecord {
  const [messages] = turns as [JsonText];
  const [gold] = answer.functions() as [string];
  return {
    base_id: id,
    group_id: groupOf(messages),
    scenario: 'function_calling',
    decision_type: 'function_selection',
    state: json.object([['messages', messages]]),
    instructions,
    options: candidates,
    gold,
    source: json.value({ file: line.file, row: line.number, id, upstream_split: null }),
    metadata: json.value({
      gold_position: candidates.findIndex(candidate => candidate.id === gold),
      candidates: candidates.length,
      label_source: 'the function called in possible_answer',
    }),
  };
}

/** Upstream asks some requests twice with other functions: these are no independent questions. */
function groupOf(messages: JsonText): string {
  return `bfcl:${createHash('sha256').update(messages.bytes).digest('hex').slice(0, 16)}`;
}

function upstreamInvalid({ file, number }: JsonLine, id: string, problem: string): HoldfastError {
  return new HoldfastError('UPSTREAM_INVALID', `${file}:${number}: ${problem}`, { facts: { file, line: number, id } });
}
