/**
 * The point of [low, high] at which `isBelow` turns from true to false, to the last bit: `isBelow(x)` says that x still
 * lies below the root. Slower than Newton's method and never wrong about a flat or steep function.
 */
export function bisect(low: number, high: number, isBelow: (x: number) => boolean): number {
  for (;;) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return middle;
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
}
