/**
 * Holm's adjusted p-values, in the order given; reject where one is at most alpha. Guards against any false claim.
 * Holm 1979, https://www.jstor.org/stable/4615733
 */
export function holm(pValues: readonly number[]): number[] {
  const adjusted = new Array<number>(pValues.length);
  let floor = 0;
  ascending(pValues).forEach((index, rank) => {
    floor = Math.max(floor, Math.min(1, (pValues.length - rank) * pValues[index]!));
    adjusted[index] = floor;
  });
  return adjusted;
}

/**
 * Benjamini and Hochberg's adjusted p-values, in the order given; bounds the share of false claims, for screening.
 * Benjamini and Hochberg 1995, https://doi.org/10.1111/j.2517-6161.1995.tb02031.x
 */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  const adjusted = new Array<number>(pValues.length);
  let ceiling = 1;
  const order = ascending(pValues);
  for (let rank = order.length; rank > 0; rank--) {
    const index = order[rank - 1]!;
    ceiling = Math.min(ceiling, (pValues.length * pValues[index]!) / rank);
    adjusted[index] = ceiling;
  }
  return adjusted;
}

function ascending(pValues: readonly number[]): number[] {
  return pValues.map((_, index) => index).sort((i, j) => pValues[i]! - pValues[j]! || i - j);
}
