import type { Family } from './family.ts';

export const judgeEvidence: Family = {
  instruction:
    "Decide whether the evidence, taken from the user's past conversations with an assistant, supports an answer to " +
    'the question.',
  rewrites: [
    "Determine whether the evidence, which is taken from the user's past conversations with an assistant, supports an " +
      'answer to the question.',
    "Does the evidence support an answer to the question? Decide. The evidence is taken from the user's past " +
      'conversations with an assistant.',
    "The evidence comes from the user's past conversations with an assistant. Decide whether it supports an answer to " +
      'the question.',
    "Taken from the user's past conversations with an assistant, does the evidence support an answer to the question? " +
      'Decide.',
    "Judge whether an answer to the question is supported by the evidence from the user's past conversations with an " +
      'assistant.',
    'Decide whether an answer to the question finds support in the evidence, which was taken from past conversations ' +
      'of the user with an assistant.',
    "Look at the evidence that was taken from the user's past conversations with an assistant, and decide whether it " +
      'supports an answer to the question.',
    "Assess the evidence, taken from the user's past conversations with an assistant: does it support an answer to the " +
      'question?',
    'Your task is to decide whether there is support for an answer to the question in the evidence, taken from the ' +
      "user's past conversations with an assistant.",
  ],
};
