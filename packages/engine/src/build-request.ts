import { createHash } from 'node:crypto';
import { json, type DecisionRecord, type ModelRequest, type Question } from '@holdfast/core';

/** The id of the one question of a benchmark request: the same for all, so that it tells nothing. */
export const QUESTION = 'decision';

/**
 * What a model is shown of a record: state, instructions, and each option's id and description in order. The id is
 * the SHA-256 of exactly these bytes, so that nothing else of the record changes any byte of a request.
 */
export function buildRequest(record: DecisionRecord): ModelRequest {
  const question: Question = {
    id: QUESTION,
    type: record.primitive,
    instructions: record.instructions,
    options: record.options.map(({ id, description }) => ({ id, description })),
  };
  return { id: requestHash(record, question), state: record.state, questions: [question] };
}

function requestHash({ state }: DecisionRecord, { type, instructions, options }: Question): string {
  const shown = json.array([type, state, instructions, options.map(({ id, description }) => [id, description])]);
  const hash = createHash('sha256');
  for (const part of shown.parts) hash.update(part);
  return hash.digest('hex');
}
