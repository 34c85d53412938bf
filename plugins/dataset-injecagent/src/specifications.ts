import { HoldfastError, json, readItems, readMap, type FoundFile, type JsonText } from '@holdfast/core';
import { memberOf, readJsonArray, recordInvalid } from '@holdfast/kit';
import { oneLine } from './one-line.ts';

const shown = ['summary', 'parameters', 'returns', 'exceptions'] as const;

/** What is shown of each tool, by the name that cases call it: the toolkit's name and its own in one word. */
export async function readSpecifications(
  { name, path }: FoundFile,
  signal: AbortSignal,
): Promise<Map<string, JsonText>> {
  const specifications = new Map<string, JsonText>();
  for await (const element of readJsonArray(path, { file: name, signal })) {
    element.read(bytes => {
      const toolkit = memberOf(bytes, 'toolkit', 'string').string();
      for (const [index, tool] of readItems(memberOf(bytes, 'tools', 'array').bytes).entries()) {
        const place = `tools.${index}`;
        if (tool.kind !== 'object') throw recordInvalid(place, `must be an object, not ${tool.kind}`);
        const id = `${toolkit}${memberOf(tool.bytes, 'name', 'string', `${place}.`).string()}`;
        if (specifications.has(id)) throw repeated(place, id);
        const members = readMap(tool.bytes);
        specifications.set(
          id,
          json.object([
            ['tool', id],
            ...shown.flatMap(key => {
              const value = members.get(key);
              return value === undefined ? [] : [[key, oneLine(value)] as const];
            }),
          ]),
        );
      }
    });
  }
  return specifications;
}

function repeated(place: string, id: string): HoldfastError {
  const reason = `is ${id}, which was described already`;
  return new HoldfastError('UPSTREAM_INVALID', `${place} ${reason}`, { facts: { place, reason } });
}
