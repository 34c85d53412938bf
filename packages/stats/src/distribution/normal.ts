// Coefficients of the rational approximations, highest power last unless said otherwise.
const centreTop = [
  2.2352520354606839287, 161.02823106855587881, 1067.6894854603709582, 18154.981253343561249, 0.065682337918207449113,
];
const centreBottom = [47.20258190468824187, 976.09855173777669322, 10260.932208618978205, 45507.789335026729956];
const flankTop = [
  0.39894151208813466764, 8.8831497943883759412, 93.506656132177855979, 597.27027639480026226, 2494.5375852903726711,
  6848.1904505362823326, 11602.651437647350124, 9842.7148383839780218, 1.0765576773720192317e-8,
];
const flankBottom = [
  22.266688044328115691, 235.38790178262499861, 1519.377599407554805, 6485.558298266760755, 18615.571640885098091,
  34900.952721145977266, 38912.003286093271411, 19685.429676859990727,
];
const tailTop = [
  0.21589853405795699, 0.1274011611602473639, 0.022235277870649807, 0.001421619193227893466, 2.9112874951168792e-5,
  0.02307344176494017303,
];
const tailBottom = [
  1.28426009614491121, 0.468238212480865118, 0.0659881378689285515, 0.00378239633202758244, 7.29751555083966205e-5,
];

/**
 * The standard normal distribution function, to about 1e-15 relative, in the lower tail too; 0 and 1 at -/+ infinity.
 * Cody 1969, https://doi.org/10.1090/S0025-5718-1969-0247736-4
 */
export function normalCdf(x: number): number {
  if (Number.isNaN(x)) return NaN;
  const size = Math.abs(x);
  if (size <= 0.67448975) {
    const square = x * x;
    let top = centreTop[4]! * square;
    let bottom = square;
    for (let i = 0; i < 3; i++) {
      top = (top + centreTop[i]!) * square;
      bottom = (bottom + centreBottom[i]!) * square;
    }
    return 0.5 + (x * (top + centreTop[3]!)) / (bottom + centreBottom[3]!);
  }
  const tail = upperTail(size);
  return x > 0 ? 1 - tail : tail;
}

function upperTail(x: number): number {
  if (x > 39) return 0;
  let scaled: number;
  if (x <= Math.sqrt(32)) {
    let top = flankTop[8]! * x;
    let bottom = x;
    for (let i = 0; i < 7; i++) {
      top = (top + flankTop[i]!) * x;
      bottom = (bottom + flankBottom[i]!) * x;
    }
    scaled = (top + flankTop[7]!) / (bottom + flankBottom[7]!);
  } else {
    const square = 1 / (x * x);
    let top = tailTop[5]! * square;
    let bottom = square;
    for (let i = 0; i < 4; i++) {
      top = (top + tailTop[i]!) * square;
      bottom = (bottom + tailBottom[i]!) * square;
    }
    scaled = (1 / Math.sqrt(2 * Math.PI) - (square * (top + tailTop[4]!)) / (bottom + tailBottom[4]!)) / x;
  }
  // exp(-x²/2) in two factors, since the rounding of x² alone would cost digits in the tail.
  const coarse = Math.trunc(x * 16) / 16;
  const rest = (x - coarse) * (x + coarse);
  return Math.exp(-coarse * coarse * 0.5) * Math.exp(-rest * 0.5) * scaled;
}

// Wichura's three pairs of polynomials, lowest power first.
const middle = {
  top: [
    3.387132872796366608, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125, 45921.953931549871457,
    67265.770927008700853, 33430.575583588128105, 2509.0809287301226727,
  ],
  bottom: [
    1, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077, 21213.794301586595867, 39307.89580009271061,
    28729.085735721942674, 5226.495278852545925,
  ],
};
const near = {
  top: [
    1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055, 3.64784832476320460504,
    1.27045825245236838258, 0.24178072517745061177, 0.0227238449892691845833, 7.7454501427834140764e-4,
  ],
  bottom: [
    1, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455, 0.14810397642748007459,
    0.0151986665636164571966, 5.475938084995344946e-4, 1.05075007164441684324e-9,
  ],
};
const far = {
  top: [
    6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358, 0.29656057182850489123,
    0.026532189526576123093, 0.0012426609473880784386, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
  ],
  bottom: [
    1, 0.59983220655588793769, 0.13692988092273580531, 0.0148753612908506148525, 7.868691311456132591e-4,
    1.8463183175100546818e-5, 1.4215117583164458887e-7, 2.04426310338993978564e-15,
  ],
};

/**
 * The standard normal quantile, to about 1e-15 relative: -/+ infinity at 0 and 1, NaN outside [0, 1].
 * Wichura 1988, algorithm AS 241, https://doi.org/10.2307/2347330
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return NaN;
  if (p === 0) return -Infinity;
  if (p === 1) return Infinity;
  const offset = p - 0.5;
  if (Math.abs(offset) <= 0.425) return offset * rational(middle, 0.180625 - offset * offset);
  const depth = Math.sqrt(-Math.log(offset < 0 ? p : 1 - p));
  const size = depth <= 5 ? rational(near, depth - 1.6) : rational(far, depth - 5);
  return offset < 0 ? -size : size;
}

function rational({ top, bottom }: { top: readonly number[]; bottom: readonly number[] }, x: number): number {
  return polynomial(top, x) / polynomial(bottom, x);
}

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((value, coefficient) => value * x + coefficient, 0);
}
