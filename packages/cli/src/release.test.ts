import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkplace, recordLine, type Workplace } from './workplace.fixture.ts';

const root = join(import.meta.dirname, '../../..');
const demo = join(root, 'configs/demo/recipe.yaml');

let work: Workplace;
beforeEach(async () => {
  work = await openWorkplace();
});
afterEach(() => work.remove());

interface ReleaseManifest {
  readonly shards: { path: string; records: number; sha256: string }[];
  [key: string]: unknown;
}

const given = (file: string) =>
  `recipe: given\ndatasets: [{ use: records, with: { file: ${file} } }]\nmodels: [{ use: baseline, with: { strategy: first_option } }]\n`;

async function release(): Promise<void> {
  expect((await work.run(['build', demo, '--out', 'run', '--release'])).code).toBe(0);
}

async function manifest(): Promise<ReleaseManifest> {
  return JSON.parse(await work.read('run/release/manifest.json')) as ReleaseManifest;
}

describe('a release', () => {
  it('holds the records in gzip shards, with manifest, licences and a card', async () => {
    await release();
    expect((await readdir(work.path('run/release'))).sort()).toEqual([
      'LICENSES.md',
      'README.md',
      'manifest.json',
      'records-00000.jsonl.gz',
    ]);
    const { shards, ...head } = await manifest();
    const shard = await readFile(work.path('run/release', shards[0]!.path));
    const versions = await readFile(work.path('run/records/versions.jsonl'));
    expect(gunzipSync(shard).equals(versions)).toBe(true);
    const rows = (await work.rows<{ base_id: string }>('run/records/versions.jsonl')).map(row => row.base_id);
    expect(head).toEqual({
      format: 'jev-release/gzip-jsonl-v1',
      original_samples: new Set(rows).size,
      version_instances: rows.length,
      stream_sha256: createHash('sha256').update(versions).digest('hex'),
    });
    const card = await work.read('run/release/README.md');
    expect(card).toContain(`${rows.length} records`);
    expect(await work.read('run/release/LICENSES.md')).toContain('## bfcl');
    const verified = await work.run(['verify', 'run/release']);
    expect(verified.stdout).toMatch(/^0 violations/m);
    expect(verified.code).toBe(0);
  });

  it('is read back as it is: the same versions, byte for byte', async () => {
    await release();
    await work.write('recipe.yaml', given('./run/release'));
    const { code, stderr } = await work.run(['run', 'recipe.yaml', '--out', 'again']);
    expect(stderr).not.toContain('bug');
    expect(code).toBe(0);
    expect(await work.read('again/records/versions.jsonl')).toBe(await work.read('run/records/versions.jsonl'));
  });

  it.each<[string, (text: ReleaseManifest) => object, string]>([
    ['another format', text => ({ ...text, format: 'jev-release/2' }), ''],
    [
      'a shard outside the folder',
      text => ({ ...text, shards: [{ ...text.shards[0]!, path: '../x.gz' }] }),
      'is not a plain file name',
    ],
    ['no shard', text => ({ ...text, shards: [], version_instances: 0 }), 'there must be at least one shard'],
    ['counts that do not add up', text => ({ ...text, version_instances: 7 }), 'version_instances says 7'],
    ['a wrong number of questions', text => ({ ...text, original_samples: 7 }), 'its manifest says 7'],
    ['a wrong stream', text => ({ ...text, stream_sha256: '0'.repeat(64) }), 'as the manifest says'],
    [
      'an edited shard',
      text => ({ ...text, shards: [{ ...text.shards[0]!, sha256: '0'.repeat(64) }] }),
      'as the manifest says',
    ],
  ])('is refused for %s before anything is decided', async (name, change, message) => {
    await release();
    await writeFile(work.path('run/release/manifest.json'), JSON.stringify(change(await manifest())));
    await work.write('recipe.yaml', given('./run/release'));
    const { code, stderr } = await work.run(['run', 'recipe.yaml', '--out', 'again']);
    expect([name, code]).toEqual([name, 3]);
    expect(stderr).toContain(message);
    expect(await readdir(work.folder)).not.toContain('again');
  });

  it('is refused when a shard has other bytes, or bytes behind its end', async () => {
    await release();
    const { shards } = await manifest();
    const file = work.path('run/release', shards[0]!.path);
    const bytes = await readFile(file);
    const text = gunzipSync(bytes).toString();
    await writeFile(file, gzipSync(text.replace('"split":"test"', '"split":"text"')));
    await work.write('recipe.yaml', given('./run/release'));
    expect((await work.run(['run', 'recipe.yaml', '--out', 'again'])).stderr).toContain('as the manifest says');
    const { code, stderr } = await work.run(['verify', 'run/release']);
    expect(code).toBe(3);
    expect(stderr).toContain('as the manifest says');
  });
});

