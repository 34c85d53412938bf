import {
  HoldfastError,
  JsonText,
  json,
  oneLine,
  type BaseRecord,
  type FoundFile,
  type Labels,
  type Skipped,
} from '@holdfast/core';
import { readRows, type Row } from '@holdfast/kit';
import { BadRow } from './bad-row.ts';
import { given, structured, wordOf } from './member-text.ts';
import type { LabelledOptions } from './options.ts';
import { readQuestion, readQuestions, type Question } from './read-question.ts';

/** Reads the rows of the files, one at a time. Rows that give no question are errors with their place, or skipped. */
export class Reader {
  readonly #options: LabelledOptions;
  /** Places alone do not tell the rows of several files apart. */
  readonly #severalFiles: boolean;
  /** The number of the row that brought each id: no more, since there may be millions. */
  readonly #ids = new Map<string, number>();

  constructor(options: LabelledOptions, severalFiles: boolean) {
    this.#options = options;
    this.#severalFiles = severalFiles;
  }

  async *read(files: readonly FoundFile[], signal: AbortSignal): AsyncGenerator<BaseRecord | Skipped> {
    const { format, delimiter, quotes } = this.#options;
    for (const { path, name } of files) {
      for await (const row of readRows(path, { file: name, format, delimiter, quotes, signal })) {
        for (const item of this.#readRow(row)) {
          signal.throwIfAborted();
          yield item;
        }
      }
    }
  }

