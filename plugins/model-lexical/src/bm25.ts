export interface Bm25Options {
  readonly k1: number;
  readonly b: number;
}

/**
 * The BM25 score of each document for a set of terms, the documents being the whole collection. A score depends on no
 * document's place, to the last bit: what is summed over documents are whole numbers.
 * Robertson and Zaragoza 2009, https://doi.org/10.1561/1500000019
 */
export function bm25(
  documents: readonly ReadonlyMap<string, number>[],
  terms: Iterable<string>,
  { k1, b }: Bm25Options,
): number[] {
  const lengths = documents.map(document => [...document.values()].reduce((sum, count) => sum + count, 0));
  const mean = lengths.reduce((sum, length) => sum + length, 0) / documents.length;
  const scores = documents.map(() => 0);
  for (const term of terms) {
    const holders = documents.filter(document => document.has(term)).length;
    if (holders === 0) continue;
    const rarity = Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
    for (const [index, document] of documents.entries()) {
      const count = document.get(term);
      if (count === undefined) continue;
      const norm = k1 * (1 - b + (b * lengths[index]!) / mean);
      scores[index]! += (rarity * count * (k1 + 1)) / (count + norm);
    }
  }
  return scores;
}
