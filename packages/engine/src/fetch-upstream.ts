import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDynamicPattern } from 'tinyglobby';
import { HoldfastError, type ErrorCode, type UpstreamFile } from '@holdfast/core';
import { download, hashFile } from '@holdfast/kit';
import type { DependencyContainer } from 'tsyringe';
import { compose, tokens } from './compose.ts';
import { expand, isThere } from './find-upstream.ts';
import { hubAuthorization } from './hub-authorization.ts';
import { prepare } from './prepare.ts';
import { readRecipe } from './read-recipe.ts';
import { cachePath, cacheRoot, cacheFolder } from './upstream-cache.ts';

/** How it stands with one file of a dataset. */
export interface UpstreamFileState {
  readonly dataset: string;
  /** As the dataset names it: may be a pattern. */
  readonly name: string;
  /** `there`: before this call. `missing`: not asked for, since it is to be put there by hand. */
  readonly state: 'fetched' | 'there' | 'missing' | 'failed';
  /** Where it is or is to be; null where its name can be no path in the cache. */
  readonly path: string | null;
  /** Where upstream has it; null where the dataset does not say. */
  readonly url: string | null;
  /** Of the file that is there, or else of the pin; null where unknown, and for a pattern the sum. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  /** How many files a pattern found. */
  readonly files: number;
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly signInRefused: boolean } | null;
}

/** What a fetch tells while it goes on. */
export type FetchEvent =
  | {
      readonly type: 'fetching';
      readonly dataset: string;
      readonly name: string;
      readonly bytes: number;
      readonly total: number | null;
    }
  | {
      readonly type: 'waiting';
      readonly dataset: string;
      readonly name: string;
      readonly milliseconds: number;
      readonly message: string;
    }
  | ({ readonly type: 'file' } & UpstreamFileState);

export interface FetchOptions {
  readonly recipeFile: string;
  /** Ask nothing: say only what is there and what is to be put where. */
  readonly offline: boolean;
  readonly signal: AbortSignal;
  readonly onEvent: (event: FetchEvent) => void;
  readonly container?: DependencyContainer;
}

export interface FetchResult {
  readonly files: readonly UpstreamFileState[];
  readonly interrupted: boolean;
}

/**
 * Brings every upstream file of a recipe to the cache, where builds find it. A file that cannot be had does not keep
 * others from coming: its state says why. Throws what is wrong with the recipe, STORAGE_FAILED and RUN_LOCKED.
 */
export async function fetchUpstream(options: FetchOptions): Promise<FetchResult> {
  const { recipeFile, signal, onEvent } = options;
  const container = options.container ?? compose();
  const run = await prepare(await readRecipe(recipeFile), container);
  const fetch = new Fetch(options, container);
  const files: UpstreamFileState[] = [];
  const seen = new Set<string>();
  try {
    for (const prepared of run.datasets) {
      if (prepared.entry.from !== 'upstream') continue;
      const { info, upstream } = prepared.create();
      for (const file of upstream) {
        const key = JSON.stringify([info.id, file.name, file.revision, file.sha256]);
        if (file.location === 'recipe' || seen.has(key)) continue;
        seen.add(key);
        const state = await fetch.file(info.id, file);
        files.push(state);
        onEvent({ type: 'file', ...state });
      }
    }
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
    return { files, interrupted: true };
  }
  return { files, interrupted: false };
}

/** Errors that say nothing of the other files. */
const ofOneFile: ReadonlySet<ErrorCode> = new Set(['UPSTREAM_INVALID', 'HASH_MISMATCH']);

class Fetch {
  readonly #options: FetchOptions;
  readonly #container: DependencyContainer;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #cache: string;

  constructor(options: FetchOptions, container: DependencyContainer) {
    this.#options = options;
    this.#container = container;
    this.#environment = container.resolve(tokens.environment);
    this.#cache = cacheRoot(this.#environment);
  }

  async file(id: string, file: UpstreamFile): Promise<UpstreamFileState> {
    const own = this.#environment['HOLDFAST_UPSTREAM'];
    const ownFolder = own === undefined ? null : resolve(own, id);
    const cached = cachePath(this.#cache, id, file);
    const path = (ownFolder === null ? null : expand(file, ownFolder)[0]!.path) ?? cached;
    const blank: UpstreamFileState = {
      dataset: id,
      name: file.name,
      state: 'missing',
      path,
      url: file.url ?? null,
      bytes: file.bytes ?? null,
      sha256: file.sha256 ?? null,
      files: 0,
      error: null,
    };
    try {
      const inOwn = expand(file, ownFolder).filter(isThere);
      if (inOwn.length > 0) return await this.#there(blank, file, inOwn);
      if (cached === null) throw nameRefused(id, file);
      const asked = file.url !== undefined && !isDynamicPattern(file.name) && !this.#options.offline;
      // A file of the cache that is not the pinned one is fetched again.
      if (asked) return await this.#download(blank, file.url, cached);
      const inCache = expand(file, cacheFolder(this.#cache, id, file)).filter(isThere);
      return inCache.length > 0 ? await this.#there({ ...blank, path: cached }, file, inCache) : blank;
    } catch (error) {
      if (!HoldfastError.is(error) || !ofOneFile.has(error.code)) throw error;
      const { code, message, facts } = error;
      return { ...blank, state: 'failed', error: { code, message, signInRefused: facts['kind'] === 'auth' } };
    }
  }

  async #there(
    blank: UpstreamFileState,
    { name, sha256 }: UpstreamFile,
    found: readonly { name: string; path: string }[],
  ): Promise<UpstreamFileState> {
    const [{ path, name: foundName }] = found as [(typeof found)[number]];
    if (foundName !== name || found.length > 1) {
      const bytes = found.reduce((sum, file) => sum + statSync(file.path).size, 0);
      return { ...blank, state: 'there', bytes, files: found.length };
    }
    const identity = await hashFile(path, { signal: this.#options.signal });
    if (sha256 !== undefined && identity.sha256 !== sha256) {
      const sentence = `${path} is not the pinned file: its SHA-256 is ${identity.sha256}, not ${sha256}; remove it and fetch again`;
      throw new HoldfastError('HASH_MISMATCH', sentence, { facts: { file: path, expected: sha256, actual: identity } });
    }
    return { ...blank, state: 'there', path, ...identity, files: 1 };
  }

  async #download(blank: UpstreamFileState, url: string, to: string): Promise<UpstreamFileState> {
    const { dataset, name } = blank;
    const { signal, onEvent } = this.#options;
    const clock = this.#container.resolve(tokens.clock);
    const { fetched, ...identity } = await download({
      url,
      to,
      bytes: blank.bytes ?? undefined,
      sha256: blank.sha256 ?? undefined,
      headers: hubAuthorization(url, this.#environment['HF_TOKEN']),
      signal,
      env: this.#environment,
      onProgress: ({ bytes, total }) => onEvent({ type: 'fetching', dataset, name, bytes, total }),
      onWait: (milliseconds, { message }) => onEvent({ type: 'waiting', dataset, name, milliseconds, message }),
      sleep: this.#container.resolve(tokens.sleep),
      jitter: this.#container.resolve(tokens.jitter),
      now: () => clock.now().getTime(),
    });
    return { ...blank, state: fetched ? 'fetched' : 'there', path: to, ...identity, files: 1 };
  }
}

function nameRefused(id: string, { name }: UpstreamFile): HoldfastError {
  const sentence = `dataset ${id}: ${name} is no name below the folder of a dataset; correct the name, or write from: with the folder it is in`;
  return new HoldfastError('UPSTREAM_INVALID', sentence, { facts: { dataset: id, name } });
}