  *#readRow(row: Row): Iterable<BaseRecord | Skipped> {
    try {
      const shared = this.#shared(row);
      const questions = this.#questionsOf(row);
      if (questions === null) yield this.#record(row, shared, null, this.#single(row));
      else yield* this.#several(row, shared, questions);
    } catch (error) {
      yield this.#skip(error, row, row.place);
    }
  }

  *#several(row: Row, shared: Shared, questions: JsonText): Iterable<BaseRecord | Skipped> {
    const { columns } = this.#options;
    const member = columns.questions ?? 'questions';
    for (const question of readQuestions(questions, given(row.cells.get(columns.gold)), {
      member,
      gold: columns.gold,
    })) {
      const place = `${row.place}, question ${question.id}`;
      if (question.type === 'score' || question.type === null) {
        const skipped =
          question.type === 'score'
            ? 'a score question: it has no options'
            : 'a question that is neither choice nor noul';
        yield { skipped, place };
        continue;
      }
      const names = {
        instructions: `${question.member}.instructions`,
        criteria: `${question.member}.criteria`,
        gold: `${columns.gold}.${question.id}`,
      };
      try {
        const read = readQuestion(question.type, question.parts, names, this.#options);
        yield this.#record(row, shared, question.id, read);
      } catch (error) {
        yield this.#skip(error, row, place);
      }
    }
  }

  /** What is counted where a row gives no question; thrown on where it is an error, with its place. */
  #skip(error: unknown, row: Row, place: string): Skipped {
    if (!(error instanceof BadRow)) throw row.locate(error);
    if (this.#options.on_bad_row === 'skip') return { skipped: error.reason, place };
    const facts = { place: error.member, reason: error.reason, bad_row: true };
    throw row.locate(new HoldfastError('RECORD_INVALID', `${error.member} ${error.message}`, { facts }));
  }

  /** The questions of a row in System One shape; null where the row is one question. */
  #questionsOf(row: Row): JsonText | null {
    const { questions } = this.#options.columns;
    const value = given(row.cells.get(questions ?? 'questions'));
    if (questions !== undefined) return value === undefined ? null : structured(value);
    return value?.kind === 'object' ? value : null;
  }

  #single(row: Row): Question {
    const { columns, primitive } = this.#options;
    const names = {
      instructions: columns.instructions ?? 'instructions',
      criteria: columns.criteria ?? 'criteria',
      gold: columns.gold,
    };
    this.#needColumn(row, columns.instructions);
    this.#needColumn(row, columns.criteria);
    this.#needColumn(row, columns.gold);
    const parts = {
      instructions: row.cells.get(names.instructions),
      criteria: row.cells.get(names.criteria),
      gold: row.cells.get(names.gold),
    };
    return readQuestion(primitive, parts, names, this.#options);
  }

  /** A column that the whole table lacks is a wrong recipe, not a bad row. */
  #needColumn(row: Row, name: string | null | undefined): void {
    if (name === undefined || name === null || !row.tabular || row.cells.has(name)) return;
    const known = [...row.cells.keys()].map(each => JSON.stringify(each)).join(', ');
    const sentence = `${row.file} has no column ${JSON.stringify(name)}; its columns are ${known}`;
    throw new HoldfastError('RECORD_INVALID', sentence, { facts: { file: row.file, column: name } });
  }

  #shared(row: Row): Shared {
    const { columns } = this.#options;
    for (const name of [columns.id, columns.group_id, ...columns.labels]) this.#needColumn(row, name);
    const id = this.#name(row, columns.id, 'id');
    return {
      id,
      group: this.#name(row, columns.group_id, 'group_id'),
      state: this.#state(row),
      labels: this.#labels(row),
    };
  }

  /** The id or group that a row names; null where it has none and none was asked for. Throws BadRow. */
  #name(row: Row, column: string | null | undefined, usual: string): string | null {
    if (column === null) return null;
    const member = column ?? usual;
    const value = given(row.cells.get(member));
    if (value === undefined) {
      if (column === undefined) return null;
      throw new BadRow(member, `no ${usual}`, 'is missing or empty');
    }
    const word = wordOf(value);
    if (word === null) throw new BadRow(member, `the ${usual} is no text`, `is ${value.kind}, not a text or a number`);
    return word;
  }

  #state(row: Row): JsonText {
    const { state } = this.#options.columns;
    if (typeof state === 'string') {
      this.#needColumn(row, state);
      const value = row.cells.get(state);
      if (value === undefined) throw new BadRow(state, 'no state', missing(row));
      return this.#stateText(value, state);
    }
    for (const name of state) this.#needColumn(row, name);
    const members = state.flatMap(name => {
      const value = row.cells.get(name);
      return value === undefined ? [] : [[name, this.#stateText(value, name)] as const];
    });
    if (members.length === 0) throw new BadRow(state[0]!, 'no state', missing(row));
    return json.object(members);
  }

  #stateText(value: JsonText, member: string): JsonText {
    if (!this.#options.state_json || value.kind !== 'string') return oneLine(value);
    try {
      return oneLine(JsonText.parse(value.string()));
    } catch (error) {
      if (!HoldfastError.is(error)) throw error;
      throw new BadRow(
        member,
        'a state that is not JSON',
        `is ${error.message}; write state_json: false to take it as text`,
      );
    }
  }

  #labels(row: Row): Labels {
    const labels: Record<string, string> = {};
    for (const name of this.#options.columns.labels) {
      const value = given(row.cells.get(name));
      if (value !== undefined) labels[name] = wordOf(value) ?? value.toString();
    }
    return labels;
  }

  #record(row: Row, { id, group, state, labels }: Shared, question: string | null, asked: Question): BaseRecord {
    const { columns, dataset } = this.#options;
    const own = id ?? `${dataset}:${this.#severalFiles ? `${row.file}:` : ''}${row.unit}-${row.number}`;
    const base_id = question === null ? own : `${own}/${question}`;
    if (id !== null) this.#claim(base_id, row);
    return {
      base_id,
      group_id: group ?? own,
      scenario: dataset,
      decision_type: question ?? 'labelled_decision',
      state,
      instructions: asked.instructions,
      options: asked.options,
      gold: asked.gold,
      primitive: asked.primitive,
      source: json.value({
        file: row.file,
        [row.unit]: row.number,
        id,
        ...(question === null ? {} : { question }),
        upstream_split: null,
      }),
      metadata: json.value({
        label_source: columns.gold,
        options_source: asked.optionsSource,
        group_source: group === null ? 'the id: no group is given' : (columns.group_id ?? 'group_id'),
        ...(id === null ? { id_source: 'the place of the row: no id is given' } : {}),
      }),
      labels,
    };
  }

  #claim(base_id: string, row: Row): void {
    const earlier = this.#ids.get(base_id);
    if (earlier !== undefined) {
      const sentence = `the id ${JSON.stringify(base_id)} stands in ${row.unit} ${earlier} already; ids must be unique`;
      throw row.locate(
        new HoldfastError('RECORD_INVALID', sentence, { facts: { place: this.#options.columns.id ?? 'id' } }),
      );
    }
    this.#ids.set(base_id, row.number);
  }
}

/** What the questions of a row have in common. */
interface Shared {
  readonly id: string | null;
  readonly group: string | null;
  readonly state: JsonText;
  readonly labels: Labels;
}

function missing(row: Row): string {
  const names = [...row.cells.keys()];
  const known = names
    .slice(0, 12)
    .map(each => JSON.stringify(each))
    .join(', ');
  return `is missing; the row has ${names.length === 0 ? 'nothing' : known}${names.length > 12 ? ' and more' : ''}`;
}
