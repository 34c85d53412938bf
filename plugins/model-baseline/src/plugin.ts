/** Decides without reading the question: first option, an even chance for each, or the longest description. */
import { createHash } from 'node:crypto';
import { defineModel, type Answer, type ModelRequest, type Question } from '@holdfast/core';
import { z } from 'zod';

const strategies = ['first_option', 'uniform', 'longest_description'] as const;
type Strategy = (typeof strategies)[number];

export default defineModel({
  name: 'baseline',
  summary: 'Decides without reading the question: what any model should beat.',
  options: z.strictObject({
    strategy: z
      .enum(strategies)
      .describe(
        'first_option: the first, with certainty. uniform: 1/K for each, the choice picked by the SHA-256 of the ' +
          'request id. longest_description: the longest description in bytes of JSON, the first of equals, with certainty.',
      ),
  }),
  create: ({ strategy }) => ({
    identity: { model: `baseline-${strategy}`, endpoint: null, strategy, confidence: 'normalized_top' },
    limits: {
      primitives: ['choice', 'noul', 'score'],
      maxOptions: 255,
      maxInputTokens: null,
      confidence: 'provided',
      probabilityDecimals: 12,
    },
    caveats: [
      'A baseline that does not read the question: its scores show what the benchmark gives away for nothing.',
      'Its confidence is (K·p − 1)/(K − 1) of its own top probability p: always 1, or always 0 for uniform, which ' +
        'therefore abstains on every question at any threshold above 0.',
    ],
    // It computes in this process: more at once would only wait for each other.
    concurrency: 1,
    async decide(request, signal) {
      signal.throwIfAborted();
      return request.questions.map(question => answer(request, question, strategy));
    },
  }),
});

function answer({ id }: ModelRequest, question: Question, strategy: Strategy): Answer {
  const { options } = question;
  const chosen = place[strategy](question, id);
  const even = strategy === 'uniform';
  return {
    question_id: question.id,
    choice: options[chosen]!.id,
    probabilities: options.map((option, index) => [option.id, even ? 1 / options.length : index === chosen ? 1 : 0]),
    confidence: even ? 0 : 1,
    served_model: null,
    usage: null,
    request_id: null,
    exchange: null,
  };
}

const place: Record<Strategy, (question: Question, requestId: string) => number> = {
  first_option: () => 0,
  // 48 bits of the hash: more than enough for at most 255 options, and exact in a double.
  uniform: ({ id, options }, requestId) =>
    createHash('sha256').update(`${requestId}\n${id}`).digest().readUIntBE(0, 6) % options.length,
  longest_description: ({ options }) => {
    const sizes = options.map(({ description }) => (description.kind === 'null' ? 0 : description.byteLength));
    return sizes.indexOf(Math.max(...sizes));
  },
};
