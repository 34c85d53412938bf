import { readFile } from 'node:fs/promises';
import { compose, run, tokens, type RunResult } from '@holdfast/engine';
import { exits } from './exit-code.ts';
import { listenForInterrupts } from './interrupt.ts';
import { plainText } from './plain-text.ts';
import { createProgress } from './progress.ts';

export interface RunFlags {
  readonly out?: string;
  readonly resume?: boolean;
  readonly limit?: number;
  readonly json?: boolean;
}

/** `holdfast run`. */
export async function runCommand(recipeFile: string, flags: RunFlags): Promise<number> {
  const json = flags.json ?? false;
  const progress = await createProgress({ json });
  const interrupts = listenForInterrupts(() => {
    process.stderr.write('\nholdfast: finishing what is in flight; Ctrl-C again to give it up\n');
  });
  const container = compose();
  container.registerInstance(tokens.listener, event => progress.show(event));
  let result: RunResult;
  try {
    result = await run({
      recipeFile,
      out: flags.out ?? null,
      resume: flags.resume ?? false,
      limit: flags.limit ?? null,
      stop: interrupts.stop,
      abort: interrupts.abort,
      container,
    });
  } catch (error) {
    // Stopped while building: there is nothing yet to go on with.
    if (interrupts.stop.aborted && error === interrupts.stop.reason) return exits.interrupted;
    throw error;
  } finally {
    progress.stop();
    interrupts.release();
  }
  if (json) process.stdout.write(`${JSON.stringify({ type: 'result', ...withoutManifest(result) })}\n`);
  else await tell(recipeFile, result);
  return exitOf(result);
}

function exitOf({ interrupted, models, unscored }: RunResult): number {
  if (interrupted) return exits.interrupted;
  if (models.some(model => model.signInRefused !== null)) return exits.signIn;
  const open = models.some(model => model.failed > 0 || model.decided < model.planned);
  return open || unscored.length > 0 ? exits.failed : exits.done;
}

async function tell(recipeFile: string, { folder, models, interrupted, reports, unscored }: RunResult): Promise<void> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const resume = `holdfast run ${shellWord(recipeFile)} --out ${shellWord(folder)} --resume`;
  const markdown = reports.find(file => file.endsWith('.md'));
  if (markdown !== undefined) say((await readFile(markdown, 'utf8')).trimEnd());
  say('');
  for (const { model, planned, decided, failed, failures, signInRefused } of models) {
    const open = planned - decided - failed;
    const rest = open > 0 ? `, ${open} not asked` : '';
    say(`${model}: ${decided} of ${planned} decided, ${failed} failed${rest}`);
    for (const { kind, count, first } of failures) say(`  ${kind} ${count}, the first: ${plainText(first)}`);
    if (signInRefused !== null) say(`${model}: the server refused the key: ${plainText(signInRefused)}`);
  }
  for (const model of unscored) {
    say(
      `${model}: no question counts, so there are no scores: each one failed, or lacks a version that an operator could not make`,
    );
  }
  for (const file of reports) say(`report: ${file}`);
  const again = interrupted || models.some(model => model.decided < model.planned);
  if (again) say(`${interrupted ? 'interrupted; ' : ''}to ask what is missing or failed: ${resume}`);
}

function withoutManifest({ manifest: _, ...rest }: RunResult): Omit<RunResult, 'manifest'> {
  return rest;
}

function shellWord(word: string): string {
  return /^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
