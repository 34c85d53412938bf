import { createHash } from 'node:crypto';
import {
  HoldfastError,
  JsonText,
  ORIGINAL,
  checkRecord,
  json,
  readRecord,
  sameJson,
  writeRecord,
  type Chances,
  type DecisionRecord,
  type Perturbation,
  type Plugin,
  type Version,
  type Writer,
} from '@holdfast/core';
import { assembleVersion } from './assemble-version.ts';
import { frozen } from './frozen.ts';
import { hostileRecords } from './hostile-records.ts';
import { make, pluginPromises, type Making } from './plugin-promises.ts';
import { holdTo, type Promised } from './promised.ts';
import { seededRandom } from './seeded-random.ts';

export interface PerturbationSetup extends Making {
  /** Originals to try beside the hostile records. */
  readonly records?: readonly DecisionRecord[];
  /** For operators that have text written. @default none */
  readonly writer?: Writer;
}

/** Holds a perturbation plugin to its contract, on hostile records and on those of the test. */
export function testPerturbation(plugin: Plugin<'perturbation'>, setup: PerturbationSetup = {}): void {
  holdTo(`perturbation ${plugin.name}`, perturbationPromises(plugin, setup));
}

interface Pair {
  readonly original: DecisionRecord;
  readonly made: DecisionRecord;
  readonly change: Version;
}

export function perturbationPromises(plugin: Plugin<'perturbation'>, setup: PerturbationSetup): Promised[] {
  const records = [...(setup.records ?? []), ...hostileRecords()];
  const operator = () => make(plugin, setup);
  const apply = async (perturbation: Perturbation, record: DecisionRecord) =>
    await perturbation.apply(record, chancesFor(record, records, setup.writer ?? null));
  const pairs = async (perturbation: Perturbation): Promise<Pair[]> => {
    const found: Pair[] = [];
    for (const original of records) {
      const change = await apply(perturbation, original);
      if (change !== null) found.push({ original, change, made: assembleVersion(original, change, perturbation) });
    }
    return found;
  };
  return [
    ...pluginPromises(plugin, 'perturbation', setup),
    {
      promise: 'names its version, its operation and what it expects of a sound model',
      broken: () => nameProblems(operator()),
    },
    {
      promise: 'applies to some record, and is null or a valid record for every one, hostile ones too',
      async broken() {
        const made = await pairs(operator());
        return made.length === 0 ? ['it applies to no record'] : made.flatMap(pair => recordProblems(pair.made));
      },
    },
    {
      promise: 'changes nothing of what it is given',
      async broken() {
        const problems: string[] = [];
        for (const record of records) {
          const before = writeRecord(record).toString();
          try {
            await apply(operator(), frozen(record));
          } catch (error) {
            problems.push(`${record.id}: ${String(error)}`);
          }
          if (writeRecord(record).toString() !== before) problems.push(`${record.id} is another one afterwards`);
        }
        return problems;
      },
    },
    {
      promise: 'makes the same bytes of the same chance, and takes chance and time from nowhere else',
      async broken() {
        const [first, second] = await withoutChance(
          async () => [await pairs(operator()), await pairs(operator())] as const,
        );
        return first.flatMap(({ made }, at) =>
          second[at] !== undefined && writeRecord(made).equals(writeRecord(second[at].made))
            ? []
            : [`${made.id} is another one the second time`],
        );
      },
    },
    {
      promise: 'finds no violation in what it made',
      broken: async () =>
        (await pairs(operator())).flatMap(({ original, made }) =>
          violations(operator(), original, made).map(({ rule, message }) => `${made.id}: ${rule}: ${message}`),
        ),
    },
    {
      promise: 'finds no violation in what it made when it is read back from a file',
      broken: async () =>
        (await pairs(operator())).flatMap(({ original, made }) =>
          violations(operator(), reread(original), reread(made)).map(({ rule }) => `${made.id}: ${rule}`),
        ),
    },
    ...planted.map(({ what, plant }) => ({
      promise: `finds ${what}`,
      async broken() {
        const perturbation = operator();
        return (await pairs(perturbation)).flatMap(pair => {
          const bad = plant(pair, perturbation);
          if (bad === null) return [];
          return violations(perturbation, pair.original, bad).length > 0 ? [] : [`not found in ${pair.made.id}`];
        });
      },
    })),
  ];
}

