import { logBeta } from './log-beta.ts';

/**
 * For X heads in `tosses` tosses of a fair coin: P(X = heads) and P(X < heads), for heads up to half of the tosses.
 * Terms are built downwards from the largest, so nothing underflows however many tosses there are.
 */
export function fairCoinTail(heads: number, tosses: number): { equal: number; below: number } {
  const equal = probability(heads, tosses);
  let term = equal;
  let below = 0;
  for (let i = heads; i > 0 && term > below * 1e-18; i--) {
    term *= i / (tosses - i + 1);
    below += term;
  }
  return { equal, below };
}

function probability(heads: number, tosses: number): number {
  if (tosses > 1000) {
    const logChoose = -Math.log1p(tosses) - logBeta(tosses - heads + 1, heads + 1);
    return Math.exp(logChoose - tosses * Math.LN2);
  }
  // Up to here 2^-tosses is a normal double, and a product is exact for the few tosses where people check by hand.
  let choose = 1;
  for (let i = 1; i <= heads; i++) choose = (choose * (tosses - heads + i)) / i;
  return choose * 2 ** -tosses;
}
