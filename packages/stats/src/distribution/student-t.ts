import { bisect } from '../bisect.ts';
import { incompleteBeta } from './incomplete-beta.ts';

/**
 * The distribution function of Student's t with `degrees` > 0 degrees of freedom.
 * Abramowitz and Stegun 26.7.1, by the incomplete beta function.
 */
export function studentTCdf(t: number, degrees: number): number {
  if (t === 0) return 0.5;
  const tail = upperTail(Math.abs(t), degrees);
  return t > 0 ? 1 - tail : tail;
}

/**
 * The quantile of Student's t with `degrees` > 0 degrees of freedom, to about 1e-12 relative up to 100,000
 * of them: -/+ infinity at 0 and 1, NaN outside [0, 1]. Throws a RangeError for degrees that are not positive.
 */
export function studentTQuantile(p: number, degrees: number): number {
  if (!(degrees > 0)) throw new RangeError(`Student's t needs positive degrees of freedom, not ${degrees}.`);
  if (!(p >= 0 && p <= 1)) return NaN;
  if (p === 0.5) return 0;
  const tail = Math.min(p, 1 - p);
  const size = tail === 0 ? Infinity : upperTailQuantile(tail, degrees);
  return p < 0.5 ? -size : size;
}

function upperTail(t: number, degrees: number): number {
  const square = t * t;
  if (square === Infinity) return 0;
  return 0.5 * incompleteBeta(degrees / (degrees + square), degrees / 2, 0.5, square / (degrees + square));
}

function upperTailQuantile(tail: number, degrees: number): number {
  let high = 1;
  while (upperTail(high, degrees) > tail) high *= 2;
  return bisect(high === 1 ? 0 : high / 2, high, t => upperTail(t, degrees) > tail);
}
