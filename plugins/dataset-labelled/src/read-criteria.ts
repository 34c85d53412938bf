import { HoldfastError, json, oneLine, readItems, readMembers, type JsonText, type Option } from '@holdfast/core';
import { BadRow } from './bad-row.ts';
import { membersOf, structured, wordOf } from './member-text.ts';

const nothing = json.value(null);
const names = ['id', 'label', 'value'] as const;

/**
 * The options that criteria spell, in their order: a list of ids or of `{id | label | value, description}`, a map from
 * id to description (read in order: `"1"` before `"0"` stays so), a text of JSON that holds either, or ids between
 * separators. Throws BadRow.
 */
export function readCriteria(value: JsonText, { member, separator }: { member: string; separator: string }): Option[] {
  const criteria = parsed(value, member);
  switch (criteria.kind) {
    case 'array':
      return readItems(criteria.bytes).map((item, index) => readItem(item, `${member}.${index}`));
    case 'object':
      return readMembers(criteria.bytes).map(([id, description]) => option(id, description));
    case 'string':
      return criteria
        .string()
        .split(separator)
        .map(id => option(id.trim(), nothing));
    default:
      throw new BadRow(
        member,
        'the options are no list, map or text',
        `is ${criteria.kind}, not a list, a map or a text`,
      );
  }
}

/** The options of a yes/no question: always true and false, with what the criteria say about them. Throws BadRow. */
export function readNoulCriteria(
  value: JsonText | undefined,
  { member, separator }: { member: string; separator: string },
): Option[] {
  const said = value === undefined ? [] : readCriteria(value, { member, separator });
  const other = said.find(({ id }) => id !== 'true' && id !== 'false');
  if (other !== undefined) {
    throw new BadRow(
      member,
      'a noul question with other options than true and false',
      `has the option ${JSON.stringify(other.id)}, but a noul question has true and false`,
    );
  }
  return ['true', 'false'].map(id => said.find(each => each.id === id) ?? option(id, nothing));
}

export function option(id: string, description: JsonText): Option {
  return { id, canonical_id: id, description: oneLine(description) };
}

function readItem(item: JsonText, member: string): Option {
  if (item.kind !== 'object') return option(idIn(item, member), nothing);
  const members = membersOf(item, member);
  const name = names.find(each => members.has(each));
  if (name === undefined) throw new BadRow(member, 'an option without an id', 'has no id, label or value');
  return option(idIn(members.get(name)!, `${member}.${name}`), members.get('description') ?? nothing);
}

function idIn(value: JsonText, member: string): string {
  const id = wordOf(value);
  if (id === null)
    throw new BadRow(member, 'an option whose id is no text', `is ${value.kind}, not the id of an option`);
  return id;
}

function parsed(value: JsonText, member: string): JsonText {
  try {
    return structured(value);
  } catch (error) {
    if (!HoldfastError.is(error)) throw error;
    throw new BadRow(member, 'the options are text that starts as JSON and is none', `is ${error.message}`);
  }
}
