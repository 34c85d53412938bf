import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { startFaultServer, type FaultServer, type ServedRequest, type ServerAction } from '@holdfast/kit/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkplace, type Ended, type Workplace } from './workplace.fixture.ts';

let work: Workplace;
const open: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  work = await openWorkplace();
  await work.write('mine.ts', plugin);
});
/** Runs the command. Progress, which a slow machine is shown every few seconds, is left out of stderr. */
async function run(args: readonly string[], env?: Record<string, string>): Promise<Ended> {
  const ended = await work.run(args, env);
  const said = ended.stderr.split('\n').filter(line => line.startsWith('holdfast:'));
  return { ...ended, stderr: said.map(line => `${line}\n`).join('') };
}

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await work.remove();
});

/** A dataset whose pins a recipe says, so that they can point to this machine. */
const plugin = `import { readFile } from 'node:fs/promises';
import { defineDataset, json } from '@holdfast/core';
import { z } from 'zod';
export default defineDataset({
  name: 'mine',
  summary: 'One question a line.',
  options: z.strictObject({ files: z.array(z.any()).describe('Pins.') }),
  create: ({ files }) => ({
    info: { id: 'mine', title: 'Mine', homepage: '', license: 'own', labels: { scenario: 'Own' } },
    upstream: files,
    units: (found: { name: string }[]) => found.map(file => ({ id: file.name, files: [file] })),
    async *read({ files: [file] }: { files: { name: string; path: string }[] }) {
      for (const line of (await readFile(file!.path, 'utf8')).trim().split('\\n')) {
        yield {
          base_id: file!.name + line, group_id: 'g', scenario: 's', decision_type: 'd', state: json.value({ line }),
          instructions: json.string('Which?'), gold: 'yes', source: json.value({}),
          options: ['yes', 'no'].map(id => ({ id, canonical_id: id, description: json.value(null) })),
        };
      }
    },
  }),
});
`;
interface Pin {
  readonly name: string;
  readonly url?: string;
  readonly revision?: string;
  readonly bytes?: number;
  readonly sha256?: string;
}

const text = Buffer.from(Array.from({ length: 30_000 }, (_, at) => `line ${at}\n`).join(''));
const small = Buffer.from('one\ntwo\n');
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const pinOf = (bytes: Uint8Array) => ({ bytes: bytes.length, sha256: sha256Of(bytes) });
const recipe = (...files: Pin[]) =>
  work.write(
    'recipe.yaml',
    `recipe: mine\ndatasets: [{ use: ./mine.ts, with: ${JSON.stringify({ files })} }]\nmodels: [{ use: baseline, with: { strategy: uniform } }]\n`,
  );
const serve = async (handler: (request: ServedRequest) => ServerAction): Promise<FaultServer> => {
  const server = await startFaultServer(handler);
  open.push(server);
  return server;
};
const cached = (name: string, state = 'v1') => work.path('.cache/holdfast/upstream/mine', state, name);

