/** Decision servers that speak `POST /v1/systemone`, such as TypeSafe's Jev. */
import { defineModel, HoldfastError, type ModelIdentity } from '@holdfast/core';
import { createHttpClient, exchangeOf, failureOfResponse } from '@holdfast/kit';
import { z } from 'zod';
import { readAnswers } from './read-answers.ts';
import { writeBody } from './write-body.ts';

const DEFAULT_HOST = 'https://api.typesafe.ai';
/** The variable of the default host. It is never sent anywhere else. */
const DEFAULT_KEY = 'TYPESAFE_API_KEY';
/** The engine bounds how many requests are under way; a connection is opened only when one is needed. */
const CONNECTIONS = 4096;

const options = z.strictObject({
  model: z.string().min(1).describe('Model id to ask for; pin a version when a threshold was tuned on it.'),
  base_url: z
    .url({ protocol: /^https?$/ })
    .default(DEFAULT_HOST)
    .describe('Server, without the path.'),
  path: z.string().startsWith('/').default('/v1/systemone').describe('Path of the endpoint.'),
  api_key_env: z
    .string()
    .min(1)
    .optional()
    .describe(
      `Environment variable with the key. ${DEFAULT_KEY} for the default server; none for others unless named.`,
    ),
  timeout_ms: z.number().int().min(1).default(60_000).describe('Longest wait for a whole answer, in milliseconds.'),
  probability_decimals: z
    .number()
    .int()
    .min(2)
    .max(15)
    .default(2)
    .describe('Decimals to which the server rounds probabilities: decides how far their sum may be from 1.'),
  max_options: z.number().int().min(2).max(255).default(255).describe('Most options of one question.'),
  confidence: z.enum(['provided', 'none']).default('provided').describe('Whether answers carry a confidence.'),
});

export default defineModel({
  name: 'systemone',
  summary: 'Asks a decision server over POST /v1/systemone, one question a request.',
  options,
  create: (settings, services) => {
    const endpoint = settings.base_url.replace(/\/+$/, '') + settings.path;
    const key = keyFor(settings, name => services.env(name));
    const secrets = key === null ? [] : [key];
    const client = createHttpClient({ connections: CONNECTIONS, timeoutMs: settings.timeout_ms });
    const headers: [string, string][] = [
      ['content-type', 'application/json'],
      ['accept', 'application/json'],
      ...(key === null ? [] : [['authorization', `Bearer ${key}`] as [string, string]]),
    ];
    const identity: ModelIdentity = {
      model: settings.model,
      endpoint,
      probability_decimals: settings.probability_decimals,
    };
    return {
      identity,
      limits: {
        primitives: ['choice', 'noul'],
        maxOptions: settings.max_options,
        maxInputTokens: null,
        confidence: settings.confidence,
        probabilityDecimals: settings.probability_decimals,
      },
      concurrency: 16,
      async decide(request, signal) {
        const response = await client.post(endpoint, { headers, body: writeBody(settings.model, request) }, signal);
        const failure = failureOfResponse(response, { now: Date.now(), secrets });
        if (failure !== null) throw failure;
        // Read from what is kept: a server that repeats the key anywhere does not bring it into a file.
        const exchange = exchangeOf(response, { secrets });
        const kept = { ...response, headers: exchange.headers, body: Buffer.from(exchange.body) };
        return readAnswers(request, kept, exchange);
      },
      close: () => client.close(),
    };
  },
});

/** The key to send; null for a server that takes none. Throws RECIPE_INVALID where the named variable is not set. */
function keyFor(settings: z.infer<typeof options>, env: (name: string) => string | undefined): string | null {
  const isDefault = new URL(settings.base_url).origin === DEFAULT_HOST;
  const name = settings.api_key_env ?? (isDefault ? DEFAULT_KEY : null);
  if (name === null) return null;
  const key = env(name)?.trim();
  if (key !== undefined && key !== '') return key;
  throw new HoldfastError(
    'RECIPE_INVALID',
    `the variable ${name} is not set; export it with the key of ${settings.base_url}`,
  );
}
