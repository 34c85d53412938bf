import { logBeta } from './log-beta.ts';

/**
 * The regularised incomplete beta function I_x(a, b) for positive a and b and x in [0, 1]. `rest` is 1 - x; give it
 * where it is known better than by that subtraction.
 * Continued fraction of DLMF 8.17.22, evaluated by Lentz's method.
 */
export function incompleteBeta(x: number, a: number, b: number, rest = 1 - x): number {
  if (x <= 0) return 0;
  if (rest <= 0) return 1;
  // The fraction converges fast only below the mean.
  if (x > (a + 1) / (a + b + 2)) return 1 - lowerPart(rest, b, a, x);
  return lowerPart(x, a, b, rest);
}

function lowerPart(x: number, a: number, b: number, rest: number): number {
  const front = Math.exp(a * logOf(x, rest) + b * logOf(rest, x) - logBeta(a, b)) / a;
  return front === 0 ? 0 : front * fraction(x, a, b);
}

// Near 1 the digits of x stand in its complement, and a large exponent would multiply what rounding took from x.
function logOf(x: number, complement: number): number {
  return x > 0.5 ? Math.log1p(-complement) : Math.log(x);
}

function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  const limit = 1000 + 10 * Math.ceil(Math.sqrt(Math.max(a, b)));
  for (let m = 1; m <= limit; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    value *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return value;

  function nonZero(term: number): number {
    return Math.abs(term) < tiny ? tiny : term;
  }
}
