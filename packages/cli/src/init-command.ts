import { mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { HoldfastError } from '@holdfast/core';
import {
  build,
  compose,
  findPlugins,
  goldValues,
  guessMapping,
  inspectFile,
  loadPlugin,
  parseRecipe,
  recipeText,
  tokens,
  type Guess,
  type InspectedFile,
  type Manifest,
  type Mapping,
  type PlannedOperator,
  type RecipePlan,
  type SaidMapping,
} from '@holdfast/engine';
import { exits } from './exit-code.ts';
import { listenForInterrupts } from './interrupt.ts';
import { plainText } from './plain-text.ts';
import { settleMapping, type Ask } from './settle-mapping.ts';

export interface InitFlags {
  readonly out?: string;
  readonly force?: boolean;
  readonly yes?: boolean;
  readonly state?: readonly string[];
  readonly instructions?: string;
  readonly instructionsText?: string;
  readonly criteria?: string;
  readonly options?: readonly string[];
  readonly gold?: string;
  readonly id?: string;
  readonly group?: string;
  readonly label?: readonly string[];
  readonly skipBadRows?: boolean;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKeyEnv?: string;
}

/** `holdfast init`: looks at a file of labelled decisions and writes a recipe for it that runs as it is. */
export async function initCommand(given: string | undefined, flags: InitFlags): Promise<number> {
  const interrupts = listenForInterrupts(() => {});
  const terminal = openTerminal(interrupts.stop);
  try {
    const path = given ?? (await askForFile(terminal?.ask ?? null));
    const recipeFile = flags.out ?? join(dirname(path), 'recipe.yaml');
    await refuseOverwriting(recipeFile, flags.force ?? false);
    const file = await inspectFile(path, { signal: interrupts.stop });
    const { mapping, guess } = await settle(file, flags, terminal?.ask ?? null, interrupts.stop);
    const plan = await planRecipe(file, { mapping, guess, recipeFile, flags });
    if (process.stderr.isTTY) process.stderr.write(`trying the recipe on ${plainText(path)} …\n`);
    const tried = await tryPlan(plan, { recipeFile, signal: interrupts.stop });
    const operators = plan.operators.map(operator => withFindings(operator, tried));
    const text = recipeText({ ...plan, operators });
    parseRecipe(text, recipeFile);
    await writeBeside(recipeFile, text);
    tell({ ...plan, operators }, tried, recipeFile);
    return exits.done;
  } catch (error) {
    if (interrupts.stop.aborted) return exits.interrupted;
    throw error;
  } finally {
    terminal?.close();
    interrupts.release();
  }
}

/** A way to ask a person; null where nobody is there to answer. */
function openTerminal(signal: AbortSignal): { ask: Ask; close(): void } | null {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return null;
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  // In raw mode Ctrl-C is a key and no signal.
  reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const closed = new AbortController();
  reader.on('close', () => closed.abort());
  return {
    async ask(question) {
      try {
        const answer = await reader.question(`${plainText(question)} `, {
          signal: AbortSignal.any([signal, closed.signal]),
        });
        return answer.trim();
      } catch (error) {
        if (signal.aborted) throw error;
        throw new HoldfastError('RECIPE_INVALID', 'there was no answer; nothing was written');
      }
    },
    close: () => reader.close(),
  };
}

async function askForFile(ask: Ask | null): Promise<string> {
  const answer =
    ask === null ? '' : await ask('Which file holds your labelled decisions (JSONL, JSON, CSV or Parquet)?');
  if (answer !== '') return answer;
  throw new HoldfastError(
    'RECIPE_INVALID',
    'name the file with your labelled decisions: holdfast init FILE (JSONL, a JSON array, CSV or Parquet)',
  );
}

async function refuseOverwriting(recipeFile: string, force: boolean): Promise<void> {
  if (force || (await stat(recipeFile).catch(() => null)) === null) return;
  throw new HoldfastError(
    'RECIPE_INVALID',
    `${recipeFile} exists already; choose another name with --out FILE, or overwrite it with --force`,
    { facts: { file: recipeFile } },
  );
}

/** What is what, with the options of all rows where only the gold values tell them. */
async function settle(
  file: InspectedFile,
  flags: InitFlags,
  ask: Ask | null,
  signal: AbortSignal,
): Promise<{ mapping: Mapping; guess: Guess }> {
  const { label, instructionsText, options, ...rest } = flags;
  const said: SaidMapping = {
    ...rest,
    ...(label === undefined ? {} : { labels: label }),
    ...(instructionsText === undefined ? {} : { instructionsText }),
    ...(options === undefined ? {} : { options }),
  };
  const settled = await settleMapping(file, said, { ask, sure: flags.yes ?? false });
  const guess = guessMapping(file, settled);
  const mapping = guess.mapping!;
  if (mapping.criteria !== null || mapping.options !== null || mapping.questions !== null) return { mapping, guess };
  const values = await goldValues(file, mapping.gold, signal);
  const listed = [...values].map(([value, count]) => `${JSON.stringify(value)} ${count}`).join(', ');
  const assumption =
    `no column lists the options, so they are the ${values.size} values that ${JSON.stringify(mapping.gold)} has in the ` +
    `whole file (${listed}); name others with --options a,b,c or --criteria COLUMN`;
  if (ask !== null && !flags.yes) {
    const answer = await ask(`Assumed: ${assumption}. Go on with these? [Y/n]`);
    if (/^n/i.test(answer)) {
      throw new HoldfastError('RECIPE_INVALID', 'name the options with --options a,b,c or --criteria COLUMN');
    }
  }
  return {
    mapping: { ...mapping, options: [...values.keys()] },
    guess: { ...guess, assumptions: [...guess.assumptions, assumption] },
  };
}

async function planRecipe(
  file: InspectedFile,
  { mapping, guess, recipeFile, flags }: { mapping: Mapping; guess: Guess; recipeFile: string; flags: InitFlags },
): Promise<RecipePlan> {
  const folder = dirname(resolve(recipeFile));
  const installed = (await findPlugins(folder)).filter(({ kind }) => kind === 'perturbation').map(({ name }) => name);
  const operators = ['order', 'label', 'format', 'context', 'paraphrase'];
  return {
    file,
    mapping,
    guess,
    data: `./${relative(folder, resolve(file.path)).split(sep).join('/')}`.replace(/^\.\/(?=\.\.\/)/, ''),
    name: recipeName(file.path),
    operators: operators.filter(name => installed.includes(name)).map(name => ({ name, leftOut: null })),
    server:
      flags.model === undefined
        ? null
        : { model: flags.model, baseUrl: flags.baseUrl ?? null, apiKeyEnv: flags.apiKeyEnv ?? null },
    skipBadRows: flags.skipBadRows ?? false,
  };
}

function recipeName(path: string): string {
  const stem = basename(path).replace(/(?:\.(?:jsonl|ndjson|json|csv|tsv|parquet|txt|gz|zst|zstd))+$/i, '');
  const name = stem
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'my-decisions' : name;
}

/** Versions of at most so many bytes are made when the recipe is tried. */
const TRIED_BYTES = 4 * 1024 * 1024;

interface Tried {
  /** Questions of the whole file. */
  readonly questions: number;
  /** Questions whose versions were made. */
  readonly tried: number;
  readonly skipped: Manifest['datasets'][number]['skipped'];
  readonly inapplicable: ReadonlyMap<string, number>;
}

/** Reads the whole file by the recipe and makes every version of its first questions, aside. Throws as the build does. */
async function tryPlan(
  plan: RecipePlan,
  { recipeFile, signal }: { recipeFile: string; signal: AbortSignal },
): Promise<Tried> {
  const aside = await mkdtemp(join(tmpdir(), 'holdfast-init-'));
  const path = resolve(plan.file.path);
  try {
    const trial = join(aside, 'recipe.yaml');
    await writeFile(trial, recipeText({ ...plan, data: path, server: null }));
    const container = compose();
    const folder = dirname(resolve(recipeFile));
    // Plugins are found as the recipe will find them, from its own folder.
    container.registerInstance(tokens.loadPlugin, (kind, use) => loadPlugin(kind, use, folder));
    const limit = Math.max(2, Math.min(200, Math.floor(TRIED_BYTES / Math.max(1, plan.file.bytesPerRow))));
    const { manifest } = await build({
      recipeFile: trial,
      out: join(aside, 'run'),
      resume: false,
      limit,
      release: false,
      stop: signal,
      abort: signal,
      container,
    });
    const dataset = manifest.datasets[0]!;
    const plugin = /(?:@holdfast\/|holdfast-)perturbation-/;
    return {
      tried: dataset.questions,
      questions: dataset.questions + dataset.not_sampled,
      skipped: dataset.skipped,
      inapplicable: new Map(manifest.operators.map(each => [each.plugin.replace(plugin, ''), each.inapplicable])),
    };
  } catch (error) {
    throw HoldfastError.is(error) ? asTold(error, path, plan.file.path) : error;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

/** The error of a trial as the user can act on it: by the path as given, and by flags where the recipe would be changed. */
function asTold(error: HoldfastError, path: string, given: string): HoldfastError {
  const flag = 'leave such rows out with --skip-bad-rows';
  const sentence = error.message
    .replaceAll(path, given)
    .replace('write on_bad_row: skip', flag)
    .replace('write instructions_text', 'say it for all with --instructions-text TEXT')
    .replace('or write options', 'or say them for all with --options a,b,c');
  const bad = error.facts['bad_row'] === true && !sentence.includes(flag);
  return new HoldfastError(error.code, bad ? `${sentence}; correct it, or ${flag}` : sentence, {
    cause: error,
    facts: error.facts,
  });
}

/** An operator that cannot do most of the questions would take them all out of the scores. */
function withFindings(operator: PlannedOperator, { tried, inapplicable }: Tried): PlannedOperator {
  const cannot = inapplicable.get(operator.name) ?? 0;
  if (cannot * 2 <= tried) return operator;
  return { ...operator, leftOut: `it can make no version of ${cannot} of ${tried} questions` };
}

async function writeBeside(recipeFile: string, text: string): Promise<void> {
  const partial = `${recipeFile}.partial-${process.pid}`;
  try {
    await writeFile(partial, text, { flag: 'wx' });
    await rename(partial, recipeFile);
  } catch (error) {
    await rm(partial, { force: true });
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new HoldfastError(
      'STORAGE_FAILED',
      `${recipeFile} could not be written (${code}); choose another with --out FILE`,
      {
        cause: error,
      },
    );
  }
}

function tell({ file, mapping, guess, operators, server }: RecipePlan, tried: Tried, recipeFile: string): void {
  const say = (line: string) => process.stdout.write(`${plainText(line)}\n`);
  const cells = file.csv === null ? '' : `, cells between ${JSON.stringify(file.csv.delimiter)}`;
  say(
    `${file.path}: ${file.format} (${file.why})${cells}; ${file.rows.length} rows looked at${file.whole ? ', which are all' : ''}`,
  );
  for (const [column, reason] of guess.reasons) say(`  ${JSON.stringify(column)}: ${reason}`);
  const gold = file.columns.find(({ name }) => name === mapping.gold)?.words ?? null;
  if (gold !== null) {
    const most = [...gold].slice(0, 12).map(([value, count]) => `${JSON.stringify(value)} ${count}`);
    say(`  gold in these rows: ${most.join(', ')}${gold.size > 12 ? ` and ${gold.size - 12} more` : ''}`);
  }
  if (mapping.options !== null)
    say(`  options of every row: ${mapping.options.map(option => JSON.stringify(option)).join(', ')}`);
  if (guess.unused.length > 0) {
    const some = guess.unused.slice(0, 12).map(name => JSON.stringify(name));
    say(`  not used: ${some.join(', ')}; make a slice of the report of one with --label COLUMN`);
  }
  for (const assumption of guess.assumptions) say(`ASSUMED: ${assumption}`);
  for (const { name, leftOut } of operators) if (leftOut !== null) say(`left out: ${name}, since ${leftOut}`);
  for (const { reason, count, first } of tried.skipped)
    say(`skipped ${count}: ${reason} (first at ${first.replaceAll(resolve(file.path), file.path)})`);
  say(`tried: ${tried.questions} questions in the whole file, versions made of ${tried.tried} of them`);
  say(`recipe: ${recipeFile}`);
  const key = server === null ? '' : ' (the server needs its key in the environment)';
  say(
    `next: holdfast run ${/^[\w./:@%+=-]+$/.test(recipeFile) ? recipeFile : `'${recipeFile.replaceAll("'", `'\\''`)}'`}${key}`,
  );
}
