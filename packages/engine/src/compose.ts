// Must come before tsyringe, which asks for its metadata functions at load time.
import 'reflect-metadata';
import { container, instanceCachingFactory, type DependencyContainer, type InjectionToken } from 'tsyringe';
import { loadPlugin } from './load-plugin.ts';
import type { RunEvent } from './run-event.ts';

/** Milliseconds that only grow, for intervals, and the time of day, for records of when. */
export interface Clock {
  monotonic(): number;
  now(): Date;
}

/** Waits; rejects with the signal's reason when it aborts. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** What the engine takes from outside. Each can be replaced in a child container; nothing else reaches out. */
export const tokens = {
  clock: Symbol('clock') as InjectionToken<Clock>,
  /** Chance that may differ from run to run: only the jitter of retries. */
  jitter: Symbol('jitter') as InjectionToken<() => number>,
  sleep: Symbol('sleep') as InjectionToken<Sleep>,
  environment: Symbol('environment') as InjectionToken<Readonly<Record<string, string | undefined>>>,
  loadPlugin: Symbol('loadPlugin') as InjectionToken<typeof loadPlugin>,
  /** Told what happens, for progress. Never awaited. */
  listener: Symbol('listener') as InjectionToken<(event: RunEvent) => void>,
} as const;

/** A container with the real outside in it. Register over its tokens to replace parts. */
export function compose(): DependencyContainer {
  const root = container.createChildContainer();
  root.register(tokens.clock, {
    useFactory: instanceCachingFactory(() => ({ monotonic: () => performance.now(), now: () => new Date() })),
  });
  // eslint-disable-next-line no-restricted-properties -- the one place where unseeded chance enters: waits, never results
  root.registerInstance(tokens.jitter, Math.random);
  root.registerInstance(tokens.sleep, sleep);
  root.registerInstance(tokens.environment, process.env);
  root.registerInstance(tokens.loadPlugin, loadPlugin);
  root.registerInstance(tokens.listener, () => {});
  return root;
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}
