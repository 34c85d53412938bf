import type { z } from 'zod';
import type { Dataset } from './dataset.ts';
import type { Executor } from './executor.ts';
import type { Metric } from './metric.ts';
import type { ModelAdapter } from './model.ts';
import type { Perturbation } from './perturbation.ts';
import type { Reporter } from './reporter.ts';
import type { TrajectorySource } from './trajectory-source.ts';

/** Each kind of plugin and what its `create` gives. */
export interface Instances {
  dataset: Dataset;
  perturbation: Perturbation;
  model: ModelAdapter;
  metric: Metric;
  report: Reporter;
  trajectory: TrajectorySource;
  executor: Executor;
}

export type PluginKind = keyof Instances;

/** What the outside offers a plugin while it is created. */
export interface Services {
  /** An environment variable; secrets are named in `*_env` options and read only through here. */
  env(name: string): string | undefined;
  /** The folder that relative paths in options start from: the recipe's. */
  readonly folder: string;
}

/** A plugin: what describes it, and the way to make an instance. A package default-exports one, or a list. */
export interface Plugin<Kind extends PluginKind = PluginKind, Options = unknown> {
  readonly kind: Kind;
  /** Generation of the contract, so that an engine can refuse what it does not understand. */
  readonly holdfast: 1;
  /** Kebab-case; equal to the part of the package name behind the kind. */
  readonly name: string;
  /** One sentence on what it does. */
  readonly summary: string;
  /** Strict schema of `with`, every option described. Parsed once, before `create`. */
  readonly options: z.ZodType<Options>;
  create(options: Options, services: Services): Instances[Kind];
}

type Definition<Kind extends PluginKind, Options> = Omit<Plugin<Kind, Options>, 'kind' | 'holdfast'>;

function define<Kind extends PluginKind>(kind: Kind) {
  return <Options>(definition: Definition<Kind, Options>): Plugin<Kind, Options> =>
    Object.freeze({ kind, holdfast: 1 as const, ...definition });
}

/** Reads one benchmark, or the user's own decisions. */
export const defineDataset = define('dataset');
/** Applies one change that keeps, or by declaration flips, the right answer. */
export const definePerturbation = define('perturbation');
/** Decides requests by one model. */
export const defineModel = define('model');
/** Scores judged questions. */
export const defineMetric = define('metric');
/** Writes a finished report. */
export const defineReport = define('report');
/** Reads agent trajectories for the corpus. */
export const defineTrajectory = define('trajectory');
/** Spreads work over places. */
export const defineExecutor = define('executor');
