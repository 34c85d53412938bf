/**
 * Reads the knowledge tasks of WorkArena: does a proposed answer agree with what the knowledge base says.
 * https://github.com/ServiceNow/WorkArena
 */
import { createHash } from 'node:crypto';
import {
  HoldfastError,
  JsonText,
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
import { readJsonArray } from '@holdfast/kit';
import { z } from 'zod';
import { chanceOf, type Chance } from './chance.ts';
import { knowledgeForms, readEntry, type Entry } from './entry.ts';
import { kindOf } from './kind.ts';
import { WrongAnswers, rules } from './wrong-answers.ts';

const revision = '41345271ce5ae7301840752266d3bd26866003c8';
const folder = `https://raw.githubusercontent.com/ServiceNow/WorkArena/${revision}/src/browsergym/workarena/data_files`;

const pinned: readonly UpstreamFile[] = [
  {
    name: 'knowledge_base_configs.json',
    url: `${folder}/task_configs/knowledge_base_configs.json`,
    revision,
    bytes: 617_853,
    sha256: 'd7eec016f2d1eefd915dca4aa8399b286607c1120e2f416d1e33afe668c186d8',
  },
  {
    name: 'knowledge_base.json',
    url: `${folder}/setup_files/knowledge/knowledge_base.json`,
    revision,
    bytes: 474_939,
    sha256: '1c7507e9cb728de6bc479a3285508379d0bffe519afd6f6368218d7d456cb79d',
  },
];

const info: DatasetInfo = {
  id: 'workarena',
  title: 'WorkArena, knowledge tasks',
  homepage: 'https://github.com/ServiceNow/WorkArena',
  license: 'Apache-2.0',
  labels: {
    scenario: 'Information Retrieval and Knowledge QA',
    decision_task: 'Evidence Assessment',
    answer_format: 'Yes/No Judgment',
  },
};

const instructions = json.string('Decide whether the proposed answer to the question agrees with the knowledge.');

const choices: readonly Option[] = [
  {
    id: 'yes',
    canonical_id: 'yes',
    description: json.string('The proposed answer agrees with the knowledge and answers the question.'),
  },
  {
    id: 'no',
    canonical_id: 'no',
    description: json.string('The proposed answer does not agree with the knowledge.'),
  },
];

const options = z.strictObject({
  knowledge: z
    .enum(knowledgeForms)
    .default('fact')
    .describe(
      'What is shown: fact, the item and its value; article, the article of the knowledge base that holds the value, as HTML.',
    ),
  file: z
    .string()
    .min(1)
    .optional()
    .describe(
      'File of the tasks, a JSON array, below the folder of the data set. Default: knowledge_base_configs.json for facts, knowledge_base.json for articles.',
    ),
  answers: z
    .enum(['both', 'one'])
    .default('both')
    .describe(
      'Questions made of one of upstream: with a correct and with a wrong answer, or with one of them by chance.',
    ),
  correct: z
    .enum(['value', 'alternative'])
    .default('value')
    .describe(
      'Where correct answers come from: value, the canonical one; alternative, one of the other spellings that upstream accepts, which were written by a model and are loose at times.',
    ),
  wrong: z
    .enum(rules)
    .default('swap')
    .describe(
      'Rule that makes wrong answers: swap, the value of another item of the same kind; change_number, another digit. Where the rule makes none, the other one is tried.',
    ),
  seed: z.int().default(0).describe('Seed of chance, which chooses among the answers that a rule can make.'),
});

type Options = z.infer<typeof options>;

export default defineDataset({
  name: 'workarena',
  summary: 'WorkArena knowledge tasks: does an answer agree with the knowledge base.',
  options,
  create(given): Dataset {
    const name = given.file ?? pinned[given.knowledge === 'fact' ? 0 : 1]!.name;
    return {
      info,
      upstream: [pinned.find(file => file.name === name) ?? { name }],
      units: files => [{ id: given.knowledge, files: [named(files, name)] }],
      read: ({ files }, signal) => read(named(files, name), given, signal),
    };
  },
});

function named(files: readonly FoundFile[], name: string): FoundFile {
  const file = files.find(candidate => candidate.name === name);
  if (file === undefined) throw new HoldfastError('UPSTREAM_INVALID', `workarena: ${name} is not among the files`);
  return file;
}

async function* read(file: FoundFile, given: Options, signal: AbortSignal): AsyncGenerator<BaseRecord | Skipped> {
  const wrongAnswers = new WrongAnswers();
  for await (const { entry } of readEntries(file, given, signal)) {
    // A copy: a view would keep the element alive.
    wrongAnswers.add(entry.fact, JsonText.parse(Uint8Array.from(entry.value.bytes)));
  }
  const seen = new Set<string>();
  for await (const { entry, index, place } of readEntries(file, given, signal)) {
    if (entry.article?.string().includes(entry.fact.value) === false) {
      yield { skipped: 'the article does not hold the value', place };
      continue;
    }
    for (const [phrasing, question] of entry.questions.entries()) {
      signal.throwIfAborted();
      const id = idOf(entry, question);
      if (seen.has(id)) {
        yield { skipped: 'the question was asked already', place };
        continue;
      }
      seen.add(id);
      const asked: Asked = {
        entry,
        question,
        id,
        chance: chanceOf(given.seed, id),
        origin: { file: file.name, index, phrasing },
      };
      const correct = given.answers === 'both' || asked.chance('answers', 2) === 0;
      if (correct) yield record(asked, correctAnswer(asked, given), given);
      if (correct && given.answers === 'one') continue;
      const wrong = wrongAnswer(asked, wrongAnswers, given);
      yield wrong === null ? { skipped: 'no rule makes a wrong answer', place } : record(asked, wrong, given);
    }
  }
}

interface Read {
  readonly entry: Entry;
  readonly index: number;
  readonly place: string;
}

async function* readEntries({ name, path }: FoundFile, given: Options, signal: AbortSignal): AsyncGenerator<Read> {
  for await (const element of readJsonArray(path, { file: name, signal })) {
    const entry = element.read(bytes => readEntry(bytes, given.knowledge));
    yield { entry, index: element.index, place: `${name}:${element.line}` };
  }
}

interface Asked {
  readonly entry: Entry;
  readonly question: JsonText;
  readonly id: string;
  readonly chance: Chance;
  readonly origin: { readonly file: string; readonly index: number; readonly phrasing: number };
}

interface ProposedAnswer {
  readonly text: JsonText;
  readonly gold: 'yes' | 'no';
  readonly rule: string;
  readonly kind: string;
  readonly swappedWith: string | null;
}

function correctAnswer({ entry, chance }: Asked, { correct }: Options): ProposedAnswer {
  const { item, value } = entry.fact;
  const told = { gold: 'yes', kind: kindOf(item, value).name, swappedWith: null } as const;
  const alternative = entry.alternatives[chance('alternative', entry.alternatives.length)];
  return correct === 'value' || alternative === undefined
    ? { text: entry.value, rule: 'value', ...told }
    : { text: alternative, rule: 'alternative', ...told };
}

function wrongAnswer({ entry, chance }: Asked, answers: WrongAnswers, { wrong }: Options): ProposedAnswer | null {
  const made = answers.make(entry.fact, wrong, chance);
  return made === null ? null : { gold: 'no', ...made };
}

function record({ entry, question, id, origin }: Asked, answer: ProposedAnswer, given: Options): BaseRecord {
  const { item, value, article } = entry;
  return {
    base_id: `workarena:${id}:${answer.gold === 'yes' ? 'correct' : 'wrong'}`,
    // All phrasings of an item ask for the same fact.
    group_id: `workarena:${hash(entry.fact.item)}`,
    scenario: 'knowledge_base_question',
    decision_type: 'answer_consistency',
    tags: [given.knowledge],
    state: json.object([
      [
        'knowledge',
        json.object(
          article === null
            ? [
                ['item', item],
                ['value', value],
              ]
            : [['article', article]],
        ),
      ],
      ['question', question],
      ['proposed_answer', answer.text],
    ]),
    instructions,
    options: choices,
    gold: answer.gold,
    source: json.value({ ...origin, item, upstream_split: null }),
    metadata: json.value({
      label_source:
        answer.gold === 'yes' ? 'an answer that upstream accepts' : 'a rule, checked against all accepted answers',
      knowledge: given.knowledge,
      answer_rule: answer.rule,
      answer_kind: answer.kind,
      swapped_with: answer.swappedWith,
      accepted_answers: entry.fact.accepted.length,
      seed: given.seed,
    }),
  };
}

/** Upstream has no ids. Of item and question, so that a question has the same id in both files. */
function idOf({ fact }: Entry, question: JsonText): string {
  return hash(JSON.stringify([fact.item, question.string()]));
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
