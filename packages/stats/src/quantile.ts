/**
 * The type 7 quantile (numpy's `linear`) of values that are already in ascending order, `level` in [0, 1].
 * Throws a RangeError for an empty list or another level.
 * Hyndman and Fan 1996, https://doi.org/10.2307/2684934
 */
export function quantile(ascending: ArrayLike<number>, level: number): number {
  const last = ascending.length - 1;
  if (last < 0) throw new RangeError('A quantile needs at least one value.');
  if (!(level >= 0 && level <= 1)) throw new RangeError(`A quantile level lies in [0, 1], not at ${level}.`);
  const place = last * level;
  const below = Math.floor(place);
  const low = ascending[below]!;
  const high = ascending[Math.min(below + 1, last)]!;
  return low + (place - below) * (high - low);
}
