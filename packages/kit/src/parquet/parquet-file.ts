import { open, type FileHandle } from 'node:fs/promises';
import { parquetMetadataAsync, parquetSchema, type AsyncBuffer, type FileMetaData, type SchemaTree } from 'hyparquet';
import { HoldfastError } from '@holdfast/core';
import { fileProblem } from '../file-problem.ts';

const MAGIC = 'PAR1';
/** Magic, an empty footer's length, and magic again. */
const SHORTEST = 12;

/** An open Parquet file: what hyparquet reads from, and its footer. */
export class ParquetFile {
  readonly buffer: AsyncBuffer;
  readonly metadata: FileMetaData;
  readonly schema: SchemaTree;
  readonly rows: number;
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle, buffer: AsyncBuffer, metadata: FileMetaData) {
    this.#handle = handle;
    this.buffer = buffer;
    this.metadata = metadata;
    this.schema = parquetSchema(metadata);
    this.rows = Number(metadata.num_rows);
  }

  /** Throws UPSTREAM_INVALID where the file cannot be read, is no Parquet, is cut or is encrypted. */
  static async open(path: string, file: string): Promise<ParquetFile> {
    const handle = await open(path).catch((error: unknown) => {
      throw fileProblem(path, error);
    });
    try {
      const { size } = await handle.stat();
      const buffer: AsyncBuffer = {
        byteLength: size,
        slice: (start, end = size) => readRange(handle, { path, file, start, end }),
      };
      await checkMagic(buffer, file);
      const metadata = await parquetMetadataAsync(buffer, { geoparquet: false }).catch((error: unknown) => {
        throw damaged(`${file}: the footer cannot be read`, { file }, error);
      });
      checkFooter(metadata, file);
      return new ParquetFile(handle, buffer, metadata);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** The names of the columns, in their order. */
  get columns(): readonly string[] {
    return this.schema.children.map(({ element }) => element.name);
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/** The UPSTREAM_INVALID error for data that hyparquet could not read, for whatever reason it gives. */
export function damaged(what: string, facts: object, cause: unknown): unknown {
  if (HoldfastError.is(cause)) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const remedy = 'fetch it again, or write it anew with data pages of version 1.0';
  const message = `${what} (${reason}), since it is damaged or of a kind that hyparquet does not know: ${remedy}`;
  return new HoldfastError('UPSTREAM_INVALID', message, { cause, facts: { ...facts } });
}

async function readRange(
  handle: FileHandle,
  { path, file, start, end }: { path: string; file: string; start: number; end: number },
): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(Math.max(0, end - start));
  for (let filled = 0; filled < bytes.length;) {
    const { bytesRead } = await handle
      .read(bytes, filled, bytes.length - filled, start + filled)
      .catch((error: unknown) => {
        throw fileProblem(path, error);
      });
    if (bytesRead === 0) throw damaged(`${file}: the bytes ${start} to ${end} are missing`, { file }, 'end of file');
    filled += bytesRead;
  }
  return bytes.buffer;
}

async function checkMagic(buffer: AsyncBuffer, file: string): Promise<void> {
  const refuse = (reason: string) => new HoldfastError('UPSTREAM_INVALID', `${file} ${reason}`, { facts: { file } });
  const text = async (start: number) => Buffer.from(await buffer.slice(start, start + 4)).toString('latin1');
  const size = buffer.byteLength;
  const head = size < 4 ? '' : await text(0);
  if (head === 'PARE') throw refuse('is an encrypted Parquet file: decrypt it first');
  if (head !== MAGIC) throw refuse(`is not a Parquet file, which would start with ${MAGIC}: name a Parquet file`);
  const tail = size < SHORTEST ? '' : await text(size - 4);
  if (tail === 'PARE') throw refuse('is an encrypted Parquet file: decrypt it first');
  if (tail !== MAGIC) throw refuse(`is a Parquet file that was cut: it does not end with ${MAGIC}; fetch it again`);
}

function checkFooter(metadata: FileMetaData, file: string): void {
  const refuse = (reason: string) =>
    new HoldfastError('UPSTREAM_INVALID', `${file}: ${reason}; fetch it again`, { facts: { file } });
  let rows = 0n;
  for (const { num_rows: count } of metadata.row_groups) rows += count;
  if (rows !== metadata.num_rows) {
    throw refuse(`the footer tells of ${metadata.num_rows} rows, its row groups of ${rows}`);
  }
  const names = parquetSchema(metadata).children.map(({ element }) => element.name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw refuse(`two columns are called ${JSON.stringify(twice)}`);
}
