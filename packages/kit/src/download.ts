import { stat } from 'node:fs/promises';
import { HoldfastError } from '@holdfast/core';
import { createAgents, type Agents, type ProxyEnvironment } from './agents.ts';
import { downloadFailed, shownUrl, type DownloadFacts } from './download-failed.ts';
import { hashFile, type FileHash } from './hash-file.ts';
import type { HttpHeaders } from './http-client.ts';
import type { HttpAnswer } from './http-answer.ts';
import { connectionFailed, httpGet } from './http-get.ts';
import { PartialFile } from './partial-file.ts';
import { refusedDownload } from './refused-download.ts';

export interface DownloadOptions {
  readonly url: string;
  /** Where the file is to stand. Its folder is made. */
  readonly to: string;
  /** The pin: a file of another length is refused. */
  readonly bytes?: number | undefined;
  /** The pin, in lower-case hexadecimal. */
  readonly sha256?: string | undefined;
  /** Sent along. An Authorization header goes to the host of `url` only. */
  readonly headers?: HttpHeaders | undefined;
  readonly signal: AbortSignal;
  /** Told after each piece. `total` is null where nobody knows it. */
  readonly onProgress?: ((progress: { readonly bytes: number; readonly total: number | null }) => void) | undefined;
  /** Told of each wait before another try. */
  readonly onWait?: ((milliseconds: number, failure: HoldfastError) => void) | undefined;
  /** @default the process's environment */
  readonly env?: ProxyEnvironment | undefined;
  /** Longest silence of the server, in milliseconds. @default 60 000 */
  readonly timeoutMs?: number | undefined;
  /** Waits; rejects with the signal's reason when it aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Chance from 0 to 1 that spreads the waits. */
  readonly jitter: () => number;
  /** Milliseconds since 1970, which a Retry-After date is held against. */
  readonly now: () => number;
}

export interface Downloaded extends FileHash {
  /** False where the file was there already: then nothing was asked. */
  readonly fetched: boolean;
}

/** Tries in a row that bring less than PROGRESS. */
const TRIES = 6;
const PROGRESS = 1 << 20;
const BACKOFF_MS = 1_000;
/** No single wait is longer, whatever the server asks for. */
const LONGEST_WAIT_MS = 300_000;

/**
 * Downloads one file, whole or not at all: what came so far stands in `<to>.partial`, and the next call goes on from
 * there. A file that is there and matches its pin is not asked for. Throws UPSTREAM_INVALID where the server does not
 * give the file, HASH_MISMATCH where it gives another one (the partial is removed), STORAGE_FAILED, RUN_LOCKED where
 * another process fetches the same file, and the signal's reason when it aborts; in these the partial stays.
 */
export async function download(options: DownloadOptions): Promise<Downloaded> {
  const before = await alreadyThere(options);
  if (before !== null) return { ...before, fetched: false };
  const target = webAddress(options.url);
  const timeoutMs = options.timeoutMs ?? 60_000;
  const agents = createAgents(options.env ?? process.env, { connect: { timeout: timeoutMs } });
  const partial = await PartialFile.open(options.to, options.signal);
  try {
    // Another process may have ended between the first look and the lock.
    const meanwhile = await alreadyThere(options);
    if (meanwhile !== null) return { ...meanwhile, fetched: false };
    const identity = await new Download(target, partial, { ...options, agents, timeoutMs }).run();
    return { ...identity, fetched: true };
  } finally {
    await agents.destroy();
    await partial.close();
  }
}

async function alreadyThere({ to, bytes, sha256, signal }: DownloadOptions): Promise<FileHash | null> {
  const found = await stat(to).catch(() => null);
  if (found === null || (found.isFile() && bytes !== undefined && found.size !== bytes)) return null;
  const identity = await hashFile(to, { signal });
  return sha256 === undefined || identity.sha256 === sha256 ? identity : null;
}

function webAddress(url: string): URL {
  const target = URL.canParse(url) ? new URL(url) : null;
  if (target !== null && /^https?:$/.test(target.protocol) && target.username === '' && target.password === '') {
    return target;
  }
  const shown = target === null ? 'the address' : shownUrl(target);
  throw new HoldfastError('UPSTREAM_INVALID', `${shown}: is no http or https address without a user name; correct it`);
}

