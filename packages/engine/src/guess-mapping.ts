import { HoldfastError, JsonText, readMembers } from '@holdfast/core';
import { wordIn, type InspectedColumn, type InspectedFile } from './inspect-file.ts';
import { nearestWord } from './nearest-word.ts';

/** What the user has said already: by flags, or when asked. */
export interface SaidMapping {
  /** Several become an object. */
  readonly state?: readonly string[];
  readonly instructions?: string;
  readonly instructionsText?: string;
  readonly criteria?: string;
  readonly options?: readonly string[];
  readonly gold?: string;
  readonly id?: string;
  readonly group?: string;
  readonly labels?: readonly string[];
}

/** Which column is what. Null where there is none. */
export interface Mapping {
  readonly state: readonly string[];
  readonly stateJson: boolean;
  readonly instructions: string | null;
  readonly instructionsText: string | null;
  readonly criteria: string | null;
  readonly separator: string | null;
  /** Fixed for all rows. Null with neither these nor criteria: the gold values are to be taken for them. */
  readonly options: readonly string[] | null;
  readonly gold: string;
  readonly id: string | null;
  readonly group: string | null;
  readonly labels: readonly string[];
  /** Where each row asks several questions. */
  readonly questions: string | null;
  readonly noul: 'none' | 'some' | 'all';
}

/** Something that the file does not tell. */
export interface Unclear {
  readonly role: 'state' | 'instructions' | 'criteria' | 'gold' | 'id' | 'group' | 'options';
  /** What is missing, without the remedy. */
  readonly sentence: string;
  /** How to say it on the command line. */
  readonly flag: string;
  readonly candidates: readonly string[];
}

export interface Guess {
  /** Null as long as something is unclear. */
  readonly mapping: Mapping | null;
  readonly unclear: readonly Unclear[];
  /** What was understood, and why: a sentence each. */
  readonly reasons: ReadonlyMap<string, string>;
  /** What was taken for granted because nothing says it. */
  readonly assumptions: readonly string[];
  /** Columns that no one has asked for. */
  readonly unused: readonly string[];
}

/** One sentence on all that is unclear: what is missing, which columns there are, and the flags that say it. */
export function sentenceOf({ path, columns }: InspectedFile, unclear: readonly Unclear[]): string {
  const facts = unclear.map(({ sentence }) => sentence).join('; ');
  const flags = unclear.map(({ flag }) => flag).join(' ');
  const there = columns.length === 1 ? 'its only column is' : 'its columns are';
  return `${path}: ${facts}; ${there} ${listOf(columns.map(({ name }) => name))}; say it with ${flags}`;
}

type Role = 'state' | 'instructions' | 'criteria' | 'gold' | 'id' | 'group';

/** The usual names of each role. The first is the word of the format itself and has a better claim than the others. */
const usual: Readonly<Record<Role, readonly string[]>> = {
  state: ['state', 'input', 'context', 'prompt', 'text', 'messages', 'conversation'],
  instructions: ['instructions', 'instruction', 'question', 'task'],
  criteria: ['criteria', 'options', 'choices', 'labels_map', 'candidates'],
  gold: ['gold', 'label', 'answer', 'target', 'expected', 'ground_truth'],
  id: ['id', 'uuid', 'key'],
  group: ['group_id', 'group', 'trajectory', 'session', 'conversation_id', 'thread_id'],
};

const titles: Readonly<Record<Role, string>> = {
  state: 'the state, which is what is decided about',
  instructions: 'the instructions, which is what is asked',
  criteria: 'the criteria, which are the options',
  gold: 'the gold, which is the right option',
  id: 'the id',
  group: 'the group',
};

/** What a model is asked where neither the file nor the user says it. */
export const NEUTRAL_INSTRUCTIONS = 'Choose the option that fits.';
/** More different gold values are no options but free text. */
export const MOST_GOLD_VALUES = 50;

