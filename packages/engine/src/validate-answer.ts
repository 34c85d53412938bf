import type { Answer, Question } from '@holdfast/core';

/** A choice may be this much below the largest probability: servers round before or after they choose. */
const ARGMAX_SLACK = 1e-6;
const SUM_SLACK = 1e-12;

/**
 * What is wrong with an answer to `question`, in one sentence; null when it is valid. Nothing is repaired: exact
 * option set, finite probabilities in [0, 1], a sum within K·0.5·10^-decimals + 1e-12 of 1, a choice of maximal
 * probability, a confidence in [0, 1] or none (the rules of CITY-Jev's shared validation).
 */
export function answerProblem(answer: Answer, question: Question, decimals: number): string | null {
  const ids = new Set(question.options.map(option => option.id));
  if (!ids.has(answer.choice)) return `the choice ${quoted(answer.choice)} is not one of the options`;
  const { confidence } = answer;
  if (confidence !== null && !(Number.isFinite(confidence) && confidence >= 0 && confidence <= 1)) {
    return `the confidence ${confidence} is not a number from 0 to 1`;
  }
  return answer.probabilities === null ? null : probabilityProblem(answer, ids, decimals);
}

function probabilityProblem(answer: Answer, ids: ReadonlySet<string>, decimals: number): string | null {
  const pairs = answer.probabilities!;
  const given = new Map<string, number>();
  for (const [id, probability] of pairs) {
    if (!ids.has(id)) return `the probabilities name ${quoted(id)}, which is not one of the options`;
    if (given.has(id)) return `the probabilities name ${quoted(id)} twice`;
    if (!Number.isFinite(probability) || probability < 0 || probability > 1) {
      return `the probability ${probability} of ${quoted(id)} is not a number from 0 to 1`;
    }
    given.set(id, probability);
  }
  if (given.size !== ids.size) {
    const missing = [...ids].find(id => !given.has(id))!;
    return `the probabilities leave out ${quoted(missing)}`;
  }
  const total = exactSum([...given.values()]);
  const tolerance = ids.size * 0.5 * 10 ** -decimals + SUM_SLACK;
  if (Math.abs(total - 1) > tolerance) {
    return `the ${ids.size} probabilities sum to ${total}, further from 1 than ${tolerance} (${decimals} decimals)`;
  }
  const largest = Math.max(...given.values());
  if (given.get(answer.choice)! + ARGMAX_SLACK < largest) {
    return `the choice ${quoted(answer.choice)} has not the largest probability`;
  }
  return null;
}

/** The sum rounded once: Shewchuk's partials, as Python's fsum, so that the tolerance decides and not the order. */
function exactSum(values: readonly number[]): number {
  const partials: number[] = [];
  for (let value of values) {
    let kept = 0;
    for (let partial of partials) {
      if (Math.abs(value) < Math.abs(partial)) [value, partial] = [partial, value];
      const high = value + partial;
      const low = partial - (high - value);
      if (low !== 0) partials[kept++] = low;
      value = high;
    }
    partials.length = kept;
    partials.push(value);
  }
  return partials.reduceRight((sum, partial) => sum + partial, 0);
}

function quoted(id: string): string {
  return JSON.stringify(id.length > 80 ? `${id.slice(0, 80)}…` : id);
}
