import { build, compose, tokens, type BuildResult } from '@holdfast/engine';
import { exits } from './exit-code.ts';
import { listenForInterrupts } from './interrupt.ts';
import { plainText } from './plain-text.ts';
import { createProgress } from './progress.ts';
import type { RunFlags } from './run-command.ts';

export interface BuildFlags extends Omit<RunFlags, 'resume'> {
  readonly release?: boolean;
}

/** `holdfast build`. */
export async function buildCommand(recipeFile: string, flags: BuildFlags): Promise<number> {
  const json = flags.json ?? false;
  const progress = await createProgress({ json });
  const interrupts = listenForInterrupts(() => {});
  const container = compose();
  container.registerInstance(tokens.listener, event => progress.show(event));
  try {
    const { folder, manifest, release } = await build({
      recipeFile,
      out: flags.out ?? null,
      resume: false,
      limit: flags.limit ?? null,
      release: flags.release ?? false,
      stop: interrupts.stop,
      abort: interrupts.abort,
      container,
    });
    if (json) process.stdout.write(`${JSON.stringify({ type: 'result', folder, manifest, release })}\n`);
    else tell(folder, manifest, release);
    return exits.done;
  } catch (error) {
    if (interrupts.stop.aborted && error === interrupts.stop.reason) return exits.interrupted;
    throw error;
  } finally {
    progress.stop();
    interrupts.release();
  }
}

function tell(folder: string, manifest: BuildResult['manifest'], release: BuildResult['release']): void {
  const say = (line: string) => process.stdout.write(`${plainText(line)}\n`);
  for (const { dataset, origin, questions, not_sampled, skipped, gold } of manifest.datasets) {
    const left = not_sampled > 0 ? `, ${not_sampled} left out by the sample` : '';
    say(`${dataset} (${origin}): ${questions} questions${left}`);
    for (const { reason, count, first } of skipped) say(`  skipped ${count}: ${reason} (first at ${first})`);
    if (gold !== null) say(`  gold: ${gold.map(({ canonical_id, count }) => `${canonical_id} ${count}`).join(', ')}`);
  }
  for (const { version, operation, inapplicable, violations, warnings } of manifest.operators) {
    say(`${version} (${operation}): ${inapplicable} not applicable, ${violations} violations, ${warnings} warnings`);
  }
  const { bytes, sha256 } = manifest.files['versions.jsonl'];
  say(`${manifest.records} records of ${manifest.questions} questions, ${bytes} bytes, SHA-256 ${sha256}`);
  say(`records: ${folder}/records`);
  if (release !== null) say(`release: ${folder}/release, ${release.shards.length} shards`);
}
