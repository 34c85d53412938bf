import { describe, expect, it } from 'vitest';
import { modelFailed, type FailureFacts } from '@holdfast/core';
import { retry } from './retry.ts';

const fault = (facts: Partial<FailureFacts> = {}) =>
  modelFailed('busy', { kind: 'throttled', retryable: true, ...facts });

function tools(waits: number[], policy = { attempts: 4, backoffMs: 100, maxWaitMs: 1_000 }) {
  return {
    policy,
    monotonic: () => 0,
    jitter: () => 0.5,
    sleep: async (milliseconds: number, signal: AbortSignal) => {
      signal.throwIfAborted();
      waits.push(milliseconds);
    },
    onWait: () => {},
  };
}

const steps = (...outcomes: (Error | string)[]) => {
  let at = 0;
  return async () => {
    const outcome = outcomes[Math.min(at++, outcomes.length - 1)]!;
    if (typeof outcome === 'string') return outcome;
    throw outcome;
  };
};
const never = new AbortController().signal;

describe('retry', () => {
  it('waits twice as long each time, by chance below that, and counts the tries', async () => {
    const waits: number[] = [];
    const outcome = await retry(steps(fault(), fault(), 'ok'), tools(waits), never);
    expect(outcome).toMatchObject({ value: 'ok', attempts: 3 });
    expect(waits).toEqual([50, 100]);
  });

  it('waits as long as the server asks, within bounds', async () => {
    const waits: number[] = [];
    await retry(steps(fault({ retryAfterMs: 700 }), fault({ retryAfterMs: 90_000 }), 'ok'), tools(waits), never);
    expect(waits).toEqual([700, 1_000]);
  });

  it('ends with the last failure after the last attempt', async () => {
    const waits: number[] = [];
    const outcome = await retry(steps(fault()), tools(waits), never);
    expect(outcome).toMatchObject({ attempts: 4, failure: { code: 'MODEL_FAILED' } });
    expect(waits).toHaveLength(3);
  });

  it('does not try again what cannot be mended', async () => {
    const outcome = await retry(steps(fault({ kind: 'refused', retryable: false }), 'ok'), tools([]), never);
    expect(outcome).toMatchObject({ attempts: 1 });
  });

  it('passes on what is no model failure, and an abort during a wait', async () => {
    await expect(retry(steps(new TypeError('a bug')), tools([]), never)).rejects.toThrow('a bug');
    const stop = AbortSignal.abort(new Error('stopped'));
    await expect(retry(steps(fault()), tools([]), stop)).rejects.toThrow('stopped');
  });
});
