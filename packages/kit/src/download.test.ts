import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open as openFile, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAgents } from './agents.ts';
import { download, type DownloadOptions } from './download.ts';
import { isHubHost } from './hub-host.ts';
import { startFaultServer, type FaultServer, type ServedRequest, type ServerAction } from './testing/fault-server.ts';

const file = randomBytes(300_000);
const other = randomBytes(300_000);
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const pin = { bytes: file.length, sha256: sha256Of(file) };

let folder: string;
let to: string;
const open: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-download-'));
  to = join(folder, 'deep/er/file.bin');
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await rm(folder, { recursive: true, force: true });
});

const serve = async (handler: (request: ServedRequest) => ServerAction): Promise<FaultServer> => {
  const server = await startFaultServer(handler);
  open.push(server);
  return server;
};
/** A server that gives parts as they should be given. */
const whole = ({ headers }: ServedRequest, { etag = '"one"', body = file, cut }: Whole = {}): ServerAction => {
  const from = /^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1];
  const same = headers['if-range'] === undefined || headers['if-range'] === etag;
  const limit = cut === undefined ? {} : { cut };
  if (from === undefined || !same) return { headers: { etag }, body, ...limit };
  const range = `bytes ${from}-${body.length - 1}/${body.length}`;
  return { status: 206, headers: { etag, 'content-range': range }, body: body.subarray(Number(from)), ...limit };
};
interface Whole {
  readonly etag?: string;
  readonly body?: Buffer;
  readonly cut?: number;
}

let waits: number[];
beforeEach(() => {
  waits = [];
});
const fetchFile = (url: string, options: Partial<DownloadOptions> = {}) =>
  download({
    url,
    to,
    signal: new AbortController().signal,
    env: {},
    timeoutMs: 10_000,
    sleep: async milliseconds => void waits.push(milliseconds),
    jitter: () => 0.5,
    now: () => Date.parse('2026-01-01T00:00:00Z'),
    ...options,
  });
const left = async () => (existsSync(join(to, '..')) ? (await readdir(join(to, '..'))).sort() : []);
const ranges = (server: FaultServer) => server.requests.map(({ headers }) => headers.range ?? null);

describe('a download', () => {
  it('puts the whole file in its place, tells how far it is, and leaves nothing beside it', async () => {
    const server = await serve(whole);
    const told: (number | null)[][] = [];
    const onProgress: DownloadOptions['onProgress'] = ({ bytes, total }) => void told.push([bytes, total]);
    expect(await fetchFile(`${server.url}/file?x=1`, { ...pin, onProgress })).toEqual({ ...pin, fetched: true });
    expect(await readFile(to)).toEqual(file);
    expect(await left()).toEqual(['file.bin']);
    expect(told[0]).toEqual([0, file.length]);
    expect(told.at(-1)).toEqual([file.length, file.length]);
    expect(server.requests[0]).toMatchObject({ method: 'GET', path: '/file?x=1' });
    expect(server.requests[0]!.headers['accept-encoding']).toBe('identity');
  });

  it('of an empty file, and of one without a pin or a length, is right too', async () => {
    const server = await serve(({ path }) =>
      path === '/empty' ? { body: '' } : { headers: { 'transfer-encoding': 'chunked' }, body: file },
    );
    expect(await fetchFile(`${server.url}/empty`)).toMatchObject({ bytes: 0, fetched: true });
    await rm(to);
    expect(await fetchFile(`${server.url}/chunked`)).toEqual({ ...pin, fetched: true });
  });

  it('asks nothing where the file is there already, and asks where it is another one', async () => {
    const server = await serve(whole);
    await mkdir(join(to, '..'), { recursive: true });
    await writeFile(to, file);
    expect(await fetchFile(server.url, pin)).toEqual({ ...pin, fetched: false });
    expect(await fetchFile(server.url)).toEqual({ ...pin, fetched: false });
    expect(server.requests).toEqual([]);
    await writeFile(to, other);
    expect(await fetchFile(server.url, pin)).toEqual({ ...pin, fetched: true });
    expect(await readFile(to)).toEqual(file);
  });

  it('stops at once when it is aborted, and keeps what came', async () => {
    const abort = new AbortController();
    const server = await serve(request => whole(request, { cut: 200_000 }));
    const onProgress: DownloadOptions['onProgress'] = ({ bytes }) => {
      if (bytes > 0) abort.abort(new Error('enough'));
    };
    await expect(fetchFile(server.url, { ...pin, signal: abort.signal, onProgress })).rejects.toThrow('enough');
    expect(await left()).toEqual(['file.bin.partial', 'file.bin.partial.json']);
    expect((await stat(`${to}.partial`)).size).toBeGreaterThan(0);
  });

  it('ends where the server falls silent', async () => {
    const server = await serve(() => ({ hang: true }));
    const failed = fetchFile(server.url, { timeoutMs: 50 });
    await expect(failed).rejects.toThrow(/no answer in time \(UND_ERR_HEADERS_TIMEOUT\)/);
    expect(server.requests).toHaveLength(6);
  }, 30_000);
});

