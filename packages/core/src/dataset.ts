import type { Labels } from './classification.ts';
import type { JsonText } from './json/json-text.ts';
import type { DecisionRecord, Option, Primitive } from './record.ts';

/** One file of a dataset, with the pin that a download is held to. */
export interface UpstreamFile {
  /** Path below the dataset's folder, with forward slashes. */
  readonly name: string;
  /** `upstream`: below the upstream folder of the dataset. `recipe`: as the user wrote it, from the recipe's folder. */
  readonly location?: 'upstream' | 'recipe';
  readonly url?: string;
  readonly revision?: string;
  readonly bytes?: number;
  readonly sha256?: string;
}

/** A file as it was found: what readers open. */
export interface FoundFile {
  readonly name: string;
  readonly path: string;
}

/** A part of a dataset that can be read on its own, perhaps elsewhere: plain data. */
export interface Unit {
  readonly id: string;
  readonly files: readonly FoundFile[];
  readonly part?: string | number;
}

/** What a dataset plugin makes of one upstream case; the engine adds what is the same for all. */
export interface BaseRecord {
  /** Upstream's own id, made unique where upstream repeats it. */
  readonly base_id: string;
  readonly group_id: string;
  /** Fine-grained names of the source's own. */
  readonly scenario: string;
  readonly decision_type: string;
  readonly tags?: readonly string[];
  readonly state: JsonText;
  readonly instructions: JsonText;
  /** `canonical_id` may equal `id`. */
  readonly options: readonly Option[];
  readonly gold: string;
  readonly primitive?: Primitive;
  readonly source: JsonText;
  readonly metadata?: JsonText;
  /** Labels of this record where they differ from the dataset's. */
  readonly labels?: Labels;
}

/** A case that gives no question, and why. Counted by reason, never silently dropped. */
export interface Skipped {
  readonly skipped: string;
  /** File and line, or upstream's id. */
  readonly place: string;
}

/** A whole record, taken as it is: from files that are in the record format already. */
export interface GivenRecord {
  readonly record: DecisionRecord;
}

export interface DatasetInfo {
  readonly id: string;
  readonly title: string;
  readonly homepage: string;
  /** SPDX identifier, or a sentence where upstream has none. */
  readonly license: string;
  /** The reporting categories of its records. */
  readonly labels: Labels;
}

/**
 * Reads one benchmark. Yields cases in upstream's order, each with a stable id; reading twice gives the same. A
 * malformed line throws RECORD_INVALID or UPSTREAM_INVALID with file, line and column.
 */
export interface Dataset {
  readonly info: DatasetInfo;
  readonly upstream: readonly UpstreamFile[];
  units(files: readonly FoundFile[]): readonly Unit[];
  read(unit: Unit, signal: AbortSignal): AsyncIterable<BaseRecord | GivenRecord | Skipped>;
}
