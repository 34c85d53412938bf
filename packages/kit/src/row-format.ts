import { HoldfastError, JsonText } from '@holdfast/core';
import { openBytes } from './open-bytes.ts';

export type RowFormat = 'jsonl' | 'json' | 'csv' | 'parquet';

/** How a file of rows is written, and what says so. */
export interface FoundRowFormat {
  readonly format: RowFormat;
  readonly why: string;
}

/** As much of a file as is looked at. */
const HEAD = 64 * 1024;

/**
 * How the rows of a file are written: by its first bytes and, where text could be either, by its name. Throws as
 * `openBytes`, and UPSTREAM_INVALID for files that are empty, or are none of these formats.
 */
export async function rowFormatOf(
  path: string,
  { file = path, signal }: { readonly file?: string; readonly signal?: AbortSignal | undefined } = {},
): Promise<FoundRowFormat> {
  const head = await headOf(path, { bytes: HEAD, signal });
  const refuse = (sentence: string) =>
    new HoldfastError('UPSTREAM_INVALID', `${file} ${sentence}`, { facts: { file } });
  if (head.subarray(0, 4).equals(Buffer.from('PAR1'))) return { format: 'parquet', why: 'it starts with PAR1' };
  if (head.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))) {
    throw refuse('is a zip archive, perhaps a workbook: save the table as CSV, or unpack the archive');
  }
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) {
    throw refuse('is written in UTF-16: convert it to UTF-8');
  }
  if (head.includes(0)) throw refuse('is binary: JSONL, a JSON array, CSV or Parquet is needed');
  const text = head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (text === '') throw refuse('is empty: a row for each decision is needed');
  const extension = /\.(csv|tsv|jsonl|ndjson)(?:\.(?:gz|zst|zstd))?$/i.exec(path)?.[1]?.toLowerCase();
  if (extension === 'csv' || extension === 'tsv') return { format: 'csv', why: `its name ends in .${extension}` };
  if (extension !== undefined && !text.startsWith('['))
    return { format: 'jsonl', why: `its name ends in .${extension}` };
  if (text.startsWith('[')) return { format: 'json', why: 'it starts with [' };
  if (text.startsWith('{')) {
    const [line, ...more] = text.split('\n', 2);
    if (more.length > 0 && !isJson(line!)) {
      throw refuse('is neither JSONL, an object on each line, nor a JSON array: make it JSONL with "jq -c"');
    }
    return { format: 'jsonl', why: 'it starts with {' };
  }
  return { format: 'csv', why: 'it is text that is not JSON' };
}

/** The first bytes of a file, decompressed. Throws as `openBytes`. */
export async function headOf(
  path: string,
  { bytes, signal }: { readonly bytes: number; readonly signal?: AbortSignal | undefined },
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of openBytes(path, { signal })) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= bytes) break;
  }
  return Buffer.concat(chunks).subarray(0, bytes);
}

function isJson(text: string): boolean {
  try {
    JsonText.parse(text);
    return true;
  } catch {
    return false;
  }
}
