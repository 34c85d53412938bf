// A temporary folder with recipes and records in it, and the built command to run there.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const bin = join(import.meta.dirname, '../bin/holdfast.js');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
}

export interface Workplace {
  readonly folder: string;
  path(...parts: string[]): string;
  write(name: string, text: string | Uint8Array): Promise<string>;
  read(name: string): Promise<string>;
  /** The rows of a JSONL file; empty where it is not there. */
  rows<Row = Record<string, unknown>>(name: string): Promise<Row[]>;
  start(args: readonly string[], env?: Record<string, string>): Started;
  run(args: readonly string[], env?: Record<string, string>): Promise<Ended>;
  remove(): Promise<void>;
}

export async function openWorkplace(): Promise<Workplace> {
  if (!existsSync(join(import.meta.dirname, '../dist/main.js'))) {
    throw new Error('the command is not built: run npm run build before these tests (npm test does both)');
  }
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-work-'));
  const path = (...parts: string[]) => join(folder, ...parts);
  const read = (name: string) => readFile(path(name), 'utf8');
  const start = (args: readonly string[], env: Record<string, string> = {}): Started => {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', code => resolve({ code, stdout, stderr }));
    });
    return { process: child, ended };
  };
  return {
    folder,
    path,
    read,
    start,
    run: (args, env) => start(args, env).ended,
    async write(name, text) {
      await writeFile(path(name), text);
      return path(name);
    },
    async rows<Row>(name: string) {
      if (!existsSync(path(name))) return [];
      const lines = (await read(name)).split('\n').filter(line => line !== '');
      return lines.map(line => JSON.parse(line) as Row);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A record as one line. Members are JSON text, so that a test decides every byte of them. */
export function recordLine(members: Record<string, string> = {}): string {
  const all: Record<string, string> = {
    id: '"q0"',
    base_id: '"q0"',
    group_id: '"g0"',
    dataset: '"own"',
    state: '{"n":1}',
    instructions: '"Which one?"',
    options: optionList(['a', 'b']),
    gold: '"a"',
    source: '{}',
    ...members,
  };
  const rows = Object.keys(all).map(key => `${JSON.stringify(key)}:${all[key]!}`);
  return `{${rows.join(',')}}`;
}

export function optionList(ids: readonly string[]): string {
  const items = ids
    .map(id => JSON.stringify(id))
    .map(id => `{"id":${id},"canonical_id":${id},"description":"about ${id.slice(1, -1)}"}`);
  return `[${items.join(',')}]`;
}

/** `count` questions of two options each. */
export function manyRecords(count: number): string {
  return Array.from({ length: count }, (_, at) => {
    const id = JSON.stringify(`q${at}`);
    return `${recordLine({ id, base_id: id, group_id: `"g${at >> 1}"`, state: `{"n":${at}}` })}\n`;
  }).join('');
}

/** A recipe that asks a server on this machine about records.jsonl. */
export function serverRecipe(
  url: string,
  changes: { perturbations?: string; limits?: string; with?: string } = {},
): string {
  return `recipe: server
datasets:
  - use: records
    with: { file: records.jsonl }
perturbations: ${changes.perturbations ?? '[order, label, format]'}
models:
  - id: server
    use: systemone
    with: { model: test-1, base_url: "${url}"${changes.with ?? ''} }
    limits: ${changes.limits ?? '{ concurrency: 4, attempts: 3, backoff_ms: 1 }'}
`;
}
