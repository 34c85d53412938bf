export { readParquet, type ParquetOptions } from './read-parquet.ts';
export { readParquetFooter, type ParquetFooter } from './read-parquet-footer.ts';
export { ParquetRow } from './parquet-row.ts';
