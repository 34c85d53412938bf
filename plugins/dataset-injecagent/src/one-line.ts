import { JsonText } from '@holdfast/core';

/** The same JSON without space between its tokens: upstream's files are indented, and a record stands on one line. */
export function oneLine(value: JsonText): JsonText {
  const text = value
    .toString()
    .replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, (_, string: string | undefined) => string ?? '');
  return JsonText.trusted(Buffer.from(text, 'utf8'));
}
