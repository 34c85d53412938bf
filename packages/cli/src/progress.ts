import type { RunEvent } from '@holdfast/engine';
import type { MultiBar, SingleBar } from 'cli-progress';
import { plainText } from './plain-text.ts';

/** Shows what a run tells. */
export interface Progress {
  show(event: RunEvent): void;
  stop(): void;
}

const PLAIN_EVERY_MS = 3_000;

/** JSON lines with `--json`, bars on a terminal, a plain line every few seconds elsewhere. All but JSON go to stderr. */
export async function createProgress({ json }: { json: boolean }): Promise<Progress> {
  if (json) return jsonProgress();
  return process.stderr.isTTY ? barProgress() : plainProgress();
}

function jsonProgress(): Progress {
  return { show: event => void process.stdout.write(`${JSON.stringify(event)}\n`), stop() {} };
}

function plainProgress(): Progress {
  const told = new Map<string, number>();
  const say = (line: string) => process.stderr.write(`${plainText(line)}\n`);
  return {
    show(event) {
      if (event.type !== 'decided') {
        const line = lineOf(event);
        if (line !== null) say(line);
        return;
      }
      const now = performance.now();
      const last = event.done === event.planned;
      if (!last && now - (told.get(event.model) ?? -PLAIN_EVERY_MS) < PLAIN_EVERY_MS) return;
      told.set(event.model, now);
      say(`${event.model}: ${event.done} of ${event.planned} decided, ${event.failed} failed`);
    },
    stop() {},
  };
}

async function barProgress(): Promise<Progress> {
  const { default: cliProgress } = await import('cli-progress');
  const format = '{model} [{bar}] {percentage}% {value}/{total}  {failed} failed  {eta_formatted} left';
  const multi: MultiBar = new cliProgress.MultiBar(
    { format, hideCursor: true, stream: process.stderr, etaBuffer: 500 },
    cliProgress.Presets.shades_classic,
  );
  const bars = new Map<string, SingleBar>();
  return {
    show(event) {
      if (event.type === 'decided') {
        const values = { model: plainText(event.model).padEnd(16), failed: event.failed };
        const bar = bars.get(event.model);
        if (bar === undefined) bars.set(event.model, multi.create(event.planned, event.done, values));
        else bar.update(event.done, values);
        return;
      }
      const line = lineOf(event);
      if (line !== null) multi.log(`${plainText(line)}\n`);
    },
    stop: () => multi.stop(),
  };
}

function lineOf(event: Exclude<RunEvent, { type: 'decided' }>): string | null {
  switch (event.type) {
    case 'dataset':
      return `${event.dataset}: ${event.questions} questions${event.skipped > 0 ? `, ${event.skipped} cases skipped` : ''}`;
    case 'built':
      return `built ${event.records} records of ${event.questions} questions`;
    case 'resumed':
      return `${event.model}: going on after ${event.kept} decisions${event.cut ? '; an unfinished last line was cut' : ''}`;
    case 'waiting':
      return event.milliseconds >= 5_000
        ? `${event.model}: waiting ${Math.round(event.milliseconds / 1_000)} s: ${event.message}`
        : null;
    case 'scored':
    case 'written':
      return null;
  }
}
