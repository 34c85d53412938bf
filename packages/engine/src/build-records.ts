import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldfastError, JsonText, ORIGINAL, readRecord, writeRecord, type DecisionRecord } from '@holdfast/core';
import { openBytes, readLines } from '@holdfast/kit';
import { DonorIndex, type DonorPlace } from './donor-index.ts';
import { GivenVersions } from './given-versions.ts';
import type { LockedDataset } from './lock-datasets.ts';
import { makeVersion } from './make-version.ts';
import { makeFolder } from './make-folder.ts';
import { MANIFEST_FORMAT, type Manifest } from './manifest.ts';
import { recordId } from './original-record.ts';
import type { PreparedRun } from './prepare.ts';
import { DatasetReading, type DatasetCensus } from './read-dataset.ts';
import type { RunEvent } from './run-event.ts';
import { sha256 } from './sha256.ts';
import { LineWriter, storageFailed, syncFolder, writeWhole, type WrittenLines } from './storage.ts';

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
    await makeFolder(partial);
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

class Build {
  readonly #run: PreparedRun;
  readonly #locked: readonly LockedDataset[];
  readonly #folder: string;
  readonly #options: BuildOptions;
  readonly #baseIds = new Set<string>();
  /** Ids of other forms than ours, which nothing else keeps apart. */
  readonly #foreignIds = new Set<string>();
  readonly #donors: DonorPlace[] = [];
  readonly #datasets: (DatasetCensus & { counts: Counts })[] = [];
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
    const given = await GivenVersions.open(join(this.#folder, 'given.jsonl'));
    try {
      const base = await this.#writeBase(given);
      const versions = given.isEmpty ? [...this.#run.versions] : given.planned(this.#baseIds);
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
      await given.remove();
    }
  }

  async #writeBase(given: GivenVersions): Promise<WrittenLines & { records: number }> {
    const writer = await LineWriter.create(join(this.#folder, 'base.jsonl'));
    let records = 0;
    try {
      for (const locked of this.#locked) {
        const { seed } = this.#run.read.recipe;
        const reading = new DatasetReading(locked, { ...this.#options, seed });
        for await (const record of reading.records()) {
          if (record.version !== ORIGINAL) {
            this.#refuseSecondHand(record);
            this.#claimId(record);
            await given.keep(record);
            continue;
          }
          this.#claim(record);
          this.#claimId(record);
          records++;
          const line = writeRecord(record);
          const { base_id, dataset, group_id } = record;
          this.#donors.push({ base_id, dataset, group_id, offset: writer.offset, length: line.byteLength });
          await writer.add(line);
        }
        const census = reading.census();
        this.#datasets.push({ ...census, counts: new Map() });
        const skipped = census.skipped.reduce((sum, { count }) => sum + count, 0);
        this.#options.onEvent({ type: 'dataset', dataset: census.dataset, questions: census.questions, skipped });
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

  /** One decision is kept for each id: two records of one id would share it. */
  #claimId({ id, base_id, version, dataset }: DecisionRecord): void {
    if (id === recordId(base_id, version)) return;
    if (this.#foreignIds.has(id)) throw idTwice(dataset, id);
    this.#foreignIds.add(id);
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

  /** Operators are for originals: what is perturbed already is taken only as it is. */
  #refuseSecondHand({ dataset, id }: DecisionRecord): void {
    if (this.#run.perturbations.length === 0) return;
    const sentence =
      `dataset ${dataset}: ${id} is already perturbed; remove perturbations from the recipe to take its versions as ` +
      'they are, or set originals_only to make new ones';
    throw new HoldfastError('RECORD_INVALID', sentence);
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
        for (const version of versions) {
          const id = recordId(original.base_id, version);
          const own = version === ORIGINAL && original.id === id;
          if (!own && this.#foreignIds.has(id)) throw idTwice(original.dataset, id);
        }
        await add(ORIGINAL, JsonText.trusted(bytes));
        for (const version of given.isEmpty ? [] : versions.slice(1)) {
          const line = await given.read(original.base_id, version);
          if (line !== null) await add(version, line);
          else this.#missingGiven(original, version);
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

function idTwice(dataset: string, id: string): HoldfastError {
  return new HoldfastError(
    'RECORD_INVALID',
    `dataset ${dataset}: the record id ${id} stands twice; ids must be unique`,
  );
}
