import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { exits } from './exit-code.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Runs the command line. Resolves with the exit code. The code of each command is loaded only when it is called. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  let code: number = exits.done;
  const set = (result: number) => {
    code = result;
  };
  const program = new Command('holdfast')
    .description('Does the decision hold? Builds, runs and judges evaluations of decision models.')
    .version(version)
    .exitOverride()
    .configureHelp({ sortSubcommands: false })
    .showHelpAfterError('(holdfast --help lists the commands)');

  const out = ['-o, --out <folder>', 'run folder (default: runs/<recipe>-<time>)'] as const;
  const json = ['--json', 'one JSON object a line on stdout instead of text'] as const;
  const recipe = ['--recipe <file>', 'score by this recipe instead of the one the run was made with'] as const;
  const limit = ['--limit <n>', 'at most this many questions of each dataset', positive] as const;

  program
    .command('init')
    .description('write a recipe for your own labelled decisions')
    .argument('[file]', 'JSONL, JSON array, CSV or Parquet')
    .option('-o, --out <recipe>', 'where to write it (default: recipe.yaml beside the file)')
    .option('--force', 'overwrite the recipe that is there')
    .option('-y, --yes', 'take what is assumed without asking')
    .option('--state <column>', 'what is decided about; several become one object', each)
    .option('--instructions <column>', 'what is asked')
    .option('--instructions-text <text>', 'what is asked, the same for every row')
    .option('--criteria <column>', 'the options of each row')
    .option('--options <ids>', 'the options, the same for every row: a,b,c', listed)
    .option('--gold <column>', 'the right option')
    .option('--id <column>', 'an id that no other row has')
    .option('--group <column>', 'what rows that belong together share')
    .option('--label <column>', 'a slice of the report; may be given several times', each)
    .option('--skip-bad-rows', 'leave out rows that give no question, and count them')
    .option('--model <id>', 'ask a decision server for this model too')
    .option('--base-url <url>', 'its address (default: that of the systemone plugin)')
    .option('--api-key-env <name>', 'environment variable with its key')
    .action(async (file: string | undefined, options) =>
      set(await (await import('./init-command.ts')).initCommand(file, options)),
    );
  program
    .command('run')
    .description('build records, decide, score and report')
    .argument('<recipe>', 'recipe.yaml')
    .option(...out)
    .option('--resume', 'go on with the run in the folder; without --out, with the newest one of this recipe')
    .option(...limit)
    .option(...json)
    .action(async (file: string, options) => set(await (await import('./run-command.ts')).runCommand(file, options)));
  program
    .command('build')
    .description('build the records of a recipe, and stop there')
    .argument('<recipe>', 'recipe.yaml')
    .option(...out)
    .option(...limit)
    .option('--release', 'write the gzip shards to publish, with licences and a dataset card')
    .option(...json)
    .action(async (file: string, options) =>
      set(await (await import('./build-command.ts')).buildCommand(file, options)),
    );
  program
    .command('score')
    .description('score the decisions of a run again, without asking a model')
    .argument('<run>', 'run folder')
    .option(...recipe)
    .option(...json)
    .action(async (run: string, options) => set(await (await import('./score-command.ts')).scoreCommand(run, options)));
  program
    .command('report')
    .description('write the reports of a run again from its scores')
    .argument('<run>', 'run folder')
    .option('--recipe <file>', 'take slices and reports from this recipe; threshold and metrics need holdfast score')
    .option(...json)
    .action(async (run: string, options) =>
      set(await (await import('./score-command.ts')).reportCommand(run, options)),
    );
  program
    .command('verify')
    .description('prove that every perturbed version of a file of records keeps its question')
    .argument('<path>', 'run folder, records folder, release folder or JSONL file')
    .option(...json)
    .action(async (path: string, options) =>
      set(await (await import('./verify-command.ts')).verifyCommand(path, options)),
    );
  program
    .command('fetch')
    .description('download the pinned upstream files of a recipe to the cache')
    .argument('<recipe>', 'recipe.yaml')
    .option('--offline', 'ask nothing: say which file to put where, and which are there')
    .option(...json)
    .action(async (file: string, options) =>
      set(await (await import('./fetch-command.ts')).fetchCommand(file, options)),
    );
  program
    .command('plugins')
    .description('list the plugins that recipes can name')
    .option(...json)
    .action(async options => set(await (await import('./plugins-command.ts')).pluginsCommand(options)));

  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    // Commander has told already; help and version end here too.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exits.done : exits.usage;
    return (await import('./tell-error.ts')).tellError(error);
  }
  return code;
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('a whole number from 1 is needed.');
  return value;
}

function each(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

function listed(text: string): string[] {
  const ids = text.split(',').map(id => id.trim());
  if (ids.length < 2 || ids.includes(''))
    throw new InvalidArgumentError('at least two ids are needed, such as yes,no.');
  return ids;
}
