import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkplace, type Workplace } from './workplace.fixture.ts';

const root = join(import.meta.dirname, '../../..');
const upstream = process.env['HOLDFAST_UPSTREAM'] ?? join(root, '../shared/upstream');
const hasUpstream = existsSync(join(upstream, 'bfcl'));

let work: Workplace;
beforeEach(async () => {
  work = await openWorkplace();
});
afterEach(() => work.remove());

interface Scores {
  readonly rows: readonly {
    slice: string;
    label: string;
    questions: number;
    metrics: Record<string, { value: number | null }>;
  }[];
}

describe('configs/demo', () => {
  const recipe = join(root, 'configs/demo/recipe.yaml');

  it('runs offline and writes a report with the tables of the card', async () => {
    const { code, stdout } = await work.run(['run', recipe, '--out', 'run']);
    expect(code).toBe(0);
    const report = await work.read('run/report.md');
    for (const table of ['By Application Scenario', 'By Decision Task', 'By Answer Format', 'By Source Dataset']) {
      expect(report).toContain(`### ${table}`);
    }
    expect(stdout).toContain('report: run/report.md');
  });

  it('gives the same bytes twice: records, manifest, scores and report', async () => {
    for (const folder of ['one', 'two']) expect((await work.run(['run', recipe, '--out', folder])).code).toBe(0);
    const files = [
      'run.json',
      'report.md',
      'report.json',
      'records/manifest.json',
      'records/versions.jsonl',
      'models/lexical/scores.json',
    ];
    for (const file of files)
      expect([file, await work.read(`one/${file}`)]).toEqual([file, await work.read(`two/${file}`)]);
  });

  it('is scored again by another threshold, without deciding again', async () => {
    await work.run(['run', recipe, '--out', 'run']);
    const journal = await work.read('run/models/lexical/decisions.jsonl');
    const other = (await readFile(recipe, 'utf8')).replace('threshold: 0.5', 'threshold: 0');
    await work.write('other.yaml', other);
    expect((await work.run(['score', 'run', '--recipe', 'other.yaml'])).code).toBe(0);
    const scores = JSON.parse(await work.read('run/models/lexical/scores.json')) as Scores;
    expect(scores.rows[0]!.metrics['abstention_rate']!.value).toBe(0);
    expect(scores.rows[0]!.metrics['mean_abstention_aware_accuracy']).toEqual(scores.rows[0]!.metrics['mean_accuracy']);
    expect(await work.read('run/models/lexical/decisions.jsonl')).toBe(journal);
    expect((await work.run(['report', 'run'])).code).toBe(0);
  });
});

describe('holdfast verify', () => {
  const recipe = join(root, 'configs/demo/recipe.yaml');
  const file = 'run/records/versions.jsonl';

  it('finds nothing in what was built', async () => {
    await work.run(['build', recipe, '--out', 'run']);
    const { code, stdout } = await work.run(['verify', 'run']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/v1_order: \d+ records, held to reverse_options/);
    expect(stdout).toMatch(/^0 violations, \d+ warnings$/m);
  });

  type Row = Record<string, unknown> & { id: string; version: string; options: { id: string }[] };
  const faults: [string, (rows: Row[]) => Row[], string][] = [
    [
      'a swapped gold',
      rows => changed(rows, 'v1_order', row => ({ gold: row.options.find(o => o.id !== row['gold'])!.id })),
      'gold',
    ],
    ['a changed state', rows => changed(rows, 'v1_order', () => ({ state: { messages: [] } })), 'state'],
    [
      'a changed string state',
      rows => changed(rows, 'v3_format', row => ({ state: `${String(row['state']).slice(0, -1)} }` + ' ' })),
      '',
    ],
    ['a missing version', rows => rows.filter((row, at) => !(row.version === 'v2_label' && at < 4)), 'has no v2_label'],
    ['a duplicate id', rows => [...rows, rows[1]!], 'stands twice'],
    [
      'a wrong parent',
      rows =>
        changed(rows, 'v2_label', row => ({
          perturbation: { ...(row['perturbation'] as object), parent_id: 'other' },
        })),
      'parent',
    ],
    [
      'a lost original',
      rows => rows.filter((row, at) => !(row.version === 'v0_original' && at === 0)),
      'has no v0_original',
    ],
    [
      'a leaked id',
      rows =>
        changed(rows, 'v2_label', row => ({ options: row.options.map((o, at) => (at === 0 ? { ...o, id: 'A' } : o)) })),
      '',
    ],
  ];
  function changed(rows: Row[], version: string, change: (row: Row) => object): Row[] {
    const at = rows.findIndex(row => row.version === version);
    return rows.map((row, index) => (index === at ? { ...row, ...change(row) } : row));
  }

  it.each(faults.filter(([, , message]) => message !== ''))(
    'finds %s in a file without a manifest',
    async (_, plant, message) => {
      await work.run(['build', recipe, '--out', 'run']);
      const rows = await work.rows<Row>(file);
      await work.write(
        'planted.jsonl',
        plant(rows)
          .map(row => JSON.stringify(row))
          .join('\n'),
      );
      const { code, stdout } = await work.run(['verify', 'planted.jsonl']);
      expect(stdout).toContain(message);
      expect(stdout).toMatch(/violation: planted\.jsonl/);
      expect(code).toBe(1);
    },
  );

  it('finds versions whose original stands far away', async () => {
    await work.run(['build', recipe, '--out', 'run']);
    const rows = await work.rows<Row>(file);
    const sorted = [...rows].sort((a, b) => (a.version < b.version ? 1 : -1));
    await work.write('sorted.jsonl', sorted.map(row => JSON.stringify(row)).join('\n'));
    const { code, stdout } = await work.run(['verify', 'sorted.jsonl']);
    expect(stdout).toMatch(/^0 violations/m);
    expect(code).toBe(0);
    await work.write(
      'swapped.jsonl',
      changed(sorted, 'v3_format', () => ({ instructions: 'Other.' }))
        .map(row => JSON.stringify(row))
        .join('\n'),
    );
    expect((await work.run(['verify', 'swapped.jsonl'])).stdout).toContain('instructions');
  });

  it('holds the bytes to the manifest', async () => {
    await work.run(['build', recipe, '--out', 'run']);
    await writeFile(work.path(file), (await work.read(file)).replace('"split":"test"', '"split":"text"'));
    const { code, stdout } = await work.run(['verify', 'run']);
    expect(stdout).toContain('manifest.hash');
    expect(code).toBe(1);
  });
});

