// For instructions that nobody has reworded: a sentence before or behind them, which any instructions can bear.
import { JsonText, json } from '@holdfast/core';

const before = [
  'Here is the decision to make:',
  'This is the decision at hand:',
  'The task is described below:',
  'Please read the following task with care and decide accordingly:',
  'Please follow these instructions:',
  'Decide this on the basis of what is given:',
  'Instructions for this decision:',
  'What is asked of you here:',
] as const;

const behind = [
  'Please decide as described above.',
  'This is the decision to make.',
  'Make your decision according to these instructions.',
  'That is the whole task.',
] as const;

const beside = [
  'Make the decision that the instructions describe.',
  'Please decide as the instructions say.',
  'Follow the instructions and decide.',
  'The decision at hand is described in the instructions.',
  'Read the instructions with care and decide accordingly.',
  'Decide on the basis of what is given, as the instructions ask.',
  'The task is given by the instructions.',
  'What is asked of you stands in the instructions.',
] as const;

/** The instructions in each frame that fits their kind. Their own bytes stay as they are. */
export function framesOf(instructions: JsonText): readonly JsonText[] {
  if (instructions.kind !== 'string') return beside.map(sentence => wrap(instructions, sentence));
  return [
    ...before.map(sentence => surround(instructions, `${sentence}\n\n`, '')),
    ...behind.map(sentence => surround(instructions, '', `\n\n${sentence}`)),
  ];
}

/** Frames without a word, for cases whose options have the words of all the others for names. */
export function lastFrames(instructions: JsonText): readonly JsonText[] {
  return ['* * *', '- - -'].map(line =>
    instructions.kind === 'string' ? surround(instructions, `${line}\n\n`, '') : wrap(instructions, line),
  );
}

function surround(instructions: JsonText, head: string, tail: string): JsonText {
  return JsonText.trusted(
    json.string(head).bytes.subarray(0, -1),
    instructions.bytes.subarray(1, -1),
    json.string(tail).bytes.subarray(1),
  );
}

function wrap(instructions: JsonText, sentence: string): JsonText {
  return json.object([
    ['task', sentence],
    ['instructions', instructions],
  ]);
}
