/** Writes the state as a string of JSON text, exactly as it stands. */
import {
  HoldfastError,
  JsonText,
  checkPair,
  definePerturbation,
  isQuoteOf,
  quote,
  sameJson,
  type Violation,
} from '@holdfast/core';
import { z } from 'zod';

export default definePerturbation({
  name: 'format',
  summary: 'Writes the state as a string of JSON text.',
  options: z.strictObject({}),
  create: () => ({
    version: 'v3_format',
    operation: 'serialize_state',
    expectation: 'same_decision',

    apply: ({ state }) => ({ state: quote(state) }),

    check(original, version) {
      const violations: Violation[] = [...checkPair(original, version, { changes: ['state'] })];
      const problem = isQuoteOf(version.state, original.state) ? null : differs(original.state, version.state);
      if (problem !== null) violations.push({ rule: 'quoted', message: problem, severity: 'violation' });
      return violations;
    },
  }),
});

/** Why `quoted` does not spell `state` as JSON in a string, in whatever spacing and escapes; null where it does. */
function differs(state: JsonText, quoted: JsonText): string | null {
  if (quoted.kind !== 'string') return `the state must be a string of JSON, not ${quoted.kind}`;
  try {
    return sameJson(state, innerJson(quoted.string())) ? null : 'the string spells another value than the state';
  } catch (error) {
    if (!HoldfastError.is(error)) throw error;
    return `the string of the state is ${error.message}`;
  }
}

// Python's json.dumps(…, ensure_ascii=False) leaves a lone surrogate as it is, which no bytes can spell but an escape.
function innerJson(text: string): JsonText {
  return JsonText.parse(text.replace(/\p{Surrogate}/gu, lone => `\\u${lone.charCodeAt(0).toString(16)}`));
}
