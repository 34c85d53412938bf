/**
 * `numerator / denominator` as a percentage with two decimals, rounded half away from zero from the whole numbers and
 * never through a double: `percent(1, 32)` is `3.13%`. `n/a` where either is null or the denominator is 0. Throws a
 * RangeError for numbers that are not whole.
 */
export function percent(numerator: number | bigint | null, denominator: number | bigint | null): string {
  if (numerator === null || denominator === null) return 'n/a';
  const [top, bottom] = [BigInt(numerator), BigInt(denominator)];
  if (bottom === 0n) return 'n/a';
  const size = magnitude(bottom);
  const hundredths = (magnitude(top) * 20_000n + size) / (2n * size);
  const sign = hundredths > 0n && top < 0n !== bottom < 0n ? '-' : '';
  return `${sign}${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}%`;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
