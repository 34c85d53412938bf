import { z } from 'zod';
import type { Labels } from './classification.ts';
import { HoldfastError } from './error.ts';
import { type JsonText } from './json/json-text.ts';
import { oneLine } from './json/one-line.ts';
import { readItems, readMap } from './json/read.ts';
import { json, type JsonInput } from './json/write.ts';

export const RECORD_SCHEMA = 'jev-choice/1.0';
/** The version that is not perturbed. */
export const ORIGINAL = 'v0_original';

/** One candidate. Only `id` and `description` are ever shown to a model. */
export interface Option {
  readonly id: string;
  /** The same for the same candidate in every version of a question. */
  readonly canonical_id: string;
  /** The description's own JSON text: a string, an object, an array or null. */
  readonly description: JsonText;
  /** Members that Holdfast does not know, in their order. */
  readonly extra?: readonly (readonly [string, JsonText])[];
}

const noteSchema = z.object({
  operation: z.string(),
  seed: z.number(),
  strength: z.number(),
  label_preserving: z.boolean(),
  parent_id: z.string(),
});

/** How a perturbed record came about. `label_preserving` is the intent; `holdfast verify` is the proof. */
export type PerturbationNote = Readonly<z.infer<typeof noteSchema>>;

export type Primitive = 'choice' | 'noul';

/**
 * One decision as one version asks it: `jev-choice/1.0`, named as on disk. `state`, `instructions`, `source`,
 * `metadata` and each description are JSON text exactly as it was read.
 */
export interface DecisionRecord {
  readonly schema_version: typeof RECORD_SCHEMA;
  readonly id: string;
  readonly base_id: string;
  /** The trajectory or task that the question comes from. Questions of one group are not independent. */
  readonly group_id: string;
  readonly dataset: string;
  readonly split: string;
  /** `dev` or `test`, by group. */
  readonly local_partition: string;
  readonly scenario: string;
  readonly decision_type: string;
  readonly tags: readonly string[];
  readonly state: JsonText;
  readonly instructions: JsonText;
  readonly options: readonly Option[];
  /** The right option's `id` in this version. */
  readonly gold: string;
  readonly primitive: Primitive;
  readonly source: JsonText;
  readonly metadata: JsonText;
  readonly version: string;
  readonly actual_operator: string;
  readonly base_record_file?: string;
  /** Present on perturbed records: see `perturbationOf`. */
  readonly perturbation?: JsonText;
  readonly context_provenance?: JsonText;
  /** Reporting labels: a field of ours beside the card's, so that a run can be scored from its records alone. */
  readonly labels: Labels;
  /** Top-level members that Holdfast does not know, in their order: kept and written back. */
  readonly extra?: readonly (readonly [string, JsonText])[];
}

const text = z.string();
const id = z.string().min(1, 'must not be empty');

/** The members that are decoded. Everything else is carried as text. */
const envelopeSchema = z.object({
  schema_version: z.literal(RECORD_SCHEMA).default(RECORD_SCHEMA),
  id,
  base_id: id.optional(),
  group_id: id,
  dataset: id,
  split: text.default('test'),
  local_partition: text.default('test'),
  scenario: text.default(''),
  decision_type: text.default(''),
  tags: z.array(text).default([]),
  gold: id,
  primitive: z.enum(['choice', 'noul']).default('choice'),
  version: id.default(ORIGINAL),
  actual_operator: id.default('clean'),
  base_record_file: text.optional(),
  labels: z.record(text, text).default({}),
});

const decoded = Object.keys(envelopeSchema.shape);
const carried = ['state', 'instructions', 'options', 'source', 'metadata', 'perturbation', 'context_provenance'];
const known = new Set([...decoded, ...carried]);
const optionMembers = new Set(['id', 'canonical_id', 'description']);
const nothing = json.value({});

/**
 * The record in the bytes of one line, checked: required members, 2 to 255 options with unique non-empty ids and
 * canonical ids, gold among them. The state is neither decoded nor copied; where it is that of the record `like`, it is
 * not even scanned. Throws RECORD_INVALID with the member.
 */
export function readRecord(line: Uint8Array, { like }: { readonly like?: DecisionRecord | null } = {}): DecisionRecord {
  const members = readMap(line, like ? { key: 'state', value: like.state } : null);
  const required = (name: string): JsonText => {
    const value = members.get(name);
    if (value === undefined) throw recordInvalid(name, 'is missing');
    return value;
  };
  const parsed = envelopeSchema.safeParse(envelopeOf(members));
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw recordInvalid(issue.path.join('.'), members.has(String(issue.path[0])) ? issue.message : 'is missing');
  }
  const { base_id, base_record_file, ...envelope } = parsed.data;
  const extra = [...members].filter(([key]) => !known.has(key));
  const given = (name: 'perturbation' | 'context_provenance') => {
    const value = members.get(name);
    return value === undefined || value.kind === 'null' ? {} : { [name]: value };
  };
  const record: DecisionRecord = {
    ...envelope,
    base_id: base_id ?? envelope.id,
    state: required('state'),
    instructions: required('instructions'),
    options: readOptions(required('options')),
    source: required('source'),
    metadata: members.get('metadata') ?? nothing,
    ...(base_record_file === undefined ? {} : { base_record_file }),
    ...given('perturbation'),
    ...given('context_provenance'),
    ...(extra.length === 0 ? {} : { extra }),
  };
  checkRecord(record);
  return record;
}

