import { join } from 'node:path';
import type { Report, ReportModel, ReportSink } from '@holdfast/core';
import type { RunFile } from './identity.ts';
import type { Manifest } from './manifest.ts';
import type { PreparedRun } from './prepare.ts';
import { readScores } from './scores-file.ts';
import { writeWhole } from './storage.ts';
import { HoldfastError } from '@holdfast/core';

/** Puts a finished run together for reporters, from its files alone. */
export async function makeReport(
  folder: string,
  run: PreparedRun,
  { identity, model_notes }: RunFile,
  manifest: Manifest,
): Promise<Report> {
  const models: ReportModel[] = [];
  for (const model of identity.models) {
    const { scores, summary } = await readScores(join(folder, 'models', model.id));
    const { confidence, caveats } = model_notes.find(note => note.model === model.id)!;
    models.push({ ...model, confidence, caveats, ...summary, scores });
  }
  return {
    protocol: 'holdfast-report/1',
    recipe: identity.recipe,
    seed: identity.seed,
    datasets: manifest.datasets.map(({ dataset, title, origin, license, questions, skipped }) => ({
      id: dataset,
      title,
      origin,
      license,
      questions,
      skipped: skipped.reduce((sum, { count }) => sum + count, 0),
    })),
    versions: manifest.versions,
    slices: run.read.recipe.slices,
    models,
    notes: [...(identity.limit === null ? [] : [limited(identity.limit)]), ...notesOf(manifest)],
  };
}

function limited(limit: number): string {
  return `Only a trial: at most ${limit} questions of each dataset were taken (--limit).`;
}

/** What a reader must know of how the records were made. */
function notesOf({ operators, datasets }: Manifest): string[] {
  const notes: string[] = [];
  for (const { dataset, skipped, not_sampled, questions } of datasets) {
    if (not_sampled > 0) {
      notes.push(`${dataset}: a sample of ${questions} questions; ${not_sampled} more were read and left out.`);
    }
    for (const { reason, count } of skipped)
      notes.push(`${dataset}: ${count} upstream cases gave no question: ${reason}.`);
  }
  for (const { version, operation, inapplicable, violations, warnings } of operators) {
    if (inapplicable > 0) {
      notes.push(
        `${version}: ${operation} does not apply to ${inapplicable} questions; they are left out of all scores.`,
      );
    }
    if (violations > 0) notes.push(`${version}: ${violations} versions break a promise of ${operation}.`);
    if (warnings > 0) notes.push(`${version}: ${warnings} warnings of ${operation}; holdfast verify lists them.`);
  }
  return notes;
}

/** What a run folder holds beside reports. */
const reserved = /^(run\.json|weather\.json|run\.lock.*|records.*|release.*|models)$/i;

/** Lets every reporter of the recipe write into the run folder. Returns the files, in order. */
export async function writeReports(folder: string, run: PreparedRun, report: Report): Promise<string[]> {
  const files: string[] = [];
  const sink: ReportSink = {
    async write(file, text) {
      if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(file)) {
        throw new HoldfastError(
          'PLUGIN_MISFIT',
          `a report may not write to ${JSON.stringify(file)}: a plain file name is needed`,
        );
      }
      if (reserved.test(file)) {
        throw new HoldfastError('RECIPE_INVALID', `a report may not be called ${file}: the run itself needs that name`);
      }
      const path = join(folder, file);
      if (files.includes(path))
        throw new HoldfastError('RECIPE_INVALID', `two reports write ${file}; give one another name`);
      await writeWhole(path, text);
      files.push(path);
    },
  };
  for (const prepared of run.reports) await prepared.create().write(report, sink);
  return files;
}
