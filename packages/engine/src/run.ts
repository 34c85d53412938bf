import { join, resolve } from 'node:path';
import { HoldfastError, readRecord, type DecisionRecord, type FailureFacts, type ModelAdapter } from '@holdfast/core';
import { atLine, openBytes, readLines, type ReleaseManifest } from '@holdfast/kit';
import type { DependencyContainer } from 'tsyringe';
import { buildRecords } from './build-records.ts';
import { lockDatasets } from './lock-datasets.ts';
import { compose, tokens } from './compose.ts';
import { decideAll } from './decide.ts';
import { identityOf, readRunFile, refuseOther, writeRunFile, type RunFile } from './identity.ts';
import { Journal } from './journal.ts';
import { lockFolder } from './lock-folder.ts';
import { makeFolder } from './make-folder.ts';
import type { Manifest } from './manifest.ts';
import { createModel, prepare, type PreparedRun } from './prepare.ts';
import { parseRecipe, readRecipe } from './read-recipe.ts';
import { readDecisions } from './read-decisions.ts';
import { recoverJournal } from './recover-journal.ts';
import { makeReport, writeReports } from './report.ts';
import {
  hasDecisions,
  latestRunFolder,
  newRunFolder,
  removeIfEmpty,
  removeUnfinished,
  verifyRecords,
} from './run-folder.ts';
import { scoreModel } from './score.ts';
import { writeScores } from './scores-file.ts';
import { writeRelease } from './write-release.ts';
import { addSession, readWeather, type ModelWeather } from './weather.ts';

export interface RunOptions {
  readonly recipeFile: string;
  /** The run folder; null for a new one below runs/, or with `resume` for the newest there. */
  readonly out: string | null;
  /** Go on with what the folder holds. */
  readonly resume: boolean;
  /** At most this many questions of each dataset. */
  readonly limit: number | null;
  /** Begin nothing more, finish what is in flight. */
  readonly stop: AbortSignal;
  /** Give up what is in flight too. */
  readonly abort: AbortSignal;
  readonly container?: DependencyContainer;
}

/** How it went with one model. */
export interface ModelResult {
  readonly model: string;
  readonly planned: number;
  /** Valid decisions, those of earlier sessions included. */
  readonly decided: number;
  /** Failures among this session's requests that stand. */
  readonly failed: number;
  /** Of each kind of failure, how many, and what the first one said. */
  readonly failures: readonly { readonly kind: string; readonly count: number; readonly first: string }[];
  /** The server's sentence, where it refused the key. */
  readonly signInRefused: string | null;
}

export interface RunResult {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly models: readonly ModelResult[];
  readonly interrupted: boolean;
  readonly reports: readonly string[];
  /** Models none of whose questions count: every one lacks a version or has a failure. */
  readonly unscored: readonly string[];
}

/** The main job: records, decisions, scores, reports. The only place that knows the order of the stages. */
export async function run(options: RunOptions): Promise<RunResult> {
  const container = options.container ?? compose();
  return inFolder(options, container, async ({ folder, prepared, runFile, manifest, adapters }) => {
    const clock = container.resolve(tokens.clock);
    const started_at = clock.now().toISOString();
    if (!options.resume && (await hasDecisions(folder))) {
      const sentence = `${folder} already holds decisions; add --resume to go on with them, or choose another folder with --out`;
      throw new HoldfastError('IDENTITY_MISMATCH', sentence, { facts: { folder } });
    }
    const decided = await decideModels(folder, prepared, manifest, adapters, options, container);
    const interrupted = options.stop.aborted;
    await addSession(folder, {
      started_at,
      ended_at: clock.now().toISOString(),
      interrupted,
      node: process.version,
      platform: `${process.platform}-${process.arch}`,
      recipe_file: resolve(options.recipeFile),
      models: decided.map(({ weather }) => weather),
    });
    const models = decided.map(({ result }) => result);
    if (interrupted) return { folder, manifest, models, interrupted, reports: [], unscored: [] };
    const scored = await scoreAndReport(folder, prepared, runFile, manifest, container);
    return { folder, manifest, models, interrupted, ...scored };
  });
}

export interface BuildResult {
  readonly folder: string;
  readonly manifest: Manifest;
  /** Where one was asked for. */
  readonly release: ReleaseManifest | null;
}

/** Makes the records of a run folder and its run.json, with `release` the shards to publish too, and stops there. */
export async function build(options: RunOptions & { readonly release: boolean }): Promise<BuildResult> {
  const container = options.container ?? compose();
  return inFolder(options, container, async ({ folder, manifest }) => ({
    folder,
    manifest,
    release: options.release ? await writeRelease(folder, manifest) : null,
  }));
}

/** Scores the decisions of a run folder anew, by the given recipe or the one the run was made with; writes reports. */
export async function score(folder: string, recipeFile: string | null, given?: DependencyContainer): Promise<string[]> {
  const container = given ?? compose();
  return withRun(folder, recipeFile, container, async (prepared, runFile, manifest) => {
    const { reports } = await scoreAndReport(folder, prepared, runFile, manifest, container);
    return reports;
  });
}

