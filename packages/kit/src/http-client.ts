import { setMaxListeners } from 'node:events';
import { type HoldfastError, JsonText, modelFailed, type FailureFacts } from '@holdfast/core';
import type { Dispatcher } from 'undici';
import { createAgents, type ProxyEnvironment } from './agents.ts';
import { connectionProblem } from './connection-problem.ts';

export type HttpHeaders = readonly (readonly [name: string, value: string])[];

/** An answer whose whole body has been read: of any status. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case, in the order of the answer, repeated ones kept. */
  readonly headers: HttpHeaders;
  readonly body: Buffer;
  /** From the first byte sent to the last byte read, in milliseconds; waiting for a connection is not counted. */
  readonly latencyMs: number;
}

export interface HttpRequest {
  readonly headers: HttpHeaders;
  readonly body: JsonText | Uint8Array;
}

export interface HttpClientOptions {
  /** Connections to one host: what the model's concurrency is. One request at a time goes over each. */
  readonly connections: number;
  /** From the call to the last byte read, in milliseconds. */
  readonly timeoutMs: number;
  /** Most bytes of an answer. @default 16 MiB */
  readonly maxBodyBytes?: number | undefined;
  /** Where HTTP_PROXY, HTTPS_PROXY and NO_PROXY are looked up, in small letters too. @default the process's environment */
  readonly env?: ProxyEnvironment | undefined;
}

/** Sends bodies and reads answers; never retries, follows no redirect, keeps connections alive. */
export interface HttpClient {
  /**
   * Posts once. Resolves with any status. Throws MODEL_FAILED of kind `timeout` or `connection` where no whole answer
   * came, `invalid_answer` where it is too big, `refused` where the request cannot be written; the signal's reason
   * when it aborts.
   */
  post(url: string, request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
  /** Waits for what is in flight and closes the connections. */
  close(): Promise<void>;
}

export function createHttpClient({
  connections,
  timeoutMs,
  maxBodyBytes = 16 * 1024 * 1024,
  env = process.env,
}: HttpClientOptions): HttpClient {
  // The time limit is ours: undici's own are coarse and start over with each byte.
  const options = { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0, connect: { timeout: timeoutMs } };
  const agents = createAgents(env, options);
  return {
    async post(url, request, signal) {
      const target = new URL(url);
      return await new Exchange(target, { signal, timeoutMs, maxBodyBytes }).send(agents.to(target), request);
    },
    close: () => agents.close(),
  };
}

interface Bounds {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
}

/**
 * One request. Written on undici's dispatch, which `request` is made of: that makes no stream for the body, tells when
 * the first byte goes out, and lets go of a request at once that still waits for a connection.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #target: URL;
  readonly #bounds: Bounds;
  #controller: Dispatcher.DispatchController | null = null;
  #timer: NodeJS.Timeout | undefined;
  #resolve!: (response: HttpResponse) => void;
  #reject!: (error: unknown) => void;
  #settled = false;
  #sentAt = 0;
  #status = 0;
  #headers: HttpHeaders = [];
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(target: URL, bounds: Bounds) {
    this.#target = target;
    this.#bounds = bounds;
  }

  send(dispatcher: Dispatcher, { headers, body }: HttpRequest): Promise<HttpResponse> {
    const { signal, timeoutMs } = this.#bounds;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      if (signal.aborted) {
        this.#fail(signal.reason);
        return;
      }
      // Hundreds of requests share a run's signal: that is no leak, so node is not to warn of one.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', this.#onAbort, { once: true });
      this.#timer = setTimeout(() => {
        this.#fail(this.#fault('timeout', `no whole answer within ${timeoutMs} ms`));
      }, timeoutMs);
      const flat = headers.flatMap(([name, value]) => [name, value]);
      // One copy costs less than writing the parts of a body one by one.
      const bytes = JsonText.is(body) ? Buffer.concat(body.parts, body.byteLength) : body;
      const { origin, pathname, search } = this.#target;
      try {
        dispatcher.dispatch({ origin, path: pathname + search, method: 'POST', headers: flat, body: bytes }, this);
      } catch (error) {
        this.#fail(this.#faultOf(error));
      }
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#settled) controller.abort(new Error('no longer wanted'));
    this.#sentAt = performance.now();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status;
    this.#headers = headerPairs(controller.rawHeaders, headers);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length > this.#bounds.maxBodyBytes) {
      const message = `the answer is longer than ${this.#bounds.maxBodyBytes} bytes`;
      this.#fail(this.#fault('invalid_answer', message, { retryable: false }));
    } else {
      this.#chunks.push(chunk);
    }
  }

  onResponseEnd(): void {
    const latencyMs = performance.now() - this.#sentAt;
    if (!this.#settle()) return;
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#length);
    this.#resolve({ status: this.#status, headers: this.#headers, body, latencyMs });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(this.#faultOf(error));
  }

  readonly #onAbort = () => this.#fail(this.#bounds.signal.reason);

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#bounds.signal.removeEventListener('abort', this.#onAbort);
    return true;
  }

  #fail(error: unknown): void {
    if (!this.#settle()) return;
    this.#chunks = [];
    this.#reject(error);
    this.#controller?.abort(error instanceof Error ? error : new Error('aborted', { cause: error }));
  }

  #fault(kind: FailureFacts['kind'], problem: string, { retryable = true, cause }: Fault = {}): HoldfastError {
    const message = `${this.#target.host}: ${problem}`;
    return modelFailed(message, { kind, retryable, ...(this.#status === 0 ? {} : { status: this.#status }) }, cause);
  }

  #faultOf(cause: unknown): HoldfastError {
    const { problem, code, timeout, retryable } = connectionProblem(cause, { answered: this.#status !== 0 });
    if (code === 'UND_ERR_INVALID_ARG') {
      return this.#fault('refused', `the request cannot be sent: ${(cause as Error).message}`, {
        retryable: false,
        cause,
      });
    }
    return this.#fault(timeout ? 'timeout' : 'connection', `${problem} (${code})`, { retryable, cause });
  }
}

interface Fault {
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

function headerPairs(
  raw: Dispatcher.DispatchController['rawHeaders'],
  parsed: Record<string, string | string[] | undefined>,
): HttpHeaders {
  if (Array.isArray(raw)) {
    const text = (at: number) => (typeof raw[at] === 'string' ? raw[at] : (raw[at] as Buffer).toString('latin1'));
    return Array.from({ length: raw.length / 2 }, (_, pair) => [text(2 * pair).toLowerCase(), text(2 * pair + 1)]);
  }
  return Object.entries(parsed).flatMap(([name, value = []]) =>
    [value].flat().map(one => [name.toLowerCase(), one] as const),
  );
}
