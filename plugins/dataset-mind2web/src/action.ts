import { readItems, type JsonText } from '@holdfast/core';
import { recordInvalid } from '@holdfast/kit';
import { readCandidates, type Candidate } from './candidate.ts';
import { Members } from './members.ts';

/** One step of a task, as upstream recorded it: the page before the step, and the elements it could act on. */
export interface Action {
  readonly annotation: string;
  readonly uid: string;
  /** Where the step stands in its task, from 0; null where the file does not say. */
  readonly index: number | null;
  readonly task: JsonText;
  /** `website`, `domain` and `subdomain`, as far as they are there. */
  readonly site: readonly (readonly [string, JsonText])[];
  /** What was done before this step, never this step or a later one. */
  readonly previous: readonly JsonText[];
  readonly html: JsonText;
  readonly operation: string | null;
  readonly positives: readonly Candidate[];
  readonly negatives: readonly Candidate[];
}

/** The steps of a task of `osunlp/Mind2Web`, one at a time: each brings its own page. */
export function* readTask(members: ReadonlyMap<string, JsonText>): Iterable<Action> {
  const task = new Members(members);
  const steps = readItems(task.get('actions', 'array').bytes);
  const done = readItems(task.get('action_reprs', 'array').bytes);
  if (done.length !== steps.length) {
    throw recordInvalid('action_reprs', `has ${done.length} items, but there are ${steps.length} actions`);
  }
  for (const [index, step] of steps.entries()) {
    yield readStep(Members.of(step, `actions.${index}`), task, { index, previous: done.slice(0, index) });
  }
}

/** A step with its task's fields beside it: a line of SeeAct's queries, or a row of `osunlp/Multimodal-Mind2Web`. */
export function readFlatAction(members: ReadonlyMap<string, JsonText>): Action {
  const row = new Members(members);
  if (row.has('previous_actions')) {
    return readStep(row, row, { index: null, previous: readItems(row.get('previous_actions', 'array').bytes) });
  }
  const done = readItems(row.get('action_reprs', 'array').bytes);
  const at = row.raw('target_action_index');
  // Upstream writes the number as a string.
  const index = Number(at?.kind === 'string' ? at.string() : at?.kind === 'number' ? at.toString() : NaN);
  if (!Number.isInteger(index) || index < 0 || index >= done.length) {
    throw recordInvalid('target_action_index', `must be a place in action_reprs, which has ${done.length} items`);
  }
  return readStep(row, row, { index, previous: done.slice(0, index) });
}

function readStep(step: Members, task: Members, { index, previous }: Pick<Action, 'index' | 'previous'>): Action {
  const site = ['website', 'domain', 'subdomain'].flatMap(name => {
    const value = task.find(name, 'string');
    return value === null ? [] : [[name, value] as const];
  });
  const operation = step.raw('operation');
  const candidates = (name: string) => readCandidates(readItems(step.get(name, 'array').bytes), step.place(name));
  return {
    annotation: task.get('annotation_id', 'string').string(),
    uid: step.get('action_uid', 'string').string(),
    index,
    task: task.get('confirmed_task', 'string'),
    site,
    previous,
    html: step.get('cleaned_html', 'string'),
    operation:
      operation === undefined || operation.kind === 'null'
        ? null
        : (Members.of(operation, step.place('operation')).find('op', 'string')?.string() ?? null),
    positives: candidates('pos_candidates'),
    negatives: candidates('neg_candidates'),
  };
}
