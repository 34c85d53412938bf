import { HoldfastError, type FailureFacts } from '@holdfast/core';
import type { Sleep } from './compose.ts';

/** How a request is tried again. */
export interface RetryPolicy {
  /** Tries in all. */
  readonly attempts: number;
  /** The first wait is below this, the next below twice this, … */
  readonly backoffMs: number;
  /** No single wait is longer, whatever the server asks for. */
  readonly maxWaitMs: number;
}

/** What came of the tries: a value, or the last failure. */
export type Outcome<Value> = { readonly attempts: number; readonly latencyMs: number } & (
  { readonly value: Value } | { readonly failure: HoldfastError }
);

export interface RetryTools {
  readonly policy: RetryPolicy;
  readonly monotonic: () => number;
  readonly jitter: () => number;
  readonly sleep: Sleep;
  /** Told of each wait. */
  readonly onWait: (milliseconds: number, failure: HoldfastError) => void;
}

/**
 * Tries until there is a value, a failure that no second try can mend, or the last attempt: exponential backoff with
 * full jitter, or the server's Retry-After where it names one, bounded. Rethrows whatever is not MODEL_FAILED; an
 * abort of `stop` ends a wait with the signal's reason.
 */
export async function retry<Value>(
  attempt: () => Promise<Value>,
  { policy, monotonic, jitter, sleep, onWait }: RetryTools,
  stop: AbortSignal,
): Promise<Outcome<Value>> {
  for (let attempts = 1; ; attempts++) {
    const started = monotonic();
    try {
      const value = await attempt();
      return { value, attempts, latencyMs: monotonic() - started };
    } catch (error) {
      if (!HoldfastError.is(error) || error.code !== 'MODEL_FAILED') throw error;
      const latencyMs = monotonic() - started;
      const { retryable, retryAfterMs } = error.facts as FailureFacts;
      if (!retryable || attempts >= policy.attempts) return { failure: error, attempts, latencyMs };
      const backoff = jitter() * policy.backoffMs * 2 ** (attempts - 1);
      const wait = Math.min(policy.maxWaitMs, retryAfterMs ?? backoff);
      onWait(wait, error);
      await sleep(wait, stop);
    }
  }
}
