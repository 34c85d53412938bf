import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isUtf8 } from 'node:buffer';
import {
  HoldfastError,
  JsonText,
  ORIGINAL,
  RECORD_SCHEMA,
  json,
  readRecord,
  readTree,
  writeRecord,
  type BaseRecord,
  type Dataset,
  type DecisionRecord,
  type FoundFile,
  type GivenRecord,
  type Plugin,
  type Skipped,
} from '@holdfast/core';
import { make, pluginPromises, type Making } from './plugin-promises.ts';
import { holdTo, type Promised } from './promised.ts';

export interface DatasetSetup extends Making {
  /** Where the upstream files are: true lines of upstream, few of them. */
  readonly folder: string;
  /** How a file is broken, where another line that is no JSON does not break it. */
  readonly damage?: (bytes: Buffer, file: FoundFile) => Uint8Array;
}

/** Holds a dataset plugin to its contract, on the files in a folder. */
export function testDataset(plugin: Plugin<'dataset'>, setup: DatasetSetup): void {
  holdTo(`dataset ${plugin.name}`, datasetPromises(plugin, setup));
}

type Item = BaseRecord | GivenRecord | Skipped;

export function datasetPromises(plugin: Plugin<'dataset'>, setup: DatasetSetup): Promised[] {
  const dataset = () => make(plugin, setup);
  const never = new AbortController().signal;
  return [
    ...pluginPromises(plugin, 'dataset', setup),
    { promise: 'says what it is: id, title, licence, homepage and labels', broken: () => infoProblems(dataset()) },
    {
      promise: 'names its files below its folder, each once, with true pins',
      broken: () => upstreamProblems(dataset()),
    },
    {
      promise: 'makes the same units each time: plain data with unique ids, of the files that were found',
      broken: () => unitProblems(dataset(), foundFiles(dataset(), setup.folder)),
    },
    {
      promise: 'reads at least one record, twice the same',
      async broken() {
        const [first, second] = [
          await readAll(dataset(), setup.folder, never),
          await readAll(dataset(), setup.folder, never),
        ];
        if (!first.some(item => !('skipped' in item))) return ['no record was read'];
        const changed = first.findIndex((item, at) => {
          const other = second[at];
          return other === undefined || spell(item, dataset()) !== spell(other, dataset());
        });
        if (changed !== -1) return [`item ${changed} is another one when it is read again`];
        return first.length === second.length ? [] : [`${first.length} items, then ${second.length}`];
      },
    },
    {
      promise: 'gives each record an id of its own',
      async broken() {
        const ids = (await recordsOf(dataset(), setup.folder)).map(({ id }) => id);
        return [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))].map(id => `${id} stands twice`);
      },
    },
    {
      promise: 'gives valid records: 2 to 255 unique options, gold among them, valid JSON text and UTF-8',
      broken: async () => (await recordsOf(dataset(), setup.folder)).flatMap(recordProblems),
    },
    {
      promise: 'shows the answer nowhere: no member named gold or canonical_id in what a model is shown',
      broken: async () => (await recordsOf(dataset(), setup.folder)).flatMap(leaks),
    },
    {
      promise: 'gives a reason and a place with whatever is skipped',
      broken: async () =>
        (await readAll(dataset(), setup.folder, never)).flatMap(item =>
          'skipped' in item && (item.skipped.trim() === '' || item.place.trim() === '')
            ? [`skipped "${item.skipped}" at "${item.place}"`]
            : [],
        ),
    },
    {
      promise: 'reads nothing with an aborted signal, and stops when it aborts',
      broken: () => abortProblems(dataset(), setup.folder),
    },
    {
      promise: 'says in a sentence with the path that a file is missing',
      async broken() {
        const files = foundFiles(dataset(), setup.folder).map(file => ({ ...file, path: `${file.path}.gone` }));
        if (files.length === 0) return [];
        const error = await failureOf(dataset(), files);
        return sentenceProblems(error, files, /does not exist/);
      },
    },
    {
      promise: 'says file and line where a file is malformed',
      broken: () => damageProblems(dataset(), setup),
    },
  ];
}

function foundFiles(dataset: Dataset, folder: string): FoundFile[] {
  return dataset.upstream.map(({ name }) => ({ name, path: resolve(folder, name) }));
}

