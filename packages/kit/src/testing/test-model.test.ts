import {
  JsonText,
  defineModel,
  json,
  modelFailed,
  readMembers,
  type Answer,
  type ModelAdapter,
  type ModelRequest,
  type Question,
} from '@holdfast/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exchangeOf, failureOfResponse } from '../failure-of-response.ts';
import { createHttpClient } from '../http-client.ts';
import { brokenPromises } from './promised.ts';
import { systemOneAnswer, type Chances } from './systemone-answer.ts';
import { modelPromises, testModel, type ModelSetup } from './test-model.ts';

const answerTo = ({ id, options }: Question, changes: Partial<Answer> = {}): Answer => ({
  question_id: id,
  choice: options[0]!.id,
  probabilities: options.map((option, at) => [option.id, at === 0 ? 1 : 0]),
  confidence: 1,
  served_model: null,
  usage: null,
  request_id: null,
  exchange: null,
  ...changes,
});
const local: ModelAdapter = {
  identity: { model: 'first', endpoint: null },
  limits: {
    primitives: ['choice', 'noul', 'score'],
    maxOptions: 255,
    maxInputTokens: null,
    confidence: 'provided',
    probabilityDecimals: 2,
  },
  async decide({ questions }, signal) {
    signal.throwIfAborted();
    return questions.map(question => answerTo(question));
  },
};
const localPlugin = (changes: Partial<ModelAdapter>) =>
  defineModel({
    name: 'first',
    summary: 'The first.',
    options: z.strictObject({}),
    create: () => ({ ...local, ...changes }),
  });
const answering = (make: (question: Question) => Partial<Answer>): Partial<ModelAdapter> => ({
  async decide({ questions }, signal) {
    signal.throwIfAborted();
    return questions.map(question => answerTo(question, make(question)));
  },
});

testModel(localPlugin({}));

describe('the suite for models in this process', () => {
  it('finds nothing in a good one', async () => {
    expect(await brokenPromises(modelPromises(localPlugin({}), {}))).toEqual([]);
  });

  const valid = 'gives valid answers';
  const one = 'gives one answer a question';
  it.each<[string, Partial<ModelAdapter>, string[]]>([
    ['tells a secret', { identity: { model: 'm', endpoint: 'https://x/?k=sk-secret' } }, ['names the model']],
    ['tells a secret in a caveat', { caveats: ['with sk-secret'] }, ['names the model']],
    ['has odd limits', { limits: { ...local.limits, maxOptions: 0 } }, ['declares limits']],
    ['has no primitives', { limits: { ...local.limits, primitives: [] } }, ['declares limits']],
    [
      'ignores the signal',
      { decide: async ({ questions }) => questions.map(question => answerTo(question)) },
      ['throws the reason'],
    ],
    [
      'throws of its own when it is aborted',
      { decide: async () => Promise.reject(modelFailed('x', { kind: 'timeout', retryable: true })) },
      ['throws the reason', one],
    ],
    ['answers the first question only', { decide: async ({ questions }) => [answerTo(questions[0]!)] }, [one]],
    [
      'answers in another order',
      { decide: async ({ questions }) => questions.toReversed().map(question => answerTo(question)) },
      [one],
    ],
    [
      'keeps answers in an object',
      {
        async decide({ questions }) {
          const answers = Object.fromEntries(questions.map(question => [question.id, answerTo(question)]));
          return Object.values(answers);
        },
      },
      [one],
    ],
    [
      'keeps probabilities in an object',
      answering(({ options }) => {
        const probabilities: Record<string, number> = {};
        for (const [at, { id }] of options.entries()) probabilities[id] = at === 0 ? 1 : 0;
        return { probabilities: Object.entries(probabilities) };
      }),
      [valid],
    ],
    ['chooses what is no option', answering(() => ({ choice: 'other' })), [valid]],
    ['chooses the least', answering(({ options }) => ({ choice: options.at(-1)!.id })), [valid]],
    [
      'gives a sum of 0.9',
      answering(({ options }) => ({ probabilities: options.map(({ id }, at) => [id, at === 0 ? 0.9 : 0]) })),
      [valid],
    ],
    ['gives NaN', answering(({ options }) => ({ probabilities: options.map(({ id }) => [id, NaN]) })), [valid]],
    [
      'gives one twice',
      answering(({ options }) => ({ probabilities: [...options, options[0]!].map(({ id }) => [id, 0]) })),
      [valid],
    ],
    ['gives a confidence over 1', answering(() => ({ confidence: 1.2 })), [valid]],
    ['gives no confidence', answering(() => ({ confidence: null })), [valid]],
    ['gives a confidence that it denies', { limits: { ...local.limits, confidence: 'none' } }, [valid]],
    [
      'sorts the options in place',
      {
        decide: async ({ questions }: ModelRequest) =>
          questions.map(question => ((question.options as unknown[]).reverse(), answerTo(question))),
      },
      ['changes nothing'],
    ],
  ])('finds one that %s', async (_, changes, expected) => {
    const broken = await brokenPromises(modelPromises(localPlugin(changes), { env: { KEY: 'sk-secret' } }));
    for (const start of expected) expect(broken.map(promise => promise.slice(0, start.length))).toContain(start);
  });
});

