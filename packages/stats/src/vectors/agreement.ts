import { chanceAdjusted } from '../accuracy/chance-adjusted.ts';
import { cohenKappa } from '../agreement/cohen-kappa.ts';
import { fleissKappa } from '../agreement/fleiss-kappa.ts';
import type { Metrics } from './metric.ts';

export const agreementMetrics = {
  'agreement.cohen': ({ cases }: { cases: readonly Record<'a' | 'b', readonly string[]>[] }) =>
    cases.map(({ a, b }) => cohenKappa(a, b)),
  'agreement.fleiss': ({ labels }: { labels: readonly (readonly string[])[] }) => fleissKappa(labels),
  'accuracy.chance-adjusted': ({ correct, option_counts }: Record<'correct' | 'option_counts', readonly number[]>) =>
    chanceAdjusted(correct, option_counts),
} satisfies Metrics;
