import { once } from 'node:events';
import { appendFile, readFile, readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readMap, readMembers, quote, JsonText } from '@holdfast/core';
import { startFaultServer, systemOneAnswer, type FaultServer, type ServedRequest } from '@holdfast/kit/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  manyRecords,
  openWorkplace,
  optionList,
  recordLine,
  serverRecipe,
  type Workplace,
} from './workplace.fixture.ts';

let work: Workplace;
const servers: FaultServer[] = [];
beforeEach(async () => {
  work = await openWorkplace();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map(server => server.close()));
  await work.remove();
});

async function serve(handler: Parameters<typeof startFaultServer>[0]): Promise<FaultServer> {
  const server = await startFaultServer(handler);
  servers.push(server);
  return server;
}

/** Chooses the first option with 0.7. */
const firstOption = (ids: readonly string[]) =>
  ids.map((id, at) => [id, at === 0 ? 0.7 : 0.3 / (ids.length - 1)] as const);
const good = ({ body }: ServedRequest) => ({ body: systemOneAnswer(body, firstOption).bytes });

/** The parts of a raw request body, as text in order. */
function parts({ body }: ServedRequest) {
  const request = readMap(body);
  const question = readMap(readMap(request.get('questions')!.bytes).get('decision')!.bytes);
  return {
    state: request.get('state')!.toString(),
    instructions: question.get('instructions')!.toString(),
    criteria: readMembers(question.get('criteria')!.bytes).map(([id, description]) => [id, description.toString()]),
  };
}

const decisions = 'run/models/server/decisions.jsonl';

