import type { Dispatcher } from 'undici';

/** What a request is, and when it is given up. */
export interface AnswerOptions {
  readonly headers: string[];
  readonly signal: AbortSignal;
  /** Longest silence, before the answer and within it. */
  readonly timeoutMs: number;
}

const HIGH_WATER = 1 << 20;

/**
 * The answer to one GET. Written on undici's dispatch: a stream that breaks forgets what it holds, and here the bytes
 * that came before a cut are to be kept. At most about a megabyte waits to be read.
 */
export class HttpAnswer implements Dispatcher.DispatchHandler {
  /** Where it came from. */
  readonly from: URL;
  readonly #signal: AbortSignal;
  #status = 0;
  #headers: Record<string, string | string[] | undefined> = {};
  #controller: Dispatcher.DispatchController | null = null;
  #chunks: Buffer[] = [];
  #waiting = 0;
  #ended = false;
  #failure: { readonly error: unknown } | null = null;
  #wake: () => void = () => {};

  private constructor(from: URL, signal: AbortSignal) {
    this.from = from;
    this.#signal = signal;
  }

  /** Resolves when status and headers are there. Rejects with undici's error, or the signal's reason. */
  static async of(from: URL, dispatcher: Dispatcher, options: AnswerOptions): Promise<HttpAnswer> {
    const { headers, signal, timeoutMs } = options;
    signal.throwIfAborted();
    const answer = new HttpAnswer(from, signal);
    signal.addEventListener('abort', answer.#onAbort, { once: true });
    const { origin, pathname, search } = from;
    const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
    const request = { origin, path: pathname + search, method: 'GET', headers, ...timeouts } as const;
    try {
      dispatcher.dispatch(request, answer);
    } catch (error) {
      answer.#fail(error);
    }
    while (answer.#status === 0 && answer.#failure === null) await answer.#news();
    if (answer.#status === 0) throw answer.#failure!.error;
    return answer;
  }

  get status(): number {
    return this.#status;
  }

  /** The first value of a header, its name in small letters. */
  header(name: string): string | null {
    return [this.#headers[name]].flat()[0] ?? null;
  }

  /** The bytes as they come, to be read once. Throws undici's error after the last byte that came. */
  async *body(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      this.#signal.throwIfAborted();
      const chunk = this.#chunks.shift();
      if (chunk !== undefined) {
        this.#waiting -= chunk.length;
        if (this.#waiting < HIGH_WATER) this.#controller?.resume();
        yield chunk;
      } else if (this.#failure !== null) {
        throw this.#failure.error;
      } else if (this.#ended) {
        return;
      } else {
        await this.#news();
      }
    }
  }

  /** Gives up what has not come yet, and with it the connection. */
  discard(): void {
    if (!this.#ended) this.#fail(new Error('no longer wanted'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure !== null) controller.abort(new Error('no longer wanted'));
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 1xx come before the answer.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#wake();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#waiting += chunk.length;
    if (this.#waiting >= HIGH_WATER) controller.pause();
    this.#wake();
  }

  onResponseEnd(): void {
    this.#ended = true;
    this.#release();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#failure ??= { error };
    this.#release();
  }

  readonly #onAbort = () => this.#fail(this.#signal.reason);

  #fail(error: unknown): void {
    if (this.#failure !== null) return;
    this.#failure = { error };
    this.#controller?.abort(error instanceof Error ? error : new Error('aborted', { cause: error }));
    this.#release();
  }

  #release(): void {
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#wake();
  }

  #news(): Promise<void> {
    return new Promise(resolve => {
      this.#wake = resolve;
    });
  }
}
