/** Gives the candidates opaque ids and keeps their names inside the descriptions. */
import {
  checkPair,
  definePerturbation,
  json,
  readTree,
  sameJson,
  stringsOf,
  type DecisionRecord,
  type JsonText,
  type Option,
  type Violation,
} from '@holdfast/core';
import { z } from 'zod';
import { opaqueIds } from './opaque-ids.ts';

export default definePerturbation({
  name: 'label',
  summary: 'Replaces candidate ids by opaque ones and keeps the original names inside the descriptions.',
  options: z.strictObject({}),
  create: () => ({
    version: 'v2_label',
    operation: 'opaque_ids',
    expectation: 'same_decision',

    apply({ primitive, options, gold }) {
      // The ids of a noul question are its protocol: true and false cannot be renamed.
      if (primitive === 'noul') return null;
      const ids = opaqueIds(options);
      return {
        options: options.map((option, index) => ({ ...option, id: ids[index]!, description: nested(option) })),
        gold: ids[options.findIndex(option => option.id === gold)]!,
      };
    },

    check(original, version) {
      const violations: Violation[] = [...checkPair(original, version, { changes: ['options', 'gold'] })];
      const violated = (rule: string, message: string) => violations.push({ rule, message, severity: 'violation' });
      if (original.primitive === 'noul') violated('primitive', 'the ids of a noul question cannot be replaced');
      const taken = new Set(original.options.map(option => option.id));
      const ids = opaqueIds(original.options);
      for (const [index, option] of original.options.entries()) {
        const found = version.options[index];
        if (found === undefined) continue;
        if (found.canonical_id !== option.canonical_id) {
          violated('place', `option ${index} is ${found.canonical_id}, not ${option.canonical_id}`);
        }
        if (found.id !== ids[index]) violated('opaque_id', `option ${index} is called ${found.id}, not ${ids[index]}`);
        if (taken.has(found.id)) violated('fresh_id', `${found.id} is an id of the original`);
        if (!sameJson(found.description, nested(option))) {
          violated('nested', `option ${index} does not hold the original id and description`);
        }
        if (!sameJson(json.object(found.extra ?? []), json.object(option.extra ?? []))) {
          violated('options', `option ${index} differs in a member beside id and description`);
        }
      }
      if (new Set(version.options.map(option => option.id)).size < version.options.length) {
        violated('injective', 'two options have the same id');
      }
      for (const id of namedIds(original)) {
        const message = `the instructions name the replaced id ${JSON.stringify(id)}`;
        violations.push({ rule: 'named_id', message, severity: 'warning' });
      }
      return violations;
    },
  }),
});

function nested({ id, description }: Option): JsonText {
  return json.object([
    ['label', id],
    ['description', description],
  ]);
}

/** The ids that stand in the instructions as a whole token: there the replaced ids still tell something. */
function namedIds({ instructions, options }: DecisionRecord): string[] {
  const texts = [...stringsOf(readTree(instructions), { keys: true })];
  return options.map(option => option.id).filter(id => texts.some(text => namesToken(text, id)));
}

// `1` is not named by `-1`, nor `get` by `user.get` or `get-all`; the full stop of a sentence does not hide a name.
function namesToken(text: string, id: string): boolean {
  if (!text.includes(id)) return false;
  const literal = id.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const token = String.raw`(?<![\p{L}\p{N}_-]|[\p{L}\p{N}_]\.)${literal}(?![\p{L}\p{N}_]|[-.][\p{L}\p{N}_])`;
  return new RegExp(token, 'u').test(text);
}
