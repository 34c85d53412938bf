import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldfastError, json, type JsonInput, type MetricValue, type ScoreRow, type Scores } from '@holdfast/core';
import type { ModelSummary } from './score.ts';
import { writeWhole } from './storage.ts';

/** Writes scores.json of a model: the scores, and the summary under `run`. Metrics are keyed by name. */
export async function writeScores(modelFolder: string, scores: Scores, summary: ModelSummary): Promise<void> {
  const { rows, ...head } = scores;
  const text = json.value({
    ...(head as unknown as Record<string, JsonInput>),
    run: summary as unknown as JsonInput,
    rows: rows.map(({ metrics, ...row }) => ({
      ...(row as unknown as Record<string, JsonInput>),
      metrics: new Map(metrics.map(({ name, ...value }) => [name, value as unknown as JsonInput])),
    })),
  });
  // Indented for people: names of ours only, so nothing moves when it is parsed and printed.
  await writeWhole(join(modelFolder, 'scores.json'), `${JSON.stringify(text.lossyValue(), null, 1)}\n`);
}

/** Reads what `writeScores` wrote. Throws SCORE_INVALID where the file is missing or not ours. */
export async function readScores(modelFolder: string): Promise<{ scores: Scores; summary: ModelSummary }> {
  const file = join(modelFolder, 'scores.json');
  type Stored = Omit<Scores, 'rows'> & {
    run: ModelSummary;
    rows: readonly (Omit<ScoreRow, 'metrics'> & { metrics: Record<string, object> })[];
  };
  let stored: Stored;
  try {
    stored = JSON.parse(await readFile(file, 'utf8')) as Stored;
  } catch (error) {
    throw new HoldfastError('SCORE_INVALID', `${file}: cannot be read; run holdfast score on the run folder`, {
      cause: error,
    });
  }
  if (stored.protocol !== 'holdfast-scores/1' || !Array.isArray(stored.rows) || stored.run === undefined) {
    throw new HoldfastError('SCORE_INVALID', `${file}: is not holdfast-scores/1; run holdfast score on the run folder`);
  }
  const { run, rows, ...head } = stored;
  const scores: Scores = {
    ...head,
    rows: rows.map(({ metrics, ...row }) => ({
      ...row,
      metrics: Object.entries(metrics).map(([name, value]) => ({ ...(value as MetricValue), name })),
    })),
  };
  return { scores, summary: run };
}
