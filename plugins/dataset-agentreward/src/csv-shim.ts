import { readLines, openBytes } from '@holdfast/kit';
import { HoldfastError } from '@holdfast/core';
export async function* readCsv(path: string, { file, signal }: { file: string; signal: AbortSignal }) {
  let head: string[] | null = null;
  for await (const line of readLines(openBytes(path, { signal }), { file, signal })) {
    const cells = Buffer.from(line.bytes).toString().split(',');
    if (head === null) head = cells;
    else if (cells.length !== head.length)
      throw new HoldfastError('RECORD_INVALID', `${file}:${line.number}: cells`, {
        facts: { file, line: line.number },
      });
    else yield { cells: new Map(head.map((name, at) => [name, cells[at]!])), line: line.number };
  }
}
