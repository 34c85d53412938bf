/** The scores of one decision; both parts that need a confidence are null without one. */
export interface DecisionScore {
  accuracy: 0 | 1;
  abstains: boolean | null;
  aaa: 0 | 1 | null;
}

/**
 * Scores one answered decision: right if the chosen id is exactly the gold id of the same version, abstaining if its
 * confidence lies strictly below `threshold`, and passing (aaa) if either. A right decision that abstains is both.
 */
export function scoreDecision(
  { choice, gold, confidence }: { choice: string; gold: string; confidence: number | null },
  threshold = 0.5,
): DecisionScore {
  const right = choice === gold;
  const abstains = confidence === null ? null : confidence < threshold;
  return { accuracy: right ? 1 : 0, abstains, aaa: abstains === null ? null : right || abstains ? 1 : 0 };
}
