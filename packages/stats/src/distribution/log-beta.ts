const halfLogTwoPi = 0.5 * Math.log(2 * Math.PI);

/** The natural logarithm of the beta function for positive a and b; good to about 1e-14 for arguments of any size. */
export function logBeta(a: number, b: number): number {
  const low = Math.min(a, b);
  const high = Math.max(a, b);
  // Stirling's large terms are cancelled by hand: as a difference of log-gammas they would swallow the digits.
  if (low >= 10) {
    return (
      -0.5 * Math.log(high) +
      halfLogTwoPi +
      stirlingRest(low) +
      stirlingRest(high) -
      stirlingRest(low + high) +
      (low - 0.5) * Math.log(low / (low + high)) +
      high * Math.log1p(-low / (low + high))
    );
  }
  if (high >= 10) {
    return (
      logGamma(low) +
      stirlingRest(high) -
      stirlingRest(low + high) +
      low -
      low * Math.log(low + high) +
      (high - 0.5) * Math.log1p(-low / (low + high))
    );
  }
  return logGamma(low) + logGamma(high) - logGamma(low + high);
}

function logGamma(x: number): number {
  let product = 1;
  while (x < 10) product *= x++;
  return (x - 0.5) * Math.log(x) - x + halfLogTwoPi + stirlingRest(x) - Math.log(product);
}

// Stirling's series past its main terms; from 10 on the first term left out is below 1e-15.
function stirlingRest(x: number): number {
  const t = 1 / (x * x);
  return (1 / 12 - t * (1 / 360 - t * (1 / 1260 - t * (1 / 1680 - t * (1 / 1188 - t * (691 / 360360)))))) / x;
}
