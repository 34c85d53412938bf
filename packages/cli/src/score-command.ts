import { compose, report, score, tokens } from '@holdfast/engine';
import { exits } from './exit-code.ts';
import { createProgress } from './progress.ts';

export interface ScoreFlags {
  readonly recipe?: string;
  readonly json?: boolean;
}

/** `holdfast score`. */
export async function scoreCommand(folder: string, flags: ScoreFlags): Promise<number> {
  return rewrite(score, folder, flags);
}

/** `holdfast report`. */
export async function reportCommand(folder: string, flags: ScoreFlags): Promise<number> {
  return rewrite(report, folder, flags);
}

async function rewrite(stage: typeof score, folder: string, flags: ScoreFlags): Promise<number> {
  const json = flags.json ?? false;
  const progress = await createProgress({ json });
  const container = compose();
  container.registerInstance(tokens.listener, event => progress.show(event));
  try {
    const reports = await stage(folder, flags.recipe ?? null, container);
    if (json) process.stdout.write(`${JSON.stringify({ type: 'result', folder, reports })}\n`);
    else for (const file of reports) process.stdout.write(`report: ${file}\n`);
    return exits.done;
  } finally {
    progress.stop();
  }
}
