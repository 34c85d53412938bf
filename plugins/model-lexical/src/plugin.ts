/** Decides by word overlap: BM25 over Porter2 stems of each option against the state and the instructions. */
import { defineModel, type Answer } from '@holdfast/core';
import { z } from 'zod';
import { bm25, type Bm25Options } from './bm25.ts';
import { optionText } from './option-text.ts';
import { stemsOf, unescaped } from './words.ts';

interface LexicalOptions extends Bm25Options {
  readonly temperature: number;
}

export default defineModel({
  name: 'lexical',
  summary: 'Decides by word overlap (BM25 over word stems), in this process and without any weights.',
  options: z.strictObject({
    k1: z.number().min(0).default(1.2).describe('How much a repeated word adds: BM25 k1.'),
    b: z.number().min(0).max(1).default(0.75).describe('How much long options are held back: BM25 b.'),
    temperature: z
      .number()
      .positive()
      .default(1)
      .describe('Divides the scores before the softmax: higher means less certain. Not fitted to anything.'),
  }),
  create: options => ({
    identity: {
      model: 'lexical-bm25',
      endpoint: null,
      ...options,
      stemmer: 'wink-porter2-stemmer 2.0.1',
      confidence: 'normalized_top',
    },
    limits: {
      primitives: ['choice', 'noul', 'score'],
      maxOptions: 255,
      maxInputTokens: null,
      confidence: 'provided',
      probabilityDecimals: 12,
    },
    caveats: [
      'A lexical model: it compares words and understands nothing. Expect it near chance on yes/no questions.',
      'Its probabilities are a softmax over word scores and are not calibrated; its confidence is (K·p − 1)/(K − 1) of ' +
        'its own top probability p.',
      'Equal scores go to the first option, so only exact ties can change with the order of options.',
    ],
    // It computes in this process: more at once would only wait for each other.
    concurrency: 1,
    async decide({ state, questions }, signal) {
      signal.throwIfAborted();
      const stateText = unescaped(state.toString());
      return questions.map(({ id, instructions, options: candidates }): Answer => {
        const terms = stemsOf(`${stateText}\n${unescaped(instructions.toString())}`);
        const documents = candidates.map(candidate => stemsOf(optionText(candidate)));
        const scores = bm25(documents, terms.keys(), options);
        const { best, probabilities, confidence } = softmax(scores, options);
        return {
          question_id: id,
          choice: candidates[best]!.id,
          probabilities: candidates.map((candidate, index) => [candidate.id, probabilities[index]!]),
          confidence,
          served_model: null,
          usage: null,
          request_id: null,
          exchange: null,
        };
      });
    },
  }),
});

function softmax(scores: readonly number[], { temperature }: LexicalOptions) {
  const highest = Math.max(...scores);
  const weights = scores.map(score => Math.exp((score - highest) / temperature));
  // Summed by size, so that the order of options changes no bit.
  const total = weights.toSorted((left, right) => left - right).reduce((sum, weight) => sum + weight, 0);
  const size = scores.length;
  // The highest weight is 1. Rounding may leave an even softmax a hair below 1/K.
  const confidence = Math.max(0, (size / total - 1) / (size - 1));
  return { best: scores.indexOf(highest), probabilities: weights.map(weight => weight / total), confidence };
}
