import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wilsonInterval } from '../interval/wilson.ts';
import { type CardQuestion, CardTally, type CardTallyOptions, type DecisionOutcome } from './card-tally.ts';

const right = (confidence: number | null = 0.9): DecisionOutcome => ({ status: 'ok', correct: true, confidence });
const wrong = (confidence: number | null = 0.9): DecisionOutcome => ({ status: 'ok', correct: false, confidence });
const failed: DecisionOutcome = { status: 'failed' };
const missing: DecisionOutcome = { status: 'missing' };

function score(questions: readonly CardQuestion[], options?: CardTallyOptions) {
  const tally = new CardTally(options);
  for (const question of questions) tally.add(question);
  return tally.finish();
}

const ofClusters = (...rows: [cluster: string, ...DecisionOutcome[]][]) =>
  rows.map(([cluster, ...decisions]) => ({ cluster, decisions }));

describe('CardTally', () => {
  it('counts, and derives each rate from whole numbers', () => {
    const { counts, rates, versions } = score(
      ofClusters(
        ['g1', right(), right(0.2)],
        ['g1', right(), wrong(0.1)],
        ['g2', wrong(0.5), right()],
        ['g3', failed, missing],
        ['g3', right(), missing],
      ),
    );
    expect(versions).toBe(2);
    expect(counts).toEqual({
      questions: 5,
      included: 3,
      excluded: 2,
      failed_requests: 1,
      missing_predictions: 2,
      exclusions: { failed_request: 1, missing_prediction: 1 },
      decisions: 6,
      confidence_reporting_count: 6,
      correct_decisions: 4,
      strict_correct_questions: 1,
      abstained_decisions: 2,
      wrong_abstained_decisions: 1,
      answered_decisions: 4,
      right_answered_decisions: 3,
      aaa_decisions: 5,
      strict_aaa_questions: 2,
    });
    const values = Object.fromEntries(
      Object.entries(rates).map(([name, { value, numerator, denominator }]) => [name, [value, numerator, denominator]]),
    );
    expect(values).toEqual({
      strict_accuracy: [1 / 3, 1, 3],
      mean_accuracy: [4 / 6, 4, 6],
      strict_abstention_aware_accuracy: [2 / 3, 2, 3],
      mean_abstention_aware_accuracy: [5 / 6, 5, 6],
      abstention_rate: [2 / 6, 2, 6],
      selective_accuracy: [3 / 4, 3, 4],
      abstention_lift: [2 / 36, 2, 36],
      strict_lower_bound: [1 / 5, 1, 5],
      strict_upper_bound: [3 / 5, 3, 5],
    });
  });

  it('keeps a question with a failed decision as wrong and answering when told to', () => {
    const { counts, rates } = score(ofClusters(['a', right(), failed], ['b', missing, right(0.1)]), {
      missing: 'count_as_wrong',
      threshold: 1,
    });
    expect(counts).toMatchObject({
      included: 2,
      excluded: 0,
      failed_requests: 1,
      missing_predictions: 1,
      decisions: 4,
    });
    expect(counts).toMatchObject({ confidence_reporting_count: 2, correct_decisions: 2, abstained_decisions: 2 });
    expect(counts).toMatchObject({ aaa_decisions: 2, strict_aaa_questions: 0, answered_decisions: 2 });
    expect(rates.strict_lower_bound).toMatchObject({ numerator: 0, denominator: 2 });
    expect(rates.strict_upper_bound).toMatchObject({ numerator: 0, denominator: 2 });
  });

  it('has no abstention rates where an included confidence is missing, and says so', () => {
    const { counts, rates } = score(ofClusters(['a', right(null)], ['b', wrong(0.2)]));
    expect(counts).toMatchObject({ confidence_reporting_count: 1, abstained_decisions: null, aaa_decisions: null });
    expect(rates.mean_accuracy.value).toBe(0.5);
    for (const name of ['abstention_rate', 'selective_accuracy', 'abstention_lift'] as const) {
      expect(rates[name]).toMatchObject({ value: null, numerator: null, interval: null, reason: 'confidence_missing' });
    }
  });

  it('does not mind a confidence that is missing in an excluded question', () => {
    const { counts } = score(ofClusters(['a', right(0.3), wrong(0.4)], ['b', right(null), failed]));
    expect(counts).toMatchObject({ confidence_reporting_count: 2, abstained_decisions: 2, strict_aaa_questions: 1 });
  });

  it('has null and a reason for everything when nothing is included', () => {
    for (const questions of [[], ofClusters(['a', failed], ['b', missing])]) {
      const { counts, rates } = score(questions);
      expect(counts).toMatchObject({ included: 0, decisions: 0, abstained_decisions: null, correct_decisions: 0 });
      const { strict_lower_bound, strict_upper_bound, ...others } = rates;
      for (const rate of Object.values(others)) {
        expect(rate).toMatchObject({ value: null, interval: null, reason: 'nothing_included' });
      }
      expect(strict_lower_bound.value).toBe(questions.length === 0 ? null : 0);
      expect(strict_upper_bound.value).toBe(questions.length === 0 ? null : 1);
    }
  });

  it('has no selective accuracy where nothing is answered', () => {
    const { rates } = score(ofClusters(['a', right(0.1)], ['b', wrong(0.1)]));
    expect(rates.selective_accuracy).toMatchObject({ value: null, denominator: 0, reason: 'nothing_answered' });
    expect(rates.abstention_lift.value).toBe(0);
  });

  it("has Wilson's interval of strict accuracy where each question is a cluster", () => {
    const { rates } = score(ofClusters(['a', right(), right()], ['b', right(), wrong()], ['c', right(), right()]));
    expect(rates.strict_accuracy).toMatchObject({
      interval: wilsonInterval(2, 3),
      clusters: 3,
      few_clusters: true,
      reason: null,
    });
    expect(rates.abstention_lift).toMatchObject({ interval: null, reason: 'no_interval' });
  });

  it('goes on after a result and grows past its first columns', () => {
    const tally = new CardTally();
    for (let i = 0; i < 200; i++) tally.add({ cluster: `g${i % 150}`, decisions: [i % 3 === 0 ? right() : wrong()] });
    expect(tally.finish().counts).toMatchObject({ questions: 200, correct_decisions: 67 });
    tally.add({ cluster: 'g0', decisions: [right()] });
    expect(tally.finish().rates.mean_accuracy).toMatchObject({ numerator: 68, denominator: 201, clusters: 150 });
  });

  it('refuses a threshold, a level or a number of versions that cannot be', () => {
    for (const threshold of [-0.1, 1.1, NaN]) expect(() => new CardTally({ threshold })).toThrow(RangeError);
    expect(() => new CardTally({ level: 95 })).toThrow(RangeError);
    expect(() => score(ofClusters(['a']))).toThrow(RangeError);
    expect(() => score(ofClusters(['a', right()], ['b', right(), right()]))).toThrow(RangeError);
  });
});

