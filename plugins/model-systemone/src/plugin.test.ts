import {
  HoldfastError,
  json,
  JsonText,
  readMap,
  readMembers,
  type FailureFacts,
  type ModelRequest,
} from '@holdfast/core';
import { startFaultServer, systemOneAnswer, testModel, type ServerAction } from '@holdfast/kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from './plugin.ts';

testModel(plugin, {
  options: (url: string) => ({ model: 'test-1', base_url: url, api_key_env: 'TEST_KEY' }),
  env: { TEST_KEY: 'sk-test-1234567890' },
  respond: ({ body }) => ({
    body: systemOneAnswer(body, ids => ids.map((id, at) => [id, at === 0 ? 1 : 0] as const)).bytes,
  }),
});

const request: ModelRequest = {
  id: 'x',
  state: JsonText.parse('{"b": 1.0, "1":2,"0":[ ]}'),
  questions: [
    {
      id: 'decision',
      type: 'choice',
      instructions: json.string('Which?'),
      options: ['1', '0', '-1', '__proto__'].map(id => ({ id, description: json.value({ about: id }) })),
    },
  ],
};

async function decide(answer: ServerAction, options: Record<string, unknown> = {}) {
  const server = await startFaultServer(() => answer);
  const settings = plugin.options.parse({ model: 'test-1', base_url: server.url, ...options });
  const adapter = plugin.create(settings, { env: () => undefined, folder: '.' });
  try {
    const answers = await adapter.decide(request, new AbortController().signal);
    return { answers, sent: server.requests[0]! };
  } finally {
    await adapter.close?.();
    await server.close();
  }
}

async function failureOf(answer: ServerAction): Promise<FailureFacts> {
  try {
    await decide(answer);
  } catch (error) {
    if (HoldfastError.is(error) && error.code === 'MODEL_FAILED') return error.facts as FailureFacts;
    throw error;
  }
  throw new Error('the answer was taken');
}

const body = (decision: string, rest = '"model":"test-1.0.0","usage":{"input_tokens":5,"output_tokens":2}') => ({
  headers: { 'content-type': 'application/json', 'x-typesafe-request-id': 'req-1' },
  body: `{"answers":{"decision":${decision}},${rest}}`,
});
const choice =
  '{"type":"choice","choice":"0","probabilities":{"1":0.1,"0":0.7,"-1":0.1,"__proto__":0.1},"confidence":0.6}';

describe('a request', () => {
  it('has the official form, with the state and the order of the criteria as they are', async () => {
    const { sent } = await decide(body(choice));
    expect(sent.path).toBe('/v1/systemone');
    expect(sent.body.toString()).toBe(
      '{"model":"test-1","state":{"b": 1.0, "1":2,"0":[ ]},"questions":{"decision":{"type":"choice",' +
        '"instructions":"Which?","criteria":{"1":{"about":"1"},"0":{"about":"0"},"-1":{"about":"-1"},' +
        '"__proto__":{"about":"__proto__"}}}}}',
    );
    const criteria = readMap(readMap(readMap(sent.body).get('questions')!.bytes).get('decision')!.bytes).get(
      'criteria',
    )!;
    expect(readMembers(criteria.bytes).map(([id]) => id)).toEqual(['1', '0', '-1', '__proto__']);
  });

  it('goes to another path of another server when told to, without the slash twice', async () => {
    const server = await startFaultServer(() => body(choice));
    const settings = plugin.options.parse({ model: 'm', base_url: `${server.url}/api/`, path: '/v1/decisions' });
    const adapter = plugin.create(settings, { env: () => 'the-default-key', folder: '.' });
    await adapter.decide(request, new AbortController().signal);
    expect(server.requests[0]!.path).toBe('/api/v1/decisions');
    // The default key stays at home.
    expect(server.requests[0]!.headers.authorization).toBeUndefined();
    await adapter.close?.();
    await server.close();
  });

  it('needs the key of the default server, or the one that is named', () => {
    const services = { env: () => undefined, folder: '.' };
    expect(() => plugin.create(plugin.options.parse({ model: 'm' }), services)).toThrow('TYPESAFE_API_KEY is not set');
    const named = plugin.options.parse({ model: 'm', base_url: 'http://127.0.0.1:1', api_key_env: 'MINE' });
    expect(() => plugin.create(named, services)).toThrow('MINE is not set');
    expect(() => plugin.options.parse({ model: 'm', base_url: 'ftp://x' })).toThrow();
  });
});

