import { json, type JsonText, type ModelRequest, type Question } from '@holdfast/core';

/**
 * The body of a request in the official form. Criteria are written in the order of the options, whatever their ids
 * look like: the order is part of the question. The state's bytes are the record's.
 */
export function writeBody(model: string, { state, questions }: ModelRequest): JsonText {
  return json.object([
    ['model', model],
    ['state', state],
    ['questions', json.object(questions.map(question => [question.id, writeQuestion(question)]))],
  ]);
}

function writeQuestion({ type, instructions, options }: Question): JsonText {
  const criteria =
    type === 'score'
      ? json.array(options.map(({ description }) => description))
      : json.object(options.map(({ id, description }) => [id, description]));
  return json.object([
    ['type', type],
    ['instructions', instructions],
    ['criteria', criteria],
  ]);
}
