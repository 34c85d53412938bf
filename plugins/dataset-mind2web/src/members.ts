import { JsonText, type JsonKind, readMap } from '@holdfast/core';
import { recordInvalid } from '@holdfast/kit';

/** The members of an object, and where it stands, for errors. */
export class Members {
  readonly #members: ReadonlyMap<string, JsonText>;
  readonly #within: string;

  constructor(members: ReadonlyMap<string, JsonText>, within = '') {
    this.#members = members;
    this.#within = within;
  }

  /** Of an object that upstream may have printed into a string, as the Parquet files do. */
  static of(value: JsonText, place: string): Members {
    const object = value.kind === 'string' ? printed(value, place) : value;
    if (object.kind !== 'object') throw recordInvalid(place, `must be an object, not ${object.kind}`);
    return new Members(readMap(object.bytes), `${place}.`);
  }

  has(name: string): boolean {
    return this.#members.has(name);
  }

  /** The member that must be there. */
  get(name: string, kind: JsonKind): JsonText {
    const value = this.#members.get(name);
    if (value === undefined) throw recordInvalid(this.place(name), 'is missing');
    if (value.kind !== kind) throw recordInvalid(this.place(name), `must be of kind ${kind}, not ${value.kind}`);
    return value;
  }

  /** The member, or null where it is missing, null or of another kind. */
  find(name: string, kind: JsonKind): JsonText | null {
    const value = this.#members.get(name);
    return value?.kind === kind ? value : null;
  }

  raw(name: string): JsonText | undefined {
    return this.#members.get(name);
  }

  place(name: string): string {
    return `${this.#within}${name}`;
  }
}

function printed(value: JsonText, place: string): JsonText {
  try {
    return JsonText.parse(value.string());
  } catch {
    throw recordInvalid(place, 'holds text that is not JSON');
  }
}
