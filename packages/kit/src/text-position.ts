const LF = 0x0a;
const CR = 0x0d;

/** A position that moves forward through a stream of chunks and knows its line and column. */
export class TextPosition {
  offset = 0;
  /** From 1. */
  line = 1;
  #lineStart = 0;
  /** What has come and has not been passed. */
  readonly #chunks: Buffer[] = [];
  #chunkStart = 0;

  /** In bytes, from 1. */
  get column(): number {
    return this.offset - this.#lineStart + 1;
  }

  add(chunk: Buffer): void {
    if (chunk.length > 0) this.#chunks.push(chunk);
  }

  moveTo(offset: number): void {
    while (this.offset < offset) {
      const chunk = this.#chunks[0]!;
      const end = Math.min(offset - this.#chunkStart, chunk.length);
      let at = chunk.indexOf(LF, this.offset - this.#chunkStart);
      while (at !== -1 && at < end) {
        this.line++;
        this.#lineStart = this.#chunkStart + at + 1;
        at = chunk.indexOf(LF, at + 1);
      }
      this.offset = this.#chunkStart + end;
      if (end < chunk.length) return;
      this.#chunks.shift();
      this.#chunkStart += chunk.length;
    }
  }

  /** Moves over empty lines. */
  passBlankLines(): void {
    for (;;) {
      const width = this.byte(0) === LF ? 1 : this.byte(0) === CR && this.byte(1) === LF ? 2 : 0;
      if (width === 0) return;
      this.moveTo(this.offset + width);
    }
  }

  /** The byte so far ahead, or undefined where it has not come yet. */
  byte(ahead: number): number | undefined {
    let at = this.offset + ahead - this.#chunkStart;
    for (const chunk of this.#chunks) {
      if (at < chunk.length) return chunk[at];
      at -= chunk.length;
    }
    return undefined;
  }
}
