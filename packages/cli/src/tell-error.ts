import { HoldfastError } from '@holdfast/core';
import { exitCodeOf, exits } from './exit-code.ts';
import { plainText } from './plain-text.ts';

/** Says on stderr what went wrong: one sentence where a person can mend it, the stack where it is our bug. */
export function tellError(error: unknown): number {
  const code = exitCodeOf(error);
  if (code !== null && HoldfastError.is(error)) {
    process.stderr.write(`holdfast: ${plainText(error.message)}\n`);
    return code;
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`holdfast: this is a bug, please report it:\n${stack}\n`);
  return exits.failed;
}