/** A small model behind HTTP; `flaws` are what is wrong with it. */
const remotePlugin = (flaws: readonly string[] = []) =>
  defineModel({
    name: 'remote',
    summary: 'Behind HTTP.',
    options: z.strictObject({ url: z.string().describe('Server.') }),
    create({ url }, { env }) {
      const has = (flaw: string) => flaws.includes(flaw);
      const key = env('KEY')!;
      const secrets = has('keeps the key') ? [] : [key];
      const client = createHttpClient({ connections: 4, timeoutMs: 10_000, env: {} });
      return {
        identity: { model: 'm', endpoint: url },
        limits: {
          primitives: ['choice'],
          maxOptions: 255,
          maxInputTokens: null,
          confidence: 'provided',
          probabilityDecimals: 2,
        },
        async decide({ state, questions }, signal) {
          const body = json.object([
            ['state', has('prints the state again') ? JsonText.parse(JSON.stringify(state.lossyValue())) : state],
            [
              'questions',
              json.object(
                questions.map(question => [
                  question.id,
                  json.object([
                    ['type', 'choice'],
                    ['criteria', criteria(question, has('objects'))],
                  ]),
                ]),
              ),
            ],
            ...(has('key in the body') ? [['key', key] as const] : []),
          ]);
          const headers = [['authorization', `Bearer ${key}`]] as const;
          const post = () => client.post(url, { headers, body }, has('deaf') ? AbortSignal.timeout(400) : signal);
          const response = has('retries')
            ? await post().then(first => (first.status === 500 ? post() : first))
            : await post();
          const failure = failureOfResponse(response, { now: 0, secrets });
          if (failure !== null)
            throw has('all final') ? modelFailed('no', { kind: 'refused', retryable: false }) : failure;
          try {
            const answers = new Map(readMembers(new Map(readMembers(response.body)).get('answers')!.bytes));
            return questions.map(question => {
              const members = new Map(readMembers(answers.get(question.id)!.bytes));
              const probabilities = readMembers(members.get('probabilities')!.bytes).map(
                ([id, text]) => [id, Number(text.toString())] as const,
              );
              return answerTo(question, {
                choice: members.get('choice')!.string(),
                probabilities,
                exchange: exchangeOf(response, { secrets }),
              });
            });
          } catch (error) {
            if (has('bare errors')) throw error;
            throw modelFailed('no valid answer', {
              kind: 'invalid_answer',
              retryable: false,
              exchange: exchangeOf(response, { secrets }),
            });
          }
        },
        close: () => client.close(),
      };
    },
  });

function criteria({ options }: Question, plain: boolean): JsonText {
  if (!plain) return json.object(options.map(({ id, description }) => [id, description]));
  return JsonText.parse(JSON.stringify(Object.fromEntries(options.map(({ id }) => [id, null]))));
}

const first = (ids: readonly string[]): Chances => ids.map((id, at) => [id, at === 0 ? 1 : 0]);
const remote: ModelSetup = {
  options: (url: string) => ({ url }),
  env: { KEY: 'sk-"secret"' },
  respond: ({ body }) => ({ body: systemOneAnswer(body, first).bytes }),
};

testModel(remotePlugin(), remote);

describe('the suite for models behind HTTP', () => {
  it('finds nothing in a good one', async () => {
    expect(await brokenPromises(modelPromises(remotePlugin(), remote))).toEqual([]);
  });

  it.each([
    ['prints the state again', "sends the state's bytes"],
    ['objects', "sends the state's bytes"],
    ['key in the body', "sends the state's bytes"],
    ['keeps the key', 'keeps no secret of a refusal'],
    ['keeps the key', 'keeps no secret of an answer'],
    ['retries', 'says of what may pass'],
    ['all final', 'says of what may pass'],
    ['bare errors', 'takes no answer that is broken'],
    ['deaf', 'throws the reason of the signal when it aborts while'],
  ])('finds the flaw "%s": %s', async (flaw, expected) => {
    const broken = await brokenPromises(modelPromises(remotePlugin([flaw]), remote));
    expect(broken.map(promise => promise.slice(0, expected.length))).toContain(expected);
  });
});

describe('systemOneAnswer', () => {
  it('answers every type in the order of the choice', () => {
    const body = Buffer.from(
      '{"questions":{"2":{"type":"choice","criteria":{"10":null,"2":null,"__proto__":null}},"1":{"type":"noul"},' +
        '"s":{"type":"score","criteria":["No",{"b":1},"Yes"]}}}',
    );
    const text = systemOneAnswer(body, ids => ids.map((id, at) => [id, at === 1 ? 0.6 : 0.2])).toString();
    expect(text).toContain(
      '{"2":{"type":"choice","choice":"2","probabilities":{"10":0.2,"2":0.6,"__proto__":0.2},"confidence":0.4},' +
        '"1":{"type":"noul","noul":0.2},' +
        '"s":{"type":"score","score":1,"legend":{"0":"No","1":{"b":1},"2":"Yes"},"probabilities":{"0":0.2,"1":0.6,"2":0.2},"confidence":0.4}}',
    );
  });
});