interface Tools extends DownloadOptions {
  readonly agents: Agents;
  readonly timeoutMs: number;
}

class Download {
  readonly #target: URL;
  readonly #partial: PartialFile;
  readonly #options: Tools;
  /** Whether the bytes are of more than one answer. */
  #joined: boolean;
  #mistrusted = false;

  constructor(target: URL, partial: PartialFile, options: Tools) {
    this.#target = target;
    this.#partial = partial;
    this.#options = options;
    this.#joined = partial.bytes > 0;
  }

  async run(): Promise<FileHash> {
    const { signal, sleep, jitter, onWait } = this.#options;
    let furthest = this.#partial.bytes;
    for (let tries = 1; ; tries++) {
      try {
        if (!this.#isWhole()) await this.#ask();
        const identity = await this.#checked();
        await this.#partial.finish();
        return identity;
      } catch (error) {
        if (!HoldfastError.is(error) || error.facts['retryable'] !== true) throw error;
        if (this.#partial.bytes >= furthest + PROGRESS) {
          furthest = this.#partial.bytes;
          tries = 1;
        }
        if (tries >= TRIES) throw error;
        const backoff = jitter() * BACKOFF_MS * 2 ** tries;
        const wait = Math.min(LONGEST_WAIT_MS, (error.facts as DownloadFacts).retryAfterMs ?? backoff);
        onWait?.(wait, error);
        await sleep(wait, signal);
      }
    }
  }

  /** A process may have been killed between the last byte and the end. */
  #isWhole(): boolean {
    const { bytes, sha256 } = this.#options;
    const trusted = sha256 !== undefined || this.#validator() !== null;
    return trusted && this.#partial.bytes > 0 && this.#partial.bytes === bytes;
  }

  async #ask(): Promise<void> {
    if (!this.#mayGoOn()) await this.#partial.startOver(null);
    const answer = await httpGet(this.#target, { ...this.#options, headers: this.#headers() });
    try {
      const total = await this.#begin(answer);
      await this.#take(answer, total);
    } catch (error) {
      answer.discard();
      throw error;
    }
  }

  /** Whether what is there can be of the same file: the hash will tell, or the server does. */
  #mayGoOn(): boolean {
    const { sha256, bytes } = this.#options;
    if (bytes !== undefined && this.#partial.bytes >= bytes) return false;
    return sha256 !== undefined || this.#validator() !== null;
  }

  #validator(): string | null {
    const { origin } = this.#partial;
    return origin?.url === this.#options.url ? origin.validator : null;
  }

  #headers(): HttpHeaders {
    // Bytes are wanted as they are: hashes are of the file, not of its encoding.
    const headers: [string, string][] = [...(this.#options.headers ?? [])].map(([name, value]) => [name, value]);
    headers.push(['accept-encoding', 'identity'], ['user-agent', 'holdfast']);
    if (this.#partial.bytes > 0) {
      headers.push(['range', `bytes=${this.#partial.bytes}-`]);
      const validator = this.#validator();
      if (validator !== null) headers.push(['if-range', validator]);
    }
    return headers;
  }

  /** Makes the partial ready for the body. Resolves with the length of the whole file, where the answer says it. */
  async #begin(answer: HttpAnswer): Promise<number | null> {
    const { url, bytes = null } = this.#options;
    if (answer.status === 206) {
      const range = contentRange(answer);
      const fits = range?.from === this.#partial.bytes && (range.total ?? bytes) === (bytes ?? range.total);
      if (fits && !this.#isOther(answer)) {
        this.#joined ||= range.from > 0;
        return range.total ?? bytes;
      }
      await this.#partial.startOver(null);
      throw this.#failed('the server sent another part than was asked for', { retryable: true, status: 206 });
    }
    if (answer.status === 416 && this.#partial.bytes > 0) {
      await this.#partial.startOver(null);
      throw this.#failed('the server has no more than is there already (416)', { retryable: true, status: 416 });
    }
    if (answer.status !== 200) throw this.#refused(answer);
    this.#joined = false;
    const encoding = answer.header('content-encoding') ?? 'identity';
    if (encoding !== 'identity' && this.#options.sha256 === undefined) {
      throw this.#failed(`the server sends it encoded (${encoding}), so that its bytes are not the file's`);
    }
    const length = Number(answer.header('content-length') ?? Number.NaN);
    const total = Number.isSafeInteger(length) ? length : null;
    if (total !== null && bytes !== null && total !== bytes) {
      throw await this.#wrong(`is ${total} bytes long, not ${bytes}`);
    }
    await this.#partial.startOver({ url, validator: validatorOf(answer) });
    return total ?? bytes;
  }

