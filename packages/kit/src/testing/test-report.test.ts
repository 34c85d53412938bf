import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineReport, type Report, type Reporter } from '@holdfast/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { brokenPromises } from './promised.ts';
import { reportPromises, testReport } from './test-report.ts';

const clean = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .replaceAll(/[\\`*_[\]|#]/g, '\\$&')
    .replaceAll('<', '&lt;');
const table = (report: Report, cell: (text: string) => string = clean) =>
  [
    '| label | n |',
    '| --- | --- |',
    ...report.models.flatMap(({ id, scores }) =>
      scores.rows.map(({ label, questions }) => `| ${cell(`${id} ${label}`)} | ${questions} |`),
    ),
    '',
  ].join('\n');

const plugin = (write: Reporter['write']) =>
  defineReport({ name: 'table', summary: 'A table.', options: z.strictObject({}), create: () => ({ write }) });
const good: Reporter['write'] = (report, sink) => sink.write('report.md', table(report));
const page =
  (text: string): Reporter['write'] =>
  (report, sink) =>
    sink.write('report.html', `${report.models.map(({ id }) => id).join(' ')} ${text}`);

testReport(plugin(good));
testReport(plugin((report, sink) => sink.write('report.json', JSON.stringify(report))));

describe('the suite for reports', () => {
  it('finds nothing in a good one', async () => {
    expect(await brokenPromises(reportPromises(plugin(good), {}))).toEqual([]);
  });

  let runs = 0;
  const out = 'lets no label out';
  it.each<[string, Reporter['write'], string[]]>([
    ['writes nothing', async () => {}, ['writes files', 'names every model']],
    [
      'writes labels as they are',
      (report, sink) =>
        sink.write(
          'report.md',
          table(report, text => text),
        ),
      ['passes on no raw', out],
    ],
    ['leaves bars', (report, sink) => sink.write('report.md', table(report).replaceAll('\\|', '|')), [out]],
    ['leaves tags', (report, sink) => sink.write('report.md', table(report).replaceAll('&lt;', '<')), [out]],
    ['puts a label into a page', page('<script>alert(1)</script>'), [out]],
    ['puts a link into a page', page('<a href="javascript:x">'), [out]],
    ['leaves formulas', (report, sink) => sink.write('report.csv', table(report) + '\n=1+1,2\n'), [out]],
    ['writes broken JSON', (report, sink) => sink.write('report.json', `[${table(report)}`), [out]],
    [
      'counts its runs',
      (report, sink) => sink.write('report.md', `${table(report)}${runs++}`),
      ['writes the same text'],
    ],
    ['writes to a path', (report, sink) => sink.write('../report.md', table(report)), ['writes files']],
    [
      'changes the report',
      (report, sink) => ((report.models as unknown[]).pop(), sink.write('report.md', table(report))),
      ['writes the same text'],
    ],
    [
      'needs a model',
      (report, sink) => sink.write('report.md', table(report) + report.models[0]!.id),
      ['writes a run that has nothing'],
    ],
    ['says NaN', (report, sink) => sink.write('report.md', `${table(report)}${0 / 0}`), ['writes words']],
  ])('finds one that %s', async (_, write, expected) => {
    const broken = await brokenPromises(reportPromises(plugin(write), {}));
    for (const start of expected) expect(broken.map(promise => promise.slice(0, start.length))).toContain(start);
  });

  it('finds one that writes past the sink', async () => {
    const past = defineReport({
      name: 'past',
      summary: 'Past.',
      options: z.strictObject({}),
      create: (_, { folder }) => ({
        async write(report, sink) {
          writeFileSync(join(folder, 'own.txt'), 'x');
          await good(report, sink);
        },
      }),
    });
    const promises = reportPromises(past, {}).filter(({ promise }) => promise.startsWith('writes files'));
    expect((await brokenPromises(promises)).length).toBe(1);
  });
});
