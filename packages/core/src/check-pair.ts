import { HoldfastError } from './error.ts';
import type { JsonText } from './json/json-text.ts';
import { sameJson } from './json/tree.ts';
import { json } from './json/write.ts';
import type { Version, Violation } from './perturbation.ts';
import { perturbationOf, type DecisionRecord, type Option } from './record.ts';

// Not compared: id, version, actual_operator and perturbation tell versions apart, base_record_file only says where a
// record once came from.
const fields = [
  'schema_version',
  'base_id',
  'group_id',
  'dataset',
  'split',
  'local_partition',
  'scenario',
  'decision_type',
  'tags',
  'state',
  'instructions',
  'options',
  'gold',
  'primitive',
  'source',
  'metadata',
  'context_provenance',
  'labels',
  'extra',
] as const satisfies readonly (keyof DecisionRecord)[];

type Field = (typeof fields)[number];

/**
 * What must hold between a question and any version of it, whatever the operator: the same question and canonical
 * candidates, the same right one, a perturbation note that names the parent, and nothing else changed but `changes`.
 * JSON text counts as unchanged when it says the same (see `sameJson`). Rules are named for the field.
 */
export function checkPair(
  original: DecisionRecord,
  version: DecisionRecord,
  { changes }: { readonly changes: readonly (keyof Version)[] },
): readonly Violation[] {
  const violations: Violation[] = [];
  const violated = (rule: string, message: string, severity: Violation['severity'] = 'violation') =>
    violations.push({ rule, message, severity });

  for (const field of fields) {
    if ((changes as readonly string[]).includes(field) || same[field](original, version)) continue;
    violated(field, `${field} differs from that of ${original.id}`);
  }
  if (version.id === original.id) violated('id', 'the version has the id of the original');
  if (version.version === original.version) violated('version', `both records are ${version.version}`);
  if (version.options.length !== original.options.length) {
    violated('option_count', `${version.options.length} options where the original has ${original.options.length}`);
  }
  if (!sameTexts(canonicalIds(original).sort(), canonicalIds(version).sort())) {
    violated('canonical_ids', 'the canonical ids are not those of the original');
  }
  const [right, found] = [canonicalGold(original), canonicalGold(version)];
  if (right === null || found !== right) {
    violated('canonical_gold', `the right option is ${JSON.stringify(found)}, not ${JSON.stringify(right)}`);
  }
  if (original.perturbation !== undefined) violated('original', `${original.id} carries a perturbation note itself`);
  checkNote(original, version, violated);
  return violations;
}

function checkNote(
  original: DecisionRecord,
  version: DecisionRecord,
  violated: (rule: string, message: string, severity?: Violation['severity']) => void,
): void {
  try {
    const note = perturbationOf(version);
    if (note === null) {
      violated('perturbation', 'a version needs a perturbation note');
      return;
    }
    if (note.parent_id !== original.id) violated('parent_id', `the parent is ${note.parent_id}, not ${original.id}`);
    if (note.operation !== version.actual_operator) {
      violated('operation', `the note says ${note.operation}, actual_operator ${version.actual_operator}`, 'warning');
    }
  } catch (error) {
    if (!HoldfastError.is(error)) throw error;
    violated('perturbation', error.message);
  }
}

/** Whether two candidates are the same in every member, ids exactly and JSON text by what it says. */
export function sameOption(left: Option, right: Option): boolean {
  return (
    left.id === right.id &&
    left.canonical_id === right.canonical_id &&
    sameJson(left.description, right.description) &&
    sameExtra(left, right)
  );
}

type JsonField = 'state' | 'instructions' | 'source' | 'metadata' | 'context_provenance';
type Compare = (left: DecisionRecord, right: DecisionRecord) => boolean;

const exactly =
  (field: Exclude<Field, JsonField | 'tags' | 'options' | 'labels' | 'extra'>): Compare =>
  (left, right) =>
    left[field] === right[field];
const meaning =
  (field: JsonField): Compare =>
  (left, right) =>
    sameMaybe(left[field], right[field]);

const same: Record<Field, Compare> = {
  schema_version: exactly('schema_version'),
  base_id: exactly('base_id'),
  group_id: exactly('group_id'),
  dataset: exactly('dataset'),
  split: exactly('split'),
  local_partition: exactly('local_partition'),
  scenario: exactly('scenario'),
  decision_type: exactly('decision_type'),
  tags: (left, right) => sameTexts(left.tags, right.tags),
  state: meaning('state'),
  instructions: meaning('instructions'),
  options: (left, right) =>
    left.options.length === right.options.length &&
    left.options.every((option, index) => sameOption(option, right.options[index]!)),
  gold: exactly('gold'),
  primitive: exactly('primitive'),
  source: meaning('source'),
  metadata: meaning('metadata'),
  context_provenance: meaning('context_provenance'),
  labels: (left, right) => sameTexts(labelTexts(left), labelTexts(right)),
  extra: sameExtra,
};

function sameMaybe(left: JsonText | undefined, right: JsonText | undefined): boolean {
  return left === undefined || right === undefined ? left === right : sameJson(left, right);
}

function sameExtra(left: Pick<Option, 'extra'>, right: Pick<Option, 'extra'>): boolean {
  return sameJson(json.object(left.extra ?? []), json.object(right.extra ?? []));
}

function sameTexts(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
}

function labelTexts({ labels }: DecisionRecord): string[] {
  return Object.entries(labels)
    .map(entry => JSON.stringify(entry))
    .sort();
}

function canonicalIds({ options }: DecisionRecord): string[] {
  return options.map(option => option.canonical_id);
}

function canonicalGold({ options, gold }: DecisionRecord): string | null {
  return options.find(option => option.id === gold)?.canonical_id ?? null;
}