describe('an answer', () => {
  it('keeps the order and every value of the probabilities, the served model, the usage and the request id', async () => {
    const { answers } = await decide(body(choice));
    expect(answers[0]).toMatchObject({
      question_id: 'decision',
      choice: '0',
      confidence: 0.6,
      served_model: 'test-1.0.0',
      usage: { input_tokens: 5, output_tokens: 2 },
      request_id: 'req-1',
    });
    expect(answers[0]!.probabilities).toEqual([
      ['1', 0.1],
      ['0', 0.7],
      ['-1', 0.1],
      ['__proto__', 0.1],
    ]);
  });

  it.each([
    ['no probabilities and no confidence', '{"type":"choice","choice":"0"}', { probabilities: null, confidence: null }],
    ['a null confidence', '{"type":"choice","choice":"0","confidence":null}', { confidence: null }],
    [
      'probabilities out of bounds, for the engine to judge',
      '{"type":"choice","choice":"0","probabilities":{"0":1e400}}',
      { probabilities: [['0', Infinity]] },
    ],
    [
      'a repeated option, for the engine to judge',
      '{"type":"choice","choice":"0","probabilities":{"0":1,"0":0}}',
      {
        probabilities: [
          ['0', 1],
          ['0', 0],
        ],
      },
    ],
  ])('may have %s', async (_, decision, expected) => {
    expect((await decide(body(decision))).answers[0]).toMatchObject(expected);
  });

  it('counts tokens in either spelling, and none where there is none', async () => {
    const camel = await decide(body(choice, '"usage":{"inputTokens":7,"outputTokens":1}'));
    expect(camel.answers[0]!.usage).toEqual({ input_tokens: 7, output_tokens: 1 });
    expect((await decide(body(choice, '"model":null'))).answers[0]).toMatchObject({ usage: null, served_model: null });
  });

  it.each<[string, ServerAction, Partial<FailureFacts>]>([
    ['HTML under 200', { body: '<html></html>' }, { kind: 'invalid_answer', retryable: true }],
    ['an empty body', { body: '' }, { kind: 'invalid_answer', retryable: true }],
    ['half a body', { ...body(choice), cut: 30 }, { kind: 'connection', retryable: true }],
    ['bytes that are no UTF-8', { body: Buffer.from([0x7b, 0xff]) }, { kind: 'invalid_answer', retryable: true }],
    ['an error under 200', { body: '{"error":{"message":"later"}}' }, { kind: 'invalid_answer', retryable: true }],
    ['no answers', { body: '{"model":"x"}' }, { kind: 'invalid_answer', retryable: false }],
    ['another question', { body: '{"answers":{"other":{}}}' }, { kind: 'invalid_answer', retryable: false }],
    ['another type', body('{"type":"noul","noul":0.4}'), { kind: 'invalid_answer', retryable: false }],
    ['no choice', body('{"type":"choice","probabilities":{}}'), { kind: 'invalid_answer', retryable: false }],
    ['a choice that is a number', body('{"type":"choice","choice":0}'), { kind: 'invalid_answer', retryable: false }],
    [
      'a probability that is a string',
      body('{"type":"choice","choice":"0","probabilities":{"0":"1"}}'),
      { kind: 'invalid_answer' },
    ],
    [
      'a confidence that is a string',
      body('{"type":"choice","choice":"0","confidence":"high"}'),
      { kind: 'invalid_answer' },
    ],
    ['two members of one name', body('{"type":"choice","choice":"0","choice":"1"}'), { kind: 'invalid_answer' }],
    ['429', { status: 429, headers: { 'retry-after': '2' }, body: '{}' }, { kind: 'throttled', retryAfterMs: 2_000 }],
    ['529', { status: 529, body: '' }, { kind: 'overloaded', retryable: true }],
    ['401', { status: 401, body: '{}' }, { kind: 'auth', retryable: false }],
    [
      'too many tokens',
      { status: 400, body: '{"detail":{"error_type":"max_tokens_exceeded"}}' },
      { kind: 'over_length' },
    ],
    ['a refusal', { status: 422, body: '{"detail":"no"}' }, { kind: 'refused', retryable: false }],
    ['a reset', { reset: true }, { kind: 'connection', retryable: true }],
  ])('is a typed failure for %s', async (_, answer, expected) => {
    expect(await failureOf(answer)).toMatchObject(expected);
  });

  it('does not carry the key, wherever the server repeats it', async () => {
    const key = 'sk-echo-0123456789';
    const { body: text, headers } = body(choice, `"model":"${key}"`);
    const server = await startFaultServer(() => ({
      headers: { ...headers, 'x-typesafe-request-id': key },
      body: text,
    }));
    const settings = plugin.options.parse({ model: 'm', base_url: server.url, api_key_env: 'KEY' });
    const adapter = plugin.create(settings, { env: () => key, folder: '.' });
    const [answer] = await adapter.decide(request, new AbortController().signal);
    expect(answer).toMatchObject({ choice: '0', served_model: '[redacted]', request_id: '[redacted]' });
    await adapter.close?.();
    await server.close();
  });

  it('to a yes/no question is a probability of yes', async () => {
    const server = await startFaultServer(() => body('{"type":"noul","noul":0.27}'));
    const adapter = plugin.create(plugin.options.parse({ model: 'm', base_url: server.url }), {
      env: () => undefined,
      folder: '.',
    });
    const question = { ...request.questions[0]!, type: 'noul' as const };
    const [answer] = await adapter.decide({ ...request, questions: [question] }, new AbortController().signal);
    expect(answer).toMatchObject({
      choice: 'false',
      probabilities: [
        ['true', 0.27],
        ['false', 0.73],
      ],
      confidence: null,
    });
    await adapter.close?.();
    await server.close();
  });
});
