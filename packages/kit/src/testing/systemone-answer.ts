import { json, readItems, readMap, readMembers, type JsonInput, type JsonText } from '@holdfast/core';

export type Chances = readonly (readonly [id: string, probability: number])[];

/**
 * A valid System One answer to a raw request body. `choose` gives the probabilities of a question's options, in the
 * order in which they are to stand in the answer; levels of a score question are `0`, `1` … and a noul question's are
 * `true` and `false`. Read and written in order: ids may be `10`, `2` or `__proto__`.
 */
export function systemOneAnswer(
  body: Uint8Array,
  choose: (optionIds: readonly string[], questionId: string) => Chances,
  { model = 'test-model-1' }: { model?: string } = {},
): JsonText {
  const request = readMap(body);
  const questions = readMembers(request.get('questions')!.bytes);
  return json.object([
    ['model', model],
    ['answers', json.object(questions.map(([id, question]) => [id, answerOf(question, ids => choose(ids, id))]))],
    ['usage', { input_tokens: Math.ceil(body.byteLength / 4), output_tokens: 10 * questions.length }],
  ]);
}

function answerOf(question: JsonText, choose: (optionIds: readonly string[]) => Chances): JsonText {
  const members = readMap(question.bytes);
  const type = members.get('type')!.string();
  const criteria = members.get('criteria');
  if (type === 'noul') {
    const yes = choose(['true', 'false']).find(([id]) => id === 'true')![1];
    return json.object([
      ['type', type],
      ['noul', yes],
    ]);
  }
  if (type === 'score') {
    const levels = readItems(criteria!.bytes);
    const pairs = choose(levels.map((_, level) => String(level)));
    return json.object([
      ['type', type],
      ['score', round(pairs.reduce((sum, [level, probability]) => sum + Number(level) * probability, 0))],
      ['legend', new Map<string, JsonInput>(levels.map((level, at) => [String(at), level]))],
      ['probabilities', json.object(pairs)],
      ['confidence', confidenceOf(pairs)],
    ]);
  }
  const pairs = choose(readMembers(criteria!.bytes).map(([id]) => id));
  const best = pairs.reduce((left, right) => (right[1] > left[1] ? right : left));
  return json.object([
    ['type', type],
    ['choice', best[0]],
    ['probabilities', json.object(pairs)],
    ['confidence', confidenceOf(pairs)],
  ]);
}

function confidenceOf(pairs: Chances): number {
  const largest = Math.max(...pairs.map(([, probability]) => probability));
  return pairs.length < 2 ? 1 : round(Math.max(0, (pairs.length * largest - 1) / (pairs.length - 1)));
}

const round = (value: number) => Math.round(value * 100) / 100;
