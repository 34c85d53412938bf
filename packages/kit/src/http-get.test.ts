import { MockAgent } from 'undici';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Agents } from './agents.ts';
import { httpGet } from './http-get.ts';

let mock: MockAgent;
/** The Authorization header of each request. */
let asked: (string | null)[];
beforeEach(() => {
  mock = new MockAgent();
  mock.disableNetConnect();
  asked = [];
});
afterEach(() => mock.close());

const agents: Agents = { to: () => mock, close: () => mock.close(), destroy: () => mock.destroy() };
const redirect = (from: string, location: string) => answer(from, 302, { location });
const answer = (from: string, status: number, headers: Record<string, string> = {}) => {
  const { origin, pathname } = new URL(from);
  mock
    .get(origin)
    .intercept({ path: pathname })
    .reply(({ headers: sent }) => {
      const flat = sent as unknown as string[];
      asked.push(flat.includes('authorization') ? flat[flat.indexOf('authorization') + 1]! : null);
      return { statusCode: status, data: 'body', responseOptions: { headers } };
    });
};
const get = (url: string) =>
  httpGet(new URL(url), {
    agents,
    headers: [['authorization', 'Bearer s3cret']],
    signal: new AbortController().signal,
    timeoutMs: 10_000,
  });

it('refuses to be led from https to http', async () => {
  redirect('https://files.example/a', 'http://files.example/b');
  await expect(get('https://files.example/a')).rejects.toThrow(
    'https://files.example/a: is redirected from https to http, to files.example; this is not followed',
  );
});

it.each([
  ['the same host', 'https://files.example/a', 'https://files.example/b', true],
  ['a subdomain', 'https://files.example/a', 'https://cdn.files.example/b', false],
  ['another port', 'https://files.example/a', 'https://files.example:8443/b', false],
  ['https', 'http://files.example/a', 'https://files.example/b', false],
])('redirected to %s, it keeps or drops the sign-in', async (_, from, to, kept) => {
  redirect(from, to);
  answer(to, 200);
  const got = await get(from);
  expect([got.status, got.from.href]).toEqual([200, to]);
  expect(asked).toEqual(['Bearer s3cret', kept ? 'Bearer s3cret' : null]);
});