describe('holdfast fetch', () => {
  it('brings the files to the cache, where a run finds them; a second one asks nothing', async () => {
    const server = await serve(() => ({ body: small }));
    await recipe({ name: 'data/a.txt', url: `${server.url}/a`, revision: 'v1', ...pinOf(small) });
    const before = await run(['run', 'recipe.yaml', '--out', 'run']);
    expect(before.stderr).toContain('dataset mine: missing data/a.txt; set HOLDFAST_UPSTREAM to a folder');
    expect(before.stderr).toContain('run holdfast fetch recipe.yaml, or write from: FOLDER');
    expect(before.code).toBe(3);

    const first = await run(['fetch', 'recipe.yaml'], { HF_TOKEN: 'hf_secret' });
    const facts = `mine data/a.txt, 8 bytes, SHA-256 ${sha256Of(small)}, ${cached('data/a.txt')}`;
    expect(first).toEqual({ code: 0, stdout: `fetched: ${facts}\n1 fetched\n`, stderr: '' });
    expect(await readFile(cached('data/a.txt'))).toEqual(small);
    expect(server.requests[0]!.headers.authorization).toBeUndefined();
    expect(await run(['fetch', 'recipe.yaml'])).toEqual({
      code: 0,
      stdout: `there: ${facts}\n1 there already\n`,
      stderr: '',
    });
    expect(server.requests).toHaveLength(1);

    expect((await run(['run', 'recipe.yaml', '--out', 'run'])).code).toBe(0);
    // Set, but without this file: the cache is looked into next.
    const env = { HOLDFAST_UPSTREAM: work.path('upstream') };
    expect((await run(['run', 'recipe.yaml', '--out', 'other'], env)).code).toBe(0);
    expect(await work.rows('other/records/base.jsonl')).toHaveLength(2);
  });

  it('leaves a file that lies in HOLDFAST_UPSTREAM where it is, and builds from there', async () => {
    const server = await serve(() => ({ body: small }));
    await recipe({ name: 'a.txt', url: server.url, revision: 'v1', ...pinOf(small) });
    const env = { HOLDFAST_UPSTREAM: work.path('upstream') };
    await mkdir(work.path('upstream/mine'), { recursive: true });
    await writeFile(work.path('upstream/mine/a.txt'), small);
    const { stdout, code } = await run(['fetch', 'recipe.yaml'], env);
    expect([code, stdout]).toEqual([0, expect.stringContaining(work.path('upstream/mine/a.txt'))]);
    await writeFile(work.path('upstream/mine/a.txt'), 'other');
    const wrong = await run(['fetch', 'recipe.yaml'], env);
    expect(wrong.stderr).toMatch(/upstream\/mine\/a\.txt is not the pinned file: .*; remove it and fetch again/);
    expect(wrong.code).toBe(3);
    expect(server.requests).toEqual([]);
  });

  it('fills the folder that HOLDFAST_CACHE or XDG_CACHE_HOME names', async () => {
    const server = await serve(() => ({ body: small }));
    await recipe({ name: 'a.txt', url: server.url });
    const one = await run(['fetch', 'recipe.yaml'], { HOLDFAST_CACHE: work.path('one') });
    const two = await run(['fetch', 'recipe.yaml'], { XDG_CACHE_HOME: work.path('two') });
    expect([one.code, two.code]).toEqual([0, 0]);
    expect(existsSync(work.path('one/upstream/mine/unpinned/a.txt'))).toBe(true);
    expect(existsSync(work.path('two/holdfast/upstream/mine/unpinned/a.txt'))).toBe(true);
  });

  it('follows redirects and goes on after a cut body and a 429', async () => {
    const store = await serve(({ index, headers }) => {
      if (index === 0) return { status: 429, headers: { 'retry-after': '0' } };
      if (index === 1) return { headers: { etag: '"one"' }, body: text, cut: 100_000 };
      const from = Number(/\d+/.exec(headers.range!)![0]);
      const range = { 'content-range': `bytes ${from}-${text.length - 1}/${text.length}` };
      return { status: 206, headers: { etag: '"one"', ...range }, body: text.subarray(from) };
    });
    const server = await serve(({ path }) => {
      const location = path === '/a' ? '/b' : `${store.url}/c`;
      return { status: 302, headers: { location } };
    });
    await recipe({ name: 'a.txt', url: `${server.url}/a`, revision: 'v1', ...pinOf(text) });
    const { code, stderr } = await run(['fetch', 'recipe.yaml']);
    // A slow machine is shown progress on stderr.
    expect([code, stderr.includes('holdfast:')]).toEqual([0, false]);
    expect(await readFile(cached('a.txt'))).toEqual(text);
    const ranges = store.requests.map(({ headers }) => headers.range);
    expect(ranges.slice(0, 2)).toEqual([undefined, undefined]);
    expect(ranges[2]).toMatch(/^bytes=\d+-$/);
  });

  it.each<[string, ServerAction, number, RegExp]>([
    ['wrong bytes', { body: 'other\n\n\n' }, 3, /not the pinned file, it has the SHA-256 \w{64}, not \w{64}/],
    ['a 404', { status: 404 }, 3, /not found \(404\); it was moved or removed/],
    ['a 401', { status: 401 }, 5, /refused \(401\); it is not public: put the file at .*a\.txt by hand/],
    ['a 403', { status: 403 }, 5, /refused \(403\)/],
  ])('says %s in a sentence and fetches the rest', async (_, answer, expected, message) => {
    const server = await serve(({ path }) => (path === '/a' ? answer : { body: small }));
    const pin = { revision: 'v1', ...pinOf(small) };
    await recipe({ name: 'a.txt', url: `${server.url}/a`, ...pin }, { name: 'b.txt', url: `${server.url}/b`, ...pin });
    const { code, stdout, stderr } = await run(['fetch', 'recipe.yaml']);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^holdfast: mine a\.txt: http.*$/m);
    expect(stdout).toContain('fetched: mine b.txt');
    expect(stdout).toContain('1 fetched, 1 failed');
    expect(code).toBe(expected);
    expect(existsSync(cached('a.txt'))).toBe(false);
  });

  it('refuses names that lead elsewhere', async () => {
    const server = await serve(() => ({ body: small }));
    await recipe(...['../../../../evil', '/tmp/holdfast-evil', 'a/../../b'].map(name => ({ name, url: server.url })));
    const { code, stdout, stderr } = await run(['fetch', 'recipe.yaml']);
    expect(stderr.match(/is no name below the folder of a dataset/g)).toHaveLength(3);
    expect([code, stdout]).toEqual([3, '3 failed\n']);
    expect(server.requests).toEqual([]);
    expect(existsSync(work.path('.cache'))).toBe(false);
  });

  it('says where files go that have no address', async () => {
    await recipe({ name: 'a.txt' }, { name: 'data/*.txt' });
    const { code, stdout } = await run(['fetch', 'recipe.yaml']);
    expect(stdout).toBe(
      `missing: mine a.txt: put it at ${cached('a.txt', 'unpinned')}\n` +
        `missing: mine data/*.txt: put it at ${cached('data/*.txt', 'unpinned')}\n2 missing\n`,
    );
    expect(code).toBe(3);
    for (const name of ['a.txt', 'data/b.txt', 'data/c.txt']) {
      await mkdir(dirname(cached(name, 'unpinned')), { recursive: true });
      await writeFile(cached(name, 'unpinned'), small);
    }
    const after = await run(['fetch', 'recipe.yaml']);
    expect(after.stdout).toContain(`there: mine data/*.txt, 16 bytes, 2 files, ${cached('data/*.txt', 'unpinned')}`);
    expect(after.code).toBe(0);
    expect((await run(['run', 'recipe.yaml', '--out', 'run'])).code).toBe(0);
    expect(await work.rows('run/records/base.jsonl')).toHaveLength(6);
  });

  it('has nothing to do for samples and own files, nor for a recipe that is not there', async () => {
    await work.write(
      'own.yaml',
      'recipe: own\ndatasets: [{ use: bfcl, from: sample }]\nmodels: [{ use: baseline, with: { strategy: uniform } }]\n',
    );
    expect(await run(['fetch', 'own.yaml'])).toMatchObject({
      code: 0,
      stdout: 'nothing to fetch: the recipe reads samples and files of your own\n',
    });
    expect((await run(['fetch', 'nothing.yaml'])).code).toBe(2);
    expect((await run(['fetch'])).code).toBe(2);
  });

  it('writes JSON lines', async () => {
    const server = await serve(() => ({ body: small }));
    await recipe({ name: 'a.txt', url: `${server.url}/a`, revision: 'v1', ...pinOf(small) }, { name: 'b.txt' });
    const { code, stdout } = await run(['fetch', 'recipe.yaml', '--json']);
    const rows = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>);
    expect(rows.map(({ type, name, state }) => [type, name, state])).toEqual([
      ['file', 'a.txt', 'fetched'],
      ['file', 'b.txt', 'missing'],
      ['result', undefined, undefined],
    ]);
    expect(rows[0]).toMatchObject({ dataset: 'mine', path: cached('a.txt'), url: `${server.url}/a`, ...pinOf(small) });
    expect(code).toBe(3);
  });
});

