/** The upper tail point (1 + level) / 2 of a two-sided interval. Throws a RangeError unless 0 < level < 1. */
export function upperPoint(level: number): number {
  if (!(level > 0 && level < 1)) throw new RangeError(`A confidence level lies between 0 and 1, not at ${level}.`);
  return (1 + level) / 2;
}
