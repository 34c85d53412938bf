import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import {
  HoldfastError,
  ORIGINAL,
  canonicalOf,
  readRecord,
  writeRecord,
  JsonText,
  type BaseRecord,
  type DecisionRecord,
  type FoundFile,
  type GivenRecord,
} from '@holdfast/core';
import { openBytes, readLines } from '@holdfast/kit';
import { DonorIndex, type DonorPlace } from './donor-index.ts';
import { findUpstream, lockDataset, type DatasetLock, type FoundDataset } from './find-upstream.ts';
import { MANIFEST_FORMAT, type Manifest } from './manifest.ts';
import { makeVersion } from './make-version.ts';
import { originalRecord, type OriginalContext } from './original-record.ts';
import type { PreparedRun } from './prepare.ts';
import type { RunEvent } from './run-event.ts';
import { sample } from './sample.ts';
import { sha256 } from './sha256.ts';
import { LineWriter, storageFailed, syncFolder, writeWhole, type WrittenLines } from './storage.ts';
import { cacheRoot } from './upstream-cache.ts';

/** A dataset of the recipe with its files found and hashed. */
export interface LockedDataset {
  readonly prepared: PreparedRun['datasets'][number];
  readonly dataset: ReturnType<PreparedRun['datasets'][number]['create']>;
  readonly found: FoundDataset;
  readonly lock: DatasetLock;
}

