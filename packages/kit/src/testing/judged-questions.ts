import type { Decision, JudgedQuestion, JudgedVersion, MetricContext } from '@holdfast/core';
import { seededRandom } from './seeded-random.ts';

/** The context that `judgedQuestions` are made for. */
export const metricContext: MetricContext = {
  versions: ['v0_original', 'v1_order', 'v2_label'],
  threshold: 0.5,
  missing: 'exclude_question',
};

export interface QuestionShape {
  /** How often a decision is right. @default 0.7 */
  readonly accuracy?: number;
  /** How often a version has failed. @default 0.1 */
  readonly failed?: number;
  /** @default true */
  readonly confidence?: boolean;
  /** @default true */
  readonly probabilities?: boolean;
  /** Questions of one group. @default 3 */
  readonly groupSize?: number;
}

/** Questions with decisions of every kind, always the same for a seed: right, wrong, unsure, failed, with 2 to 5 options. */
export function judgedQuestions(count: number, shape: QuestionShape = {}, seed: string | number = 1): JudgedQuestion[] {
  const { accuracy = 0.7, failed = 0.1, confidence = true, probabilities = true, groupSize = 3 } = shape;
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, at) => {
    const size = 2 + random.integer(4);
    const ids = Array.from({ length: size }, (_unused, option) => `option ${option}`);
    const canonical_gold = ids[random.integer(size)]!;
    const versions = metricContext.versions.map((version): JudgedVersion => {
      const base = `question-${at}`;
      const option_ids =
        version === 'v2_label'
          ? ids.map((_id, option) => `${size - option}`)
          : version === 'v1_order'
            ? ids.toReversed()
            : ids;
      const canonical_ids = version === 'v1_order' ? ids.toReversed() : ids;
      const gold = option_ids[canonical_ids.indexOf(canonical_gold)]!;
      const right = random.next() < accuracy;
      const top = Math.round((1 / size + random.next() * (1 - 1 / size)) * 100) / 100;
      const choice = right ? gold : option_ids.find(id => id !== gold)!;
      const identity = { record_id: `${base}::${version}`, version, gold, canonical_gold };
      const rest = (1 - top) / (size - 1);
      const decision: Decision = {
        ...identity,
        base_id: base,
        dataset: 'test',
        group_id: `group-${Math.floor(at / groupSize)}`,
        status: 'ok',
        choice,
        canonical_choice: canonical_ids[option_ids.indexOf(choice)]!,
        correct: right,
        probabilities: probabilities ? option_ids.map(id => [id, id === choice ? top : rest]) : null,
        confidence: confidence ? Math.round(((size * top - 1) / (size - 1)) * 100) / 100 : null,
        confidence_source: confidence ? 'provided' : 'none',
        option_count: size,
        served_model: 'test-model-1',
        usage: { input_tokens: 100, output_tokens: 10 },
        cost_usd: null,
        attempts: 1,
        latency_ms: 5,
        repeat: 0,
        request_sha256: '0'.repeat(64),
        request_id: null,
        truncation: null,
        options_policy: null,
        failure: null,
        answer: null,
      };
      const lost = random.next() < failed;
      return { ...identity, built: true, option_ids, canonical_ids, decision: lost ? failure(decision) : decision };
    });
    const exclusions = versions.flatMap(({ decision }) =>
      decision?.status === 'ok' ? [] : (['failed_request'] as const),
    );
    return {
      base_id: `question-${at}`,
      group_id: `group-${Math.floor(at / groupSize)}`,
      dataset: 'test',
      labels: { scenario: at % 2 === 0 ? 'Even' : 'Odd' },
      versions,
      exclusions,
    };
  });
}

function failure(decision: Decision): Decision {
  return {
    ...decision,
    status: 'failed',
    choice: null,
    canonical_choice: null,
    correct: null,
    probabilities: null,
    confidence: null,
    confidence_source: null,
    served_model: null,
    usage: null,
    latency_ms: null,
    failure: { kind: 'timeout', status: null, message: 'no whole answer within 60000 ms' },
  };
}
