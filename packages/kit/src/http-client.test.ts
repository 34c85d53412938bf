import { getEventListeners } from 'node:events';
import { createServer } from 'node:http';
import { connect, createServer as listen, type AddressInfo } from 'node:net';
import { HoldfastError, JsonText, json } from '@holdfast/core';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpClient, type HttpClient, type HttpClientOptions } from './http-client.ts';
import { startFaultServer, type FaultServer, type ServerAction } from './testing/fault-server.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});
const serve = async (handler: Parameters<typeof startFaultServer>[0]): Promise<FaultServer> => {
  const server = await startFaultServer(handler);
  open.push(server);
  return server;
};
const client = (options: Partial<HttpClientOptions> = {}): HttpClient => {
  const made = createHttpClient({ connections: 4, timeoutMs: 10_000, env: {}, ...options });
  open.unshift(made);
  return made;
};
const never = new AbortController().signal;
const body = JsonText.parse('{}');
const headers = [['content-type', 'application/json']] as const;

describe('post', () => {
  it('sends the parts of a text byte for byte with their length, and the headers', async () => {
    const state = JsonText.parse(String.raw`{"2": 1.0, "1":"\u2028 ✓"}`);
    const text = json.object([
      ['state', state],
      ['model', 'm'],
      ['again', state],
    ]);
    expect(text.parts.length).toBeGreaterThan(1);
    const server = await serve(() => ({ body: '{"ok":1}', headers: { 'X-Two': ['a', 'b'] } }));
    const response = await client().post(`${server.url}/v1/x?y=1`, { headers, body: text }, never);
    expect(response.body.toString()).toBe('{"ok":1}');
    expect(response.headers.filter(([name]) => name === 'x-two')).toEqual([
      ['x-two', 'a'],
      ['x-two', 'b'],
    ]);
    expect(response.latencyMs).toBeGreaterThan(0);
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/v1/x?y=1' });
    expect(request!.body.equals(text.bytes)).toBe(true);
    expect(request!.headers['content-length']).toBe(String(text.byteLength));
    expect(request!.headers['content-type']).toBe('application/json');
  });

  it.each([200, 204, 301, 400, 401, 404, 429, 500, 529])('resolves with status %i', async status => {
    const server = await serve(() => ({
      status,
      headers: { location: '/elsewhere' },
      body: status === 204 ? '' : 'x',
    }));
    expect(await client().post(server.url, { headers, body }, never)).toMatchObject({ status });
    expect(server.requests.length).toBe(1);
  });

  it('keeps connections', async () => {
    const ports = new Set<unknown>();
    const server = createServer((request, response) => {
      ports.add(request.socket.remotePort);
      request.resume().on('end', () => response.end('{}'));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => new Promise(resolve => server.close(() => resolve())) });
    const http = client({ connections: 1 });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (let sent = 0; sent < 5; sent++) await http.post(url, { headers, body }, never);
    expect(ports.size).toBe(1);
  });

  it('reads chunked and empty bodies', async () => {
    const answers: ServerAction[] = [
      { headers: { 'transfer-encoding': 'chunked' }, body: 'a'.repeat(100_000) },
      { body: '' },
    ];
    const server = await serve(({ index }) => answers[index]!);
    const http = client();
    expect((await http.post(server.url, { headers, body }, never)).body.length).toBe(100_000);
    expect((await http.post(server.url, { headers, body }, never)).body.length).toBe(0);
  });
});

describe('a fault', () => {
  const facts = async (promise: Promise<unknown>) => {
    const error = await promise.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(HoldfastError.is(error) && error.code).toBe('MODEL_FAILED');
    return (error as HoldfastError).facts;
  };

  it.each<[string, ServerAction]>([
    ['a reset', { reset: true }],
    ['a body cut after its headers', { cut: 0, body: '{"a":1}' }],
    ['a body cut in the middle', { cut: 3, body: '{"a":1}' }],
    ['a cut body on a connection that closes', { cut: 3, body: '{"a":1}', headers: { connection: 'close' } }],
    ['a cut chunked body', { cut: 3, body: '{"a":1}', headers: { 'transfer-encoding': 'chunked' } }],
    [
      'a cut chunked body on a connection that closes',
      { cut: 3, body: '{"a":1}', headers: { 'transfer-encoding': 'chunked', connection: 'close' } },
    ],
  ])('is %s: of kind connection and may be tried again', async (_, action) => {
    const server = await serve(() => action);
    expect(await facts(client().post(server.url, { headers, body }, never))).toMatchObject({
      kind: 'connection',
      retryable: true,
    });
    expect(server.requests.length).toBe(1);
  });

  it('is a refused connection', async () => {
    const server = await startFaultServer(() => ({}));
    await server.close();
    expect(await facts(client().post(server.url, { headers, body }, never))).toMatchObject({
      kind: 'connection',
      retryable: true,
    });
  });

  it('is an unknown host', async () => {
    const http = client();
    const failure = http.post('http://host.invalid/', { headers, body }, never);
    expect(await facts(failure)).toMatchObject({ kind: 'connection', retryable: true });
    await expect(failure).rejects.toThrow(/^host\.invalid: .*\((ENOTFOUND|EAI_AGAIN)\)$/);
  });

  it('is an answer that is no HTTP', async () => {
    const server = listen(socket =>
      socket
        .resume()
        .on('error', () => {})
        .end('SSH-2.0-x\r\n'),
    );
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => new Promise(resolve => server.close(() => resolve())) });
    const { port } = server.address() as AddressInfo;
    expect(await facts(client().post(`http://127.0.0.1:${port}`, { headers, body }, never))).toMatchObject({
      kind: 'connection',
    });
  });

  it.each<[string, ServerAction]>([
    ['no answer', { hang: true }],
    ['a late answer', { delayMs: 5_000 }],
  ])('is %s within the time', async (_, action) => {
    const server = await serve(() => action);
    expect(await facts(client({ timeoutMs: 50 }).post(server.url, { headers, body }, never))).toMatchObject({
      kind: 'timeout',
      retryable: true,
    });
  });

  it('is no answer within the time while all connections are taken', async () => {
    const server = await serve(() => ({ hang: true }));
    const http = client({ timeoutMs: 100, connections: 1 });
    const kinds = await Promise.all([1, 2, 3].map(() => facts(http.post(server.url, { headers, body }, never))));
    expect(kinds.map(({ kind }) => kind)).toEqual(['timeout', 'timeout', 'timeout']);
  });

  it.each([{}, { 'transfer-encoding': 'chunked' }])('is an answer over the limit (%j)', async given => {
    const server = await serve(() => ({ body: 'x'.repeat(2_000_000), headers: given as Record<string, string> }));
    const http = client({ maxBodyBytes: 1_000_000 });
    expect(await facts(http.post(server.url, { headers, body }, never))).toMatchObject({
      kind: 'invalid_answer',
      retryable: false,
      status: 200,
    });
  });

  it('is a header that cannot be written, told without its value', async () => {
    const secret = 'sk-secret\n';
    const failure = client().post('http://127.0.0.1:9', { headers: [['authorization', secret]], body }, never);
    expect(await facts(failure)).toMatchObject({ kind: 'refused', retryable: false });
    await expect(failure).rejects.not.toThrow('sk-secret');
  });
});