async function* readItems(dataset: Dataset, files: readonly FoundFile[], signal: AbortSignal): AsyncIterable<Item> {
  for (const unit of dataset.units(files)) yield* dataset.read(unit, signal);
}

async function readAll(dataset: Dataset, folder: string, signal: AbortSignal): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of readItems(dataset, foundFiles(dataset, folder), signal)) items.push(item);
  return items;
}

async function recordsOf(dataset: Dataset, folder: string): Promise<DecisionRecord[]> {
  const items = await readAll(dataset, folder, new AbortController().signal);
  return items.flatMap(item =>
    'skipped' in item ? [] : 'record' in item ? [item.record] : [wholeRecord(item, dataset)],
  );
}

function wholeRecord(base: BaseRecord, { info }: Dataset): DecisionRecord {
  return {
    ...base,
    schema_version: RECORD_SCHEMA,
    id: `${base.base_id}::${ORIGINAL}`,
    dataset: info.id,
    split: 'test',
    local_partition: 'test',
    tags: base.tags ?? [],
    primitive: base.primitive ?? 'choice',
    metadata: base.metadata ?? json.value({}),
    version: ORIGINAL,
    actual_operator: 'clean',
    labels: { ...info.labels, ...base.labels },
  };
}

function spell(item: Item, dataset: Dataset): string {
  if ('skipped' in item) return JSON.stringify([item.skipped, item.place]);
  return writeRecord('record' in item ? item.record : wholeRecord(item, dataset)).toString();
}

