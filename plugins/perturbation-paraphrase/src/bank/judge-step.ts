import type { Family } from './family.ts';

export const judgeStep: Family = {
  instruction:
    "Judge one step of an agent's work: the assistant message at position target_message_index of messages, counted " +
    'from 0. Choose the category that fits this step, given the task and everything before the step.',
  rewrites: [
    "Assess one step of an agent's work, namely the assistant message at position target_message_index of messages, " +
      'counting from 0. Given the task and everything before the step, pick the category that fits it.',
    "One step of an agent's work is to be judged: in messages, the assistant message at position " +
      'target_message_index, counted from 0. Which category fits this step, given the task and all that came before it?',
    'In messages, counted from 0, look at the assistant message at position target_message_index. It is one step of ' +
      "an agent's work. Given the task and everything before this step, choose the category that fits the step.",
    'Take the assistant message that stands at position target_message_index of messages (counted from 0). It is one ' +
      "step of an agent's work: choose the category into which it fits, in view of the task and everything before it.",
    "Your task is to judge one step of an agent's work. The step is the assistant message at position " +
      'target_message_index of messages, where counting starts from 0. Select the category that fits the step, given ' +
      'the task and everything that precedes it.',
    "Evaluate a single step of an agent's work: the assistant message whose position in messages, counted from 0, is " +
      'target_message_index. Select the fitting category for this step, taking into account the task and everything ' +
      'before the step.',
    'Given the task and everything before the step, choose the category that fits one step of an agent: the ' +
      'assistant message at position target_message_index of messages, counted from 0.',
    'Which category fits the assistant message at position target_message_index of messages, counted from 0? It is ' +
      "one step of an agent's work. Judge it given the task and everything before it.",
    "Decide how good one step of an agent's work is. The step is found in messages at position target_message_index, " +
      'counted from 0, and is an assistant message. Choose the category that fits it, given the task and everything ' +
      'before it.',
  ],
};