describe('already perturbed records', () => {
  it('are taken in any order: versions of a question are put side by side', async () => {
    await release();
    const lines = (await work.read('run/records/versions.jsonl')).trimEnd().split('\n');
    const turned = [...lines].reverse();
    await work.write('turned.jsonl.gz', gzipSync(turned.join('\n')));
    await work.write('recipe.yaml', given('./turned.jsonl.gz'));
    expect((await work.run(['build', 'recipe.yaml', '--out', 'again'])).code).toBe(0);
    const built = (await work.read('again/records/versions.jsonl')).trimEnd().split('\n');
    expect([...built].sort()).toEqual([...lines].sort());
    expect((await work.run(['verify', 'again'])).code).toBe(0);
  });

  it('are held to the hash in a manifest beside the file', async () => {
    await release();
    await mkdir(work.path('published'));
    await rename(work.path('run/records/versions.jsonl'), work.path('published/versions.jsonl'));
    const text = await readFile(work.path('published/versions.jsonl'));
    const write = (sha256: string) =>
      writeFile(work.path('published/manifest.json'), JSON.stringify({ files: { 'versions.jsonl': { sha256 } } }));
    await work.write('recipe.yaml', given('./published/versions.jsonl'));
    await write('0'.repeat(64));
    const wrong = await work.run(['build', 'recipe.yaml', '--out', 'again']);
    expect([wrong.code, wrong.stderr]).toEqual([
      3,
      expect.stringContaining('the manifest.json beside it says') as string,
    ]);
    await write(createHash('sha256').update(text).digest('hex'));
    expect((await work.run(['build', 'recipe.yaml', '--out', 'again'])).code).toBe(0);
  });

  it('are refused when a question lacks a version, unless the recipe leaves such questions out', async () => {
    await release();
    const lines = (await work.read('run/records/versions.jsonl')).trimEnd().split('\n');
    const dropped = lines.findIndex(line => line.includes('"version":"v2_label"'));
    await work.write('partial.jsonl', lines.filter((_, at) => at !== dropped).join('\n'));
    await work.write('recipe.yaml', given('./partial.jsonl'));
    const { code, stderr } = await work.run(['run', 'recipe.yaml', '--out', 'again']);
    expect(stderr).toMatch(/question .+ has no v2_label; complete the file/);
    expect(code).toBe(3);
    await work.write('recipe.yaml', `${given('./partial.jsonl')}inapplicable: exclude_question\n`);
    expect((await work.run(['run', 'recipe.yaml', '--out', 'again'])).code).toBe(0);
    const scores = JSON.parse(await work.read('again/models/baseline/scores.json')) as { rows: object[] };
    expect(scores.rows[0]).toMatchObject({ excluded: 1, exclusions: { failed_request: 0, missing_prediction: 1 } });
  });

  it.each(['exclude_question', 'count_as_wrong'])(
    'with a question that an operator cannot take leave it out under %s',
    async missing => {
      const noul =
        '[{"id":"true","canonical_id":"true","description":null},{"id":"false","canonical_id":"false","description":null}]';
      await work.write(
        'records.jsonl',
        `${recordLine()}\n${recordLine({ id: '"y"', base_id: '"y"', primitive: '"noul"', gold: '"true"', options: noul })}\n`,
      );
      const recipe = given('./records.jsonl').replace('models:', 'perturbations: [order]\nmodels:');
      await work.write('recipe.yaml', `${recipe}inapplicable: exclude_question\nmissing: ${missing}\n`);
      expect((await work.run(['run', 'recipe.yaml', '--out', 'mixed'])).code).toBe(0);
      const scores = JSON.parse(await work.read('mixed/models/baseline/scores.json')) as { rows: object[] };
      expect(scores.rows[0]).toMatchObject({ questions: 2, included: 1, excluded: 1 });
      expect(scores.rows[0]).toMatchObject({ metrics: { mean_accuracy: { numerator: 1, denominator: 2 } } });
    },
  );

  it('none of which counts end with exit code 1 and a sentence', async () => {
    const noul =
      '[{"id":"true","canonical_id":"true","description":null},{"id":"false","canonical_id":"false","description":null}]';
    await work.write('records.jsonl', `${recordLine({ primitive: '"noul"', gold: '"true"', options: noul })}\n`);
    const recipe = given('./records.jsonl').replace('models:', 'perturbations: [order]\nmodels:');
    await work.write('recipe.yaml', `${recipe}inapplicable: exclude_question\n`);
    const { code, stdout } = await work.run(['run', 'recipe.yaml', '--out', 'none']);
    expect(stdout).toContain('baseline: no question counts');
    expect(code).toBe(1);
  });

  it('make new versions of their originals when told to', async () => {
    await release();
    await work.write(
      'recipe.yaml',
      given('./run/records/versions.jsonl, originals_only: true').replace('models:', 'perturbations: [order]\nmodels:'),
    );
    expect((await work.run(['build', 'recipe.yaml', '--out', 'again'])).code).toBe(0);
    const versions = new Set(
      (await work.rows<{ version: string }>('again/records/versions.jsonl')).map(row => row.version),
    );
    expect([...versions]).toEqual(['v0_original', 'v1_order']);
    await rm(work.path('again'), { recursive: true });
  });
});