function infoProblems({ info }: Dataset): string[] {
  const problems: string[] = [];
  if (!/^[a-z0-9][a-z0-9_.-]*$/.test(info.id)) problems.push(`the id ${JSON.stringify(info.id)} is no plain name`);
  for (const name of ['title', 'license'] as const) if (info[name].trim() === '') problems.push(`${name} is empty`);
  if (info.homepage !== '' && !/^https?:\/\//.test(info.homepage)) problems.push(`homepage ${info.homepage} is no URL`);
  for (const [slice, label] of Object.entries(info.labels)) {
    if (typeof label !== 'string' || label.trim() === '') problems.push(`the label of ${slice} is empty`);
  }
  return problems;
}

function upstreamProblems({ upstream }: Dataset): string[] {
  const names = upstream.map(({ name }) => name);
  return upstream.flatMap(({ name, location = 'upstream', url, bytes, sha256 }, at) => [
    ...(names.indexOf(name) === at ? [] : [`${name} stands twice`]),
    ...(location === 'upstream' && (/^([/\\]|[A-Za-z]:)|\\|(^|\/)\.\.?(\/|$)/.test(name) || name === '')
      ? [`${JSON.stringify(name)} is no path below a folder`]
      : []),
    ...(url === undefined || /^https:\/\//.test(url) ? [] : [`${url} is not https`]),
    ...(sha256 === undefined || /^[0-9a-f]{64}$/.test(sha256) ? [] : [`${sha256} is no SHA-256`]),
    ...(bytes === undefined || (Number.isSafeInteger(bytes) && bytes >= 0) ? [] : [`${bytes} is no number of bytes`]),
  ]);
}

function unitProblems(dataset: Dataset, files: readonly FoundFile[]): string[] {
  const units = dataset.units(files);
  const problems: string[] = [];
  if (units.length === 0) problems.push('there is no unit');
  if (new Set(units.map(({ id }) => id)).size < units.length) problems.push('two units have one id');
  const text = JSON.stringify(units);
  if (JSON.stringify(dataset.units(files)) !== text)
    problems.push('the units are others when they are asked for again');
  if (JSON.stringify(structuredClone(units)) !== text) problems.push('a unit is not plain data');
  const known = new Set(files.map(({ path }) => path));
  for (const unit of units) {
    for (const { path } of unit.files)
      if (!known.has(path)) problems.push(`${unit.id} reads ${path}, which was not found`);
  }
  return problems;
}

function recordProblems(record: DecisionRecord): string[] {
  try {
    const { bytes } = writeRecord(record);
    if (!isUtf8(bytes)) return [`${record.id}: not UTF-8`];
    if (Buffer.from(bytes).includes(0x0a)) return [`${record.id}: a line feed within the record`];
    readRecord(bytes);
    const texts = [record.state, record.instructions, record.source, record.metadata];
    for (const text of [...texts, ...record.options.map(({ description }) => description)]) {
      if (!JsonText.parse(text.bytes).equals(text)) return [`${record.id}: a text has space around it`];
    }
    return [];
  } catch (error) {
    if (!HoldfastError.is(error)) throw error;
    return [`${record.id}: ${error.message}`];
  }
}

const telling = new Set(['gold', 'gold_id', 'gold_label', 'gold_option', 'is_gold', 'canonical_id', 'canonical_gold']);

function leaks({ id, state, instructions, options }: DecisionRecord): string[] {
  return [state, instructions, ...options.map(({ description }) => description)].flatMap(text => {
    // Deeper members are the world's own words.
    const top = text.kind === 'object' ? readTree(text).members : [];
    return top.filter(({ key }) => telling.has(key)).map(({ key }) => `${id}: a model would be shown "${key}"`);
  });
}

async function abortProblems(dataset: Dataset, folder: string): Promise<string[]> {
  const files = foundFiles(dataset, folder);
  const reason = new Error('the reason');
  const problems: string[] = [];
  try {
    const given = readItems(dataset, files, AbortSignal.abort(reason))[Symbol.asyncIterator]();
    const first = await given.next();
    problems.push(
      first.done ? 'with an aborted signal it ends as if all were read' : 'with an aborted signal it reads',
    );
  } catch (error) {
    if (error !== reason) problems.push(`with an aborted signal it throws ${String(error)}, not the signal's reason`);
  }
  const controller = new AbortController();
  let after = -1;
  try {
    for await (const _ of readItems(dataset, files, controller.signal)) {
      after++;
      controller.abort(reason);
    }
  } catch (error) {
    if (error !== reason) problems.push(`it stops with ${String(error)}, not the signal's reason`);
  }
  // What one line of upstream gives may still come.
  if (after > 8) problems.push(`${after} more items came after the signal had aborted`);
  return problems;
}

async function failureOf(dataset: Dataset, files: readonly FoundFile[]): Promise<unknown> {
  try {
    for await (const _ of readItems(dataset, files, new AbortController().signal)) {
      // Read to the end.
    }
  } catch (error) {
    return error;
  }
  return null;
}

function sentenceProblems(error: unknown, files: readonly FoundFile[], told: RegExp): string[] {
  if (error === null) return ['nothing is thrown'];
  if (!HoldfastError.is(error)) return [`what is thrown is no HoldfastError: ${String(error)}`];
  const { code, message } = error;
  return [
    ...(code === 'UPSTREAM_INVALID' || code === 'RECORD_INVALID' ? [] : [`the code is ${code}`]),
    ...(files.some(({ name, path }) => message.includes(name) || message.includes(path))
      ? []
      : [`"${message}" names no file`]),
    ...(told.test(message) ? [] : [`"${message}" does not tell enough: ${told.source}`]),
    ...(message.includes('\n') ? [`"${message}" is more than a line`] : []),
  ];
}

async function damageProblems(dataset: Dataset, { folder, damage }: DatasetSetup): Promise<string[]> {
  const problems: string[] = [];
  const files = foundFiles(dataset, folder);
  const copies = await mkdtemp(join(tmpdir(), 'holdfast-damaged-'));
  try {
    for (const [at, file] of files.entries()) {
      const raw = await readFile(file.path);
      const bytes = raw[0] === 0x1f && raw[1] === 0x8b ? gunzipSync(raw) : raw;
      const text = isUtf8(bytes);
      const path = join(copies, String(at), basename(file.name));
      await mkdir(dirname(path), { recursive: true });
      await writeFile(
        path,
        damage?.(bytes, file) ?? (text ? withBrokenLine(bytes) : bytes.subarray(0, bytes.length >> 1)),
      );
      const error = await failureOf(dataset, files.with(at, { name: file.name, path }));
      const told = text ? /:\d+/ : /./;
      problems.push(...sentenceProblems(error, [{ name: file.name, path }], told).map(each => `${file.name}: ${each}`));
    }
  } finally {
    await rm(copies, { recursive: true });
  }
  return problems;
}

function withBrokenLine(bytes: Buffer): Buffer {
  const end = bytes.at(-1) === 0x0a ? '' : '\n';
  return Buffer.concat([bytes, Buffer.from(`${end}{"broken": NaN, \n`)]);
}
