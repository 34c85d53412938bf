import type { Family } from './family.ts';

export const judgeAgreement: Family = {
  instruction: 'Decide whether the proposed answer to the question agrees with the knowledge.',
  rewrites: [
    'Determine whether the proposed answer to the question agrees with the knowledge.',
    'Does the proposed answer to the question agree with the knowledge? Decide.',
    'Judge whether the answer proposed to the question is in agreement with the knowledge.',
    'For the question there is a proposed answer. Decide whether that answer agrees with the knowledge.',
    'Compare the proposed answer to the question with the knowledge and decide whether they agree.',
    'Check the answer that is proposed to the question against the knowledge: decide whether it agrees.',
    'Given the knowledge, decide whether the answer proposed to the question agrees with it.',
    'Your task is to decide whether the knowledge agrees with the answer that is proposed to the question.',
    'Decide if what is proposed as the answer to the question is in agreement with the knowledge.',
  ],
};