describe('a cut body', () => {
  it('is gone on with, held to its ETag', async () => {
    const server = await serve(request => whole(request, { cut: 100_000 }));
    expect(await fetchFile(server.url)).toEqual({ ...pin, fetched: true });
    expect(await readFile(to)).toEqual(file);
    expect(ranges(server)).toEqual([null, 'bytes=100000-', 'bytes=200000-']);
    expect(server.requests.map(({ headers }) => headers['if-range'])).toEqual([undefined, '"one"', '"one"']);
    expect(waits).toEqual([1_000, 2_000]);
  });

  it('is held to its date where the ETag is weak', async () => {
    const date = 'Thu, 01 Jan 2026 00:00:00 GMT';
    const server = await serve(({ headers: { range } }) => {
      const headers = { etag: 'W/"weak"', 'last-modified': date };
      if (range === undefined) return { headers, body: file, cut: 100_000 };
      const part = { 'content-range': `bytes 100000-${file.length - 1}/${file.length}` };
      return { status: 206, headers: { ...headers, ...part }, body: file.subarray(100_000) };
    });
    expect(await fetchFile(server.url)).toEqual({ ...pin, fetched: true });
    expect(server.requests[1]!.headers).toMatchObject({ range: 'bytes=100000-', 'if-range': date });
  });

  it('is given up after six tries that bring nothing, and the partial stays', async () => {
    const server = await serve(request => whole(request, { cut: request.index === 0 ? 100_000 : 0 }));
    await expect(fetchFile(server.url, pin)).rejects.toMatchObject({
      code: 'UPSTREAM_INVALID',
      message: expect.stringMatching(/the answer was cut|the connection was reset/) as string,
    });
    expect(server.requests).toHaveLength(6);
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect((await stat(`${to}.partial`)).size).toBe(100_000);
    expect(await left()).toEqual(['file.bin.partial', 'file.bin.partial.json']);
  });

  it('starts over where the server ignores the range', async () => {
    const server = await serve(({ index }) => ({
      headers: { etag: '"one"' },
      body: file,
      ...(index === 0 ? { cut: 100_000 } : {}),
    }));
    expect(await fetchFile(server.url, pin)).toEqual({ ...pin, fetched: true });
    expect(await readFile(to)).toEqual(file);
    expect(ranges(server)).toEqual([null, 'bytes=100000-']);
  });

  it('starts over where the file has changed meanwhile: no pin is needed to see it', async () => {
    const server = await serve(request =>
      request.index === 0 ? whole(request, { body: other, etag: '"old"', cut: 100_000 }) : whole(request),
    );
    expect(await fetchFile(server.url)).toEqual({ ...pin, fetched: true });
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ['another part', `bytes 5-${file.length - 1}/${file.length}`, '"one"'],
    ['a part of a longer file', `bytes 100000-${file.length}/${file.length + 1}`, '"one"'],
    ['a part without a range', 'lines', '"one"'],
    ['a part of another file', `bytes 100000-${file.length - 1}/${file.length}`, '"two"'],
  ])('starts over where the server sends %s', async (_, range, etag) => {
    const server = await serve(request => {
      if (request.index === 0) return whole(request, { cut: 100_000 });
      if (request.index > 1) return whole(request);
      return { status: 206, headers: { etag, 'content-range': range }, body: other.subarray(100_000) };
    });
    expect(await fetchFile(server.url, pin)).toEqual({ ...pin, fetched: true });
    expect(ranges(server)).toEqual([null, 'bytes=100000-', null]);
  });

  it('is never put together from a server that names no state of the file, unless there is a hash', async () => {
    const plain = (request: ServedRequest) => {
      const answer = whole(request, request.index === 0 ? { cut: 100_000 } : {}) as { headers: Record<string, string> };
      const { etag: _, ...headers } = answer.headers;
      return { ...answer, headers };
    };
    const first = await serve(plain);
    expect(await fetchFile(first.url)).toEqual({ ...pin, fetched: true });
    expect(ranges(first)).toEqual([null, null]);
    await rm(to);
    const second = await serve(plain);
    expect(await fetchFile(second.url, pin)).toEqual({ ...pin, fetched: true });
    expect(ranges(second)).toEqual([null, 'bytes=100000-']);
  });
});

