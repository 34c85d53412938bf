import { normalCdf, normalQuantile } from '../distribution/normal.ts';

/** A paired comparison being planned: `omega2` is the variance of a question's difference, `deff` the design effect. */
export interface ComparisonPlan {
  readonly omega2: number;
  readonly alpha: number;
  readonly power: number;
  readonly deff: number;
}

/** The smallest difference that `n` questions resolve, two-sided. Miller 2024, https://arxiv.org/abs/2411.00640 */
export function minimumDetectableEffect(n: number, plan: ComparisonPlan): number {
  return zSum(plan) * Math.sqrt((plan.omega2 * plan.deff) / n);
}

/** How many questions resolve a difference of `delta`; infinite for 0. */
export function questionsRequired(delta: number, plan: ComparisonPlan): number {
  return Math.ceil((zSum(plan) ** 2 * plan.omega2 * plan.deff) / (delta * delta));
}

/** The chance that `n` questions show a true difference of `delta` as significant. */
export function comparisonPower(
  n: number,
  delta: number,
  { omega2, alpha }: Pick<ComparisonPlan, 'omega2' | 'alpha'>,
): number {
  return normalCdf(Math.abs(delta) / Math.sqrt(omega2 / n) - normalQuantile(1 - alpha / 2));
}

function zSum({ alpha, power }: ComparisonPlan): number {
  return normalQuantile(1 - alpha / 2) + normalQuantile(power);
}
