import { open, rm, type FileHandle } from 'node:fs/promises';
import { HoldfastError, JsonText, ORIGINAL, writeRecord, type DecisionRecord } from '@holdfast/core';
import { storageFailed } from './storage.ts';

interface Place {
  readonly offset: number;
  readonly length: number;
}

/** Perturbed versions that a dataset's files have already: kept in a file until their question's turn, in any order. */
export class GivenVersions {
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #places = new Map<string, Map<string, Place>>();
  readonly #versions = new Set<string>();
  #end = 0;

  private constructor(file: string, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
  }

  static async open(file: string): Promise<GivenVersions> {
    try {
      return new GivenVersions(file, await open(file, 'wx+'));
    } catch (error) {
      throw storageFailed(error, file);
    }
  }

  /** Whether there is none. */
  get isEmpty(): boolean {
    return this.#versions.size === 0;
  }

  async keep(record: DecisionRecord): Promise<void> {
    const { base_id, version, dataset } = record;
    let places = this.#places.get(base_id);
    if (places === undefined) this.#places.set(base_id, (places = new Map()));
    if (places.has(version)) {
      throw new HoldfastError('RECORD_INVALID', `dataset ${dataset}: ${base_id} has two versions ${version}`);
    }
    const { bytes } = writeRecord(record);
    try {
      await this.#handle.write(bytes, 0, bytes.byteLength, this.#end);
    } catch (error) {
      throw storageFailed(error, this.#file);
    }
    places.set(version, { offset: this.#end, length: bytes.byteLength });
    this.#versions.add(version);
    this.#end += bytes.byteLength;
  }

  /** The versions that there are, the original first. Throws RECORD_INVALID where a question has no original. */
  planned(originals: ReadonlySet<string>): string[] {
    for (const base_id of this.#places.keys()) {
      if (originals.has(base_id)) continue;
      throw new HoldfastError('RECORD_INVALID', `question ${base_id} has perturbed versions but no ${ORIGINAL}`);
    }
    return [ORIGINAL, ...[...this.#versions].sort()];
  }

  /** The line of a version of a question; null where there is none. */
  async read(base_id: string, version: string): Promise<JsonText | null> {
    const place = this.#places.get(base_id)?.get(version);
    if (place === undefined) return null;
    const bytes = Buffer.allocUnsafe(place.length);
    await this.#handle.read(bytes, 0, place.length, place.offset);
    return JsonText.trusted(bytes);
  }

  /** Closes and removes the file. */
  async remove(): Promise<void> {
    await this.#handle.close();
    await rm(this.#file, { force: true });
  }
}