/** Which column is what, by what the user said, then by usual names. Throws RECIPE_INVALID for columns that are not there. */
export function guessMapping(file: InspectedFile, said: SaidMapping): Guess {
  return new Guesser(file, said).guess();
}

class Guesser {
  readonly #file: InspectedFile;
  readonly #said: SaidMapping;
  readonly #columns: ReadonlyMap<string, InspectedColumn>;
  readonly #taken = new Set<string>();
  readonly #unclear: Unclear[] = [];
  readonly #reasons = new Map<string, string>();
  readonly #assumptions: string[] = [];

  constructor(file: InspectedFile, said: SaidMapping) {
    this.#file = file;
    this.#said = said;
    this.#columns = new Map(file.columns.map(column => [column.name, column]));
    const { state = [], instructions, criteria, gold, id, group, labels = [] } = said;
    const flags: [string, readonly (string | undefined)[]][] = [
      ['--state', state],
      ['--instructions', [instructions]],
      ['--criteria', [criteria]],
      ['--gold', [gold]],
      ['--id', [id]],
      ['--group', [group]],
      ['--label', labels],
    ];
    for (const [flag, names] of flags) for (const name of names) if (name !== undefined) this.#known(flag, name);
  }

  guess(): Guess {
    this.#refuseRecords();
    const questions = this.#questions();
    const gold = this.#role('gold', this.#said.gold, 'needed');
    if (gold !== null && questions === null) this.#checkGold(gold);
    const criteria = questions === null && this.#said.options === undefined ? this.#criteria(gold) : null;
    const instructions = questions === null ? this.#role('instructions', this.#said.instructions, 'optional') : null;
    const state = this.#state();
    const id = this.#id();
    const group = this.#group();
    const labels = this.#said.labels ?? [];
    for (const label of labels) this.#reasons.set(label, 'a slice of the report, as you said');
    const options = this.#said.options ?? null;
    const needsText = questions === null && (instructions === null || this.#hasGaps(instructions));
    let instructionsText = this.#said.instructionsText ?? null;
    if (needsText && instructionsText === null) {
      instructionsText = NEUTRAL_INSTRUCTIONS;
      const where =
        instructions === null ? 'no column holds a question' : `${named(instructions)} is empty in some rows`;
      this.#assumptions.push(
        `${where}, so models are asked ${JSON.stringify(NEUTRAL_INSTRUCTIONS)}; say it better with --instructions-text TEXT, or name a column with --instructions COLUMN`,
      );
    }
    if (questions === null && criteria === null && options === null && gold !== null) this.#goldAsOptions(gold);
    const mapping =
      this.#unclear.length > 0 || gold === null
        ? null
        : {
            state,
            stateJson: this.#file.rows[0]!.tabular && state.every(name => this.#isJsonText(name)),
            instructions,
            instructionsText,
            criteria,
            separator: criteria === null ? null : (this.#separator(criteria, gold) ?? null),
            options,
            gold,
            id,
            group,
            labels,
            questions,
            noul: questions === null ? ('none' as const) : this.#noul(questions),
          };
    const used = new Set([...this.#taken, ...labels]);
    const unused = [...this.#columns.keys()].filter(name => !used.has(name));
    return { mapping, unclear: this.#unclear, reasons: this.#reasons, assumptions: this.#assumptions, unused };
  }

  #known(flag: string, name: string): void {
    if (this.#columns.has(name)) return;
    const near = nearestWord(name, this.#columns.keys());
    const hint = near === null ? `it has ${listOf([...this.#columns.keys()])}` : `did you mean ${named(near)}?`;
    throw this.#refuse(`${flag}: ${this.#file.path} has no column ${named(name)}; ${hint}`);
  }

  #refuse(sentence: string): HoldfastError {
    return new HoldfastError('RECIPE_INVALID', sentence, { facts: { file: this.#file.path } });
  }

  #refuseRecords(): void {
    const { path, rows } = this.#file;
    if (wordIn(rows[0]!.cells.get('schema_version')) !== 'jev-choice/1.0') return;
    throw this.#refuse(
      `${path} is in the record format already: write a recipe with use: records and with: { file: … }`,
    );
  }

  #take(name: string, reason: string): string {
    this.#taken.add(name);
    this.#reasons.set(name, reason);
    return name;
  }

  /** The column of a role: as said, or the only one with the best claim. Null where there is none. */
  #role(role: Role, said: string | undefined, need: 'needed' | 'optional'): string | null {
    if (said !== undefined) return this.#take(said, `${titles[role]}, as you said`);
    const [found, ...others] = this.#claims(role);
    if (found === undefined) {
      if (need === 'needed') {
        const sentence = `no column is named as ${titles[role]}, usually is (${usual[role].join(', ')})`;
        this.#unclear.push({ role, sentence, flag: `--${role} COLUMN`, candidates: this.#free() });
      }
      return null;
    }
    if (others.length > 0) {
      const all = [found, ...others];
      const sentence = `${all.map(named).join(' and ')} could each be ${titles[role]}`;
      const both = role === 'state' ? `, or ${all.map(name => `--state ${shellWord(name)}`).join(' ')} for both` : '';
      this.#unclear.push({ role, sentence, flag: `--${role} ${shellWord(found)}${both}`, candidates: all });
      return null;
    }
    return this.#take(found, `${titles[role]}, told by its name`);
  }

  #free(): string[] {
    return [...this.#columns.keys()].filter(name => !this.#taken.has(name));
  }

  /** The columns with the best claim to a role: one of the format's own word, or all of other usual names. */
  #claims(role: Role): string[] {
    const free = this.#free().filter(name => !this.#saidElsewhere(name));
    const own = free.filter(name => plain(name) === usual[role][0]);
    if (own.length > 0) return own;
    return free.filter(name => usual[role].includes(plain(name)) && this.#columns.get(name)!.filled > 0);
  }

  #saidElsewhere(name: string): boolean {
    const { state = [], instructions, criteria, gold, id, group } = this.#said;
    return [...state, instructions, criteria, gold, id, group].includes(name);
  }

  /** The column of several questions a row, in System One shape. */
  #questions(): string | null {
    const column = this.#columns.get('questions');
    const { gold, criteria, options } = this.#said;
    if (column === undefined || criteria !== undefined || options !== undefined) return null;
    if (column.kinds.length !== 1 || column.kinds[0] !== 'object') return null;
    const right = gold ?? this.#claims('gold')[0];
    if (right === undefined || !this.#columns.get(right)!.kinds.includes('object')) return null;
    return this.#take('questions', 'several questions about one state, in System One shape');
  }

  #noul(questions: string): 'none' | 'some' | 'all' {
    const types = this.#file.rows.flatMap(({ cells }) => {
      const value = cells.get(questions);
      if (value?.kind !== 'object') return [];
      return readMembers(value.bytes).flatMap(([, question]) =>
        question.kind === 'object' ? readMembers(question.bytes).filter(([key]) => key === 'type') : [],
      );
    });
    const asked = types.map(([, type]) => wordIn(type)).filter(type => type === 'choice' || type === 'noul');
    if (!asked.includes('noul')) return 'none';
    return asked.includes('choice') ? 'some' : 'all';
  }

