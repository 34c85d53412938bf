import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { mismatches } from './compare.ts';
import { parseVectors, runVectors, type Vector } from './main.ts';
import { registry } from './registry.ts';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));
const shared = process.env['HOLDFAST_SHARED'] ?? join(repository, '..', 'shared');
const file = join(shared, 'reference', 'metric-vectors.json');
const absent = !existsSync(file);

describe('the reference vectors', () => {
  it.skipIf(absent)(`all pass (skipped where ${file} is not there)`, () => {
    const vectors = parseVectors(readFileSync(file, 'utf8'));
    const { lines, failed } = runVectors(vectors);
    expect(lines.filter(line => !line.startsWith('pass '))).toEqual([`${vectors.length} passed, 0 failed`]);
    expect(failed).toBe(0);
  });

  it.skipIf(absent)(`use every metric here (skipped where ${file} is not there)`, () => {
    const used = new Set(parseVectors(readFileSync(file, 'utf8')).map(({ metric }) => metric));
    expect(Object.keys(registry).sort()).toEqual([...used].sort());
  });
});

describe('mismatches', () => {
  it.each([
    [1, 1 + 9e-10, 0],
    [1, 1 + 2e-9, 1],
    [0, 9e-11, 0],
    [0, NaN, 1],
    [0, null, 1],
    [null, null, 0],
    [null, NaN, 1],
    [1, true, 1],
    ['1', 1, 1],
    [[1, 2], [1], 1],
    [[], {}, 1],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, 0],
    [{ a: null }, {}, 1],
    [{}, { a: 1 }, 1],
    [{}, { constructor: 1 }, 1],
  ])('between %j and %j', (expected, actual, count) => {
    expect(mismatches(expected, actual)).toHaveLength(count);
  });

  it('name the place', () => {
    expect(mismatches({ a: [{ b: 1 }] }, { a: [{ b: 2 }] })).toEqual([{ where: 'a[0].b', expected: 1, actual: 2 }]);
  });
});

describe('runVectors', () => {
  const run = (...vectors: Partial<Vector>[]) =>
    runVectors(vectors.map(vector => ({ id: 'X', metric: 'card.percent', input: {}, expected: [], ...vector })));

  it('says how each went and ends with the totals', () => {
    const result = run(
      { id: 'X1', input: { fractions: [[1, 3]] }, expected: ['33.33%'] },
      {
        id: 'X2',
        input: {
          fractions: [
            [1, 3],
            [0, 0],
          ],
        },
        expected: ['33.34%', ''],
      },
      { id: 'X3', metric: 'card.unheard' },
      { id: 'X4', metric: 'constructor' },
    );
    expect(result).toEqual({
      lines: [
        'pass X1',
        'fail X2: [0] expected "33.34%", actual "33.33%" and 1 more',
        'no such metric yet X3 (card.unheard)',
        'no such metric yet X4 (constructor)',
        '1 passed, 3 failed',
      ],
      passed: 1,
      failed: 3,
    });
  });

  it('fails an input that its metric refuses, on one line without control characters', () => {
    const { lines } = run({ id: 'a\nb\u001b[2J', input: null });
    expect(lines[0]).toMatch(/^fail a\?b\?\[2J: the metric refused the input/);
    expect(lines).toHaveLength(2);
  });

  it('has nothing to say of no vectors', () => {
    expect(run()).toEqual({ lines: ['0 passed, 0 failed'], passed: 0, failed: 0 });
  });
});

describe('parseVectors', () => {
  it("reads the input string 'NaN' as the number, but not the expected one", () => {
    const text = '{"vectors":[{"id":"a","metric":"m","input":{"rows":[["NaN"]]},"expected":"NaN"}]}';
    expect(parseVectors(text)).toEqual([{ id: 'a', metric: 'm', input: { rows: [[NaN]] }, expected: 'NaN' }]);
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"vectors":{}}',
    '{"vectors":[1]}',
    '{"vectors":[{"id":"a"}]}',
    '{"format":"x/2","vectors":[]}',
  ])('refuses %j', text => {
    expect(() => parseVectors(text)).toThrow(SyntaxError);
  });
});

const command = fileURLToPath(new URL('../../bin/vectors.js', import.meta.url));
const unbuilt = !existsSync(fileURLToPath(new URL('../../dist/vectors/main.js', import.meta.url)));

describe.skipIf(unbuilt)('bin/vectors.js (skipped where nothing is built)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-vectors-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const run = (...files: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...files], { encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  const vector = (id: string, expected: string) => ({
    id,
    metric: 'card.percent',
    input: { fractions: [[1, 4]] },
    expected: [expected],
  });
  const good = write('good.json', JSON.stringify({ vectors: [vector('G', '25.00%')] }));
  const bad = write('bad.json', JSON.stringify({ vectors: [vector('B', '26.00%')] }));
  const broken = write('broken.json', '{"vectors": [');

  it('prints a line a vector over all files, and exits 1 when one failed', () => {
    expect(run(good)).toEqual({ status: 0, stdout: 'pass G\n1 passed, 0 failed\n', stderr: '' });
    expect(run(good, bad)).toEqual({
      status: 1,
      stdout: 'pass G\nfail B: [0] expected "26.00%", actual "25.00%"\n1 passed, 1 failed\n',
      stderr: '',
    });
  });

  it.each([
    ['no file', [], /^Name at least one file of test vectors/],
    ['an option', ['--help'], /^Name at least one file of test vectors/],
    ['a file that is not there', [join(folder, 'none.json')], /^Cannot read .*none\.json \(ENOENT\)\.\n$/],
    ['a file that is not JSON', [good, broken], /^Cannot use .*broken\.json: It is not JSON\.\n$/],
  ])('exits 2 with one sentence for %s', (_, files, sentence) => {
    const { status, stdout, stderr } = run(...files);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(stderr.trimEnd()).not.toContain('\n');
  });
});
