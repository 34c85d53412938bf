import { json, oneLine, type JsonText, type Option, type Primitive } from '@holdfast/core';
import { BadRow } from './bad-row.ts';
import { given, membersOf, structured, wordOf } from './member-text.ts';
import type { LabelledOptions } from './options.ts';
import { option, readCriteria, readNoulCriteria } from './read-criteria.ts';

/** What is asked of a state, and the right answer. */
export interface Question {
  readonly instructions: JsonText;
  readonly options: readonly Option[];
  readonly gold: string;
  readonly primitive: Primitive;
  /** Where the options stand: a member's path, or `recipe`. */
  readonly optionsSource: string;
}

/** A question's parts as a row, or one of the questions of a row, has them. */
export interface QuestionParts {
  readonly instructions: JsonText | undefined;
  readonly criteria: JsonText | undefined;
  readonly gold: JsonText | undefined;
}

/** How the parts are called where they stand: for messages. */
export type PartNames = Readonly<Record<keyof QuestionParts, string>>;

/** One question from its parts. Throws BadRow. */
export function readQuestion(
  primitive: Primitive,
  parts: QuestionParts,
  names: PartNames,
  options: LabelledOptions,
): Question {
  const { list, source } = readOptions(primitive, given(parts.criteria), names, options);
  checkOptions(list, names.criteria);
  return {
    primitive,
    options: list,
    optionsSource: source,
    gold: readGold(given(parts.gold), list, names.gold),
    instructions: readInstructions(given(parts.instructions), names.instructions, options),
  };
}

/** The type that a question of a System One body says; null for those that have no options to choose from. */
export function primitiveOf(type: JsonText | undefined, member: string): Primitive | 'score' | null {
  const word = type === undefined ? null : wordOf(type);
  if (word === null) throw new BadRow(member, 'a question without a type', 'is missing; write choice or noul');
  return word === 'choice' || word === 'noul' || word === 'score' ? word : null;
}

function readInstructions(
  value: JsonText | undefined,
  member: string,
  { instructions_text }: LabelledOptions,
): JsonText {
  if (value !== undefined) {
    if (['string', 'object', 'array'].includes(value.kind)) return oneLine(value);
    throw new BadRow(member, 'instructions that are no text', `is ${value.kind}, not a text, an object or a list`);
  }
  if (instructions_text !== undefined) return json.string(instructions_text);
  throw new BadRow(member, 'no instructions', 'is missing; name another member, or write instructions_text');
}

function readOptions(
  primitive: Primitive,
  criteria: JsonText | undefined,
  names: PartNames,
  { options, criteria_separator }: LabelledOptions,
): { list: readonly Option[]; source: string } {
  const place = { member: names.criteria, separator: criteria_separator };
  if (primitive === 'noul') {
    const said = options === undefined ? criteria : fixedMap(options);
    return { list: readNoulCriteria(said, place), source: said === undefined ? 'noul' : sourceOf(options, names) };
  }
  if (options !== undefined) {
    return { list: options.map(({ id, description }) => option(id, json.value(description))), source: 'recipe' };
  }
  if (criteria === undefined) {
    throw new BadRow(names.criteria, 'no criteria', 'is missing; name another member, or write options');
  }
  return { list: readCriteria(criteria, place), source: names.criteria };
}

function fixedMap(options: NonNullable<LabelledOptions['options']>): JsonText {
  return json.object(options.map(({ id, description }) => [id, description]));
}

function sourceOf(options: LabelledOptions['options'], { criteria }: PartNames): string {
  return options === undefined ? criteria : 'recipe';
}

function checkOptions(options: readonly Option[], member: string): void {
  const { length } = options;
  if (length < 2)
    throw new BadRow(member, 'fewer than two options', `names ${length} of them; a decision needs 2 to 255 options`);
  if (length > 255)
    throw new BadRow(member, 'more than 255 options', `names ${length} options; a decision may have 255`);
  const seen = new Set<string>();
  for (const { id } of options) {
    if (id === '') throw new BadRow(member, 'an option with an empty id', 'has an option with an empty id');
    if (seen.has(id)) throw new BadRow(member, 'two options with one id', `has the option ${JSON.stringify(id)} twice`);
    seen.add(id);
  }
}

/** The id that gold says: `true` is `"true"` and `1` is `"1"`, and nothing is mended beyond that. */
function readGold(value: JsonText | undefined, options: readonly Option[], member: string): string {
  if (value === undefined) throw new BadRow(member, 'no gold', 'is missing or empty');
  const word = wordOf(value);
  if (word === null) throw new BadRow(member, 'a gold that is no id', `is ${value.kind}, not the id of an option`);
  if (options.some(({ id }) => id === word)) return word;
  const some = options.slice(0, 8).map(({ id }) => JSON.stringify(id));
  const known = options.length > 8 ? `${some.join(', ')} and ${options.length - 8} more` : some.join(', ');
  throw new BadRow(
    member,
    'a gold that is not the id of an option',
    `is ${JSON.stringify(word)}, which is not the id of an option (${known}); correct it, or write on_bad_row: skip`,
  );
}

/** One of the questions that a row asks about its state. */
export interface NamedQuestion {
  readonly id: string;
  readonly member: string;
  readonly type: Primitive | 'score' | null;
  readonly parts: QuestionParts;
}

/** The questions of a row in System One shape, in their order. Throws BadRow. */
export function readQuestions(
  questions: JsonText,
  golds: JsonText | undefined,
  { member, gold: goldMember }: { member: string; gold: string },
): NamedQuestion[] {
  const asked = membersOf(questions, member);
  const right = golds === undefined ? new Map<string, JsonText>() : membersOf(structured(golds), goldMember);
  for (const id of right.keys()) {
    if (!asked.has(id)) {
      throw new BadRow(`${goldMember}.${id}`, 'a gold without its question', 'belongs to no question of the row');
    }
  }
  return [...asked].map(([id, question]) => {
    if (id === '') throw new BadRow(member, 'a question with an empty id', 'has a question with an empty id');
    const path = `${member}.${id}`;
    const members = membersOf(question, path);
    return {
      id,
      member: path,
      type: primitiveOf(members.get('type'), `${path}.type`),
      parts: { instructions: members.get('instructions'), criteria: members.get('criteria'), gold: right.get(id) },
    };
  });
}
