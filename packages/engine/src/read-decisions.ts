import { open, stat, type FileHandle } from 'node:fs/promises';
import { HoldfastError, decisionSchema, type Decision } from '@holdfast/core';
import { openBytes, readLines } from '@holdfast/kit';

const remedy = 'the journal is damaged: restore the file, or remove that line to have its record decided again';

/** A row of a journal and where it stands. */
export interface JournalRow {
  readonly decision: Decision;
  /** In bytes from the start of the file, without the line feed. */
  readonly offset: number;
  readonly length: number;
}

/**
 * The rows of decisions.jsonl in the order they were written; none where there is no file. Throws SCORE_INVALID with
 * file and line where a row is damaged.
 */
export async function* readDecisions(file: string): AsyncIterable<JournalRow> {
  const size = await stat(file).then(
    found => found.size,
    () => 0,
  );
  if (size === 0) return;
  for await (const { bytes, number, offset } of readLines(openBytes(file), { file })) {
    yield { decision: parseDecision(bytes, `${file}:${number}`), offset, length: bytes.byteLength };
  }
}

function parseDecision(bytes: Uint8Array, place: string): Decision {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch (error) {
    throw new HoldfastError('SCORE_INVALID', `${place}: not JSON; ${remedy}`, { cause: error });
  }
  const parsed = decisionSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new HoldfastError('SCORE_INVALID', `${place}: ${issue.path.join('.')}: ${issue.message}; ${remedy}`);
}

/** Rows come back nearly in the order in which they were written: one window serves many of them. */
const WINDOW = 256 * 1024;

/**
 * The decision that counts for each record of a journal: the last valid one, or else the last failure. Keeps a place
 * a record, not the rows.
 */
export class DecisionIndex {
  readonly #file: string;
  readonly #places: ReadonlyMap<string, number>;
  #handle: FileHandle | null = null;
  #window = Buffer.alloc(0);
  #windowStart = 0;
  #windowAtEnd = false;

  private constructor(file: string, places: ReadonlyMap<string, number>) {
    this.#file = file;
    this.#places = places;
  }

  /** Reads the whole journal once. Throws as `readDecisions`. */
  static async open(file: string): Promise<DecisionIndex> {
    const places = new Map<string, number>();
    const valid = new Set<string>();
    for await (const { decision, offset } of readDecisions(file)) {
      const { record_id, status } = decision;
      if (status === 'failed' && valid.has(record_id)) continue;
      if (status === 'ok') valid.add(record_id);
      places.set(record_id, offset);
    }
    return new DecisionIndex(file, places);
  }

  /** How many records have a decision. */
  get size(): number {
    return this.#places.size;
  }

  /** The decision on a record; null where there is none. */
  async get(record_id: string): Promise<Decision | null> {
    const offset = this.#places.get(record_id);
    if (offset === undefined) return null;
    for (let size = WINDOW; ; size *= 2) {
      const line = this.#line(offset);
      if (line !== null) return parseDecision(line, `${this.#file}, byte ${offset}`);
      await this.#load(offset, size);
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = null;
  }

  /** The line at `offset` if all of it is in the window. */
  #line(offset: number): Uint8Array | null {
    const start = offset - this.#windowStart;
    if (start < 0 || start >= this.#window.length) return null;
    const end = this.#window.indexOf(0x0a, start);
    if (end === -1) return this.#windowAtEnd ? this.#window.subarray(start) : null;
    return this.#window.subarray(start, end);
  }

  async #load(offset: number, size: number): Promise<void> {
    this.#handle ??= await open(this.#file, 'r');
    // A little before too: decisions in flight at the same time end in another order.
    const from = Math.max(0, offset - WINDOW / 4);
    const window = Buffer.allocUnsafe(size + WINDOW / 4);
    const { bytesRead } = await this.#handle.read(window, 0, window.length, from);
    this.#window = window.subarray(0, bytesRead);
    this.#windowStart = from;
    // The end of the file ends its last line.
    this.#windowAtEnd = bytesRead < window.length;
  }
}
