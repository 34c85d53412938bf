import type { FileMetaData, SchemaElement, SchemaTree } from 'hyparquet';

/**
 * The footer without what values stand for: hyparquet then gives them as they are stored, and not as Dates, rounded
 * decimals and objects, which lose precision, order and duplicate keys. Lists stay lists.
 */
export function bareMetadata(metadata: FileMetaData): FileMetaData {
  return { ...metadata, schema: metadata.schema.map(bareElement) };
}

function bareElement({
  type,
  type_length,
  repetition_type,
  name,
  num_children,
  ...rest
}: SchemaElement): SchemaElement {
  return {
    name,
    ...(type === undefined ? {} : { type }),
    ...(type_length === undefined ? {} : { type_length }),
    ...(repetition_type === undefined ? {} : { repetition_type }),
    ...(num_children === undefined ? {} : { num_children }),
    ...(num_children !== undefined && isList(rest) ? { converted_type: 'LIST' as const } : {}),
  };
}

function isList({ converted_type, logical_type }: Pick<SchemaElement, 'converted_type' | 'logical_type'>): boolean {
  return converted_type === 'LIST' || logical_type?.type === 'LIST';
}

/** The node of a list's items, or null where the node is no list; found as hyparquet finds it. */
export function itemOf({ element, children }: SchemaTree): SchemaTree | null {
  const [repeated, more] = children;
  if (!isList(element) || repeated === undefined || more !== undefined) return null;
  if (repeated.element.repetition_type !== 'REPEATED' || repeated.children.length > 1) return null;
  return repeated.children[0] ?? repeated;
}

/** The entries of a map, and the nodes of their keys and values, or null where the node is no map. */
export function entriesOf({
  element,
  children,
}: SchemaTree): { name: string; key: SchemaTree; value: SchemaTree } | null {
  const isMap = ['MAP', 'MAP_KEY_VALUE'].includes(element.converted_type ?? '') || element.logical_type?.type === 'MAP';
  const [repeated, more] = children;
  if (!isMap || repeated === undefined || more !== undefined) return null;
  const [key, value, third] = repeated.children;
  if (repeated.element.repetition_type !== 'REPEATED' || key === undefined || value === undefined || third) return null;
  return { name: repeated.element.name, key, value };
}
