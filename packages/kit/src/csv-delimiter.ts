const delimiters = [',', ';', '\t', '|'] as const;
export type CsvDelimiter = (typeof delimiters)[number];

/**
 * Whichever delimiter stands most often in the header that `head` starts with, outside of quotes: a comma where there is
 * none, and null where the header has no end yet, unless `head` is the `whole` of the file.
 */
export function findDelimiter(head: Buffer, quotes: boolean, whole: boolean): CsvDelimiter | 'tie' | null {
  const counts = delimiters.map(() => 0);
  let quoted = false;
  let blank = true;
  let ended = whole;
  for (const byte of head) {
    if (quotes && byte === 0x22) quoted = !quoted;
    if (!quoted && byte === 0x0a && !blank) {
      ended = true;
      break;
    }
    if (byte !== 0x0a && byte !== 0x0d) blank = false;
    const index = quoted ? -1 : delimiters.indexOf(String.fromCharCode(byte) as CsvDelimiter);
    if (index !== -1) counts[index]!++;
  }
  if (!ended) return null;
  const most = Math.max(...counts);
  if (most === 0) return ',';
  const found = delimiters.filter((_, index) => counts[index] === most);
  return found.length === 1 ? found[0]! : 'tie';
}