describe('what an earlier process left', () => {
  const leave = async (bytes: Buffer, origin: object | string | null) => {
    await mkdir(join(to, '..'), { recursive: true });
    await writeFile(`${to}.partial`, bytes);
    if (origin !== null) {
      await writeFile(`${to}.partial.json`, typeof origin === 'string' ? origin : JSON.stringify(origin));
    }
  };

  it('is hashed and gone on with', async () => {
    const server = await serve(whole);
    await leave(file.subarray(0, 120_000), { url: server.url, validator: '"one"' });
    expect(await fetchFile(server.url)).toEqual({ ...pin, fetched: true });
    expect(ranges(server)).toEqual(['bytes=120000-']);
  });

  it.each<[string, Buffer, object | string | null]>([
    ['is of another address', other.subarray(0, 10), { url: 'http://127.0.0.1:1/', validator: '"one"' }],
    ['has a torn note', other.subarray(0, 10), '{"url":'],
    ['has no note', other.subarray(0, 10), null],
    ['has a note of another kind', other.subarray(0, 10), '[1]'],
  ])('is dropped where it %s and there is no pin', async (_, bytes, origin) => {
    const server = await serve(whole);
    await leave(bytes, origin);
    expect(await fetchFile(server.url)).toEqual({ ...pin, fetched: true });
    expect(ranges(server)).toEqual([null]);
  });

  it('is not taken for the file by its length alone', async () => {
    const server = await serve(whole);
    await leave(other, { url: 'http://127.0.0.1:1/', validator: '"one"' });
    expect(await fetchFile(server.url, { bytes: file.length })).toEqual({ ...pin, fetched: true });
    expect(ranges(server)).toEqual([null]);
  });

  it('is put in place without a request where it is whole already', async () => {
    const server = await serve(whole);
    await leave(file, null);
    expect(await fetchFile(server.url, pin)).toEqual({ ...pin, fetched: true });
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['damaged', other.subarray(0, 120_000), ['bytes=120000-', null]],
    ['as long as the pin but another file', other, [null]],
    ['longer than the pin', Buffer.concat([file, other]), [null]],
  ])('is replaced where it is %s', async (_, bytes, expected) => {
    const server = await serve(whole);
    await leave(bytes, { url: server.url, validator: '"one"' });
    expect(await fetchFile(server.url, pin)).toEqual({ ...pin, fetched: true });
    expect(ranges(server)).toEqual(expected);
    expect(await left()).toEqual(['file.bin']);
  });

  it('is replaced where the server has no more (416)', async () => {
    const server = await serve(request => (request.headers.range === undefined ? whole(request) : { status: 416 }));
    await leave(Buffer.concat([file, other]), { url: server.url, validator: '"one"' });
    expect(await fetchFile(server.url)).toEqual({ ...pin, fetched: true });
  });

  it('is left alone while another process is at it', async () => {
    const server = await serve(whole);
    await leave(file.subarray(0, 10), null);
    const lock = (holder: object) => writeFile(`${to}.partial.lock`, JSON.stringify(holder));
    await lock({ pid: 1, host: 'elsewhere', born: null });
    await expect(fetchFile(server.url, pin)).rejects.toMatchObject({
      code: 'RUN_LOCKED',
      message: `${to} is being fetched by process 1 on elsewhere; wait for it to end, or remove ${to}.partial.lock if it has ended`,
    });
    expect(server.requests).toEqual([]);
    await lock({ pid: 2 ** 22 + 1, host: hostname(), born: '1' });
    expect(await fetchFile(server.url, pin)).toMatchObject({ fetched: true });
  });

  it('is never mixed up by two at the same time', async () => {
    const server = await serve(request => ({ ...whole(request), delayMs: 50 }));
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => fetchFile(server.url, pin)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await readFile(to)).toEqual(file);
    expect(await left()).toEqual(['file.bin']);
  });

  it('is gone on with after kill -9', async () => {
    // Half a file, then silence.
    const body = randomBytes(2_000_000);
    const server = createServer((request, response) => {
      const from = Number(/\d+/.exec(request.headers.range ?? '0')![0]);
      seen.push(request.headers.range ?? null);
      const range = from > 0 ? { 'content-range': `bytes ${from}-${body.length - 1}/${body.length}` } : {};
      response.writeHead(from > 0 ? 206 : 200, { etag: '"one"', 'content-length': body.length - from, ...range });
      if (from > 0) response.end(body.subarray(from));
      else response.write(body.subarray(0, 1_000_000));
    });
    const seen: (string | null)[] = [];
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    open.push({
      close: async () => {
        server.closeAllConnections();
        await new Promise<void>(resolve => server.close(() => resolve()));
      },
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const module = new URL('../dist/index.js', import.meta.url).href;
    const code = `
      const { download } = await import(${JSON.stringify(module)});
      await download({ url: ${JSON.stringify(url)}, to: ${JSON.stringify(to)}, signal: new AbortController().signal,
        env: {}, sleep: async () => {}, jitter: () => 0, now: () => 0 });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const exited = new Promise(resolve => child.once('exit', resolve));
    await expect
      .poll(
        () =>
          stat(`${to}.partial`).then(
            ({ size }) => size,
            () => 0,
          ),
        { timeout: 50_000 },
      )
      .toBe(1_000_000);
    child.kill('SIGKILL');
    await exited;
    expect(existsSync(`${to}.partial.lock`)).toBe(true);
    expect(await fetchFile(url)).toEqual({ bytes: body.length, sha256: sha256Of(body), fetched: true });
    expect(seen).toEqual([null, 'bytes=1000000-']);
    expect(await readFile(to)).toEqual(body);
    expect(await left()).toEqual(['file.bin']);
  });
});

describe('a file that is not the pinned one', () => {
  it.each<[string, ServerAction, RegExp]>([
    ['of another hash', { body: other }, /has the SHA-256 [0-9a-f]{64}, not [0-9a-f]{64}; it was removed: put/],
    ['of another length', { body: file.subarray(1) }, /is 299999 bytes long, not 300000/],
    [
      'too long, without saying so',
      { headers: { 'transfer-encoding': 'chunked' }, body: Buffer.concat([file, other]) },
      /is longer than 300000 bytes/,
    ],
    [
      'too short, without saying so',
      { headers: { 'transfer-encoding': 'chunked' }, body: file.subarray(1) },
      /is 299999 bytes long, not 300000/,
    ],
  ])('%s is refused and removed', async (_, answer, message) => {
    const server = await serve(() => answer);
    const failed = fetchFile(`${server.url}/a?secret=1`, pin);
    await expect(failed).rejects.toMatchObject({
      code: 'HASH_MISMATCH',
      message: expect.stringMatching(message) as string,
    });
    await expect(failed).rejects.not.toThrow('secret');
    expect(server.requests).toHaveLength(1);
    expect(await left()).toEqual([]);
  });

  it('of unknown bytes, since the server encodes them, is refused', async () => {
    const server = await serve(() => ({ headers: { 'content-encoding': 'gzip' }, body: file }));
    await expect(fetchFile(server.url)).rejects.toThrow('the server sends it encoded (gzip)');
    expect(await fetchFile(server.url, pin)).toMatchObject({ fetched: true });
  });
});

describe('a redirect', () => {
  const authorization = [['authorization', 'Bearer s3cret']] as const;

  it('on the same host is followed, with the sign-in', async () => {
    const server = await serve(request =>
      request.path === '/a' ? { status: 302, headers: { location: '/b?c' } } : whole(request),
    );
    expect(await fetchFile(`${server.url}/a`, { ...pin, headers: authorization })).toMatchObject({ fetched: true });
    expect(server.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/a', 'Bearer s3cret'],
      ['/b?c', 'Bearer s3cret'],
    ]);
  });

  it.each([301, 302, 303, 307, 308])(
    '(%i) to another host is followed without the sign-in, on resume too',
    async status => {
      const store = await serve(request => whole(request, request.index === 0 ? { cut: 100_000 } : {}));
      const server = await serve(() => ({ status, headers: { location: `${store.url}/signed?key=k` } }));
      expect(await fetchFile(server.url, { ...pin, headers: authorization })).toMatchObject({ fetched: true });
      expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer s3cret', 'Bearer s3cret']);
      expect(store.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
      expect(ranges(store)).toEqual([null, 'bytes=100000-']);
    },
  );

  it('does not bring the sign-in back on the way home', async () => {
    const home: FaultServer = await serve(request =>
      request.path === '/' ? { status: 302, headers: { location: away.url } } : whole(request),
    );
    const away = await serve(() => ({ status: 302, headers: { location: `${home.url}/file` } }));
    await fetchFile(home.url, { ...pin, headers: authorization });
    expect(home.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer s3cret', undefined]);
  });

  it.each([
    ['round and round', '/', 'more than 5 redirects, the last to http://127.0.0.1'],
    ['to a file', 'file:///etc/passwd', 'is redirected to something that is no web address'],
    ['to nowhere', 'http://[', 'is redirected to something that is no web address'],
    ['to a user name', 'http://user:pass@127.0.0.1/', 'is redirected to an address with a user name in it'],
  ])('%s is refused', async (_, location, message) => {
    const server = await serve(() => ({ status: 302, headers: { location } }));
    await expect(fetchFile(server.url)).rejects.toThrow(message);
    expect(server.requests.length).toBeLessThanOrEqual(6);
  });
});

describe('an answer without a file', () => {
  const secret = [['authorization', 'Bearer s3cret']] as const;

  it.each([
    [401, /refused \(401\); it is not public: put the file at .*file\.bin by hand/],
    [403, /refused \(403\); it is not public/],
    [404, /not found \(404\); it was moved or removed: correct its address, or put the file at .*file\.bin by hand/],
    [410, /not found \(410\)/],
    [400, /an unexpected answer \(400\)/],
    [204, /an unexpected answer \(204\)/],
  ])('%i is not asked again', async (status, message) => {
    const server = await serve(() => ({ status, body: status === 204 ? '' : 'no' }));
    const failed = fetchFile(server.url, { headers: secret });
    await expect(failed).rejects.toMatchObject({
      code: 'UPSTREAM_INVALID',
      message: expect.stringMatching(message) as string,
      facts: { status, ...(status === 401 || status === 403 ? { kind: 'auth' } : {}) },
    });
    await expect(failed).rejects.not.toThrow('s3cret');
    expect(server.requests).toHaveLength(1);
    expect(await left()).toEqual([]);
  });

  it.each([
    ['seconds', { 'retry-after': '7' }, 7_000],
    ['a date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:09 GMT' }, 9_000],
    ['milliseconds', { 'retry-after-ms': '70' }, 70],
    ['far too long', { 'retry-after': '86400' }, 300_000],
    ['nothing', {}, 1_000],
  ])('429 is asked again after %s', async (_, headers, expected) => {
    const server = await serve(request => (request.index === 0 ? { status: 429, headers } : whole(request)));
    const told: string[] = [];
    const onWait: DownloadOptions['onWait'] = (_milliseconds, failure) => void told.push(failure.message);
    expect(await fetchFile(`${server.url}/a`, { ...pin, onWait })).toMatchObject({ fetched: true });
    expect(waits).toEqual([expected]);
    expect(told).toEqual([`${server.url}/a: too many requests (429)`]);
  });

  it.each([500, 503, 529])('%i is asked again six times at most', async status => {
    const server = await serve(() => ({ status }));
    await expect(fetchFile(server.url)).rejects.toThrow(`the server failed (${status})`);
    expect(server.requests).toHaveLength(6);
  });

  it.each(['ftp://127.0.0.1/a', 'file:///etc/passwd', 'http://name:word@127.0.0.1/', 'here'])(
    'is what %s would bring: it is not asked',
    async url => {
      const failed = fetchFile(url);
      await expect(failed).rejects.toThrow('is no http or https address without a user name');
      await expect(failed).rejects.not.toThrow('word@');
      expect(await left()).toEqual([]);
    },
  );

  it('is a sentence where nobody listens', async () => {
    const { url, close } = await startFaultServer(() => ({}));
    await close();
    await expect(fetchFile(url)).rejects.toThrow(`${url}/: the connection was refused (ECONNREFUSED)`);
    expect(waits).toHaveLength(5);
  });
});

describe('a disk', () => {
  it('that is full is told, the partial is kept and gone on with', async () => {
    const server = await serve(whole);
    const handle = await openFile(join(folder, 'any'), 'w');
    await handle.close();
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const write = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'write');
    const real = write.getMockImplementation()!;
    write.mockImplementationOnce(real).mockRejectedValueOnce(full);
    const failed = fetchFile(server.url, pin);
    await expect(failed).rejects.toMatchObject({
      code: 'STORAGE_FAILED',
      message: `${to}: the disk is full; free some space, then fetch again: what came so far is kept`,
    });
    write.mockRestore();
    expect(await left()).toEqual(['file.bin.partial', 'file.bin.partial.json']);
    const { size } = await stat(`${to}.partial`);
    expect(size).toBeGreaterThan(0);
    expect(await fetchFile(server.url, pin)).toEqual({ ...pin, fetched: true });
    expect(ranges(server)).toEqual([null, `bytes=${size}-`]);
  });

  it('that has a file where a folder is to be is told', async () => {
    const server = await serve(whole);
    await writeFile(join(folder, 'deep'), '');
    await expect(fetchFile(server.url, pin)).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  });
});

describe('a proxy', () => {
  const tunnel = async (port: number) => {
    const seen: string[] = [];
    const proxy = createServer((_, response) => void response.writeHead(400).end());
    proxy.on('connect', (request, socket) => {
      seen.push(request.url ?? '');
      const inner = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        inner.pipe(socket).pipe(inner);
      });
      inner.on('error', () => socket.destroy());
      socket.on('error', () => inner.destroy());
    });
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
    open.push({
      close: async () => {
        proxy.closeAllConnections();
        await new Promise<void>(resolve => proxy.close(() => resolve()));
      },
    });
    return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, seen };
  };

  it('that the environment names is gone through', async () => {
    const server = await serve(whole);
    const proxy = await tunnel(Number(new URL(server.url).port));
    expect(await fetchFile('http://files.invalid/a', { ...pin, env: { HTTP_PROXY: proxy.url } })).toMatchObject(pin);
    expect(proxy.seen).toEqual(['files.invalid:80']);
    expect(server.requests[0]!.path).toBe('/a');
  });

  it('leads to the sentence about HF_TOKEN where the host is the Hub', async () => {
    const server = await serve(() => ({ status: 401 }));
    const env = { http_proxy: (await tunnel(Number(new URL(server.url).port))).url };
    await expect(fetchFile('http://huggingface.co/datasets/a/b', { env })).rejects.toThrow(
      'http://huggingface.co/datasets/a/b: refused (401); it is gated or private: accept the terms on its page, then set HF_TOKEN to a token that may read it',
    );
    const headers = [['authorization', 'Bearer s3cret']] as const;
    await expect(fetchFile('http://huggingface.co/datasets/a/b', { env, headers })).rejects.toThrow(
      'the account of HF_TOKEN may not read it',
    );
  });

  it('that refuses is told', async () => {
    const proxy = createServer();
    proxy.on('connect', (_, socket) => socket.end('HTTP/1.1 407 Sign in\r\ncontent-length: 0\r\n\r\n'));
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => new Promise(resolve => proxy.close(() => resolve())) });
    const env = { HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
    await expect(fetchFile('http://files.invalid/', { env })).rejects.toThrow('the proxy refused the connection (407)');
    expect(waits).toEqual([]);
  });

  it.each(['proxy.example', 'localhost:3128', 'http://name:s3cret@:1'])('at %s is refused', async address => {
    const failed = fetchFile('http://files.invalid/', { env: { HTTPS_PROXY: address } });
    await expect(failed).rejects.toMatchObject({
      code: 'RECIPE_INVALID',
      message: 'HTTPS_PROXY is no address of a proxy, such as http://proxy.example:3128; correct it',
    });
    expect(await left()).toEqual([]);
  });

  it('is chosen for all but the loopback', async () => {
    const agents = createAgents({ https_proxy: 'http://127.0.0.1:9' }, {});
    open.push(agents);
    const to = (url: string) => agents.to(new URL(url)).constructor.name;
    expect(to('https://huggingface.co/x')).toBe('EnvHttpProxyAgent');
    expect(['http://127.0.0.1:1/', 'http://localhost/', 'https://[::1]/', 'http://a.localhost/'].map(to)).toEqual(
      Array(4).fill('Agent'),
    );
    const direct = createAgents({}, {});
    open.push(direct);
    expect(direct.to(new URL('https://huggingface.co/')).constructor.name).toBe('Agent');
  });
});

it.each([
  ['huggingface.co', true],
  ['cdn-lfs.huggingface.co', true],
  ['huggingface.co.evil.example', false],
  ['evilhuggingface.co', false],
  ['127.0.0.1', false],
])('%s is a host of the Hub: %s', (host, expected) => {
  expect(isHubHost(host)).toBe(expected);
});
