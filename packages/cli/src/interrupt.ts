/** The two signals of Ctrl-C: the first stops sending, the second gives up what is in flight. */
export interface Interrupts {
  readonly stop: AbortSignal;
  readonly abort: AbortSignal;
  /** Gives the keys back to the system. */
  release(): void;
}

/** Listens for SIGINT and SIGTERM. `onFirst` tells the user what is going on. */
export function listenForInterrupts(onFirst: () => void): Interrupts {
  const stop = new AbortController();
  const abort = new AbortController();
  const onSignal = () => {
    if (stop.signal.aborted) {
      abort.abort(new Error('interrupted twice'));
      // What is committed stays; what is in flight is asked again on resume.
      process.exit(130);
    }
    stop.abort(new Error('interrupted'));
    onFirst();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    stop: stop.signal,
    abort: abort.signal,
    release() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
