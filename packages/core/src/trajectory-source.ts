import type { FoundFile, Unit, UpstreamFile } from './dataset.ts';
import type { JsonText } from './json/json-text.ts';

/** One recorded run of an agent, as its source tells it. */
export interface Trajectory {
  readonly id: string;
  /** The task that it works on: trajectories of one task stay on one side of a split. */
  readonly task_id: string;
  readonly messages: readonly JsonText[];
  readonly tools: readonly JsonText[];
  /** What is known of how it ended, with the evidence. */
  readonly outcome: JsonText | null;
  readonly license: string;
  readonly source: JsonText;
}

/** Reads agent trajectories. The same promises as a Dataset's. */
export interface TrajectorySource {
  readonly info: { readonly id: string; readonly title: string; readonly homepage: string; readonly license: string };
  readonly upstream: readonly UpstreamFile[];
  units(files: readonly FoundFile[]): readonly Unit[];
  read(unit: Unit, signal: AbortSignal): AsyncIterable<Trajectory>;
}
