import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { json, readRecord, type DecisionRecord } from '@holdfast/core';
import { describe, expect, it } from 'vitest';
import { families, rewritesOf } from './bank.ts';
import { compareInstructions } from './compare.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const plugins = join(here, '..', '..');

const sources = (folder: string) =>
  readdirSync(folder)
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map(file => readFileSync(join(folder, file), 'utf8'))
    .join('\n');

const literal = String.raw`(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")`;
const given = /\binstructions(?:: JsonText)?\s*[:=]\s*json\./g;
const sentence = new RegExp(
  String.raw`\binstructions(?:: JsonText)?\s*[:=]\s*json\.string\(\s*(${literal}(?:\s*\+\s*${literal})*),?\s*\)`,
  'g',
);

/** The sentences that a source gives to `instructions`, with their concatenation undone. */
function instructionsIn(source: string): string[] {
  return [...source.matchAll(sentence)].map(([, expression]) =>
    expression!
      .match(new RegExp(literal, 'g'))!
      .map(text => text.slice(1, -1).replace(/\\(.)/g, '$1'))
      .join(''),
  );
}

/** The sources of the public benchmark, as its recipe names them: other instructions fall to the generic frames. */
const recipe = readFileSync(join(plugins, '..', 'configs', 'city-jev', 'recipe.yaml'), 'utf8');
const datasets = [...recipe.matchAll(/^ {2}- \{ use: ([a-z0-9-]+),/gm)].map(([, name]) => `dataset-${name!}`);

describe('the bank', () => {
  it('is held to ten sources', () => expect(datasets).toHaveLength(10));

  it.each(datasets)('covers every instruction of %s', dataset => {
    const folder = join(plugins, dataset, 'src');
    const source = sources(folder);
    const found = instructionsIn(source);
    expect(found).toHaveLength(source.match(given)?.length ?? 0);
    expect(found).not.toEqual([]);
    expect(found.filter(text => rewritesOf(json.string(text)).length === 0)).toEqual([]);
  });

  it('holds no instruction that no dataset gives, and none twice', () => {
    const found = datasets.flatMap(dataset => instructionsIn(sources(join(plugins, dataset, 'src'))));
    const held = families.map(({ instruction }) => instruction);
    expect(held.filter(instruction => !found.includes(instruction))).toEqual([]);
    expect(new Set(held).size).toBe(held.length);
  });

  it('lists every file of the folder', () => {
    const folder = join(here, 'bank');
    const written = readdirSync(folder).flatMap(
      file => readFileSync(join(folder, file), 'utf8').match(/: Family = /g) ?? [],
    );
    expect(families).toHaveLength(written.length);
  });
});

const asked = (instruction: string, ids: readonly string[]): DecisionRecord =>
  readRecord(
    json.value({
      id: 'q::v0_original',
      base_id: 'q',
      group_id: 'g',
      dataset: 'own',
      state: {},
      instructions: instruction,
      options: ids.map(id => ({ id, canonical_id: id, description: null })),
      gold: ids[0]!,
      source: {},
    }).bytes,
  );

describe.each(families.map(family => [family.instruction, family] as const))('%s', (instruction, { rewrites }) => {
  it('has at least eight rewrites, all different', () => {
    expect(rewrites.length).toBeGreaterThanOrEqual(8);
    expect(new Set([instruction, ...rewrites].map(text => text.toLowerCase())).size).toBe(rewrites.length + 1);
  });

  it.each([
    [['yes', 'no']],
    [['true', 'false']],
    [['1', '0', '-1']],
    [['get_user', 'find.order']],
    [['direct_harm', 'data_stealing', 'others']],
    [['A', 'B', 'C', 'I', 'a']],
  ])('keeps what it says in every rewrite, whose options are %j', ids => {
    const record = asked(instruction, ids);
    const found = rewrites.map(text => [text, compareInstructions(record, json.string(text))] as const);
    expect(found.filter(([, violations]) => violations.length > 0)).toEqual([]);
  });

  it('is told in one line of clean text', () => {
    const unclean = (text: string) => /[\p{Cc}\u2028]|  |\s[.,?!]|^\s|\s$/u.test(text) || !/[.?!]$/.test(text);
    expect(rewrites.filter(unclean)).toEqual([]);
  });
});
