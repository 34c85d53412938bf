import { appendFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Decision } from '@holdfast/core';
import { Journal } from './journal.ts';
import { readDecisions } from './read-decisions.ts';
import { recoverJournal } from './recover-journal.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-journal-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const decision = (record_id: string): Omit<Decision, 'answer'> => ({
  record_id,
  base_id: 'é😀',
  version: 'v0_original',
  dataset: 'own',
  group_id: 'g',
  status: 'ok',
  choice: '__proto__',
  canonical_choice: '__proto__',
  gold: 'b',
  canonical_gold: 'b',
  correct: false,
  probabilities: [
    ['1', 0.25],
    ['__proto__', 0.75],
  ],
  confidence: 0.5,
  confidence_source: 'provided',
  option_count: 2,
  served_model: null,
  usage: null,
  cost_usd: null,
  attempts: 1,
  latency_ms: 1.5,
  repeat: 0,
  request_sha256: 'x',
  request_id: null,
  truncation: null,
  options_policy: null,
  failure: null,
});
const exchange = (body: Uint8Array) => ({ status: 200, headers: [['a', 'b']] as const, body });

async function write(ids: readonly string[]): Promise<number> {
  let durable = 0;
  const journal = await Journal.open(folder, rows => (durable += rows));
  await Promise.all(ids.map(id => journal.append(decision(id), exchange(Buffer.from(`{"é":"${id}"}`)))));
  await journal.close();
  return durable;
}

async function read(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { decision } of readDecisions(join(folder, 'decisions.jsonl'))) ids.push(decision.record_id);
  return ids;
}

const file = (name: string) => join(folder, name);

describe('the journal', () => {
  it('tells every row durable once, and reads back what was appended, with the answers', async () => {
    const ids = Array.from({ length: 600 }, (_, at) => `r${at}`);
    expect(await write(ids)).toBe(600);
    expect(await read()).toEqual(ids);
    const answers = await readFile(file('answers.jsonl'));
    for await (const { decision } of readDecisions(file('decisions.jsonl'))) {
      const { offset, length } = decision.answer!;
      const row = JSON.parse(answers.subarray(offset, offset + length).toString()) as {
        record_id: string;
        body: string;
      };
      expect(row.body).toBe(`{"é":"${row.record_id}"}`);
      expect(row.record_id).toBe(decision.record_id);
      expect(decision.probabilities).toEqual([
        ['1', 0.25],
        ['__proto__', 0.75],
      ]);
    }
  });

  it('keeps a body that is no UTF-8 byte for byte', async () => {
    const journal = await Journal.open(folder, () => {});
    await journal.append(decision('r'), exchange(Buffer.from([0xff, 0x00, 0x41])));
    await journal.close();
    const row = JSON.parse(await readFile(file('answers.jsonl'), 'utf8')) as { body_base64: string };
    expect([...Buffer.from(row.body_base64, 'base64')]).toEqual([0xff, 0x00, 0x41]);
  });

  it('is mended after a cut at any byte: only the last row is lost', async () => {
    await write(['r0', 'r1', 'r2']);
    const whole = await readFile(file('decisions.jsonl'));
    const lastStart = whole.lastIndexOf(0x0a, whole.length - 2) + 1;
    for (let length = lastStart; length < whole.length; length++) {
      // Some of these cuts fall inside a character of several bytes.
      await writeFile(file('decisions.jsonl'), whole.subarray(0, length));
      expect(await recoverJournal(folder)).toEqual({ cut: length > lastStart });
      expect(await read()).toEqual(['r0', 'r1']);
    }
    await write(['r2']);
    expect(await read()).toEqual(['r0', 'r1', 'r2']);
  });

  it('asks again where the answers of the last rows did not reach the disk', async () => {
    await write(['r0', 'r1', 'r2']);
    const answers = await readFile(file('answers.jsonl'));
    await truncate(file('answers.jsonl'), answers.length - 3);
    expect(await recoverJournal(folder)).toEqual({ cut: true });
    expect(await read()).toEqual(['r0', 'r1']);
    await write(['r2']);
    expect(await read()).toEqual(['r0', 'r1', 'r2']);
  });

  it('names file and line of damage in the middle, and changes nothing', async () => {
    await write(['r0', 'r1', 'r2']);
    const text = await readFile(file('decisions.jsonl'), 'utf8');
    const damaged = text.replace('"record_id":"r1"', '"record_id":"r1');
    await writeFile(file('decisions.jsonl'), damaged);
    await expect(recoverJournal(folder)).rejects.toThrow(/decisions\.jsonl:2: not JSON; the journal is damaged/);
    expect(await readFile(file('decisions.jsonl'), 'utf8')).toBe(damaged);
    await writeFile(file('decisions.jsonl'), text.replace('"status":"ok"', '"status":"fine"'));
    await expect(recoverJournal(folder)).rejects.toThrow(/decisions\.jsonl:1: status/);
  });

  it('is empty where there is nothing', async () => {
    expect(await recoverJournal(folder)).toEqual({ cut: false });
    expect(await read()).toEqual([]);
    await appendFile(file('decisions.jsonl'), '{"torn');
    expect(await recoverJournal(folder)).toEqual({ cut: true });
    expect(await read()).toEqual([]);
  });

  it('gives the error of a full disk to whoever appends, and writes nothing behind it', async () => {
    const journal = await Journal.open(folder, () => {});
    await journal.append(decision('r0'), null);
    await journal.close();
    // A closed file refuses as a full disk does.
    await expect(journal.append(decision('r1'), null)).rejects.toBeDefined();
    await expect(journal.append(decision('r2'), null)).rejects.toBeDefined();
    expect(await read()).toEqual(['r0']);
  });
});
