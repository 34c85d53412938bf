import { readTree, stringsOf, type Option } from '@holdfast/core';

/** The names that a text can call the options by: ids, canonical ids, and their descriptions in full. */
export interface OptionNames {
  /** The names in the text as whole words, each once, in the order in which they first stand there. */
  namedIn(text: string): readonly string[];
  /** Whether the name is a text of the description of the option with this id. */
  tells(name: string, id: string): boolean;
}

export function optionNames(options: readonly Option[]): OptionNames {
  const owners = new Map<string, Set<string>>();
  const ids = new Set(options.flatMap(({ id, canonical_id }) => [id, canonical_id]));
  const add = (name: string, id: string) => {
    const trimmed = name.trim();
    if (trimmed === '') return;
    const found = owners.get(trimmed);
    if (found === undefined) owners.set(trimmed, new Set([id]));
    else found.add(id);
  };
  for (const { id, canonical_id, description } of options) {
    for (const name of [id, canonical_id]) add(name, id);
    for (const text of stringsOf(readTree(description))) {
      // Single words inside a schema, such as "string", are its language and name no option.
      if (description.kind === 'string' || /\S\s+\S+\s+\S/u.test(text)) add(text, id);
    }
  }
  return {
    namedIn(text) {
      const lower = text.toLowerCase();
      return [...owners.keys()]
        .flatMap(name => {
          const at = lower.includes(name.toLowerCase()) ? text.search(pattern(name)) : -1;
          return at === -1 ? [] : [{ name, at }];
        })
        .sort((left, right) => left.at - right.at || right.name.length - left.name.length)
        .map(({ name }) => name);
    },
    tells: (name, id) => !ids.has(name) && owners.get(name)?.has(id) === true,
  };
}

const edge = /[\p{L}\p{N}_]/u;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** The name as whole words, by the same edges as the `label` operator's. */
function pattern(name: string): RegExp {
  const literal = name.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  // The article and the pronoun are in every English text; as names of options they stand apart.
  if (/^[ai]$/iu.test(name)) return new RegExp(`(?<=["'\`(\\[“‘]|\\b(?:option|answer|candidate) )${literal}\\b`, 'u');
  const [first, last] = [[...name][0]!, [...name].at(-1)!];
  const head = bounded(first) ? String.raw`(?<![\p{L}\p{N}_-]|[\p{L}\p{N}_]\.)` : '';
  const tail = bounded(last) ? String.raw`(?![\p{L}\p{N}_]|[-.][\p{L}\p{N}_])` : '';
  return new RegExp(head + literal + tail, name.length === 1 ? 'u' : 'iu');
}

function bounded(character: string): boolean {
  return !unspaced.test(character) && (edge.test(character) || character === '-');
}
