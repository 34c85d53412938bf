import type { MetricValue } from '@holdfast/core';

type Rate = Extract<MetricValue, { kind: 'rate' }>;

/** A rate as on the card: two decimals, half away from zero, from the whole numbers and never through a double. */
export function percent({ value, numerator, denominator }: Rate): string {
  if (value === null || numerator === null || denominator === 0) return 'n/a';
  // A rate of weights has no whole numbers to start from.
  if (!Number.isSafeInteger(numerator) || !Number.isSafeInteger(denominator)) return decimalPercent(value);
  const [top, bottom] = [BigInt(numerator), BigInt(denominator)];
  const size = top < 0n ? -top : top;
  const hundredths = (size * 20_000n + bottom) / (2n * bottom);
  const sign = top < 0n && hundredths > 0n ? '-' : '';
  return `${sign}${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}%`;
}

/** A share that is no ratio of counts, such as the end of an interval. */
export function decimalPercent(value: number): string {
  return `${plain(100 * value)}%`;
}

/** A difference of rates in percentage points, with its sign. */
export function points(value: number): string {
  const text = plain(100 * value);
  return `${text.startsWith('-') || text === '0.00' ? '' : '+'}${text} points`;
}

function plain(value: number): string {
  const text = value.toFixed(2);
  return text === '-0.00' ? '0.00' : text;
}
