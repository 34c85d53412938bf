import type { Family } from './family.ts';

export const judgeRepair: Family = {
  instruction:
    'Judge the finished run of a software agent. Does generated_patch resolve the issue that the agent was given, so ' +
    "that the project's own tests for it pass? The agent could not see these tests.",
  rewrites: [
    'Assess the finished run of a software agent: does generated_patch resolve the issue that was given to the agent, ' +
      "so that the project's own tests for it pass? The agent could not see these tests.",
    'A software agent has finished its run. Judge whether generated_patch resolves the issue that the agent was given, ' +
      "that is, whether the project's own tests for it pass. The agent could not see these tests.",
    "Is the issue that the software agent was given resolved by generated_patch, so that the project's own tests for " +
      'it pass? Judge the finished run. These tests could not be seen by the agent.',
    'Look at the finished run of a software agent and decide whether generated_patch resolves the issue it was given, ' +
      "so that the project's own tests for that issue pass. The agent could not see those tests.",
    "The project's own tests for the issue, which the software agent could not see, pass if generated_patch resolves " +
      'the issue that the agent was given. Judge the finished run: does it?',
    'Decide, for the finished run of a software agent, whether generated_patch resolves the issue that the agent was ' +
      "given. Resolved means that the project's own tests for it pass; the agent could not see these tests.",
    'Here is the finished run of a software agent. Judge it: does generated_patch resolve the issue given to the ' +
      "agent, with the result that the project's own tests for it pass? The agent could not look at these tests.",
    "Evaluate the finished run of a software agent. Are the project's own tests for the issue passed, because " +
      'generated_patch resolves what the agent was given? The agent could not see these tests.',
    'Your task is to judge the finished run of a software agent: whether generated_patch resolves the issue that was ' +
      "given to it, so that the project's own tests for the issue pass. The agent could not see these tests.",
  ],
};