/** Writes the reports of a run folder from the scores it has. */
export async function report(
  folder: string,
  recipeFile: string | null,
  given?: DependencyContainer,
): Promise<string[]> {
  return withRun(folder, recipeFile, given ?? compose(), async (prepared, runFile, manifest) =>
    writeReports(folder, prepared, await makeReport(folder, prepared, runFile, manifest)),
  );
}

interface Opened {
  readonly folder: string;
  readonly prepared: PreparedRun;
  readonly runFile: RunFile;
  readonly manifest: Manifest;
  readonly adapters: readonly ModelAdapter[];
}

/** Everything before the first request: nothing is written until recipe, plugins, keys and files are found right. */
async function inFolder<Value>(
  options: RunOptions,
  container: DependencyContainer,
  work: (opened: Opened) => Promise<Value>,
): Promise<Value> {
  const environment = container.resolve(tokens.environment);
  const prepared = await prepare(await readRecipe(options.recipeFile), container);
  const { recipe } = prepared.read.recipe;
  const adapters = prepared.models.map(model => createModel(model, prepared.read));
  try {
    const locked = await lockDatasets(prepared, environment);
    const models = prepared.models.map(({ id, loaded }, index) => ({
      id,
      plugin: loaded.name,
      plugin_version: loaded.version,
      identity: adapters[index]!.identity,
    }));
    const identity = identityOf(prepared, locked, models, options.limit);
    const fresh = () => newRunFolder(recipe, container.resolve(tokens.clock).now());
    const folder = options.out ?? (options.resume ? await latestRunFolder(recipe) : fresh());
    const existing = await readRunFile(folder);
    if (existing !== null) refuseOther(folder, existing.identity, identity);
    const unlock = await lockFolder(folder);
    try {
      const onEvent = container.resolve(tokens.listener);
      let runFile = existing;
      let manifest: Manifest;
      if (runFile !== null) {
        manifest = await verifyRecords(folder, runFile);
      } else {
        await removeUnfinished(folder);
        manifest = await buildRecords(prepared, locked, folder, {
          limit: options.limit,
          signal: options.stop,
          onEvent,
        });
        const model_notes = models.map(({ id }, index) => ({
          model: id,
          confidence: adapters[index]!.limits.confidence,
          caveats: adapters[index]!.caveats ?? [],
        }));
        runFile = { identity, model_notes, records: manifest.files, recipe_text: prepared.read.text };
        await writeRunFile(folder, runFile);
      }
      return await work({ folder, prepared, runFile, manifest, adapters });
    } finally {
      await unlock();
      await removeIfEmpty(folder);
    }
  } finally {
    await Promise.all(adapters.map(adapter => adapter.close?.()));
  }
}

/** Opens a run folder that is there already. */
async function withRun<Value>(
  folder: string,
  recipeFile: string | null,
  container: DependencyContainer,
  work: (prepared: PreparedRun, runFile: RunFile, manifest: Manifest) => Promise<Value>,
): Promise<Value> {
  const runFile = await readRunFile(folder);
  if (runFile === null) {
    throw new HoldfastError(
      'RECIPE_INVALID',
      `${folder} is not a run folder: it has no run.json; give the folder of a run`,
    );
  }
  const lastFile = (await readWeather(folder)).sessions.at(-1)?.recipe_file ?? join(folder, 'recipe.yaml');
  const read = recipeFile === null ? parseRecipe(runFile.recipe_text, lastFile) : await readRecipe(recipeFile);
  const prepared = await prepare(read, container);
  const unlock = await lockFolder(folder);
  try {
    return await work(prepared, runFile, await verifyRecords(folder, runFile));
  } finally {
    await unlock();
  }
}

async function scoreAndReport(
  folder: string,
  prepared: PreparedRun,
  runFile: RunFile,
  manifest: Manifest,
  container: DependencyContainer,
): Promise<{ reports: string[]; unscored: string[] }> {
  const unscored: string[] = [];
  const onEvent = container.resolve(tokens.listener);
  const { threshold, missing, slices } = prepared.read.recipe;
  const metrics = prepared.metrics.map(metric => metric.create());
  for (const { id } of runFile.identity.models) {
    const modelFolder = join(folder, 'models', id);
    const options = { model: id, versions: manifest.versions, slices, threshold, missing, metrics };
    const { scores, summary } = await scoreModel(join(folder, 'records'), modelFolder, options);
    await makeFolder(modelFolder);
    await writeScores(modelFolder, scores, summary);
    if (scores.rows[0]!.included === 0) unscored.push(id);
    onEvent({ type: 'scored', model: id });
  }
  const files = await writeReports(folder, prepared, await makeReport(folder, prepared, runFile, manifest));
  for (const file of files) onEvent({ type: 'written', file });
  return { reports: files, unscored };
}