describe('holdfast fetch --offline', () => {
  it('asks nothing, and says what is there and which file to put where', async () => {
    const server = await serve(() => ({ body: small }));
    const pin = { url: `${server.url}/x`, revision: 'v1', ...pinOf(small) };
    await recipe({ name: 'a.txt', ...pin }, { name: 'b.txt', ...pin });
    await mkdir(dirname(cached('a.txt')), { recursive: true });
    await writeFile(cached('a.txt'), small);
    const hash = sha256Of(small);
    const from = `(from ${server.url}/x, 8 bytes, SHA-256 ${hash})`;
    const one = await run(['fetch', 'recipe.yaml', '--offline']);
    expect(one).toEqual({
      code: 3,
      stdout:
        `there: mine a.txt, 8 bytes, SHA-256 ${hash}, ${cached('a.txt')}\n` +
        `missing: mine b.txt: put it at ${cached('b.txt')} ${from}\n1 there already, 1 missing\n`,
      stderr: '',
    });
    const env = { HOLDFAST_UPSTREAM: work.path('up') };
    const two = await run(['fetch', 'recipe.yaml', '--offline'], env);
    expect(two.stdout).toContain(`missing: mine b.txt: put it at ${work.path('up/mine/b.txt')} ${from}`);
    await mkdir(work.path('up/mine'), { recursive: true });
    await writeFile(work.path('up/mine/b.txt'), small);
    expect((await run(['fetch', 'recipe.yaml', '--offline'], env)).code).toBe(0);
    await writeFile(cached('a.txt'), 'other');
    const three = await run(['fetch', 'recipe.yaml', '--offline'], env);
    expect([three.code, three.stderr]).toEqual([3, expect.stringContaining('a.txt is not the pinned file')]);
    expect(server.requests).toEqual([]);
  });
});

