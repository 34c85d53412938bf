import { compose, fetchUpstream, type FetchResult, type UpstreamFileState } from '@holdfast/engine';
import { exits } from './exit-code.ts';
import { createFetchProgress } from './fetch-progress.ts';
import { listenForInterrupts } from './interrupt.ts';
import { plainText } from './plain-text.ts';

export interface FetchFlags {
  readonly offline?: boolean;
  readonly json?: boolean;
}

/** `holdfast fetch`. */
export async function fetchCommand(recipeFile: string, flags: FetchFlags): Promise<number> {
  const { json = false, offline = false } = flags;
  const progress = await createFetchProgress({ json });
  const interrupts = listenForInterrupts(() => {});
  let result: FetchResult;
  try {
    result = await fetchUpstream({
      recipeFile,
      offline,
      signal: interrupts.stop,
      onEvent: event => {
        progress.show(event);
        if (event.type === 'file' && !json) tell(event);
      },
      container: compose(),
    });
  } finally {
    progress.stop();
    interrupts.release();
  }
  if (json) process.stdout.write(`${JSON.stringify({ type: 'result', ...result })}\n`);
  else summarize(result);
  return exitOf(result);
}

function exitOf({ files, interrupted }: FetchResult): number {
  if (interrupted) return exits.interrupted;
  if (files.some(({ error }) => error?.signInRefused)) return exits.signIn;
  return files.some(({ state }) => state === 'failed' || state === 'missing') ? exits.data : exits.done;
}

function tell(file: UpstreamFileState): void {
  const { dataset, name, state, path, url, bytes, sha256, files, error } = file;
  if (error !== null) {
    process.stderr.write(`holdfast: ${plainText(`${dataset} ${name}: ${error.message}`)}\n`);
    return;
  }
  const facts = [
    ...(bytes === null ? [] : [`${bytes} bytes`]),
    ...(sha256 === null ? [] : [`SHA-256 ${sha256}`]),
    ...(files > 1 ? [`${files} files`] : []),
  ];
  const known = [...(url === null ? [] : [`from ${withoutUser(url)}`]), ...facts];
  say(
    state === 'missing'
      ? `missing: ${dataset} ${name}: put it at ${path}${known.length === 0 ? '' : ` (${known.join(', ')})`}`
      : `${state}: ${[`${dataset} ${name}`, ...facts, path].join(', ')}`,
  );
}

function summarize({ files, interrupted }: FetchResult): void {
  const count = (state: UpstreamFileState['state']) => files.filter(file => file.state === state).length;
  if (files.length === 0 && !interrupted) {
    say('nothing to fetch: the recipe reads samples and files of your own');
    return;
  }
  const counts = (['fetched', 'there', 'missing', 'failed'] as const)
    .filter(state => count(state) > 0)
    .map(state => `${count(state)} ${state === 'there' ? 'there already' : state}`);
  if (counts.length > 0) say(counts.join(', '));
  if (interrupted) say('interrupted; what came so far is kept: the same command goes on');
}

/** An address may hold a password before its host. */
function withoutUser(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/?#]*@/, '$1');
}

function say(line: string): void {
  process.stdout.write(`${plainText(line)}\n`);
}