function chancesFor(record: DecisionRecord, records: readonly DecisionRecord[], writer: Writer | null): Chances {
  return {
    random: seededRandom(record.base_id),
    writer,
    sha256,
    donors: {
      async *of({ group_id }) {
        yield* records.filter(other => other.group_id !== group_id);
      },
    },
  };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function nameProblems({ version, operation, expectation }: Perturbation): string[] {
  return [
    ...(/^[a-z][a-z0-9_]*$/.test(version) && version !== ORIGINAL ? [] : [`the version ${version} is no name of one`]),
    ...(/^[a-z][a-z0-9_]*$/.test(operation) ? [] : [`the operation ${operation} is not in snake_case`]),
    ...(['same_decision', 'flipped'].includes(expectation) ? [] : [`the expectation ${expectation} is unknown`]),
  ];
}

function recordProblems(record: DecisionRecord): string[] {
  try {
    checkRecord(record);
    const line = writeRecord(record);
    return writeRecord(readRecord(line.bytes)).equals(line) ? [] : [`${record.id} is another one when read back`];
  } catch (error) {
    if (!HoldfastError.is(error)) throw error;
    return [`${record.id}: ${error.message}`];
  }
}

function reread(record: DecisionRecord): DecisionRecord {
  return readRecord(Buffer.from(writeRecord(record).bytes));
}

function violations(perturbation: Perturbation, original: DecisionRecord, made: DecisionRecord) {
  return perturbation.check(original, made, { sha256 }).filter(({ severity }) => severity === 'violation');
}

/** Runs `work` while the process's own chance and clock are out of order. */
async function withoutChance<Value>(work: () => Promise<Value>): Promise<Value> {
  const { random } = Math;
  const { now } = Date;
  const refuse = () => {
    throw new Error('a perturbation takes chance and time from its arguments only');
  };
  Math.random = refuse;
  Date.now = refuse;
  try {
    return await work();
  } finally {
    Math.random = random;
    Date.now = now;
  }
}

/** What breaks a version so that its meaning is lost; null where a record gives no way to. */
const planted: readonly { what: string; plant(pair: Pair, perturbation: Perturbation): DecisionRecord | null }[] = [
  {
    what: 'a state with one changed byte',
    plant({ original, made }, { expectation }) {
      if (expectation === 'flipped') return null;
      const state = oneByteOff(made.state);
      return state === null || sameJson(state, original.state) ? null : { ...made, state };
    },
  },
  {
    what: 'changed instructions',
    plant: ({ made, change }, { expectation }) =>
      expectation === 'flipped' || change.instructions !== undefined
        ? null
        : { ...made, instructions: json.array(['Do something else', made.instructions]) },
  },
  {
    what: 'another right answer',
    plant({ original, made }, { expectation }) {
      const canonical = (record: DecisionRecord) => record.options.find(({ id }) => id === record.gold)?.canonical_id;
      const wanted = made.options.find(({ id, canonical_id }) =>
        expectation === 'flipped' ? canonical_id === canonical(original) : id !== made.gold,
      );
      return wanted === undefined ? null : { ...made, gold: wanted.id };
    },
  },
  {
    what: 'a dropped option',
    plant({ made }) {
      const dropped = made.options.findIndex(({ id }) => id !== made.gold);
      return made.options.length < 3 ? null : { ...made, options: made.options.toSpliced(dropped, 1) };
    },
  },
  {
    what: 'a renamed canonical id',
    plant({ made }) {
      const renamed = made.options.findIndex(({ id }) => id !== made.gold);
      const option = made.options[renamed]!;
      return {
        ...made,
        options: made.options.with(renamed, { ...option, canonical_id: `${option.canonical_id} renamed` }),
      };
    },
  },
  {
    what: 'two descriptions that changed places',
    plant({ made }, { expectation }) {
      const [first, ...rest] = made.options;
      const other = rest.findIndex(({ description }) => !sameJson(description, first!.description));
      if (expectation === 'flipped' || other === -1) return null;
      const second = made.options[other + 1]!;
      const options = made.options
        .with(0, { ...first!, description: second.description })
        .with(other + 1, { ...second, description: first!.description });
      return { ...made, options };
    },
  },
  {
    what: 'a wrong hash in the provenance',
    plant({ made }) {
      const note = made.context_provenance?.toString() ?? '';
      const wrong = note.replace(/"[0-9a-f]{64}"/, `"${'0'.repeat(64)}"`);
      return wrong === note ? null : { ...made, context_provenance: JsonText.parse(wrong) };
    },
  },
  {
    what: 'the version of another question',
    plant: ({ made }) => ({ ...made, base_id: `${made.base_id} of another`, group_id: `${made.group_id} of another` }),
  },
];

/** The text with its last letter or digit replaced by another one, so that it is still JSON; null where it has none. */
function oneByteOff(text: JsonText): JsonText | null {
  const bytes = Buffer.from(text.bytes);
  for (let at = bytes.length - 1; at >= 0; at--) {
    const byte = bytes[at]!;
    if (!/[A-Za-z0-9]/.test(String.fromCharCode(byte))) continue;
    const other = Buffer.from(bytes);
    // `A` and `a` are one hexadecimal digit.
    other[at] = byte === 0x31 ? 0x32 : byte < 0x41 ? 0x31 : byte === 0x61 || byte === 0x41 ? 0x62 : 0x61;
    try {
      return JsonText.parse(other);
    } catch {
      // Such as a letter of null.
    }
  }
  return null;
}