interface Decided {
  readonly result: ModelResult;
  readonly weather: ModelWeather;
}

/** All models at once: each waits for its own server. */
async function decideModels(
  folder: string,
  prepared: PreparedRun,
  manifest: Manifest,
  adapters: readonly ModelAdapter[],
  options: RunOptions,
  container: DependencyContainer,
): Promise<Decided[]> {
  const broken = new AbortController();
  const stop = AbortSignal.any([options.stop, broken.signal]);
  const settled = await Promise.allSettled(
    prepared.models.map(async (model, index) => {
      try {
        return await decideModel(folder, model, adapters[index]!, manifest, { ...options, stop }, container);
      } catch (error) {
        // A full disk or a bug ends the run for all: what they decided so far is in their journals.
        broken.abort(new Error('another model of the run has failed'));
        throw error;
      }
    }),
  );
  const failed = settled.find(outcome => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return settled.map(outcome => (outcome as PromiseFulfilledResult<Decided>).value);
}

async function decideModel(
  folder: string,
  { id, entry }: PreparedRun['models'][number],
  adapter: ModelAdapter,
  manifest: Manifest,
  { stop, abort }: RunOptions,
  container: DependencyContainer,
): Promise<Decided> {
  const onEvent = container.resolve(tokens.listener);
  const { limits } = entry;
  const modelFolder = join(folder, 'models', id);
  await makeFolder(modelFolder);
  const { cut } = await recoverJournal(modelFolder);
  const kept = await keptRecords(join(modelFolder, 'decisions.jsonl'));
  const planned = manifest.records;
  if (kept.size > 0 || cut) onEvent({ type: 'resumed', model: id, kept: kept.size, cut });
  let done = kept.size;
  let failed = 0;
  const tell = () => onEvent({ type: 'decided', model: id, done, planned, failed });
  const journal = await Journal.open(modelFolder, rows => {
    done += rows;
    tell();
  });
  const failures = new Map<string, { count: number; first: string }>();
  const waits = new Map<string, { count: number; milliseconds: number }>();
  const onWait = (milliseconds: number, failure: HoldfastError) => {
    const { status, kind } = failure.facts as FailureFacts;
    const key = String(status ?? kind);
    const before = waits.get(key) ?? { count: 0, milliseconds: 0 };
    waits.set(key, { count: before.count + 1, milliseconds: before.milliseconds + milliseconds });
    onEvent({ type: 'waiting', model: id, milliseconds, message: failure.message });
  };
  const concurrency = limits.concurrency ?? adapter.concurrency ?? 8;
  tell();
  let signInRefused: string | null = null;
  try {
    await decideAll(pendingRecords(join(folder, 'records', 'versions.jsonl'), kept), {
      adapter,
      journal,
      concurrency,
      retries: {
        policy: { attempts: limits.attempts, backoffMs: limits.backoff_ms, maxWaitMs: limits.max_wait_ms },
        monotonic: () => container.resolve(tokens.clock).monotonic(),
        jitter: container.resolve(tokens.jitter),
        sleep: container.resolve(tokens.sleep),
        onWait,
      },
      stop,
      abort,
      onFailed: failure => {
        failed++;
        const { kind } = failure.facts as FailureFacts;
        const before = failures.get(kind);
        failures.set(kind, { count: (before?.count ?? 0) + 1, first: before?.first ?? failure.message });
      },
    });
  } catch (error) {
    if (!isSignInRefusal(error)) throw error;
    signInRefused = error.message;
  } finally {
    await journal.close();
  }
  const weather = [...waits].map(([status, wait]) => ({
    status,
    ...wait,
    milliseconds: Math.round(wait.milliseconds),
  }));
  return {
    result: {
      model: id,
      planned,
      decided: done - failed,
      failed,
      failures: [...failures].map(([kind, failure]) => ({ kind, ...failure })),
      signInRefused,
    },
    weather: { model: id, concurrency, decided: done - kept.size, failed, waits: weather },
  };
}

function isSignInRefusal(error: unknown): error is HoldfastError {
  return HoldfastError.is(error) && error.code === 'MODEL_FAILED' && error.facts['kind'] === 'auth';
}

/** The records that have a valid decision. Failures are tried again. */
async function keptRecords(file: string): Promise<Set<string>> {
  const kept = new Set<string>();
  for await (const { decision } of readDecisions(file)) if (decision.status === 'ok') kept.add(decision.record_id);
  return kept;
}

async function* pendingRecords(file: string, kept: ReadonlySet<string>): AsyncIterable<DecisionRecord> {
  for await (const { bytes, number } of readLines(openBytes(file), { file })) {
    let record: DecisionRecord;
    try {
      record = readRecord(bytes);
    } catch (error) {
      throw atLine(error, { file, line: number });
    }
    if (!kept.has(record.id)) yield record;
  }
}
