import { open, type FileHandle } from 'node:fs/promises';
import { type JsonText, json, type Decision, type Exchange } from '@holdfast/core';
import { storageFailed, writeAll } from './storage.ts';

/** Rows become durable together, at most this long or this many after they were written. */
const COMMIT_MS = 50;
const COMMIT_ROWS = 256;

interface Entry {
  readonly row: Uint8Array;
  readonly answer: Uint8Array | null;
  readonly written: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * The journal of one model: decisions.jsonl and, beside it, answers.jsonl with what came back. Append only. A row is
 * written when `append` resolves, so that a killed process loses only what was in flight; it is durable, and counts
 * as done, when `onDurable` has told so.
 */
export class Journal {
  readonly #decisions: FileHandle;
  readonly #answers: FileHandle;
  readonly #folder: string;
  readonly #onDurable: (rows: number) => void;
  #answersEnd: number;
  #queue: Entry[] = [];
  #writing: Promise<void> | null = null;
  #undurable = 0;
  #timer: NodeJS.Timeout | null = null;
  #syncing: Promise<void> | null = null;
  #broken: { readonly error: unknown } | null = null;

  private constructor(
    folder: string,
    handles: { decisions: FileHandle; answers: FileHandle; answersEnd: number },
    onDurable: (rows: number) => void,
  ) {
    this.#folder = folder;
    this.#decisions = handles.decisions;
    this.#answers = handles.answers;
    this.#answersEnd = handles.answersEnd;
    this.#onDurable = onDurable;
  }

  /** Opens the journal in a model's folder for appending. Its files have been recovered before. */
  static async open(folder: string, onDurable: (rows: number) => void): Promise<Journal> {
    try {
      const decisions = await open(`${folder}/decisions.jsonl`, 'a');
      const answers = await open(`${folder}/answers.jsonl`, 'a');
      const { size } = await answers.stat();
      return new Journal(folder, { decisions, answers, answersEnd: size }, onDurable);
    } catch (error) {
      throw storageFailed(error, folder);
    }
  }

  /** Appends a decision and what it was read from. Resolves when both are written; rejects with STORAGE_FAILED. */
  append(decision: Omit<Decision, 'answer'>, exchange: Exchange | null): Promise<void> {
    const answer = exchange === null ? null : answerLine(decision, exchange);
    const place = answer === null ? null : { offset: this.#answersEnd, length: answer.byteLength - 1 };
    if (answer !== null) this.#answersEnd += answer.byteLength;
    const row = Buffer.from(`${JSON.stringify({ ...decision, answer: place })}\n`, 'utf8');
    return new Promise((written, failed) => {
      this.#queue.push({ row, answer, written, failed });
      this.#writing ??= this.#drain();
    });
  }

  /** Writes what is left, makes everything durable and closes. */
  async close(): Promise<void> {
    await this.#writing;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    try {
      await this.#commit();
    } finally {
      await this.#decisions.close();
      await this.#answers.close();
    }
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      try {
        if (this.#broken !== null) throw this.#broken.error;
        const answers = batch.flatMap(({ answer }) => (answer === null ? [] : [answer]));
        // The answer first: a decision never points behind what is there.
        if (answers.length > 0) await writeAll(this.#answers, answers);
        await writeAll(
          this.#decisions,
          batch.map(({ row }) => row),
        );
        this.#undurable += batch.length;
        for (const { written } of batch) written();
        this.#schedule();
      } catch (error) {
        // What follows a half-written line would be damage: nothing more is written.
        this.#broken ??= { error: storageFailed(error, `${this.#folder}/decisions.jsonl`) };
        for (const { failed } of batch) failed(this.#broken.error);
      }
    }
    this.#writing = null;
  }

  #schedule(): void {
    if (this.#undurable >= COMMIT_ROWS) void this.#commit().catch(() => {});
    else this.#timer ??= setTimeout(() => void this.#commit().catch(() => {}), COMMIT_MS);
  }

  async #commit(): Promise<void> {
    while (this.#syncing !== null) await this.#syncing;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#broken !== null) throw this.#broken.error;
    const rows = this.#undurable;
    if (rows === 0) return;
    this.#syncing = this.#sync();
    try {
      await this.#syncing;
      this.#undurable -= rows;
      this.#onDurable(rows);
    } catch (error) {
      this.#broken ??= { error: storageFailed(error, `${this.#folder}/decisions.jsonl`) };
      throw this.#broken.error;
    } finally {
      this.#syncing = null;
    }
    if (this.#undurable > 0) this.#schedule();
  }

  async #sync(): Promise<void> {
    await this.#answers.datasync();
    await this.#decisions.datasync();
  }
}

/** One line of answers.jsonl. A body that is no UTF-8 is kept in base64. */
function answerLine(decision: Omit<Decision, 'answer'>, { status, headers, body }: Exchange): Uint8Array {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const text = bytes.toString('utf8');
  const kept = Buffer.from(text, 'utf8').equals(bytes) ? { body: text } : { body_base64: bytes.toString('base64') };
  const line: JsonText = json.value({
    record_id: decision.record_id,
    repeat: decision.repeat,
    status,
    headers: headers.map(([name, value]) => [name, value]),
    ...kept,
  });
  return Buffer.concat([...line.parts, lineFeed]);
}

const lineFeed = Buffer.from('\n');
