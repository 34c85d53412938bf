/**
 * Reads LongMemEval: whether the evidence in past conversations supports an answer to a question.
 * https://github.com/xiaowu0162/LongMemEval
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
import { z } from 'zod';
import { groupOf, questionTypes, type Question } from './question.ts';
import { readQuestions, type Found } from './read-questions.ts';
import { writeSession } from './session.ts';

const info: DatasetInfo = {
  id: 'longmemeval',
  title: 'LongMemEval',
  homepage: 'https://github.com/xiaowu0162/LongMemEval',
  license: 'MIT',
  labels: {
    scenario: 'Information Retrieval and Knowledge QA',
    decision_task: 'Evidence Assessment',
    answer_format: 'Yes/No Judgment',
  },
};

const instructions = json.string(
  "Decide whether the evidence, taken from the user's past conversations with an assistant, supports an answer to the question.",
);

const judgements: readonly Option[] = [
  ['yes', 'The evidence contains the information that is needed to answer the question.'],
  ['no', 'The evidence does not contain the information that is needed: the question cannot be answered from it.'],
].map(([id, description]) => ({ id: id!, canonical_id: id!, description: json.string(description!) }));

const options = z.strictObject({
  files: z
    .array(z.string().min(1))
    .min(1)
    .default(['longmemeval_oracle.json'])
    .describe(
      'Files below the folder of the data set, or globs: upstream arrays of questions (oracle, s or m), or objects whose "data" holds converted rows. Each is told by what is in it.',
    ),
  evidence: z
    .enum(['oracle', 'all'])
    .default('oracle')
    .describe(
      'Which sessions are shown: those that upstream names as evidence, or all. Converted files do not name them and show all.',
    ),
  types: z
    .array(z.enum(questionTypes))
    .min(1)
    .default(questionTypes.filter(type => type !== 'single-session-preference'))
    .describe(
      'Question types that are asked. Preference questions are left out by default: they ask for advice, their answers are rubrics, and none is unanswerable.',
    ),
  negatives: z
    .enum(['annotated', 'exchanged'])
    .default('annotated')
    .describe(
      'Where the answer "no" comes from: annotated, upstream\'s abstention questions alone (about 30 of 500); exchanged, also each answerable question once more with the evidence of the question before it.',
    ),
});

type Options = z.infer<typeof options>;

export default defineDataset({
  name: 'longmemeval',
  summary: 'LongMemEval: whether the evidence in past conversations supports an answer to a question.',
  options,
  create: (given): Dataset => ({
    info,
    upstream: given.files.map(pinOf),
    units: files => files.map(file => ({ id: file.name, files: [file] })),
    read: ({ files }, signal) => read(files[0]!, given, signal),
  }),
});

/** Upstream names no revision: what the files are is only known when they are there. */
function pinOf(name: string): UpstreamFile {
  const hub = 'https://huggingface.co/datasets/xiaowu0162';
  if (/^longmemeval_(oracle|[sm]_cleaned)\.json$/.test(name)) {
    return { name, url: `${hub}/longmemeval-cleaned/resolve/main/${name}` };
  }
  return /^longmemeval_[sm]$|^longmemeval_oracle$/.test(name)
    ? { name, url: `${hub}/longmemeval/resolve/main/${name}` }
    : { name };
}

async function* read(file: FoundFile, given: Options, signal: AbortSignal): AsyncGenerator<BaseRecord | Skipped> {
  const seen = new Map<string, string>();
  /** The last question that was asked, and the last of another group than it. */
  let last: Question | null = null;
  let before: Question | null = null;
  for await (const { question, place, source } of readQuestions(file, given, signal)) {
    signal.throwIfAborted();
    const earlier = seen.get(question.id);
    if (earlier !== undefined) {
      throw new HoldfastError(
        'UPSTREAM_INVALID',
        `${place}: ${question.id} stands at ${earlier} already; remove one of the two`,
        {
          facts: { file: file.name, id: question.id },
        },
      );
    }
    seen.set(question.id, place);
    const skipped = reasonToSkip(question, given);
    if (skipped !== null) {
      yield { skipped, place: `${place} (${question.id})` };
      continue;
    }
    yield baseRecord(question, question, given, source);
    if (last !== null && groupOf(last.id) !== groupOf(question.id)) before = last;
    last = question;
    if (given.negatives === 'annotated' || !question.answerable) continue;
    yield before === null
      ? { skipped: 'no question before it to take evidence from', place: `${place} (${question.id})` }
      : baseRecord(question, before, given, source);
  }
}

function reasonToSkip({ type, evidence }: Question, { types }: Options): string | null {
  const known: readonly string[] = questionTypes;
  if (known.includes(type) && !types.some(asked => asked === type)) return 'a question type that is left out';
  // Converted files call the type of what cannot be answered so.
  if (!known.includes(type) && type !== 'abstention') return 'an unknown question type';
  return evidence.length === 0 ? 'no evidence session' : null;
}

/** The question, asked of its own evidence or of another question's. */
function baseRecord(
  question: Question,
  { id: evidenceOf, evidence, sessions, format }: Question,
  { evidence: chosen }: Options,
  source: Found['source'],
): BaseRecord {
  const { id, type, date } = question;
  const exchanged = evidenceOf !== id;
  const gold = question.answerable && !exchanged ? 'yes' : 'no';
  return {
    base_id: `longmemeval:${id}${exchanged ? ':exchanged' : ''}`,
    group_id: `longmemeval:${groupOf(id)}`,
    scenario: 'long_term_memory',
    decision_type: 'answerability',
    tags: [type],
    // No answer is shown: for what cannot be answered upstream's says so, and an answer for the others alone would tell.
    state: json.object([
      ['question', question.question],
      ...(date === null ? [] : [['question_date', date] as const]),
      ['evidence', evidence.map(writeSession)],
    ]),
    instructions,
    options: judgements,
    gold,
    source: json.value({ ...source, question_id: id, question_type: type, upstream_split: null }),
    metadata: json.value({
      label_source: exchanged ? 'rule: the evidence is that of another question' : "upstream's abstention mark",
      evidence_of: evidenceOf,
      evidence: format === 'converted' ? 'all sessions of the converted row' : chosen,
      sessions_shown: evidence.length,
      sessions_left_out: sessions - evidence.length,
      // Upstream has some evidence that is later than the question.
      sessions_after_question:
        date === null ? null : evidence.filter(session => session.date.string() > date.string()).length,
      turns: evidence.reduce((turns, session) => turns + session.turns.length, 0),
    }),
  };
}
