/** Scores as the CITY-Jev card does: strict and mean accuracy, plain and abstention-aware, with what these leave out. */
import {
  HoldfastError,
  defineMetric,
  type JudgedQuestion,
  type MetricContext,
  type MetricValue,
  type NullReason,
} from '@holdfast/core';
import { CardTally, type CardResult, type DecisionOutcome, type Rate } from '@holdfast/stats';
import { z } from 'zod';

export default defineMetric({
  name: 'accuracy',
  summary: 'Strict and mean accuracy, plain and abstention-aware, as on the CITY-Jev card.',
  options: z.strictObject({}),
  create: () => ({
    start(context) {
      const { threshold, missing } = context;
      const tally = new CardTally({ threshold, missing });
      return {
        add: question => tally.add({ cluster: question.group_id, decisions: outcomes(question, context) }),
        finish: () => values(tally.finish()),
      };
    },
  }),
});

/** What became of each planned version. The engine has judged which questions count: its exclusions are kept to. */
function outcomes(question: JudgedQuestion, { versions, missing }: MetricContext): DecisionOutcome[] {
  const found = versions.map(version => outcome(question, version));
  const incomplete = found.some(({ status }) => status !== 'ok');
  const excluded = question.exclusions.length > 0;
  if (missing === 'exclude_question' && incomplete !== excluded) {
    const problem = excluded
      ? 'is excluded although every version is decided'
      : 'counts although a version is not decided';
    throw new HoldfastError('SCORE_INVALID', `question ${question.base_id} ${problem}`, {
      facts: { base_id: question.base_id, exclusions: question.exclusions },
    });
  }
  return found;
}

function outcome({ versions }: JudgedQuestion, version: string): DecisionOutcome {
  const judged = versions.find(candidate => candidate.version === version);
  const decision = judged?.decision ?? null;
  if (judged === undefined || decision === null) return { status: 'missing' };
  if (decision.status === 'failed') return { status: 'failed' };
  return { status: 'ok', correct: decision.choice === judged.gold, confidence: decision.confidence };
}

function values({ rates, counts }: CardResult): MetricValue[] {
  return Object.entries(rates).map(([name, rate]: [string, Rate]) => {
    const { value, numerator, denominator, interval } = rate;
    const reason = reasonOf(rate);
    // A difference of rates, perhaps negative: no rate itself.
    return name === 'abstention_lift'
      ? { kind: 'number', name, value, n: counts.decisions, interval, reason }
      : { kind: 'rate', name, value, numerator, denominator, interval, reason };
  });
}

function reasonOf({ value, reason }: Rate): NullReason | null {
  if (value !== null) return null;
  return reason === 'confidence_missing' || reason === 'nothing_answered' ? reason : 'no_included_question';
}
