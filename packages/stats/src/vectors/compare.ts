/** One place where an answer is not the expected one. */
export interface Mismatch {
  /** Path from the root, such as `groups.beta[2]`; empty for the root itself. */
  where: string;
  expected: unknown;
  /** Undefined where there is no such value. */
  actual: unknown;
}

/**
 * Where `actual` is not `expected`: numbers within 1e-10 + 1e-9 |expected|, everything else equal, keys in any order
 * and none missing or added (then `expected` or `actual` is undefined).
 */
export function mismatches(expected: unknown, actual: unknown, where = ''): Mismatch[] {
  if (typeof expected === 'number' && typeof actual === 'number') {
    return Math.abs(actual - expected) <= 1e-10 + 1e-9 * Math.abs(expected) ? [] : [{ where, expected, actual }];
  }
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const length = Math.max(expected.length, actual.length);
    return Array.from({ length }, (_, i) => mismatches(expected[i], actual[i], `${where}[${i}]`)).flat();
  }
  if (isObject(expected) && isObject(actual)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...keys].flatMap(key => {
      const path = where === '' ? key : `${where}.${key}`;
      return mismatches(own(expected, key), own(actual, key), path);
    });
  }
  return expected === actual ? [] : [{ where, expected, actual }];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function own(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
