import { open, type FileHandle } from 'node:fs/promises';
import { readRecord, type DecisionRecord, type Donors } from '@holdfast/core';
import { seededHash } from './random.ts';

/** Where one original record stands in base.jsonl. */
export interface DonorPlace {
  readonly base_id: string;
  readonly dataset: string;
  readonly group_id: string;
  /** In bytes, without the line feed. */
  readonly offset: number;
  readonly length: number;
}

/**
 * All original records in the order of a seeded hash, by their places in base.jsonl: some thirty bytes a record. What
 * an operator borrows for a question depends on the seed and the records alone, never on the order of work.
 */
export class DonorIndex implements Donors {
  readonly #seed: number;
  readonly #handle: FileHandle;
  readonly #hashes: Float64Array;
  readonly #groups: Float64Array;
  readonly #offsets: Float64Array;
  readonly #lengths: Uint32Array;

  private constructor(seed: number, handle: FileHandle, rows: readonly number[][]) {
    this.#seed = seed;
    this.#handle = handle;
    this.#hashes = Float64Array.from(rows, row => row[0]!);
    this.#groups = Float64Array.from(rows, row => row[1]!);
    this.#offsets = Float64Array.from(rows, row => row[2]!);
    this.#lengths = Uint32Array.from(rows, row => row[3]!);
  }

  /** Opens `file`, whose records stand at `places`. */
  static async open(file: string, places: Iterable<DonorPlace>, seed: number): Promise<DonorIndex> {
    const rows: number[][] = [];
    for (const place of places) rows.push([hashOf(seed, place), groupOf(place), place.offset, place.length]);
    // By offset where hashes are equal: any fixed order will do.
    rows.sort((left, right) => left[0]! - right[0]! || left[2]! - right[2]!);
    return new DonorIndex(seed, await open(file, 'r'), rows);
  }

  /** The records behind `record` in hash order, around the circle, without its own group. */
  async *of(record: DecisionRecord): AsyncIterable<DecisionRecord> {
    const count = this.#hashes.length;
    const group = groupOf(record);
    const start = this.#firstAbove(hashOf(this.#seed, record));
    for (let step = 0; step < count; step++) {
      const at = (start + step) % count;
      if (this.#groups[at] === group) continue;
      yield await this.#read(at);
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  #firstAbove(hash: number): number {
    let low = 0;
    let high = this.#hashes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#hashes[middle]! <= hash) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async #read(at: number): Promise<DecisionRecord> {
    const bytes = Buffer.allocUnsafe(this.#lengths[at]!);
    await this.#handle.read(bytes, 0, bytes.length, this.#offsets[at]!);
    return readRecord(bytes);
  }
}

function hashOf(seed: number, { base_id }: { readonly base_id: string }): number {
  return Number.parseInt(seededHash(seed, 'donor', base_id), 16);
}

/** Groups of two datasets are never the same group, whatever their ids. */
function groupOf({ dataset, group_id }: { readonly dataset: string; readonly group_id: string }): number {
  return Number.parseInt(seededHash(0, 'group', dataset, group_id), 16);
}
