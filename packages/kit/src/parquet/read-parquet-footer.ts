import { ParquetFile } from './parquet-file.ts';

/** What a Parquet file tells before any row is read. */
export interface ParquetFooter {
  readonly rows: number;
  /** The names of the columns, in their order. */
  readonly columns: readonly string[];
  readonly rowGroups: number;
  /** The writer, where it left its name. */
  readonly writtenBy: string | null;
}

/** The footer of a Parquet file. Throws UPSTREAM_INVALID where the file cannot be read or is no Parquet. */
export async function readParquetFooter(path: string, { file = path }: { file?: string } = {}): Promise<ParquetFooter> {
  const parquet = await ParquetFile.open(path, file);
  try {
    return {
      rows: parquet.rows,
      columns: parquet.columns,
      rowGroups: parquet.metadata.row_groups.length,
      writtenBy: parquet.metadata.created_by ?? null,
    };
  } finally {
    await parquet.close();
  }
}
