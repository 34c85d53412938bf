import type { JsonText } from '@holdfast/core';
import { LocatedJson, type JsonPlace } from './located-json.ts';

/** One element of a file's top-level array. */
export class JsonElement extends LocatedJson {
  /** From 0. */
  readonly index: number;

  constructor(index: number, text: JsonText, place: JsonPlace) {
    super(text, place);
    this.index = index;
  }
}
