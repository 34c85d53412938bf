import type { Scores } from './score.ts';

/** What a report says of one source. */
export interface ReportDataset {
  readonly id: string;
  readonly title: string;
  /** Where the files came from: real upstream files, rows written for this project, or the user's own. */
  readonly origin: 'upstream' | 'sample' | 'own';
  readonly license: string;
  readonly questions: number;
  readonly skipped: number;
}

/** What a report says of one model. */
export interface ReportModel {
  readonly id: string;
  readonly plugin: string;
  readonly plugin_version: string;
  /** What was asked for and with which options: never a secret. */
  readonly identity: Readonly<Record<string, unknown>>;
  /** Model ids that servers said they used, in order of first use by plan. More than one is shown as a change. */
  readonly served_models: readonly string[];
  /** How often the served model was another than for the record before, in the order of the plan. */
  readonly served_model_changes: number;
  readonly confidence: 'provided' | 'none';
  /** What a reader must know of the numbers, in the plugin's own words. */
  readonly caveats: readonly string[];
  readonly failures: readonly { readonly kind: string; readonly count: number }[];
  readonly decisions: number;
  readonly planned: number;
  readonly scores: Scores;
}

/** A finished run as reporters see it: plain, read-only, with no clock in it. */
export interface Report {
  readonly protocol: 'holdfast-report/1';
  readonly recipe: string;
  readonly seed: number;
  readonly datasets: readonly ReportDataset[];
  readonly versions: readonly string[];
  readonly slices: readonly string[];
  readonly models: readonly ReportModel[];
  /** Versions that an operator could not make, and violations that were kept or dropped, by version. */
  readonly notes: readonly string[];
}

/** Where a reporter writes: the engine puts the file into the run folder as a whole or not at all. */
export interface ReportSink {
  write(file: string, text: string): Promise<void>;
}