  /** Whether a server that ignores If-Range sends the rest of another file. */
  #isOther(answer: HttpAnswer): boolean {
    const before = this.#validator();
    const now = validatorOf(answer);
    return before?.startsWith('"') === true && now?.startsWith('"') === true && before !== now;
  }

  async #take(answer: HttpAnswer, total: number | null): Promise<void> {
    const { signal, onProgress, bytes: pinned } = this.#options;
    onProgress?.({ bytes: this.#partial.bytes, total });
    try {
      for await (const chunk of answer.body()) {
        if (pinned !== undefined && this.#partial.bytes + chunk.length > pinned) {
          throw await this.#wrong(`is longer than ${pinned} bytes`);
        }
        await this.#partial.append(chunk);
        onProgress?.({ bytes: this.#partial.bytes, total });
      }
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw HoldfastError.is(error) ? error : connectionFailed(answer.from, error, { answered: true });
    }
    if (total === null || this.#partial.bytes >= total) return;
    // A chunked answer that ends as it should is the whole file; others may have been cut without a sign.
    if (answer.status !== 200 || answer.header('transfer-encoding') === null) {
      throw this.#failed(`the answer ended after ${this.#partial.bytes} of ${total} bytes`, { retryable: true });
    }
  }

  /** What is there, held to the pin. */
  async #checked(): Promise<FileHash> {
    const { bytes, sha256 } = this.#options;
    const identity = this.#partial.identity();
    const problem =
      bytes !== undefined && identity.bytes !== bytes
        ? `is ${identity.bytes} bytes long, not ${bytes}`
        : sha256 !== undefined && identity.sha256 !== sha256
          ? `has the SHA-256 ${identity.sha256}, not ${sha256}`
          : null;
    if (problem === null) return identity;
    throw await this.#wrong(problem, identity);
  }

  /** The error of a file that is not the pinned one, which is dropped. */
  async #wrong(problem: string, actual: Partial<FileHash> = {}): Promise<HoldfastError> {
    // What was there may have been damaged or of another file: then a fresh one is right.
    if (this.#joined && !this.#mistrusted) {
      this.#mistrusted = true;
      await this.#partial.startOver(null);
      return this.#failed(`with what was there already, it ${problem}`, { retryable: true, retryAfterMs: 0 });
    }
    await this.#partial.discard();
    const { bytes, sha256, to } = this.#options;
    const url = shownUrl(this.#target);
    const remedy = `it was removed: put the pinned file at ${to} by hand, or correct the pin`;
    return new HoldfastError('HASH_MISMATCH', `${url}: not the pinned file, it ${problem}; ${remedy}`, {
      facts: { url, file: to, expected: { bytes, sha256 }, actual },
    });
  }

  #refused(answer: HttpAnswer): HoldfastError {
    const { to, headers = [], now } = this.#options;
    const signedIn = headers.some(([name]) => name.toLowerCase() === 'authorization');
    return refusedDownload(answer, { target: this.#target, to, signedIn, now: now() });
  }

  #failed(problem: string, facts: DownloadFacts = {}): HoldfastError {
    return downloadFailed(this.#target, problem, facts);
  }
}

/** What tells this state of a file from others, for If-Range: which takes no weak ETag. */
function validatorOf(answer: HttpAnswer): string | null {
  const etag = answer.header('etag');
  return etag?.startsWith('"') === true ? etag : answer.header('last-modified');
}

function contentRange(answer: HttpAnswer): { from: number; total: number | null } | null {
  const match = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(answer.header('content-range')?.trim() ?? '');
  return match === null ? null : { from: Number(match[1]), total: match[2] === '*' ? null : Number(match[2]) };
}
