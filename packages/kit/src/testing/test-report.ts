import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Plugin, Report } from '@holdfast/core';
import { frozen } from './frozen.ts';
import { hostileReport } from './hostile-report.ts';
import { make, pluginPromises, type Making } from './plugin-promises.ts';
import { holdTo, type Promised } from './promised.ts';

/** Holds a report plugin to its contract, on a report with hostile labels. */
export function testReport(plugin: Plugin<'report'>, setup: Making = {}): void {
  holdTo(`report ${plugin.name}`, reportPromises(plugin, setup));
}

type Files = ReadonlyMap<string, string>;

export function reportPromises(plugin: Plugin<'report'>, setup: Making): Promised[] {
  const write = async (report: Report, folder = setup.folder): Promise<Files> => {
    const files = new Map<string, string>();
    const sink = {
      async write(file: string, text: string) {
        await Promise.resolve();
        if (files.has(file)) throw new Error(`${file} is written twice`);
        files.set(file, text);
      },
    };
    await make(plugin, { ...setup, ...(folder === undefined ? {} : { folder }) }).write(report, sink);
    return files;
  };
  const inEach = (check: (text: string, extension: string) => readonly string[]) => async () =>
    [...(await write(hostileReport()))].flatMap(([file, text]) =>
      check(text, extname(file)).map(problem => `${file}: ${problem}`),
    );
  return [
    ...pluginPromises(plugin, 'report', setup),
    {
      promise: 'writes files of its own through the sink, and nowhere else',
      async broken() {
        const folder = await mkdtemp(join(tmpdir(), 'holdfast-report-'));
        try {
          const names = [...(await write(hostileReport(), folder)).keys()];
          return [
            ...(names.length > 0 ? [] : ['it writes no file']),
            ...names.filter(name => !/^[a-z0-9][a-z0-9._-]*$/.test(name)).map(name => `${name} is no plain file name`),
            ...(await readdir(folder)).map(name => `${name} was written past the sink`),
          ];
        } finally {
          await rm(folder, { recursive: true });
        }
      },
    },
    {
      promise: 'writes the same text of the same report, and changes nothing of it',
      async broken() {
        const report = frozen(hostileReport());
        const [first, second] = [await write(report), await write(hostileReport())];
        return [...first].flatMap(([file, text]) =>
          second.get(file) === text ? [] : [`${file} is another one the second time`],
        );
      },
    },
    { promise: 'names every model', broken: () => unnamed(write) },
    { promise: 'writes a run that has nothing to show', broken: async () => (await write(emptyReport()), []) },
    {
      promise: 'passes on no raw control character, no hidden direction and no broken text',
      broken: inEach((text, extension) => {
        // JSON is data: it escapes what RFC 8259 says and keeps the rest exactly.
        const wild = extension === '.json' ? /(?![\n\t])[\0-\x1f]/ : /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/u;
        const raw = wild.exec(text);
        return [
          ...(raw === null ? [] : [`a raw U+${raw[0].codePointAt(0)!.toString(16).padStart(4, '0')}`]),
          ...(text.isWellFormed() ? [] : ['a lone surrogate']),
        ];
      }),
    },
    {
      promise: 'lets no label out of its place',
      broken: inEach((text, extension) => formats.get(extension)?.(text) ?? []),
    },
    {
      promise: 'writes words where a value is null, never NaN, undefined or [object Object]',
      broken: inEach((text, extension) =>
        extension === '.html'
          ? []
          : ['NaN', 'undefined', '[object Object]'].filter(word => text.includes(word)).map(word => `it says ${word}`),
      ),
    },
  ];
}

async function unnamed(write: (report: Report) => Promise<Files>): Promise<string[]> {
  const report = hostileReport();
  const text = [...(await write(report)).values()].join('\n');
  return report.models.filter(({ id }) => !text.includes(id)).map(({ id }) => `${id} is not named`);
}

function emptyReport(): Report {
  const report = hostileReport();
  return { ...report, datasets: [], models: [], slices: [], notes: [] };
}

/** How a label would break each format. */
const formats = new Map<string, (text: string) => readonly string[]>([
  ['.md', markdownProblems],
  ['.html', pageProblems],
  ['.csv', sheetProblems],
  ['.json', jsonProblems],
]);

function markdownProblems(text: string): string[] {
  const problems: string[] = [];
  let columns = 0;
  for (const [at, row] of text.split('\n').entries()) {
    const cells = row.startsWith('|') ? row.match(/(?<!\\)\|/g)!.length : 0;
    if (cells > 0 && columns > 0 && cells !== columns)
      problems.push(`line ${at + 1} has ${cells} bars where its table has ${columns}`);
    columns = cells;
  }
  if (/(?<!\\)<script/i.test(text)) problems.push('a label is a tag');
  if (/(?<!\\)\]\(javascript:/i.test(text)) problems.push('a label is a link');
  return problems;
}

function pageProblems(text: string): string[] {
  return [
    ...(text.includes('<script>alert(1)') ? ['a label is a tag'] : []),
    ...(/href=["']?javascript:/i.test(text) ? ['a label is a link'] : []),
  ];
}

function sheetProblems(text: string): string[] {
  return /(^|[,;\t])"?(=1\+1|\+SUM|@cmd)/m.test(text) ? ['a cell is a formula'] : [];
}

function jsonProblems(text: string): string[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}
