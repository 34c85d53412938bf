import {
  HoldfastError,
  ORIGINAL,
  canonicalOf,
  type BaseRecord,
  type DecisionRecord,
  type GivenRecord,
  type Skipped,
} from '@holdfast/core';
import type { LockedDataset } from './lock-datasets.ts';
import type { Manifest } from './manifest.ts';
import { originalRecord, type OriginalContext } from './original-record.ts';
import { sample } from './sample.ts';

export interface ReadOptions {
  readonly seed: number;
  /** Take at most this many questions, the first in upstream's order; null for all. */
  readonly limit: number | null;
  readonly signal: AbortSignal;
}

/** What the manifest says of a dataset, but for the versions that are made later. */
export type DatasetCensus = Omit<Manifest['datasets'][number], 'versions'>;

/** One reading of a dataset: its sampled records, and what was met on the way. */
export class DatasetReading {
  readonly #locked: LockedDataset;
  readonly #options: ReadOptions;
  readonly #context: OriginalContext;
  readonly #skips = new Map<string, { count: number; first: string }>();
  /** How often each canonical gold is right; null once two questions have different options. */
  #gold: Map<string, number> | null = new Map();
  #optionSet: string | null = null;
  #questions = 0;
  #notSampled = 0;

  constructor(locked: LockedDataset, options: ReadOptions) {
    this.#locked = locked;
    this.#options = options;
    this.#context = { dataset: locked.dataset, labels: locked.prepared.entry.labels, seed: options.seed };
  }

  /** The records in upstream's order: originals, and versions that the files have already. To be iterated once. */
  async *records(): AsyncIterable<DecisionRecord> {
    const chosen = await this.#choose();
    for await (const item of this.#items()) {
      if ('skipped' in item) {
        this.#skip(item);
        continue;
      }
      const record = toRecord(item, this.#context);
      const original = record.version === ORIGINAL;
      if (chosen !== null && !chosen.has(record.base_id)) {
        if (original) this.#notSampled++;
        continue;
      }
      if (original) this.#count(record);
      yield record;
    }
  }

  /** What was met: complete when the records are read. */
  census(): DatasetCensus {
    const { dataset, found, lock } = this.#locked;
    const gold = this.#gold === null ? null : [...this.#gold].sort();
    return {
      dataset: dataset.info.id,
      title: dataset.info.title,
      license: dataset.info.license,
      origin: found.origin,
      questions: this.#questions,
      not_sampled: this.#notSampled,
      skipped: [...this.#skips].map(([reason, skip]) => ({ reason, ...skip })),
      gold: gold?.map(([canonical_id, count]) => ({ canonical_id, count })) ?? null,
      files: [...lock.files],
    };
  }

  #skip({ skipped, place }: Skipped): void {
    const skip = this.#skips.get(skipped);
    if (skip === undefined) this.#skips.set(skipped, { count: 1, first: place });
    else skip.count++;
  }

  #count({ options, gold }: DecisionRecord): void {
    this.#questions++;
    if (this.#gold === null) return;
    const optionSet = JSON.stringify(options.map(option => option.canonical_id).sort());
    this.#optionSet ??= optionSet;
    if (this.#optionSet !== optionSet) {
      this.#gold = null;
      return;
    }
    const right = canonicalOf(options, gold);
    this.#gold.set(right, (this.#gold.get(right) ?? 0) + 1);
  }

  /** The base ids that a sample or a limit takes; null for all. Reads the dataset once more. */
  async #choose(): Promise<Set<string> | null> {
    const { sample: wanted } = this.#locked.prepared.entry;
    const { limit, seed } = this.#options;
    if (wanted === null && limit === null) return null;
    const items: { base_id: string; stratum: string }[] = [];
    for await (const item of this.#items()) {
      if ('skipped' in item) continue;
      const record = toRecord(item, this.#context);
      if (record.version !== ORIGINAL) continue;
      items.push({ base_id: record.base_id, stratum: canonicalOf(record.options, record.gold) });
      if (wanted === null && items.length === limit) break;
    }
    const ids = items.map(({ base_id }) => base_id);
    if (wanted === null) return new Set(ids);
    const dataset = this.#locked.dataset.info.id;
    const chosen = sample(items, { seed, dataset, size: wanted.size, stratify: wanted.by === 'gold' });
    return limit === null ? chosen : new Set(ids.filter(id => chosen.has(id)).slice(0, limit));
  }

  async *#items(): AsyncIterable<BaseRecord | GivenRecord | Skipped> {
    const { dataset, found } = this.#locked;
    const { signal } = this.#options;
    for (const unit of dataset.units(found.files)) {
      for await (const item of dataset.read(unit, signal)) {
        signal.throwIfAborted();
        yield item;
      }
    }
  }
}

function toRecord(item: BaseRecord | GivenRecord, context: OriginalContext): DecisionRecord {
  if ('record' in item) {
    const { labels } = context.dataset.info;
    return { ...item.record, labels: { ...labels, ...item.record.labels, ...context.labels } };
  }
  try {
    return originalRecord(item, context);
  } catch (error) {
    if (!HoldfastError.is(error)) throw error;
    const sentence = `dataset ${context.dataset.info.id}, case ${item.base_id}: ${error.message}`;
    throw new HoldfastError(error.code, sentence, { cause: error, facts: error.facts });
  }
}
