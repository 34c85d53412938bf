import { isUtf8 } from 'node:buffer';
import {
  JsonText,
  modelFailed,
  readMap,
  readMembers,
  type Answer,
  type Exchange,
  type HoldfastError,
  type ModelRequest,
  type Question,
  type Usage,
} from '@holdfast/core';
import type { HttpResponse } from '@holdfast/kit';

/** Where servers put their id of a request. */
const requestIdHeaders = ['x-typesafe-request-id', 'x-request-id', 'cf-ai-req-id'];

type Members = ReadonlyMap<string, JsonText>;

/**
 * The answers in a 200, one for each question in the questions' order, as they were given: checked for form only.
 * Throws MODEL_FAILED of kind `invalid_answer`: worth another try where the body is broken or carries an error, final
 * where it is a whole answer of a wrong form.
 */
export function readAnswers(request: ModelRequest, response: HttpResponse, exchange: Exchange): Answer[] {
  const { status } = response;
  const broken = (problem: string) =>
    modelFailed(problem, { kind: 'invalid_answer', retryable: true, status, exchange });
  const malformed = (problem: string) =>
    modelFailed(problem, { kind: 'invalid_answer', retryable: false, status, exchange });

  const body = readBody(response.body);
  if (typeof body === 'string') throw broken(`the body under HTTP ${status} is ${body}`);
  const answers = body.get('answers');
  if (answers === undefined && ['error', 'detail', 'errors'].some(key => isSet(body.get(key)))) {
    throw broken(`an error came under HTTP ${status}`);
  }
  if (answers?.kind !== 'object') throw malformed('the answer has no answers object');
  const byId = mapOf(answers, malformed);
  const facts = {
    served_model: textOf(body.get('model')),
    usage: usageOf(body.get('usage')),
    request_id: requestIdOf(response),
    exchange,
  };
  return request.questions.map(question => {
    const answer = byId.get(question.id);
    if (answer?.kind !== 'object') throw malformed(`there is no answer to the question ${question.id}`);
    return { question_id: question.id, ...decisionOf(mapOf(answer, malformed), question, malformed), ...facts };
  });
}

type Fail = (problem: string) => HoldfastError;

function readBody(bytes: Uint8Array): Members | string {
  if (bytes.length === 0) return 'empty';
  if (!isUtf8(bytes)) return 'not UTF-8';
  try {
    if (JsonText.parse(bytes).kind !== 'object') return 'no JSON object';
    return readMap(bytes);
  } catch {
    return 'not JSON, or not whole';
  }
}

function mapOf(text: JsonText, fail: Fail): Members {
  try {
    return readMap(text.bytes);
  } catch (error) {
    throw fail(`the answer cannot be read: ${(error as Error).message}`);
  }
}

function decisionOf(
  answer: Members,
  { type }: Question,
  fail: Fail,
): Pick<Answer, 'choice' | 'probabilities' | 'confidence'> {
  const given = textOf(answer.get('type'));
  if (given !== type) throw fail(`the answer is of type ${given ?? 'unknown'}, and ${type} was asked`);
  const confidence = numberOf(answer, 'confidence', fail);
  if (type === 'noul') {
    const yes = numberOf(answer, 'noul', fail);
    if (yes === null) throw fail('the answer has no noul');
    const probabilities = [['true', yes] as const, ['false', 1 - yes] as const];
    return { choice: yes >= 0.5 ? 'true' : 'false', probabilities, confidence };
  }
  const choice = textOf(answer.get('choice'));
  if (choice === null) throw fail('the answer has no choice');
  const probabilities = answer.get('probabilities');
  if (!isSet(probabilities)) return { choice, probabilities: null, confidence };
  if (probabilities.kind !== 'object') throw fail(`probabilities are ${probabilities.kind}, not an object`);
  return { choice, probabilities: probabilityPairs(probabilities, fail), confidence };
}

/** The pairs in the order of the answer. No object is keyed by them: ids may be 1, 0 or __proto__. */
function probabilityPairs(probabilities: JsonText, fail: Fail): [string, number][] {
  return readMembers(probabilities.bytes).map(([id, value]) => {
    if (value.kind !== 'number') throw fail(`the probability of ${JSON.stringify(id)} is ${value.kind}, not a number`);
    return [id, Number(value.toString())];
  });
}

function isSet(value: JsonText | undefined): value is JsonText {
  return value !== undefined && value.kind !== 'null';
}

function textOf(value: JsonText | undefined): string | null {
  return value?.kind === 'string' ? value.string() : null;
}

function numberOf(answer: Members, key: string, fail: Fail): number | null {
  const value = answer.get(key);
  if (!isSet(value)) return null;
  if (value.kind !== 'number') throw fail(`${key} is ${value.kind}, not a number`);
  return Number(value.toString());
}

/** Token counts in either spelling; null where the server gave none. */
function usageOf(usage: JsonText | undefined): Usage | null {
  if (usage?.kind !== 'object') return null;
  const members = new Map(readMembers(usage.bytes));
  const count = (...names: string[]): number | null => {
    const value = names.map(name => members.get(name)).find(isSet);
    const number = value?.kind === 'number' ? Number(value.toString()) : Number.NaN;
    return Number.isSafeInteger(number) && number >= 0 ? number : null;
  };
  return {
    input_tokens: count('input_tokens', 'inputTokens'),
    output_tokens: count('output_tokens', 'outputTokens'),
  };
}

function requestIdOf({ headers }: HttpResponse): string | null {
  for (const wanted of requestIdHeaders) {
    const found = headers.find(([name]) => name === wanted);
    if (found !== undefined) return found[1];
  }
  return null;
}
