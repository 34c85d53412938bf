import { readMembers, readTree, type JsonNode, type JsonText, type RequestOption } from '@holdfast/core';

/** Words that JSON Schema and tool lists use for themselves: they tell nothing of one function. */
const schemaKeys = new Set([
  'type',
  'properties',
  'required',
  'description',
  'parameters',
  'default',
  'optional',
  'enum',
  'items',
]);

/** Ids that were given to tell nothing, such as `option_003`. */
const opaque = /^(?:option|choice|candidate|item)\d*[-_]?\d+$/i;

/**
 * What an option says of itself: its name, then the strings of its description with the names of parameters. A
 * description of the form `{"label", "description"}` brings the name with it, in place of the id.
 */
export function optionText({ id, description }: RequestOption): string {
  let [name, rest] = [id, description];
  for (let inner = labelled(rest); inner !== null; inner = labelled(rest)) ({ name, rest } = inner);
  return [opaque.test(name) ? '' : name, ...texts(readTree(rest))].join('\n');
}

function labelled(description: JsonText): { name: string; rest: JsonText } | null {
  if (description.kind !== 'object') return null;
  const [label, inner, ...others] = readMembers(description.bytes);
  if (label?.[0] !== 'label' || label[1].kind !== 'string' || inner?.[0] !== 'description') return null;
  return others.length > 0 ? null : { name: label[1].string(), rest: inner[1] };
}

function* texts(node: JsonNode): Iterable<string> {
  if (node.kind === 'string') yield node.text.string();
  else if (node.kind === 'number') yield node.text.toString();
  for (const { key, value } of node.members) {
    if (!schemaKeys.has(key)) yield key;
    yield* texts(value);
  }
  for (const item of node.items) yield* texts(item);
}
