import type { Family } from './family.ts';

export const chooseTarget: Family = {
  instruction:
    'Choose the element of the web page that the next action of the task should be performed on, given the actions ' +
    'before it.',
  rewrites: [
    'Given the actions before it, choose the element of the web page on which the next action of the task should be ' +
      'performed.',
    'Pick the element of the web page that the next action of the task should be performed on, in view of the actions ' +
      'before it.',
    'On which element of the web page should the next action of the task be performed, given the actions before it? ' +
      'Choose that element.',
    'Select the web page element on which, given the earlier actions, the next action of the task should be performed.',
    'The task goes on with a next action. Given the actions before it, choose the element of the web page that it ' +
      'should be performed on.',
    'Taking into account the actions before it, decide on which element of the web page the next action of the task ' +
      'should be performed.',
    'Find the element of the web page on which the next action of the task should be performed, considering the ' +
      'actions that came before it.',
    'Which element of the web page should the next action of the task be performed on? Choose it in view of the ' +
      'actions before this one.',
    'For the next action of the task, choose the element of the web page that it should be performed on, given the ' +
      'preceding actions.',
  ],
};

export const chooseNavigation: Family = {
  instruction:
    'Choose the element of the web page that the navigator should act on next, given the conversation and the actions ' +
    'so far.',
  rewrites: [
    'Given the conversation and the actions so far, choose the element of the web page that the navigator should act ' +
      'on next.',
    'Pick the element of the web page on which the navigator should act next, in view of the conversation and the ' +
      'actions so far.',
    'Which element of the web page should the navigator act on next, given the conversation and the actions so far? ' +
      'Choose it.',
    'Select the web page element that the navigator should next act on, considering the conversation and the actions ' +
      'so far.',
    'Decide on which element of the web page the navigator should act next. What is given are the conversation and ' +
      'the actions so far.',
    'With the conversation and the actions so far in view, choose the element of the web page on which the navigator ' +
      'should act next.',
    'The navigator is to act on an element of the web page next. Choose the element that it should be, given the ' +
      'conversation and the actions so far.',
    'Taking into account the conversation and the actions up to this point, choose the element of the web page that ' +
      'the navigator should act on next.',
    "For the navigator's next action, choose the element of the web page that it should act on, given the " +
      'conversation and the actions so far.',
  ],
};