  #state(): string[] {
    const { state = [] } = this.#said;
    if (state.length > 1) return state.map(name => this.#take(name, `a part of ${titles.state}, as you said`));
    const found = this.#role('state', state[0], 'needed');
    return found === null ? [] : [found];
  }

  /** The column of ids, if it is one: filled and without repetition in what was seen. */
  #id(): string | null {
    const found = this.#role('id', this.#said.id, 'optional');
    if (found === null || this.#said.id !== undefined) return found;
    const { filled, words } = this.#columns.get(found)!;
    if (words !== null && words.size === this.#file.rows.length) return found;
    const why =
      filled < this.#file.rows.length ? 'is empty in some rows' : words === null ? 'holds no plain ids' : 'repeats';
    this.#reasons.set(found, `not taken for the id: it ${why}, so rows are called by their place`);
    return null;
  }

  #group(): string | null {
    const found = this.#role('group', this.#said.group, 'optional');
    if (found === null || this.#said.group !== undefined) return found;
    const { filled, words } = this.#columns.get(found)!;
    if (words !== null && filled === this.#file.rows.length) return found;
    const why = words === null ? 'holds no plain names' : 'is empty in some rows';
    this.#reasons.set(found, `not taken for the group: it ${why}`);
    return null;
  }

  #hasGaps(name: string): boolean {
    return this.#columns.get(name)!.filled < this.#file.rows.length;
  }

  #checkGold(gold: string): void {
    const { filled, words } = this.#columns.get(gold)!;
    if (filled > 0 && words !== null) return;
    const sentence = `${named(gold)} ${filled === 0 ? 'is empty in every row' : 'holds more than the id of an option'}, so it is not ${titles.gold}`;
    this.#unclear.push({ role: 'gold', sentence, flag: '--gold COLUMN', candidates: this.#free() });
  }

