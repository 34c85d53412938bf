import type { FetchEvent } from '@holdfast/engine';
import type { SingleBar } from 'cli-progress';
import { plainText } from './plain-text.ts';

/** Shows how far a fetch is. */
export interface FetchProgress {
  show(event: FetchEvent): void;
  stop(): void;
}

const EVERY_MS = 3_000;
/** A wait that is worth a line. */
const LONG_MS = 2_000;

/** JSON lines with `--json`, a bar on a terminal, a plain line every few seconds elsewhere. All but JSON go to stderr. */
export async function createFetchProgress({ json }: { json: boolean }): Promise<FetchProgress> {
  if (json) return everySoOften(event => void process.stdout.write(`${JSON.stringify(event)}\n`));
  return process.stderr.isTTY ? barProgress() : everySoOften(sayPlain);
}

/** Of the steps of one file the first is not told, so that a short one makes no noise. */
function everySoOften(show: (event: FetchEvent) => void): FetchProgress {
  let last = performance.now();
  let name: string | null = null;
  return {
    show(event) {
      if (event.type !== 'fetching') {
        show(event);
        return;
      }
      const now = performance.now();
      if (event.name !== name) {
        name = event.name;
        last = now;
      }
      if (now - last < EVERY_MS) return;
      last = now;
      show(event);
    },
    stop() {},
  };
}

function sayPlain(event: FetchEvent): void {
  const line = lineOf(event);
  if (line !== null) process.stderr.write(`${plainText(line)}\n`);
}

async function barProgress(): Promise<FetchProgress> {
  const { default: cliProgress } = await import('cli-progress');
  const format = '{name} [{bar}] {percentage}% {value}/{total} bytes  {eta_formatted} left';
  let bar: SingleBar | null = null;
  const plain = everySoOften(sayPlain);
  const stop = () => {
    bar?.stop();
    bar = null;
  };
  return {
    show(event) {
      if (event.type === 'fetching' && event.total !== null) {
        if (bar === null) {
          bar = new cliProgress.SingleBar(
            { format, hideCursor: true, stream: process.stderr, clearOnComplete: true, etaBuffer: 500 },
            cliProgress.Presets.shades_classic,
          );
          bar.start(event.total, event.bytes, { name: plainText(event.name) });
        }
        bar.setTotal(event.total);
        bar.update(event.bytes);
        return;
      }
      stop();
      plain.show(event);
    },
    stop,
  };
}

/** The line of a file itself is the command's. */
function lineOf(event: FetchEvent): string | null {
  switch (event.type) {
    case 'fetching':
      return `${event.dataset} ${event.name}: ${event.bytes}${event.total === null ? '' : ` of ${event.total}`} bytes`;
    case 'waiting':
      return event.milliseconds >= LONG_MS
        ? `${event.dataset} ${event.name}: waiting ${Math.round(event.milliseconds / 1_000)} s: ${event.message}`
        : null;
    case 'file':
      return null;
  }
}