/** Finds and hashes the files of every dataset. Throws UPSTREAM_INVALID or HASH_MISMATCH. */
export async function lockDatasets(
  run: PreparedRun,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<LockedDataset[]> {
  const locked: LockedDataset[] = [];
  for (const prepared of run.datasets) {
    const dataset = prepared.create();
    const found = findUpstream(dataset, prepared.entry, {
      recipeFile: run.read.file,
      recipeFolder: run.folder,
      pluginFolder: prepared.loaded.folder,
      upstreamFolder: environment['HOLDFAST_UPSTREAM'],
      cache: cacheRoot(environment),
    });
    locked.push({ prepared, dataset, found, lock: await lockDataset(dataset, found) });
  }
  return locked;
}

export interface BuildOptions {
  /** Take at most this many questions of each dataset, the first in upstream's order; null for all. */
  readonly limit: number | null;
  readonly signal: AbortSignal;
  readonly onEvent: (event: RunEvent) => void;
}

/**
 * Builds `records/` in the run folder: base.jsonl, versions.jsonl (the versions of a question side by side, v0 first)
 * and manifest.json. The same recipe, seed and files give the same bytes. The folder appears when it is whole.
 */
export async function buildRecords(
  run: PreparedRun,
  locked: readonly LockedDataset[],
  folder: string,
  options: BuildOptions,
): Promise<Manifest> {
  const target = join(folder, 'records');
  const partial = join(folder, `records.partial-${process.pid}`);
  try {
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial, { recursive: true });
  } catch (error) {
    throw storageFailed(error, partial);
  }
  try {
    const manifest = await new Build(run, locked, partial, options).records();
    await writeWhole(join(partial, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    await rename(partial, target).catch((error: unknown) => {
      throw storageFailed(error, target);
    });
    await syncFolder(folder);
    options.onEvent({ type: 'built', questions: manifest.questions, records: manifest.records });
    return manifest;
  } finally {
    await rm(partial, { recursive: true, force: true }).catch(() => {});
  }
}

type Counts = Map<string, number>;
type DatasetReport = Manifest['datasets'][number];

/** Where the versions that a file already had are kept until their question's turn. */
interface GivenVersions {
  readonly handle: FileHandle;
  readonly places: Map<string, Map<string, { offset: number; length: number }>>;
  readonly versions: Set<string>;
  end: number;
}

class Build {
  readonly #run: PreparedRun;
  readonly #locked: readonly LockedDataset[];
  readonly #folder: string;
  readonly #options: BuildOptions;
  readonly #baseIds = new Set<string>();
  readonly #donors: DonorPlace[] = [];
  readonly #datasets: (DatasetReport & { counts: Counts })[] = [];
  readonly #operators: Manifest['operators'];

  constructor(run: PreparedRun, locked: readonly LockedDataset[], folder: string, options: BuildOptions) {
    this.#run = run;
    this.#locked = locked;
    this.#folder = folder;
    this.#options = options;
    this.#operators = run.perturbations.map(({ instance, loaded }) => ({
      version: instance.version,
      operation: instance.operation,
      plugin: loaded.name,
      plugin_version: loaded.version,
      seed: run.read.recipe.seed,
      inapplicable: 0,
      violations: 0,
      warnings: 0,
    }));
  }

  async records(): Promise<Manifest> {
    const { recipe } = this.#run.read;
    const given: GivenVersions = {
      handle: await open(join(this.#folder, 'given.jsonl'), 'wx+'),
      places: new Map(),
      versions: new Set(),
      end: 0,
    };
    try {
      const base = await this.#writeBase(given);
      const versions = this.#plannedVersions(given);
      const written = await this.#writeVersions(given, versions);
      return {
        format: MANIFEST_FORMAT,
        recipe: recipe.recipe,
        seed: recipe.seed,
        questions: base.records,
        records: written.records,
        versions,
        datasets: this.#datasets.map(({ counts, ...dataset }) => ({
          ...dataset,
          versions: [...counts].map(([version, records]) => ({ version, records })),
        })),
        operators: this.#operators,
        files: { 'base.jsonl': base, 'versions.jsonl': written },
      };
    } finally {
      await given.handle.close();
      await rm(join(this.#folder, 'given.jsonl'), { force: true });
    }
  }

  async #writeBase(given: GivenVersions): Promise<WrittenLines & { records: number }> {
    const writer = await LineWriter.create(join(this.#folder, 'base.jsonl'));
    let records = 0;
    try {
      for (const locked of this.#locked) {
        const report = await this.#readDataset(locked, given, async record => {
          this.#claim(record);
          records++;
          const line = writeRecord(record);
          const { base_id, dataset, group_id } = record;
          this.#donors.push({ base_id, dataset, group_id, offset: writer.offset, length: line.byteLength });
          await writer.add(line);
        });
        this.#datasets.push(report);
        const skipped = report.skipped.reduce((sum, { count }) => sum + count, 0);
        this.#options.onEvent({ type: 'dataset', dataset: report.dataset, questions: report.questions, skipped });
      }
    } catch (error) {
      await writer.abandon();
      throw error;
    }
    const written = await writer.finish();
    if (records > 0) return { ...written, records };
    const names = this.#locked.map(({ dataset }) => dataset.info.id).join(', ');
    throw new HoldfastError(
      'UPSTREAM_INVALID',
      `no question came from ${names}; look at the files, or at what was skipped`,
    );
  }

  #claim({ base_id, dataset }: DecisionRecord): void {
    if (this.#baseIds.has(base_id)) {
      throw new HoldfastError(
        'RECORD_INVALID',
        `dataset ${dataset}: the base id ${base_id} stands twice; ids must be unique`,
      );
    }
    this.#baseIds.add(base_id);
  }

  async #readDataset(
    locked: LockedDataset,
    given: GivenVersions,
    keep: (record: DecisionRecord) => Promise<void>,
  ): Promise<DatasetReport & { counts: Counts }> {
    const { dataset, found, lock, prepared } = locked;
    const { seed } = this.#run.read.recipe;
    const { entry } = prepared;
    const context: OriginalContext = { dataset, labels: entry.labels, seed };
    const chosen = await this.#choose(locked, context);
    const skips = new Map<string, { count: number; first: string }>();
    const gold: Counts = new Map();
    let fixed: string | null = null;
    let questions = 0;
    let notSampled = 0;
    for await (const item of this.#items(dataset, found.files)) {
      if ('skipped' in item) {
        const skip = skips.get(item.skipped);
        if (skip === undefined) skips.set(item.skipped, { count: 1, first: item.place });
        else skip.count++;
        continue;
      }
      const record = toRecord(item, context);
      if (chosen !== null && !chosen.has(record.base_id)) {
        if (record.version === ORIGINAL) notSampled++;
        continue;
      }
      if (record.version !== ORIGINAL) {
        await this.#keepGiven(record, given);
        continue;
      }
      questions++;
      const right = canonicalOf(record.options, record.gold);
      gold.set(right, (gold.get(right) ?? 0) + 1);
      const labels = JSON.stringify(record.options.map(option => option.canonical_id).sort());
      fixed = fixed === null || fixed === labels ? labels : '';
      await keep(record);
    }
    const counts: Counts = new Map();
    return {
      dataset: dataset.info.id,
      title: dataset.info.title,
      license: dataset.info.license,
      origin: found.origin,
      questions,
      not_sampled: notSampled,
      skipped: [...skips].map(([reason, skip]) => ({ reason, ...skip })),
      gold: fixed === '' ? null : [...gold].sort().map(([canonical_id, count]) => ({ canonical_id, count })),
      versions: [],
      files: [...lock.files],
      counts,
    };
  }

  /** The base ids that a sample or a limit takes; null for all. Reads the dataset once more. */
  async #choose({ dataset, found, prepared }: LockedDataset, context: OriginalContext): Promise<Set<string> | null> {
    const { sample: wanted } = prepared.entry;
    const { limit } = this.#options;
    if (wanted === null && limit === null) return null;
    const items: { base_id: string; stratum: string }[] = [];
    for await (const item of this.#items(dataset, found.files)) {
      if ('skipped' in item) continue;
      const record = toRecord(item, context);
      if (record.version !== ORIGINAL) continue;
      items.push({ base_id: record.base_id, stratum: canonicalOf(record.options, record.gold) });
      if (wanted === null && items.length === limit) break;
    }
    const chosen =
      wanted === null
        ? new Set(items.map(({ base_id }) => base_id))
        : sample(items, {
            seed: context.seed,
            dataset: dataset.info.id,
            size: wanted.size,
            stratify: wanted.by === 'gold',
          });
    if (limit === null || chosen.size <= limit) return chosen;
    return new Set(
      items
        .map(({ base_id }) => base_id)
        .filter(id => chosen.has(id))
        .slice(0, limit),
    );
  }

  async *#items(dataset: LockedDataset['dataset'], files: readonly FoundFile[]) {
    for (const unit of dataset.units(files)) {
      for await (const item of dataset.read(unit, this.#options.signal)) {
        this.#options.signal.throwIfAborted();
        yield item;
      }
    }
  }

  async #keepGiven(record: DecisionRecord, given: GivenVersions): Promise<void> {
    if (this.#run.perturbations.length > 0) {
      const sentence =
        `dataset ${record.dataset}: ${record.id} is already perturbed; remove perturbations from the recipe to take its ` +
        `versions as they are, or set originals_only to make new ones`;
      throw new HoldfastError('RECORD_INVALID', sentence);
    }
    const { base_id, version } = record;
    let places = given.places.get(base_id);
    if (places === undefined) given.places.set(base_id, (places = new Map()));
    if (places.has(version)) {
      throw new HoldfastError('RECORD_INVALID', `dataset ${record.dataset}: ${base_id} has two versions ${version}`);
    }
    const { bytes } = writeRecord(record);
    await given.handle.write(bytes, 0, bytes.byteLength, given.end);
    places.set(version, { offset: given.end, length: bytes.byteLength });
    given.versions.add(version);
    given.end += bytes.byteLength;
  }

  #plannedVersions({ versions, places }: GivenVersions): string[] {
    for (const base_id of places.keys()) {
      if (this.#baseIds.has(base_id)) continue;
      throw new HoldfastError('RECORD_INVALID', `question ${base_id} has perturbed versions but no ${ORIGINAL}`);
    }
    if (versions.size === 0) return [...this.#run.versions];
    return [ORIGINAL, ...[...versions].sort()];
  }

  async #writeVersions(given: GivenVersions, versions: readonly string[]): Promise<WrittenLines & { records: number }> {
    const base = join(this.#folder, 'base.jsonl');
    const writer = await LineWriter.create(join(this.#folder, 'versions.jsonl'));
    const { seed } = this.#run.read.recipe;
    const donors = await DonorIndex.open(base, this.#donors.splice(0), seed);
    // Questions lie in the order of the recipe's datasets: their counts tell whose each one is.
    const owners = this.#datasets.flatMap(({ counts, questions }) =>
      questions > 0 ? [{ counts, left: questions }] : [],
    );
    let records = 0;
    const add = async (version: string, line: JsonText) => {
      const { counts } = owners[0]!;
      counts.set(version, (counts.get(version) ?? 0) + 1);
      records++;
      await writer.add(line);
    };
    try {
      for await (const { bytes } of readLines(openBytes(base, this.#options), { file: base })) {
        const original = readRecord(bytes);
        await add(ORIGINAL, JsonText.trusted(bytes));
        const places = given.places.get(original.base_id);
        for (const version of versions.slice(1)) {
          const place = places?.get(version);
          if (place !== undefined) await add(version, await readPlace(given.handle, place));
          else if (given.versions.size > 0) this.#missingGiven(original, version);
        }
        for (const [index, { instance }] of this.#run.perturbations.entries()) {
          const made = await makeVersion(original, instance, { seed, donors });
          if (made === null) this.#operators[index]!.inapplicable++;
          else if (this.#passes(index, original, made)) await add(made.version, writeRecord(made));
        }
        if (--owners[0]!.left === 0) owners.shift();
      }
      this.#refuseGaps();
    } catch (error) {
      await writer.abandon();
      throw error;
    } finally {
      await donors.close();
    }
    return { ...(await writer.finish()), records };
  }

  /** Whether a version is to be written. Counts what its operator's check found. */
  #passes(index: number, original: DecisionRecord, made: DecisionRecord): boolean {
    const { instance } = this.#run.perturbations[index]!;
    const operator = this.#operators[index]!;
    const found = instance.check(original, made, { sha256 });
    operator.warnings += found.filter(({ severity }) => severity === 'warning').length;
    const violation = found.find(({ severity }) => severity === 'violation');
    if (violation === undefined) return true;
    operator.violations++;
    const policy = this.#run.read.recipe.on_violation;
    if (policy !== 'fail') return policy === 'keep';
    const remedy = 'correct the operator, or write on_violation: drop or keep';
    throw new HoldfastError('RECORD_INVALID', `${made.id} breaks ${violation.rule}: ${violation.message}; ${remedy}`);
  }

  #missingGiven({ base_id, dataset }: DecisionRecord, version: string): void {
    if (this.#run.read.recipe.inapplicable === 'exclude_question') return;
    const remedy = 'complete the file, or write inapplicable: exclude_question';
    throw new HoldfastError('RECORD_INVALID', `dataset ${dataset}: question ${base_id} has no ${version}; ${remedy}`);
  }

  #refuseGaps(): void {
    if (this.#run.read.recipe.inapplicable === 'exclude_question') return;
    for (const { version, operation, inapplicable } of this.#operators) {
      if (inapplicable === 0) continue;
      const remedy =
        'remove the operator, or write inapplicable: exclude_question to leave those questions out of scores';
      throw new HoldfastError(
        'RECORD_INVALID',
        `${operation} could make no ${version} of ${inapplicable} questions; ${remedy}`,
      );
    }
  }
}

function toRecord(item: BaseRecord | GivenRecord, context: OriginalContext): DecisionRecord {
  if ('record' in item) {
    const { labels } = context.dataset.info;
    return { ...item.record, labels: { ...labels, ...item.record.labels, ...context.labels } };
  }
  try {
    return originalRecord(item, context);
  } catch (error) {
    if (!HoldfastError.is(error)) throw error;
    const sentence = `dataset ${context.dataset.info.id}, case ${item.base_id}: ${error.message}`;
    throw new HoldfastError(error.code, sentence, { cause: error, facts: error.facts });
  }
}

async function readPlace(
  handle: FileHandle,
  { offset, length }: { offset: number; length: number },
): Promise<JsonText> {
  const bytes = Buffer.allocUnsafe(length);
  await handle.read(bytes, 0, length, offset);
  return JsonText.trusted(bytes);
}