describe('what a server receives', () => {
  it('lists criteria in the order of the options, integer-like ids too, reversed in v1', async () => {
    const server = await serve(good);
    await work.write('records.jsonl', `${recordLine({ options: optionList(['1', '0', '-1']), gold: '"0"' })}\n`);
    await work.write('recipe.yaml', serverRecipe(server.url, { perturbations: '[order]' }));
    expect((await work.run(['run', 'recipe.yaml', '--out', 'run'])).code).toBe(0);
    const orders = server.requests.map(request => /"criteria":(\{.*?\})/.exec(request.body.toString())![1]).sort();
    expect(orders).toEqual([
      '{"-1":"about -1","0":"about 0","1":"about 1"}',
      '{"1":"about 1","0":"about 0","-1":"about -1"}',
    ]);
    const rows = await work.rows<{ version: string; choice: string; probabilities: [string, number][] }>(decisions);
    const byVersion = new Map(rows.map(row => [row.version, row]));
    expect(byVersion.get('v0_original')).toMatchObject({ choice: '1' });
    expect(byVersion.get('v1_order')).toMatchObject({ choice: '-1' });
    expect(byVersion.get('v1_order')!.probabilities.map(([id]) => id)).toEqual(['-1', '0', '1']);
  });

  it('takes __proto__ as an option id, in request and answer', async () => {
    const server = await serve(good);
    await work.write(
      'records.jsonl',
      `${recordLine({ options: optionList(['__proto__', 'b']), gold: '"__proto__"' })}\n`,
    );
    await work.write('recipe.yaml', serverRecipe(server.url));
    expect((await work.run(['run', 'recipe.yaml', '--out', 'run'])).code).toBe(0);
    const rows = await work.rows<{ version: string; choice: string; correct: boolean }>(decisions);
    expect(rows.find(row => row.version === 'v0_original')).toMatchObject({ choice: '__proto__', correct: true });
    expect(rows.find(row => row.version === 'v2_label')).toMatchObject({
      canonical_choice: '__proto__',
      correct: true,
    });
  });

  it.each([
    [
      'an object',
      String.raw`{"a": 1.0, "b":1e400, "2":1,"1":1234567890123456789, "b" : -0.0,` +
        '\n "c":"x\u2028y\\u2028\\ud800\\/é😀", "d":[ ]}',
    ],
    ['a string', String.raw`"a \"quoted\" \u0041 \ud83d text\n"`],
    ['an array', '[ 1.50 , {"__proto__" : 1, "__proto__":2}]'],
    ['a number', '12345678901234567890.10'],
    ['null', 'null'],
  ])('is the state byte for byte: %s; and its quotation in v3', async (_, written) => {
    // A record is one line: a line feed in the state must stand as white space of another kind.
    const state = written.replace('\n', '\t');
    const server = await serve(good);
    await work.write('records.jsonl', `${recordLine({ state })}\n`);
    await work.write('recipe.yaml', serverRecipe(server.url));
    expect((await work.run(['run', 'recipe.yaml', '--out', 'run'])).code).toBe(0);
    const states = server.requests.map(request => parts(request).state);
    const quoted = quote(JsonText.parse(state)).toString();
    expect(states.sort()).toEqual([state, state, state, quoted].sort());
    expect(JSON.parse(quoted)).toBe(state);
  });

  it('does not change by a byte with gold, canonical ids, labels, metadata or names of versions', async () => {
    const server = await serve(good);
    const options = (canonical: string) =>
      `[{"id":"a","canonical_id":"${canonical}1","description":"A"},{"id":"b","canonical_id":"${canonical}2","description":"B"}]`;
    const canary = 'CANARY-7f3a';
    const versions: [string, Record<string, string>][] = [
      ['plain', { options: options('c') }],
      [
        'changed',
        {
          id: `"${canary}-id"`,
          base_id: `"${canary}-base"`,
          group_id: `"${canary}-group"`,
          dataset: `"${canary}-set"`,
          options: options(canary),
          gold: '"b"',
          source: `{"x":"${canary}"}`,
          metadata: `{"x":"${canary}"}`,
          labels: `{"scenario":"${canary}"}`,
          tags: `["${canary}"]`,
          scenario: `"${canary}"`,
          decision_type: `"${canary}"`,
          split: `"${canary}"`,
          local_partition: `"${canary}"`,
          secret_note: `"${canary}"`,
        },
      ],
    ];
    const bodies: string[][] = [];
    for (const [name, members] of versions) {
      const before = server.requests.length;
      await work.write('records.jsonl', `${recordLine(members)}\n`);
      await work.write('recipe.yaml', serverRecipe(server.url));
      expect((await work.run(['run', 'recipe.yaml', '--out', name])).code).toBe(0);
      bodies.push(
        server.requests
          .slice(before)
          .map(({ body }) => body.toString())
          .sort(),
      );
    }
    expect(bodies[1]).toEqual(bodies[0]);
    const wire = server.requests.map(({ body, headers }) => body.toString() + JSON.stringify(headers)).join('');
    for (const word of [
      canary,
      'v0_original',
      'v1_order',
      'v2_label',
      'v3_format',
      'reverse_options',
      'gold',
      'canonical',
    ]) {
      expect(wire).not.toContain(word);
    }
  });

  it('sends the key that a recipe names to the server that it names, and keeps it out of every file', async () => {
    const key = 'sk-very-secret-0123456789';
    const server = await serve(request =>
      request.index === 0
        ? { status: 500, headers: { 'x-echo': `Bearer ${key}` }, body: `{"error":"bad key ${key}"}` }
        : { ...good(request), headers: { 'content-type': 'application/json', 'x-echo': key } },
    );
    await work.write('records.jsonl', manyRecords(2));
    await work.write('recipe.yaml', serverRecipe(server.url, { with: ', api_key_env: MY_KEY' }));
    const { code, stdout, stderr } = await work.run(['run', 'recipe.yaml', '--out', 'run', '--json'], {
      MY_KEY: key,
      TYPESAFE_API_KEY: 'the-default-key',
    });
    expect(code).toBe(0);
    expect(server.requests.every(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true);
    for (const entry of await readdir(work.folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      expect([file, (await readFile(file)).includes(key)]).toEqual([file, false]);
    }
    expect(stdout + stderr).not.toContain(key);
  });

  it('does not get the default key at another address', async () => {
    const server = await serve(good);
    await work.write('records.jsonl', manyRecords(1));
    await work.write('recipe.yaml', serverRecipe(server.url));
    expect((await work.run(['run', 'recipe.yaml', '--out', 'run'], { TYPESAFE_API_KEY: 'the-default-key' })).code).toBe(
      0,
    );
    expect(server.requests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });
});

describe('a server in bad weather', () => {
  interface Row {
    readonly base_id: string;
    readonly status: string;
    readonly attempts: number;
    readonly correct: boolean | null;
    readonly failure: { kind: string; status: number | null; message: string } | null;
  }
  const json = { 'content-type': 'application/json' };
  const answerWith = (change: (text: string) => string) => (request: ServedRequest) => ({
    body: change(systemOneAnswer(request.body, firstOption).toString()),
  });
  type Handler = Parameters<typeof startFaultServer>[0];
  const always: Record<string, Handler> = {
    q0: good,
    q1: () => ({ status: 529, headers: json, body: '{"detail":{"error_type":"overloaded"}}' }),
    q2: () => ({ reset: true }),
    q3: request => ({ ...good(request), cut: 20 }),
    q4: () => ({ headers: { 'content-type': 'text/html' }, body: '<html>Bad gateway</html>' }),
    q5: () => ({ headers: json, body: '{"error":{"message":"try later"}}' }),
    q6: answerWith(text => text.replace('"choice":"a"', '"choice":"zzz"')),
    q7: answerWith(text => text.replace(/"probabilities":\{[^}]*\}/, '"probabilities":{"a":0.6,"b":0.3}')),
    q8: () => ({ status: 400, headers: json, body: '{"detail":{"error_type":"max_tokens_exceeded"}}' }),
    q9: () => ({
      status: 422,
      headers: json,
      body: '{"detail":[{"loc":["body","state"],"msg":"bad","input":"SECRET-INPUT"}]}',
    }),
    q10: answerWith(text => text.replace('0.7', 'NaN')),
    q11: answerWith(text => text.replace(/"confidence":[0-9.]+/, '"confidence":1.2')),
    q12: () => ({ body: '' }),
  };
  const once: Record<string, Handler> = {
    q13: () => ({ status: 429, headers: { ...json, 'retry-after': '0.02' }, body: '{}' }),
    q14: () => ({ status: 500, body: 'oops' }),
    q15: () => ({ reset: true }),
    q16: request => ({ ...good(request), cut: 5 }),
    q17: () => ({ status: 503, headers: { ...json, 'retry-after-ms': '5' }, body: '{}' }),
  };
  const kinds: Record<string, string> = {
    q1: 'overloaded',
    q2: 'connection',
    q3: 'connection',
    q4: 'invalid_answer',
    q5: 'invalid_answer',
    q6: 'invalid_answer',
    q7: 'invalid_answer',
    q8: 'over_length',
    q9: 'refused',
    q10: 'invalid_answer',
    q11: 'invalid_answer',
    q12: 'invalid_answer',
  };
  const final = ['q6', 'q7', 'q8', 'q9', 'q11'];

  it('ends: each fault is a typed failure or a retry that worked, none is scored as wrong, and the exit code is 1', async () => {
    const seen = new Map<string, number>();
    const server = await serve(request => {
      const question = `q${/"state":\{"n":(\d+)\}/.exec(request.body.toString())![1]!}`;
      const before = seen.get(question) ?? 0;
      seen.set(question, before + 1);
      return (always[question] ?? (before === 0 ? once[question]! : good))(request);
    });
    await work.write('records.jsonl', manyRecords(18));
    await work.write('recipe.yaml', serverRecipe(server.url, { perturbations: '[]' }));
    const { code, stdout } = await work.run(['run', 'recipe.yaml', '--out', 'run']);
    expect(code).toBe(1);
    expect(stdout).toContain('server: 6 of 18 decided, 12 failed');
    const rows = new Map((await work.rows<Row>(decisions)).map(row => [row.base_id, row]));
    expect(rows.size).toBe(18);
    for (const [question, kind] of Object.entries(kinds)) {
      const row = rows.get(question)!;
      expect([question, row.status, row.failure?.kind, row.correct]).toEqual([question, 'failed', kind, null]);
      expect([question, row.attempts]).toEqual([question, final.includes(question) ? 1 : 3]);
      expect([question, seen.get(question)]).toEqual([question, row.attempts]);
    }
    for (const question of Object.keys(once)) {
      expect([question, rows.get(question)!.status, rows.get(question)!.attempts]).toEqual([question, 'ok', 2]);
    }
    const scores = JSON.parse(await work.read('run/models/server/scores.json')) as {
      rows: {
        included: number;
        excluded: number;
        failed_requests: number;
        metrics: Record<string, { value: number }>;
      }[];
    };
    expect(scores.rows[0]).toMatchObject({ included: 6, excluded: 12, failed_requests: 12 });
    expect(scores.rows[0]!.metrics).toMatchObject({
      strict_accuracy: { value: 1 },
      strict_lower_bound: { value: 6 / 18 },
      strict_upper_bound: { value: 1 },
    });
    const journal = await work.read(decisions);
    expect(journal).not.toContain('SECRET-INPUT');
  });

  it('asks again only for what failed, when it is resumed', async () => {
    let broken = true;
    const server = await serve(request =>
      broken && request.body.includes('"n":1}') ? { status: 400, body: '{"error":"no"}' } : good(request),
    );
    await work.write('records.jsonl', manyRecords(4));
    await work.write('recipe.yaml', serverRecipe(server.url, { perturbations: '[order]' }));
    expect((await work.run(['run', 'recipe.yaml', '--out', 'run'])).code).toBe(1);
    broken = false;
    const before = server.requests.length;
    const { code, stdout } = await work.run(['run', 'recipe.yaml', '--out', 'run', '--resume']);
    expect(code).toBe(0);
    expect(server.requests.length - before).toBe(2);
    expect(stdout).toContain('server: 8 of 8 decided, 0 failed');
  });

  it('stops asking a server that refuses the key, with exit code 5, and can be resumed', async () => {
    let refuse = true;
    const server = await serve(request =>
      refuse ? { status: 401, body: '{"detail":{"message":"no such key"}}' } : good(request),
    );
    await work.write('records.jsonl', manyRecords(200));
    await work.write('recipe.yaml', serverRecipe(server.url, { perturbations: '[]' }));
    const { code, stdout } = await work.run(['run', 'recipe.yaml', '--out', 'run']);
    expect(code).toBe(5);
    expect(stdout).toContain('refused the key');
    expect(server.requests.length).toBeLessThan(10);
    refuse = false;
    expect((await work.run(['run', 'recipe.yaml', '--out', 'run', '--resume'])).code).toBe(0);
  });
});

describe('a run that is killed', () => {
  const total = 120;
  const finished = async (): Promise<string[]> => {
    const rows = await work.rows<{ record_id: string; status: string }>(decisions);
    return rows.filter(row => row.status === 'ok').map(row => row.record_id);
  };

  it.each([1, 20, 50, 90])(
    'after %i answers loses no row that was written, and asks again at most what was in flight',
    async killAt => {
      const concurrency = 4;
      let answered = 0;
      let kill: (() => void) | null = null;
      const server = await serve(request => {
        if (++answered === killAt) kill?.();
        return { ...good(request), delayMs: 3 };
      });
      await work.write('records.jsonl', manyRecords(total / 4));
      await work.write('recipe.yaml', serverRecipe(server.url));
      const started = work.start(['run', 'recipe.yaml', '--out', 'run']);
      kill = () => started.process.kill('SIGKILL');
      await started.ended;
      const whole = (await readFile(work.path(decisions)).catch(() => Buffer.alloc(0)))
        .toString()
        .split('\n')
        .slice(0, -1);
      const before = whole.map(line => (JSON.parse(line) as { record_id: string }).record_id);
      const { code, stdout } = await work.run(['run', 'recipe.yaml', '--out', 'run', '--resume']);
      expect(code).toBe(0);
      expect(stdout).toContain(`server: ${total} of ${total} decided, 0 failed`);
      const after = await finished();
      expect(after.slice(0, before.length)).toEqual(before);
      expect(new Set(after).size).toBe(total);
      expect(after).toHaveLength(total);
      expect(server.requests.length).toBeLessThanOrEqual(total + concurrency);
      const scores = JSON.parse(await work.read('run/models/server/scores.json')) as { rows: { included: number }[] };
      expect(scores.rows[0]!.included).toBe(total / 4);
    },
  );

  it('is refused to a second process while the first is at work', async () => {
    const server = await serve(request => ({ ...good(request), delayMs: 20 }));
    await work.write('records.jsonl', manyRecords(50));
    await work.write('recipe.yaml', serverRecipe(server.url));
    const first = work.start(['run', 'recipe.yaml', '--out', 'run']);
    while (server.requests.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
    const second = await work.run(['run', 'recipe.yaml', '--out', 'run', '--resume']);
    expect(second.code).toBe(2);
    expect(second.stderr).toMatch(/^holdfast: run is in use by process \d+ on .+; wait for it to end/);
    expect((await first.ended).code).toBe(0);
    expect(new Set(await finished()).size).toBe(200);
  });

  it('ends after the first Ctrl-C with what is in flight committed, exit code 130 and the way to go on', async () => {
    const server = await serve(request => ({ ...good(request), delayMs: 10 }));
    await work.write('records.jsonl', manyRecords(100));
    await work.write('recipe.yaml', serverRecipe(server.url));
    const started = work.start(['run', 'recipe.yaml', '--out', 'run']);
    while (server.requests.length < 20) await new Promise(resolve => setTimeout(resolve, 5));
    started.process.kill('SIGINT');
    const { code, stdout } = await started.ended;
    expect(code).toBe(130);
    expect(stdout).toContain('holdfast run recipe.yaml --out run --resume');
    // Every request that was sent has its row.
    expect((await finished()).length).toBe(server.requests.length);
    expect(server.requests.length).toBeLessThan(400);
    expect((await work.run(['run', 'recipe.yaml', '--out', 'run', '--resume'])).code).toBe(0);
    expect(server.requests.length).toBe(400);
  });

  it('ends at once after the second Ctrl-C, and loses nothing committed', async () => {
    const server = await serve(request => (request.index < 10 ? good(request) : { hang: true }));
    await work.write('records.jsonl', manyRecords(20));
    await work.write('recipe.yaml', serverRecipe(server.url));
    const started = work.start(['run', 'recipe.yaml', '--out', 'run']);
    while (server.requests.length < 14) await new Promise(resolve => setTimeout(resolve, 5));
    started.process.kill('SIGINT');
    await once(started.process.stderr!, 'data');
    started.process.kill('SIGINT');
    expect((await started.ended).code).toBe(130);
    expect((await finished()).length).toBe(10);
  });

  it('goes on after a torn last line, also inside a character, and stops at damage in the middle', async () => {
    const server = await serve(good);
    await work.write('records.jsonl', manyRecords(3).replaceAll(/"g(\d)/g, '"é😀g$1'));
    await work.write('recipe.yaml', serverRecipe(server.url, { perturbations: '[]' }));
    expect((await work.run(['run', 'recipe.yaml', '--out', 'run'])).code).toBe(0);
    const whole = await readFile(work.path(decisions));
    const cut = whole.lastIndexOf(Buffer.from('😀')) + 2;
    await truncate(work.path(decisions), cut);
    const before = server.requests.length;
    expect((await work.run(['run', 'recipe.yaml', '--out', 'run', '--resume'])).code).toBe(0);
    expect(server.requests.length - before).toBe(1);
    await appendFile(work.path(decisions), whole.subarray(0, whole.indexOf('\n') + 1).subarray(9));
    await appendFile(work.path(decisions), whole.subarray(0, whole.indexOf('\n') + 1));
    const { code, stderr } = await work.run(['run', 'recipe.yaml', '--out', 'run', '--resume']);
    expect(code).toBe(3);
    expect(stderr).toMatch(/decisions\.jsonl:4: not JSON; the journal is damaged/);
  });
});

describe('a run under another identity', () => {
  it('is refused with the field that differs, and nothing is touched', async () => {
    const server = await serve(good);
    await work.write('records.jsonl', manyRecords(2));
    await work.write('recipe.yaml', serverRecipe(server.url));
    expect((await work.run(['run', 'recipe.yaml', '--out', 'run'])).code).toBe(0);
    const journal = await work.read(decisions);
    const again = async (recipe: string) => {
      await work.write('recipe.yaml', recipe);
      return work.run(['run', 'recipe.yaml', '--out', 'run', '--resume']);
    };
    const other = await again(serverRecipe(server.url).replace('test-1', 'test-2'));
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('models[0].identity.model was "test-1" and is "test-2" now');
    await work.write('records.jsonl', manyRecords(3));
    const data = await again(serverRecipe(server.url));
    expect(data.code).toBe(2);
    expect(data.stderr).toContain('datasets[0].files[0].bytes');
    await work.write('records.jsonl', manyRecords(2));
    expect((await again(`${serverRecipe(server.url)}threshold: 0.9\n`)).code).toBe(0);
    expect(await work.read(decisions)).toBe(journal);
    const plain = await work.run(['run', 'recipe.yaml', '--out', 'run']);
    expect(plain.code).toBe(2);
    expect(plain.stderr).toContain('add --resume');
  });

  it('is refused when the records were changed after they were built', async () => {
    const server = await serve(good);
    await work.write('records.jsonl', manyRecords(2));
    await work.write('recipe.yaml', serverRecipe(server.url));
    expect((await work.run(['build', 'recipe.yaml', '--out', 'run'])).code).toBe(0);
    const file = work.path('run/records/versions.jsonl');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"gold":"a"', '"gold":"b"'));
    const { code, stderr } = await work.run(['run', 'recipe.yaml', '--out', 'run']);
    expect(code).toBe(3);
    expect(stderr).toContain('has changed since it was built');
    expect(server.requests).toHaveLength(0);
  });
});