function envelopeOf(members: ReadonlyMap<string, JsonText>): Record<string, unknown> {
  const envelope: Record<string, unknown> = {};
  for (const name of decoded) {
    const value = members.get(name);
    // Published records write null where a field does not apply.
    if (value !== undefined && value.kind !== 'null') envelope[name] = value.lossyValue();
  }
  return envelope;
}

function readOptions(options: JsonText): Option[] {
  if (options.kind !== 'array') throw recordInvalid('options', `must be a list, not ${options.kind}`);
  return readItems(options.bytes).map((item, index) => {
    const place = `options.${index}`;
    if (item.kind !== 'object') throw recordInvalid(place, `must be an object, not ${item.kind}`);
    const members = readMap(item.bytes);
    const name = (key: string): string => {
      const value = members.get(key);
      if (value?.kind !== 'string') throw recordInvalid(`${place}.${key}`, 'must be a string');
      return value.string();
    };
    const description = members.get('description');
    if (description === undefined) throw recordInvalid(`${place}.description`, 'is missing (null is allowed)');
    const extra = [...members].filter(([key]) => !optionMembers.has(key));
    return {
      id: name('id'),
      canonical_id: name('canonical_id'),
      description,
      ...(extra.length === 0 ? {} : { extra }),
    };
  });
}

/** Throws RECORD_INVALID unless the options, the gold and the primitive fit each other. */
export function checkRecord(record: Pick<DecisionRecord, 'options' | 'gold' | 'primitive' | 'instructions'>): void {
  const { options, gold, primitive, instructions } = record;
  if (options.length < 2 || options.length > 255) {
    throw recordInvalid('options', `must hold 2 to 255 candidates, not ${options.length}`);
  }
  for (const field of ['id', 'canonical_id'] as const) {
    const seen = new Set<string>();
    for (const [index, option] of options.entries()) {
      if (option[field] === '') throw recordInvalid(`options.${index}.${field}`, 'must not be empty');
      if (seen.has(option[field])) {
        throw recordInvalid(`options.${index}.${field}`, `repeats ${JSON.stringify(option[field])}`);
      }
      seen.add(option[field]);
    }
  }
  if (!options.some(option => option.id === gold)) {
    throw recordInvalid('gold', `is ${JSON.stringify(gold)}, which is not the id of any option`);
  }
  const ids = options.map(option => option.id).sort();
  if (primitive === 'noul' && (ids.length !== 2 || ids[0] !== 'false' || ids[1] !== 'true')) {
    throw recordInvalid('options', 'of a noul question must be exactly true and false');
  }
  if (!['string', 'object', 'array'].includes(instructions.kind)) {
    throw recordInvalid('instructions', `must be a string, an object or a list, not ${instructions.kind}`);
  }
}

function recordInvalid(place: string, problem: string): HoldfastError {
  return new HoldfastError('RECORD_INVALID', `${place} ${problem}`, { facts: { place, reason: problem } });
}

/** The record as one line of JSON without a line feed: the card's members in the card's order, then what is extra. */
export function writeRecord(record: DecisionRecord): JsonText {
  const { extra = [], options, labels, ...rest } = record;
  const members: [string, JsonInput][] = [];
  for (const name of order) {
    if (name === 'options') members.push([name, options.map(writeOption)]);
    else if (name === 'labels') members.push([name, new Map(Object.entries(labels) as [string, string][])]);
    else if (rest[name] !== undefined) members.push([name, rest[name] as JsonInput]);
  }
  // Upstream files may be indented, and a record stands on one line.
  return oneLine(json.object([...members, ...extra]));
}

const order = [
  'schema_version',
  'id',
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
  'version',
  'actual_operator',
  'base_record_file',
  'perturbation',
  'context_provenance',
  'labels',
] as const;

function writeOption({ id, canonical_id, description, extra = [] }: Option): JsonText {
  return json.object([['id', id], ['canonical_id', canonical_id], ['description', description], ...extra]);
}

/** The provenance of a perturbed record, decoded; null where it has none. Throws RECORD_INVALID where it is malformed. */
export function perturbationOf({ perturbation }: DecisionRecord): PerturbationNote | null {
  if (perturbation === undefined) return null;
  const parsed = noteSchema.safeParse(perturbation.lossyValue());
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw recordInvalid(['perturbation', ...issue.path].join('.'), issue.message);
}

/** The canonical id of the option with this id. Throws SCORE_INVALID where there is none. */
export function canonicalOf(options: readonly Option[], id: string): string {
  const option = options.find(candidate => candidate.id === id);
  if (option === undefined) throw new HoldfastError('SCORE_INVALID', `no option has the id ${JSON.stringify(id)}`);
  return option.canonical_id;
}
