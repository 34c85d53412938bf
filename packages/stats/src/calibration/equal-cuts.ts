/**
 * The indices of `values` in ascending order (ties by index), cut into `parts` runs of nearly equal size: the first
 * (n mod parts) hold one more. Empty runs are left out. Throws a RangeError unless `parts` is a positive whole number.
 */
export function equalCuts(values: readonly number[], parts: number): number[][] {
  if (!(Number.isInteger(parts) && parts > 0)) throw new RangeError(`Values cannot be cut into ${parts} parts.`);
  const order = values.map((_, i) => i).sort((i, j) => values[i]! - values[j]! || i - j);
  const size = Math.floor(order.length / parts);
  const larger = order.length % parts;
  const cuts: number[][] = [];
  for (let start = 0; start < order.length;) {
    const end = start + size + (cuts.length < larger ? 1 : 0);
    cuts.push(order.slice(start, end));
    start = end;
  }
  return cuts;
}
