import { jsonInvalid, scanWhole, skipSpace, spaceBefore } from './scan.ts';

const marker = Symbol.for('holdfast.json-text');

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/**
 * One JSON value as the bytes in which it was read or written: never parsed, decoded and printed again, so that
 * number spellings, key order, duplicate keys and escapes stay as they are. Made of one or more byte views, which are
 * put together only when somebody asks for one piece. Always valid JSON in valid UTF-8, without space around it.
 */
export class JsonText {
  #parts: readonly Uint8Array[];
  readonly byteLength: number;
  readonly [marker] = true;

  private constructor(parts: readonly Uint8Array[]) {
    this.#parts = parts;
    let length = 0;
    for (const part of parts) length += part.byteLength;
    this.byteLength = length;
  }

  /** The value in `bytes` (or text), checked: throws RECORD_INVALID with the offset where it stops being JSON. */
  static parse(source: Uint8Array | string): JsonText {
    const bytes = typeof source === 'string' ? Buffer.from(source, 'utf8') : source;
    const start = skipSpace(bytes, 0);
    const end = scanWhole(bytes, start);
    return new JsonText([bytes.subarray(start, spaceBefore(bytes, end))]);
  }

  /** Bytes that a scan has already found to be one JSON value. Not checked again. */
  static trusted(...parts: readonly Uint8Array[]): JsonText {
    return new JsonText(parts);
  }

  /** Whether `value` is a JsonText of any copy of this package. */
  static is(value: unknown): value is JsonText {
    return typeof value === 'object' && value !== null && (value as { [marker]?: unknown })[marker] === true;
  }

  /** The bytes in one piece. Joined on first use and kept so. */
  get bytes(): Uint8Array {
    if (this.#parts.length !== 1) this.#parts = [Buffer.concat(this.#parts, this.byteLength)];
    return this.#parts[0]!;
  }

  /** The bytes in the pieces they were put together from, in order: for writing without a copy. */
  get parts(): readonly Uint8Array[] {
    return this.#parts;
  }

  get kind(): JsonKind {
    const first = this.#parts[0]![0]!;
    if (first === 0x7b) return 'object';
    if (first === 0x5b) return 'array';
    if (first === 0x22) return 'string';
    if (first === 0x74 || first === 0x66) return 'boolean';
    return first === 0x6e ? 'null' : 'number';
  }

  /** Whether both are the same bytes. The same value may be spelled in other bytes: see `sameJson`. */
  equals(other: JsonText): boolean {
    return this.byteLength === other.byteLength && Buffer.compare(this.bytes, other.bytes) === 0;
  }

  /** The text, decoded. */
  toString(): string {
    const bytes = this.bytes;
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  }

  /** The string that this JSON string stands for. Lone surrogates survive. Throws RECORD_INVALID for another kind. */
  string(): string {
    if (this.kind !== 'string') throw jsonInvalid(`a string was expected, not ${this.kind}`, 0);
    return JSON.parse(this.toString()) as string;
  }

  /**
   * What JSON.parse makes of it. It moves integer-like keys first, keeps the last of duplicate keys and rounds
   * numbers: for small things of ours, never for a state, an option's description or anything keyed by option ids.
   */
  lossyValue(): unknown {
    return JSON.parse(this.toString());
  }

  toJSON(): never {
    throw new TypeError('JsonText is written with the ordered writer, not with JSON.stringify');
  }
}
