import type { Family } from './family.ts';

export const chooseFunction: Family = {
  instruction: "Choose the function that should be called to fulfil the user's request.",
  rewrites: [
    "Pick the function that should be called in order to fulfil the user's request.",
    "Which function should be called to fulfil the user's request? Choose it.",
    "To fulfil the user's request, a function should be called. Choose that function.",
    "Select the function whose call should fulfil the user's request.",
    "Given the user's request, choose the function that should be called to carry it out.",
    "The user's request is to be fulfilled by calling a function. Decide which function should be called.",
    "Decide which function should be called so that the user's request is fulfilled.",
    "Choose which of the functions should be called to do what the user's request asks for.",
    "Find the function that should be called to meet the user's request, and choose it.",
    "For the user's request, identify the function that should be called to fulfil it.",
  ],
};
