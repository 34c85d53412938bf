/** All decisions of one confidence. */
export interface TieGroup {
  confidence: number;
  size: number;
  wrong: number;
}

/**
 * Decisions gathered by confidence, most confident first: decisions of one confidence are accepted together, so no
 * result depends on the order of input. Throws a RangeError if the lengths differ or a confidence is not a number.
 */
export function tieGroups(confidence: readonly number[], correct: readonly number[]): TieGroup[] {
  if (confidence.length !== correct.length) throw new RangeError('Each decision needs a confidence and a correctness.');
  const groups = new Map<number, TieGroup>();
  confidence.forEach((value, i) => {
    if (Number.isNaN(value)) throw new RangeError('A confidence must be a number.');
    const group = groups.get(value) ?? { confidence: value, size: 0, wrong: 0 };
    group.size++;
    if (correct[i] !== 1) group.wrong++;
    groups.set(value, group);
  });
  return [...groups.values()].sort((a, b) => b.confidence - a.confidence);
}