const confidence = fc.oneof(fc.constantFrom(0, 0.25, 0.5, 1), fc.double({ min: 0, max: 1, noNaN: true }));
const answered = fc.record({ status: fc.constant('ok' as const), correct: fc.boolean(), confidence });
const outcome = fc.oneof(
  { arbitrary: answered, weight: 9 },
  { arbitrary: fc.constantFrom(failed, missing), weight: 1 },
);
const questions = fc.integer({ min: 1, max: 6 }).chain(versions =>
  fc.array(
    fc.record({
      cluster: fc.constantFrom('a', 'b', 'c', 'd'),
      decisions: fc.array(outcome, { minLength: versions, maxLength: versions }),
    }),
    { maxLength: 25 },
  ),
);
const options = fc.record({
  threshold: confidence,
  missing: fc.constantFrom('exclude_question' as const, 'count_as_wrong' as const),
});

describe('the scores of any questions', () => {
  it('put strict at most at mean, and accuracy at most at abstention-aware accuracy', () => {
    fc.assert(
      fc.property(questions, options, (list, choice) => {
        const { rates, counts } = score(list, choice);
        if (counts.included === 0) return;
        const { strict_accuracy, mean_accuracy } = rates;
        const { strict_abstention_aware_accuracy: strict, mean_abstention_aware_accuracy: aware } = rates;
        expect(strict_accuracy.value).toBeLessThanOrEqual(mean_accuracy.value!);
        expect(strict.value).toBeLessThanOrEqual(aware.value!);
        expect(strict_accuracy.value).toBeLessThanOrEqual(strict.value!);
        expect(mean_accuracy.value).toBeLessThanOrEqual(aware.value!);
        expect(rates.strict_lower_bound.value).toBeLessThanOrEqual(strict_accuracy.value!);
        expect(rates.strict_upper_bound.value).toBeGreaterThanOrEqual(strict_accuracy.value!);
      }),
    );
  });

  it('keep the identities of AAA with wrong answers, selective accuracy and lift', () => {
    fc.assert(
      fc.property(questions, options, (list, choice) => {
        const { rates, counts } = score(list, choice);
        if (counts.included === 0) return;
        const aware = rates.mean_abstention_aware_accuracy.value!;
        const [accuracy, abstention] = [rates.mean_accuracy.value!, rates.abstention_rate.value!];
        const wrongAnswered = counts.answered_decisions! - counts.right_answered_decisions!;
        expect(aware).toBeCloseTo(1 - wrongAnswered / counts.decisions, 12);
        expect(rates.abstention_lift.value).toBeCloseTo(aware - (1 - (1 - accuracy) * (1 - abstention)), 12);
        if (abstention < 1) expect(rates.selective_accuracy.value).toBeCloseTo(1 - (1 - aware) / (1 - abstention), 9);
      }),
    );
  });

  it('are accuracy at threshold 0 and never fall as the threshold rises', () => {
    fc.assert(
      fc.property(questions, confidence, confidence, (list, one, other) => {
        const zero = score(list, { threshold: 0 });
        expect(zero.counts.aaa_decisions ?? 0).toBe(zero.counts.correct_decisions);
        expect(zero.counts.abstained_decisions ?? 0).toBe(0);
        const low = score(list, { threshold: Math.min(one, other) }).counts;
        const high = score(list, { threshold: Math.max(one, other) }).counts;
        for (const count of ['aaa_decisions', 'strict_aaa_questions', 'abstained_decisions'] as const) {
          expect(low[count] ?? 0).toBeLessThanOrEqual(high[count] ?? 0);
        }
      }),
    );
  });

  it('do not depend on the order of questions or of decisions, to the last bit', () => {
    fc.assert(
      fc.property(questions, options, (list, choice) => {
        const turned = [...list]
          .reverse()
          .map(({ cluster, decisions }) => ({ cluster, decisions: [...decisions].reverse() }));
        expect(score(turned, choice)).toEqual(score(list, choice));
      }),
    );
  });

  it('have a failed decision count as wrong exactly as a wrong sure answer does', () => {
    fc.assert(
      fc.property(questions, list => {
        const replaced = list.map(({ cluster, decisions }) => ({
          cluster,
          decisions: decisions.map(decision => (decision.status === 'ok' ? decision : wrong(1))),
        }));
        expect(score(list, { missing: 'count_as_wrong' }).rates).toEqual(score(replaced).rates);
      }),
    );
  });
});