  #criteria(gold: string | null): string | null {
    const found = this.#role('criteria', this.#said.criteria, 'optional');
    if (found === null || gold === null || this.#separator(found, gold) !== undefined) return found;
    const sentence = `${named(found)} is neither a list or a map, nor text such as a|b|c that names the gold`;
    this.#unclear.push({
      role: 'criteria',
      sentence,
      flag: '--criteria COLUMN or --options a,b,c',
      candidates: this.#free(),
    });
    return null;
  }

  /** What stands between the ids in a column of criteria; null where it is JSON, undefined where it is neither. */
  #separator(criteria: string, gold: string): string | null | undefined {
    const texts: { text: string; right: string | null | undefined }[] = [];
    for (const { cells } of this.#file.rows) {
      const value = cells.get(criteria);
      if (value === undefined || value.kind === 'array' || value.kind === 'object') continue;
      const text = wordIn(value);
      if (text === undefined || text === null || isJson(text)) continue;
      texts.push({ text, right: wordIn(cells.get(gold)) });
    }
    if (texts.length === 0) return null;
    return ['|', ';', ',', '/', '\n'].find(separator =>
      texts.every(({ text, right }) => {
        const ids = text.split(separator).map(id => id.trim());
        return ids.length > 1 && (typeof right !== 'string' || ids.includes(right));
      }),
    );
  }

  #goldAsOptions(gold: string): void {
    const { words } = this.#columns.get(gold)!;
    if (words === null) return;
    const { rows } = this.#file;
    if (words.size <= MOST_GOLD_VALUES) return;
    const sentence = `there is no column of options, and ${named(gold)} has ${words.size} different values in ${rows.length} rows, too many to take for them`;
    this.#unclear.push({
      role: 'options',
      sentence,
      flag: '--criteria COLUMN or --options a,b,c',
      candidates: this.#free(),
    });
  }

  /** Whether a column of text holds JSON in every row. */
  #isJsonText(name: string): boolean {
    const { kinds } = this.#columns.get(name)!;
    if (kinds.length !== 1 || kinds[0] !== 'string') return false;
    return this.#file.rows.every(({ cells }) => {
      const word = wordIn(cells.get(name));
      return typeof word === 'string' && isJson(word);
    });
  }
}

/** Whether text is a list or a map of JSON. */
function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JsonText.parse(text);
    return true;
  } catch {
    return false;
  }
}

function listOf(names: readonly string[]): string {
  const some = names.slice(0, 12).map(named).join(', ');
  return names.length > 12 ? `${some} and ${names.length - 12} more` : some;
}

function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
}

function named(name: string): string {
  return JSON.stringify(name);
}

function shellWord(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
