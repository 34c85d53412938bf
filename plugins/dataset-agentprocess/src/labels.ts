import { HoldfastError, readMap, type FoundFile, type JsonText } from '@holdfast/core';
import { member, readJsonLines, recordInvalid } from '@holdfast/kit';
import { count } from './count.ts';

/** What a step can be called, in the order in which the categories are offered. */
export const grades = ['1', '0', '-1'] as const;
export type Grade = (typeof grades)[number];

/** The grades of a trajectory's steps by the index of their message. */
export type StepLabels = ReadonlyMap<number, Grade>;

/** Upstream's name of a trajectory: what its AnswerOnly files call `record_id`. */
export function recordId(members: ReadonlyMap<string, JsonText>): string {
  const source = member(members, 'data_source', 'string').string();
  return `${source}:${count(members, 'query_index')}:${count(members, 'sample_index')}`;
}

/** The member `step_labels`: null where there is none, as in upstream's files from before the annotation. */
export function readStepLabels(members: ReadonlyMap<string, JsonText>): StepLabels | null {
  const given = members.get('step_labels');
  if (given === undefined || given.kind === 'null') return null;
  const labels = new Map<number, Grade>();
  // Keys are strings of indexes and values numbers, of which the options' ids are the spelling.
  for (const [key, value] of readMap(member(members, 'step_labels', 'object').bytes)) {
    const place = `step_labels.${key}`;
    if (!/^(0|[1-9][0-9]{0,6})$/.test(key)) throw recordInvalid(place, 'must be named by the index of a message');
    const grade = grades.find(each => each === value.toString());
    if (grade === undefined) throw recordInvalid(place, `must be 1, 0 or -1, not ${value.toString().slice(0, 20)}`);
    labels.set(Number(key), grade);
  }
  return labels;
}

export interface LabelLine {
  readonly labels: StepLabels;
  /** File and line. */
  readonly place: string;
}

/** The labels of AnswerOnly files by record id. Throws UPSTREAM_INVALID where a trajectory stands twice. */
export async function readLabelFiles(
  files: readonly FoundFile[],
  signal: AbortSignal,
): Promise<Map<string, LabelLine>> {
  const found = new Map<string, LabelLine>();
  for (const { name, path } of files) {
    for await (const line of readJsonLines(path, { file: name, signal })) {
      const place = `${name}:${line.number}`;
      const { id, labels } = line.read(bytes => {
        const members = readMap(bytes);
        const given = readStepLabels(members);
        if (given === null) throw recordInvalid('step_labels', 'is missing');
        return { id: recordId(members), labels: given };
      });
      const earlier = found.get(id);
      if (earlier !== undefined) {
        const message = `${place}: ${id} has labels already, at ${earlier.place}; name each file once`;
        throw new HoldfastError('UPSTREAM_INVALID', message, { facts: { file: name, line: line.number, id } });
      }
      found.set(id, { labels, place });
    }
  }
  return found;
}

/** Whether both grade the same steps alike. */
export function sameLabels(left: StepLabels, right: StepLabels): boolean {
  return left.size === right.size && [...left].every(([index, grade]) => right.get(index) === grade);
}