describe('the signal', () => {
  it.each<[string, ServerAction]>([
    ['before the answer', { hang: true }],
    ['in the middle of a body', { delayMs: 0, body: 'x'.repeat(30_000_000), headers: {} }],
  ])('ends a request %s with its own reason', async (_, action) => {
    const server = await serve(() => action);
    const controller = new AbortController();
    const failure = client({ maxBodyBytes: 1e9 }).post(server.url, { headers, body }, controller.signal);
    const check = expect(failure).rejects.toMatchObject({ name: 'AbortError' });
    while (server.requests.length === 0) await new Promise(resolve => setTimeout(resolve, 1));
    controller.abort();
    await check;
  });

  it('ends requests that wait for a connection at once, and those that have not begun', async () => {
    const server = await serve(() => ({ hang: true }));
    const http = client({ connections: 1 });
    const controller = new AbortController();
    const reason = new Error('interrupted');
    const waiting = [1, 2].map(() => http.post(server.url, { headers, body }, controller.signal));
    const checks = waiting.map(each => expect(each).rejects.toBe(reason));
    controller.abort(reason);
    await Promise.all(checks);
    await expect(http.post(server.url, { headers, body }, controller.signal)).rejects.toBe(reason);
  });

  it('is shared by many requests without a warning', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on('warning', warn);
    const server = await serve(() => ({ body: '{}', delayMs: 5 }));
    const http = client({ connections: 20 });
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 20 }, () => http.post(server.url, { headers, body }, signal)));
    await new Promise(resolve => setImmediate(resolve));
    process.off('warning', warn);
    expect(warnings).toEqual([]);
  });

  it('leaves no listener behind', async () => {
    const server = await serve(() => ({ body: '{}' }));
    const http = client();
    const { signal } = new AbortController();
    for (let sent = 0; sent < 3; sent++) await http.post(server.url, { headers, body }, signal);
    expect(getEventListeners(signal, 'abort').length).toBe(0);
  });
});

describe('a proxy', () => {
  const proxy = async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(request.url ?? '');
      response.end('by proxy');
    });
    // Tunnels end in this very process, whatever host was asked for.
    server.on('connect', (request, socket) => {
      seen.push(request.url ?? '');
      const { port } = server.address() as AddressInfo;
      const inner = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        inner.pipe(socket).pipe(inner);
      });
      socket.on('error', () => inner.destroy());
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    open.push({
      close: async () => {
        server.closeAllConnections();
        await new Promise<void>(resolve => server.close(() => resolve()));
      },
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
  };

  it.each(['http_proxy', 'HTTP_PROXY'])('is used where %s names it', async name => {
    const { url, seen } = await proxy();
    const http = client({ env: { [name]: url } });
    const response = await http.post('http://model.invalid/v1', { headers, body }, never);
    expect(response.body.toString()).toBe('by proxy');
    expect(seen.length).toBeGreaterThan(0);
  });

  it('is never used for the loopback, nor for what NO_PROXY names', async () => {
    const { url, seen } = await proxy();
    const server = await serve(() => ({ body: 'direct' }));
    const http = client({ env: { HTTP_PROXY: url, NO_PROXY: 'model.invalid' } });
    for (const host of ['127.0.0.1', 'localhost']) {
      const response = await http.post(server.url.replace('127.0.0.1', host), { headers, body }, never);
      expect(response.body.toString()).toBe('direct');
    }
    await expect(http.post('http://model.invalid/', { headers, body }, never)).rejects.toThrow('model.invalid');
    expect(seen).toEqual([]);
  });
});
