import { checkPair, definePerturbation, json, type Perturbation } from '@holdfast/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { brokenPromises } from './promised.ts';
import { perturbationPromises, testPerturbation } from './test-perturbation.ts';

const rotate: Perturbation = {
  version: 'v9_rotate',
  operation: 'rotate_options',
  expectation: 'same_decision',
  apply: ({ primitive, options }, { random }) => {
    const by = 1 + random.integer(options.length - 1);
    return primitive === 'noul' ? null : { options: [...options.slice(by), ...options.slice(0, by)] };
  },
  check(original, version) {
    const violations = [...checkPair(original, version, { changes: ['options'] })];
    for (const option of original.options) {
      const found = version.options.find(({ id }) => id === option.id);
      if (found === undefined || !found.description.equals(option.description)) {
        violations.push({ rule: 'options', message: `${option.id} is another option`, severity: 'violation' });
      }
    }
    return violations;
  },
};
const plugin = (changes: Partial<Perturbation>, description: object = {}) =>
  definePerturbation({
    name: 'rotate',
    summary: 'Rotates the candidates.',
    options: z.strictObject({}),
    create: () => ({ ...rotate, ...changes }),
    ...description,
  });

testPerturbation(plugin({}));

describe('the suite for perturbations', () => {
  it('finds nothing in a good one', async () => {
    expect(await brokenPromises(perturbationPromises(plugin({}), {}))).toEqual([]);
  });

  const blind = (...rules: string[]): Partial<Perturbation> => ({
    check: (original, version) => rotate.check(original, version).filter(({ rule }) => !rules.includes(rule)),
  });
  it.each<[string, Parameters<typeof plugin>, string[]]>([
    [
      'sorts its input in place',
      [{ apply: ({ options }) => ({ options: (options as never[]).reverse() }) }],
      ['changes nothing'],
    ],
    [
      'takes chance from the process',
      [
        {
          apply: ({ options, primitive }) =>
            primitive === 'noul' || Math.random() > 2 ? null : { options: options.toReversed() },
        },
      ],
      ['makes the same bytes'],
    ],
    [
      'keeps a counter',
      [
        (() => {
          let count = 0;
          return { apply: () => ({ metadata: json.value({ count: count++ }) }), check: () => [] };
        })(),
      ],
      ['makes the same bytes', 'finds a state', 'finds changed instructions'],
    ],
    ['never applies', [{ apply: () => null }], ['applies to some record']],
    [
      'throws on some record',
      [{ apply: ({ state }) => ({ state: json.string(state.string()) }) }],
      ['applies to some record'],
    ],
    ['makes invalid records', [{ apply: () => ({ options: [] }), check: () => [] }], ['applies to some record']],
    [
      'drops the right answer',
      [{ apply: ({ options }) => ({ options: options.slice(1) }) }],
      ['finds no violation in what it made'],
    ],
    [
      'checks nothing',
      [{ check: () => [] }],
      ['finds a state', 'finds another right', 'finds a dropped', 'finds the version of another'],
    ],
    [
      'calls violations warnings',
      [{ check: (a, b) => rotate.check(a, b).map(each => ({ ...each, severity: 'warning' as const })) }],
      ['finds a state'],
    ],
    ['overlooks the state', [blind('state')], ['finds a state with one changed byte']],
    ['overlooks instructions', [blind('instructions')], ['finds changed instructions']],
    ['overlooks the gold', [blind('gold', 'canonical_gold')], ['finds another right answer']],
    ['overlooks canonical ids', [blind('canonical_ids')], ['finds a renamed canonical id']],
    ['overlooks descriptions', [blind('options')], ['finds two descriptions']],
    ['overlooks the question', [blind('base_id', 'group_id')], ['finds the version of another question']],
    [
      'never looks at its hashes',
      [
        {
          apply: ({ state }, { sha256 }) => ({ context_provenance: json.value({ hash: sha256(state.bytes) }) }),
          check: (original, version) => checkPair(original, version, { changes: ['context_provenance'] }),
        },
      ],
      ['finds a wrong hash'],
    ],
    ['calls its version the original', [{ version: 'v0_original' }], ['names its version']],
    ['has no summary', [{}, { summary: '' }], ['describes itself']],
    ['has a name in camel case', [{}, { name: 'rotateOptions' }], ['describes itself']],
    ['takes any option', [{}, { options: z.object({}) }], ['takes the options', 'describes every option']],
    [
      'does not describe an option',
      [
        {},
        {
          options: z.strictObject({
            a: z
              .array(z.strictObject({ b: z.string() }))
              .optional()
              .describe('A'),
          }),
        },
      ],
      ['describes every option'],
    ],
  ])('finds one that %s', async (_, changes, expected) => {
    const broken = await brokenPromises(perturbationPromises(plugin(...changes), {}));
    for (const start of expected) expect(broken.map(promise => promise.slice(0, start.length))).toContain(start);
  });
});
