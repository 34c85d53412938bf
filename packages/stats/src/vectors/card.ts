import { cardBreakdown } from '../card/card-breakdown.ts';
import { cardReport } from '../card/card-report.ts';
import { type CardInput, CardInputError, type CardRow } from '../card/card-rows.ts';
import { percent } from '../card/percent.ts';
import { scoreDecision } from '../card/score-decision.ts';
import type { Metrics } from './metric.ts';

type Scored = Parameters<typeof scoreDecision>[0];

export const cardMetrics = {
  'card.decision': ({ cases }: { cases: readonly (Scored & { threshold?: number })[] }) =>
    cases.map(decision => scoreDecision(decision, decision.threshold)),
  'card.report': (input: CardInput) => cardReport(input),
  'card.partial-recipe': (input: CardInput) => cardReport(input),
  'card.errors': ({ cases, ...input }: CardInput & { cases: readonly { rows: readonly CardRow[] }[] }) =>
    cases.map(one => refusal({ ...input, ...one })),
  'card.breakdown': ({ labels, ...input }: CardInput & { labels: Readonly<Record<string, string>> }) =>
    cardBreakdown(input, labels),
  'card.percent': ({ fractions }: { fractions: readonly (readonly [number | null, number | null])[] }) =>
    fractions.map(([numerator, denominator]) => percent(numerator, denominator)),
} satisfies Metrics;

function refusal(input: CardInput): string | null {
  try {
    cardReport(input);
    return null;
  } catch (error) {
    if (error instanceof CardInputError) return error.code;
    throw error;
  }
}
