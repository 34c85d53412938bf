import {
  readMembers,
  readTree,
  sameJson,
  stringsOf,
  type DecisionRecord,
  type JsonNode,
  type JsonText,
  type Violation,
} from '@holdfast/core';
import { distance } from './distance.ts';
import { optionNames } from './option-names.ts';
import { promises } from './promises.ts';

/** Beyond this, nothing of the original is left to recognise it by. */
const FARTHEST = 0.95;

/**
 * What reworded instructions lose or add of what the original's say. Mechanical signs of a changed meaning only: they
 * cannot prove that it is kept.
 */
export function compareInstructions(original: DecisionRecord, instructions: JsonText): readonly Violation[] {
  const violations: Violation[] = [];
  const violated = (rule: string, message: string, severity: Violation['severity'] = 'violation') =>
    violations.push({ rule, message, severity });
  if (!keepsStructure(original.instructions, instructions)) {
    violated('structure', 'the instructions differ in more than their texts');
  }
  const [before, after] = [textOf(original.instructions), textOf(instructions)];
  if (squeeze(before) === squeeze(after)) violated('different', 'the instructions are those of the original');
  // What holds the whole original is near to it, however short that is.
  if (!after.includes(before) && distance(squeeze(before), squeeze(after)) > FARTHEST) {
    violated('distance', 'nothing of the original instructions is left');
  }
  for (const { rule, severity, find } of promises) {
    const { lost, added } = difference(find(before), find(after));
    if (lost !== undefined) violated(rule, `${JSON.stringify(lost)} is lost`, severity);
    if (added !== undefined) violated(rule, `${JSON.stringify(added)} is added`, severity);
  }
  compareNames(original, before, after, violated);
  return violations;
}

function compareNames(
  original: DecisionRecord,
  before: string,
  after: string,
  violated: (rule: string, message: string) => void,
): void {
  const names = optionNames(original.options);
  const [named, found] = [names.namedIn(before), names.namedIn(after)];
  for (const name of found) {
    if (named.includes(name)) continue;
    const gold = names.tells(name, original.gold);
    violated(gold ? 'gold_text' : 'new_option', `${JSON.stringify(name)} is named, which the original does not name`);
  }
  const lost = named.find(name => !found.includes(name));
  if (lost !== undefined) violated('lost_option', `${JSON.stringify(lost)} is not named any more`);
  const kept = found.filter(name => named.includes(name));
  if (lost === undefined && named.some((name, index) => kept[index] !== name)) {
    violated('option_order', 'the options are named in another order');
  }
}

/** The first item that is in one list more often than in the other, each way. */
function difference(before: readonly string[], after: readonly string[]): { lost?: string; added?: string } {
  const surplus = new Map<string, number>();
  for (const item of before) surplus.set(item, (surplus.get(item) ?? 0) + 1);
  for (const item of after) surplus.set(item, (surplus.get(item) ?? 0) - 1);
  const lost = [...surplus].find(([, count]) => count > 0)?.[0];
  const added = [...surplus].find(([, count]) => count < 0)?.[0];
  return { ...(lost === undefined ? {} : { lost }), ...(added === undefined ? {} : { added }) };
}

/** Whether the whole value stands in the new one, or both have the same keys and values but for strings. */
function keepsStructure(original: JsonText, instructions: JsonText): boolean {
  const [before, after] = [readTree(original), readTree(instructions)];
  return sameShape(before, after) || holdsValue(after, original);
}

function sameShape(left: JsonNode, right: JsonNode): boolean {
  if (left.kind !== right.kind) return false;
  if (left.kind === 'object' || left.kind === 'array') {
    return (
      left.members.length === right.members.length &&
      left.items.length === right.items.length &&
      left.members.every(({ key, value }, index) => {
        const other = right.members[index]!;
        return key === other.key && sameShape(value, other.value);
      }) &&
      left.items.every((item, index) => sameShape(item, right.items[index]!))
    );
  }
  return left.kind === 'string' || left.text.equals(right.text);
}

function holdsValue(node: JsonNode, value: JsonText): boolean {
  if (node.kind === value.kind && sameJson(node.text, value)) return true;
  return (
    node.members.some(member => holdsValue(member.value, value)) || node.items.some(item => holdsValue(item, value))
  );
}

/** Whether every member of the original's metadata is there unchanged; others may have been added. */
export function keepsMetadata(original: JsonText, metadata: JsonText): boolean {
  if (sameJson(original, metadata)) return true;
  if (original.kind !== 'object' || metadata.kind !== 'object') return false;
  const found = readMembers(metadata.bytes);
  return readMembers(original.bytes).every(([key, value]) =>
    found.some(([other, text]) => other === key && sameJson(text, value)),
  );
}

function textOf(instructions: JsonText): string {
  return [...stringsOf(readTree(instructions))].join('\n');
}

function squeeze(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