describe.skipIf(!hasUpstream)('configs/city-jev on the real upstream files', () => {
  it('builds the 200 real bfcl questions in every version, lexical reads about 98 % of the originals, and nothing is violated', async () => {
    // Only bfcl: each other source has its own test.
    await mkdir(work.path('upstream/bfcl/possible_answer'), { recursive: true });
    for (const name of ['BFCL_v4_multiple.json', 'possible_answer/BFCL_v4_multiple.json']) {
      await copyFile(join(upstream, 'bfcl', name), work.path('upstream/bfcl', name));
    }
    await work.write(
      'recipe.yaml',
      'recipe: real\ndatasets: [{ use: bfcl }]\nperturbations: [order, label, format]\nmodels: [{ use: lexical }]\n',
    );
    const env = { HOLDFAST_UPSTREAM: work.path('upstream') };
    expect((await work.run(['run', 'recipe.yaml', '--out', 'run'], env)).code).toBe(0);
    const rows = await work.rows<{ version: string; correct: boolean }>('run/models/lexical/decisions.jsonl');
    expect(rows).toHaveLength(800);
    const originals = rows.filter(row => row.version === 'v0_original');
    expect(originals).toHaveLength(200);
    expect(originals.filter(row => row.correct).length / 200).toBeGreaterThanOrEqual(0.97);
    const verified = await work.run(['verify', 'run']);
    expect(verified.stdout).toMatch(/^0 violations/m);
    expect(verified.code).toBe(0);
  });
});

describe.skipIf(!existsSync(join(upstream, 'agentprocess')))('configs/city-jev/samples.yaml', () => {
  it('makes questions of all ten sources from their real files, twice the same bytes, and nothing is violated', async () => {
    const recipe = join(root, 'configs/city-jev/samples.yaml');
    const env = { HOLDFAST_UPSTREAM: upstream };
    const first = await work.run(['build', recipe, '--out', 'one'], env);
    expect([first.code, first.stderr.includes('bug')]).toEqual([0, false]);
    expect((await work.run(['build', recipe, '--out', 'two'], env)).code).toBe(0);
    for (const file of ['base.jsonl', 'versions.jsonl', 'manifest.json']) {
      expect(
        (await readFile(work.path('one/records', file))).equals(await readFile(work.path('two/records', file))),
      ).toBe(true);
    }
    const { datasets } = JSON.parse(await work.read('one/records/manifest.json')) as {
      datasets: { dataset: string; questions: number; skipped: { reason: string }[] }[];
    };
    const counts = Object.fromEntries(datasets.map(({ dataset, questions }) => [dataset, questions]));
    expect(counts).toEqual({
      agentprocess: 450,
      agentreward: 18,
      bfcl: 200,
      mind2web: 87,
      weblinx: 10,
      swetraj: 14,
      longmemeval: 19,
      agentharm: 200,
      injecagent: 250,
      workarena: 163,
    });
    const verified = await work.run(['verify', 'one']);
    expect(verified.stdout).toMatch(/^0 violations/m);
    expect(verified.code).toBe(0);
  });
});

describe('a plugin of the user', () => {
  it('is a .ts file beside the recipe that needs no install', async () => {
    await work.write(
      'mine.ts',
      `import { defineDataset, json } from '@holdfast/core';
import { z } from 'zod';
export default defineDataset({
  name: 'mine',
  summary: 'Two questions.',
  options: z.strictObject({ count: z.number().describe('How many.') }),
  create: ({ count }) => ({
    info: { id: 'mine', title: 'Mine', homepage: '', license: 'own', labels: { scenario: 'Own' } },
    upstream: [],
    units: () => [{ id: 'all', files: [] }],
    async *read() {
      for (let at = 0; at < count; at++) {
        yield {
          base_id: 'm' + at, group_id: 'g', scenario: 's', decision_type: 'd', state: json.value({ at }),
          instructions: json.string('Which?'), gold: 'yes', source: json.value({}),
          options: ['yes', 'no'].map((id: string) => ({ id, canonical_id: id, description: json.value(null) })),
        };
      }
    },
  }),
});
`,
    );
    await work.write(
      'recipe.yaml',
      'recipe: mine\ndatasets: [{ use: ./mine.ts, with: { count: 2 } }]\nmodels: [{ use: baseline, with: { strategy: uniform } }]\n',
    );
    const { code, stderr } = await work.run(['run', 'recipe.yaml', '--out', 'run']);
    expect(stderr).not.toContain('bug');
    expect(code).toBe(0);
    expect((await work.rows('run/records/base.jsonl')).length).toBe(2);
  });
});
