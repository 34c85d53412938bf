/**
 * The sum of `values` with Neumaier's compensation: the error does not grow with their number.
 * Neumaier 1974, https://doi.org/10.1002/zamm.19740540106
 */
export function sum(values: Iterable<number>): number {
  let total = 0;
  let lost = 0;
  for (const value of values) {
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + lost;
}