describe('a fetch that is stopped in the middle', () => {
  /** The first answer stops after 100,000 bytes and stays open; later ones give the rest. */
  const halting = async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.range);
      const from = Number(/\d+/.exec(request.headers.range ?? '0')![0]);
      const range = from > 0 ? { 'content-range': `bytes ${from}-${text.length - 1}/${text.length}` } : {};
      response.writeHead(from > 0 ? 206 : 200, { etag: '"one"', 'content-length': text.length - from, ...range });
      if (from > 0) response.end(text.subarray(from));
      else response.write(text.subarray(0, 100_000));
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    open.push({
      close: async () => {
        server.closeAllConnections();
        await new Promise<void>(resolve => server.close(() => resolve()));
      },
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen };
  };
  const halfway = () =>
    expect
      .poll(
        () =>
          stat(`${cached('a.txt')}.partial`).then(
            ({ size }) => size,
            () => 0,
          ),
        { timeout: 40_000 },
      )
      .toBe(100_000);

  it.each(['SIGKILL', 'SIGINT'] as const)('by %s goes on from there', async signal => {
    const server = await halting();
    await recipe({ name: 'a.txt', url: server.url, revision: 'v1', ...pinOf(text) });
    const first = work.start(['fetch', 'recipe.yaml']);
    await halfway();
    first.process.kill(signal);
    const ended = await first.ended;
    if (signal === 'SIGINT') {
      expect(ended).toEqual({
        code: 130,
        stdout: 'interrupted; what came so far is kept: the same command goes on\n',
        stderr: '',
      });
      expect((await readdir(dirname(cached('a.txt')))).sort()).toEqual(['a.txt.partial', 'a.txt.partial.json']);
    }
    expect((await run(['fetch', 'recipe.yaml'])).code).toBe(0);
    expect(server.seen).toEqual([undefined, 'bytes=100000-']);
    expect(await readFile(cached('a.txt'))).toEqual(text);
    expect(await readdir(dirname(cached('a.txt')))).toEqual(['a.txt']);
  });

  it('keeps a second one out meanwhile', async () => {
    const server = await halting();
    await recipe({ name: 'a.txt', url: server.url, revision: 'v1', ...pinOf(text) });
    const first = work.start(['fetch', 'recipe.yaml']);
    await halfway();
    const { code, stderr } = await run(['fetch', 'recipe.yaml']);
    expect(stderr).toMatch(/^holdfast: .*a\.txt is being fetched by process \d+ on .*; wait for it to end/);
    expect(code).toBe(2);
    first.process.kill('SIGINT');
    expect((await first.ended).code).toBe(130);
  });
});
