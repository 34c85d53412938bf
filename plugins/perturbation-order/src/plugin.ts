/** Reverses the order of the candidates: ids, descriptions and the right answer stay as they are. */
import { checkPair, definePerturbation, sameOption, type Violation } from '@holdfast/core';
import { z } from 'zod';

export default definePerturbation({
  name: 'order',
  summary: 'Reverses the order of the candidates.',
  options: z.strictObject({}),
  create: () => ({
    version: 'v1_order',
    operation: 'reverse_options',
    expectation: 'same_decision',

    // The two answers of a noul question have no order that a model could see.
    apply: ({ primitive, options }) => (primitive === 'noul' ? null : { options: options.toReversed() }),

    check(original, version) {
      const violations: Violation[] = [...checkPair(original, version, { changes: ['options'] })];
      const violated = (rule: string, message: string) => violations.push({ rule, message, severity: 'violation' });
      if (original.primitive === 'noul') violated('primitive', 'the options of a noul question have no order');
      for (const [index, option] of original.options.toReversed().entries()) {
        const found = version.options[index];
        if (found === undefined || !sameOption(option, found)) {
          violated('reversed', `option ${index} is not the original's option ${original.options.length - 1 - index}`);
        }
      }
      return violations;
    },
  }),
});
