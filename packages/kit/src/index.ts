export { openBytes } from './open-bytes.ts';
export {
  LINE_LIMIT,
  readLineBatches,
  readLines,
  type Line,
  type LineCounts,
  type LineOptions,
  type Lines,
} from './read-lines.ts';
export { JsonLine, readJsonLines, type JsonLinesOptions } from './read-json-lines.ts';
export { readJsonArray, readJsonElements, type JsonArrayOptions, type JsonElementOptions } from './read-json-array.ts';
export { JsonElement } from './json-element.ts';
export { readJsonFile, type JsonFileOptions } from './read-json-file.ts';
export { LocatedJson, type JsonPlace } from './located-json.ts';
export { readCsv, readCsvRows, type CsvOptions, type CsvRowOptions } from './read-csv.ts';
export { CsvRow } from './csv-row.ts';
export type { CsvDelimiter } from './csv-delimiter.ts';
export { atLine, type Place } from './at-line.ts';
export { hashFile, type FileHash } from './hash-file.ts';
export {
  createHttpClient,
  type HttpClient,
  type HttpClientOptions,
  type HttpHeaders,
  type HttpRequest,
  type HttpResponse,
} from './http-client.ts';
export { download, type Downloaded, type DownloadOptions } from './download.ts';
export { isHubHost } from './hub-host.ts';
export { lockFile } from './lock-file.ts';
export { exchangeOf, failureOfResponse, type Discretion } from './failure-of-response.ts';
export { retryAfter } from './retry-after.ts';
export { redact, safeHeaders } from './redact.ts';
export {
  RELEASE_FORMAT,
  isRelease,
  readRelease,
  readReleaseManifest,
  type ReleaseLine,
  type ReleaseManifest,
  type ReleaseShard,
} from './read-release.ts';
export { readRows, type Row, type RowOptions } from './read-rows.ts';
export { headOf, rowFormatOf, type FoundRowFormat, type RowFormat } from './row-format.ts';
export { member, memberOf, recordInvalid } from './member.ts';
export { inChanceOrder, type Chance } from './chance-order.ts';
export { firstByte } from './first-byte.ts';
