import { HoldfastError, type FoundFile } from '@holdfast/core';
import { readCsv, type CsvRow } from '@holdfast/kit';
import { UNSURE, questionNames, questions, type Label, type QuestionName } from './questions.ts';

/** What one annotator said of one trajectory. Null where the cell is empty. */
export interface Annotation {
  readonly annotator: string;
  readonly labels: ReadonlyMap<QuestionName, Label | typeof UNSURE | null>;
  readonly line: number;
}

/** A trajectory that was annotated, and by whom. */
export interface Annotated {
  readonly benchmark: string;
  /** As the annotations have it. */
  readonly taskId: string;
  readonly model: string;
  readonly annotations: Annotation[];
  /** File and line of the first annotation. */
  readonly place: string;
}

/** The same task by any of upstream's spellings: annotations and files name variants that the splits do not. */
export function plainTask(taskId: string): string {
  return taskId.replace('.resized', '').replace('.improved', '');
}

/** What annotations and trajectory files are joined by. */
export function trajectoryKey(taskId: string, model: string): string {
  return `${plainTask(taskId)}\n${model}`;
}

const columns = ['annotator_name', 'benchmark', 'task_id', 'model_name'] as const;

/** The annotations by trajectory, in the order of the file. Throws RECORD_INVALID with file and line. */
export async function readAnnotations(
  { name, path }: FoundFile,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Annotated>> {
  const found = new Map<string, Annotated>();
  for await (const row of readCsv(path, { file: name, delimiter: ',', signal })) {
    // Some annotators' names start with a space.
    const cell = (column: string) => row.cell(column).trim();
    const [annotator, benchmark, taskId, model] = columns.map(column => {
      const value = cell(column);
      if (value === '') throw csvInvalid(row, `${column} is empty`);
      return value;
    }) as [string, string, string, string];
    const labels = questionNames.map(question => {
      const { column, labels: known } = questions[question];
      const value = cell(column);
      const label = value === '' ? null : value === UNSURE ? UNSURE : known.get(value);
      if (label !== undefined) return [question, label] as const;
      const expected = [...known.keys(), UNSURE].join(', ');
      throw csvInvalid(row, `${column} must be one of ${expected}, not ${JSON.stringify(value)}`);
    });
    const key = trajectoryKey(taskId, model);
    let annotated = found.get(key);
    if (annotated === undefined) {
      annotated = { benchmark, taskId, model, annotations: [], place: `${name}:${row.line}` };
      found.set(key, annotated);
    }
    annotated.annotations.push({ annotator, labels: new Map(labels), line: row.line });
  }
  return found;
}

/** The splits by plain task. Throws where a task stands in two splits. */
export async function readSplits({ name, path }: FoundFile, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const splits = new Map<string, string>();
  for await (const row of readCsv(path, { file: name, delimiter: ',', signal })) {
    // Not joined by benchmark: the splits divide workarena in two, the annotations do not.
    const task = plainTask(row.cell('task_id'));
    const split = row.cell('split');
    const earlier = splits.get(task);
    if (earlier !== undefined && earlier !== split) {
      throw csvInvalid(row, `${task} is in the split ${earlier} already; it can be in one only`);
    }
    splits.set(task, split);
  }
  return splits;
}

function csvInvalid(row: CsvRow, problem: string): unknown {
  return row.locate(new HoldfastError('RECORD_INVALID', problem));
}
