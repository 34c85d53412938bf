import { readItems, type FoundFile, type JsonText } from '@holdfast/core';
import { firstByte, member, readJsonArray, readJsonFile } from '@holdfast/kit';
import { readConverted, readNative, type Question } from './question.ts';

/** A question and where it stands. */
export interface Found {
  readonly question: Question;
  /** File and line, and within a converted file the row. */
  readonly place: string;
  readonly source: { readonly file: string; readonly index: number };
}

/** The questions of a file: upstream's array, one element at a time, or a converted file, which is small. */
export async function* readQuestions(
  { name: file, path }: FoundFile,
  { evidence }: { evidence: 'oracle' | 'all' },
  signal: AbortSignal,
): AsyncGenerator<Found> {
  if ((await firstByte(path, signal)) !== 0x7b) {
    for await (const element of readJsonArray(path, { file, signal })) {
      const { index, line } = element;
      const question = element.read(bytes => readNative(bytes, { evidence }));
      yield { question, place: `${file}:${line}`, source: { file, index } };
    }
    return;
  }
  const whole = await readJsonFile(path, { file, signal });
  const members = whole.members();
  const rows = whole.read((): JsonText[] => readItems(member(members, 'data', 'array').bytes));
  for (const [index, row] of rows.entries()) {
    const questions = whole.read(() => readConverted(row, `data.${index}`));
    for (const question of questions) yield { question, place: `${file} data.${index}`, source: { file, index } };
  }
}
