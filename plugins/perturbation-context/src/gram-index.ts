import { wordHash } from './words.ts';

/** So many words in a row are no chance but the same text. */
const GRAM = 8;

interface Place {
  readonly text: number;
  readonly at: number;
}

/**
 * The runs of eight words of some short texts, for finding them in long ones. Words are compared by hashes of 32 bits,
 * eight in a row: that two differ and look alike is out of the question.
 */
export class GramIndex {
  readonly #words: readonly (readonly string[])[];
  readonly #hashes: readonly (readonly number[])[];
  /** Where runs start, by the hash of the run: the first place in each text. */
  readonly #places = new Map<number, Place[]>();
  readonly #known = new Set<number>();
  /** By the low bits of a hash, whether any known one has them: most words of a long text are ruled out here. */
  readonly #maybe = new Uint8Array(0x1_0000);

  constructor(texts: readonly (readonly string[])[]) {
    this.#words = texts;
    this.#hashes = texts.map(words => words.map(word => wordHash(word)));
    for (const [text, hashes] of this.#hashes.entries()) {
      if (hashes.length < GRAM) continue;
      for (const hash of hashes) {
        this.#known.add(hash);
        this.#maybe[hash & 0xffff] = 1;
      }
      for (let at = 0; at + GRAM <= hashes.length; at++) {
        const run = runHash(hashes, at);
        const places = this.#places.get(run);
        if (places === undefined) this.#places.set(run, [{ text, at }]);
        else if (places.at(-1)!.text !== text) places.push({ text, at });
      }
    }
  }

  get isEmpty(): boolean {
    return this.#places.size === 0;
  }

  /**
   * Takes out the runs that stand in a text whose words have these hashes, with the index of each short text that has
   * them. A run is found once: however often the texts repeat themselves, the work grows with their length alone.
   */
  *takeFrom(hashes: Uint32Array): Iterable<{ readonly text: number; readonly gram: string }> {
    // In locals: this is the innermost loop of a check.
    const known = this.#known;
    const maybe = this.#maybe;
    // Only where eight known words stand in a row can there be a shared run.
    let row = 0;
    for (let at = 0; at < hashes.length; at++) {
      const hash = hashes[at]!;
      row = maybe[hash & 0xffff] === 1 && known.has(hash) ? row + 1 : 0;
      if (row < GRAM) continue;
      const start = at - GRAM + 1;
      const run = runHash(hashes, start);
      const places = this.#places.get(run);
      if (places === undefined) continue;
      this.#places.delete(run);
      for (const place of places) {
        if (!this.#same(place, hashes, start)) continue;
        yield { text: place.text, gram: this.#words[place.text]!.slice(place.at, place.at + GRAM).join(' ') };
      }
    }
  }

  #same({ text, at }: Place, hashes: Uint32Array, start: number): boolean {
    const own = this.#hashes[text]!;
    for (let step = 0; step < GRAM; step++) if (own[at + step] !== hashes[start + step]) return false;
    return true;
  }
}

function runHash(hashes: ArrayLike<number>, start: number): number {
  let run = 0;
  for (let at = start; at < start + GRAM; at++) run = Math.imul(run, 0x9e3779b1) + hashes[at]!;
  return run >>> 0;
}
