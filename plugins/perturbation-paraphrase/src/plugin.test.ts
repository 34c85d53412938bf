import { JsonText, json, readRecord, type Chances, type DecisionRecord } from '@holdfast/core';
import { assembleVersion, hostileRecords, seededRandom, testPerturbation } from '@holdfast/kit/testing';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { families } from './bank.ts';
import plugin from './plugin.ts';

const paraphrase = plugin.create({}, { env: () => undefined, folder: '' });

const question = (instructions: string, options: readonly (readonly [id: string, description: string])[] = []) => {
  const offered =
    options.length === 0 ? [['refund', 'Pay the money back'] as const, ['x7', 'Refuse'] as const] : options;
  return readRecord(
    json.value({
      id: 'q::v0_original',
      base_id: 'q',
      group_id: 'g',
      dataset: 'own',
      state: { b: 1, a: 2 },
      instructions: JsonText.parse(instructions),
      options: offered.map(([id, description]) => ({ id, canonical_id: id, description })),
      gold: offered[0]![0],
      source: {},
      metadata: { row: 1 },
    }).bytes,
  );
};
const told = (text: string) => json.string(text).toString();
const made = (record: DecisionRecord, seed: string | number = 1) => {
  const change = paraphrase.apply(record, { random: seededRandom(seed) } as Chances);
  return change === null ? null : assembleVersion(record, change as object, paraphrase);
};
const rules = (record: DecisionRecord, version: DecisionRecord) =>
  paraphrase.check(record, version).map(({ rule, severity }) => (severity === 'warning' ? `${rule}?` : rule));
const seeds = Array.from({ length: 60 }, (_, index) => index);

testPerturbation(plugin);

describe('the instructions of a dataset', () => {
  it.each(families.map(({ instruction, rewrites }) => [instruction, rewrites]))('%s', (instruction, rewrites) => {
    const record = question(told(instruction), [
      ['yes', 'Yes'],
      ['no', 'No'],
    ]);
    const found = new Set(seeds.map(seed => made(record, seed)!.instructions.string()));
    expect([...found].filter(text => !rewrites.includes(text))).toEqual([]);
    expect(found.size).toBeGreaterThan(5);
  });

  it('are told in the same words for the same chance', () => {
    const record = question(told(families[0]!.instruction));
    expect(made(record, 'a')!.instructions.equals(made(record, 'a')!.instructions)).toBe(true);
  });

  it('never name an option that they did not name', () => {
    const { instruction, rewrites } = families.find(family => family.instruction.startsWith('Choose the function'))!;
    const record = question(told(instruction), [
      ['select', 'Selects'],
      ['find', 'Finds'],
      ['pick', 'Picks'],
    ]);
    for (const seed of seeds) {
      const text = made(record, seed)!.instructions.string();
      expect(text).not.toMatch(/\b(?:select|find|pick)\b/i);
      expect(rewrites).toContain(text);
    }
  });
});

describe('the instructions of a user', () => {
  it.each([['"Which one?"'], ['""'], [String.raw`"a \/ \u00e9 \udc00 \"b\" \ud800"`], ['"退款还是拒绝？"'], ['"5"']])(
    'stand in a frame, %s in its own bytes',
    instructions => {
      const record = question(instructions);
      const found = new Set(seeds.map(seed => made(record, seed)!.instructions.toString()));
      expect(found.size).toBeGreaterThanOrEqual(8);
      for (const text of found) expect(text).toContain(instructions.slice(1, -1));
    },
  );

  it.each([['{"goal": "Pick",  "1":1.0}'], ['["Read", {"then":"choose"}]'], ['[]']])(
    'stand beside a sentence, %s in its own bytes',
    instructions => {
      const record = question(instructions);
      const found = new Set(seeds.map(seed => made(record, seed)!.instructions.toString()));
      expect(found.size).toBeGreaterThanOrEqual(8);
      for (const text of found) {
        expect(text).toMatch(/^\{"task":"[^"]+","instructions":/);
        expect(text).toContain(`,"instructions":${instructions}}`);
      }
    },
  );

  it('stand behind a line where every frame names an option', () => {
    const record = question('"Which one?"', [
      ['decision', 'a'],
      ['task', 'b'],
      ['instructions', 'c'],
      ['decide', 'd'],
      ['what', 'e'],
    ]);
    expect(made(record)!.instructions.string()).toMatch(/^(\* \* \*|- - -)\n\nWhich one\?$/);
  });

  it('keep their promise whatever they are', () => {
    const any = fc.oneof(fc.string({ unit: 'binary' }).map(told), fc.lorem({ maxCount: 20 }).map(told), fc.json());
    const id = fc.string({ minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(any, fc.uniqueArray(id, { minLength: 2, maxLength: 6 }), fc.nat(), (given, ids, seed) => {
        const instructions = /^["[{]/.test(given) ? given : `[${given}]`;
        const record = question(
          instructions,
          ids.map(each => [each, `${each} it is`] as const),
        );
        const version = made(record, seed)!;
        expect(rules(record, version)).toEqual([]);
        expect(version.instructions.toString()).toContain(record.instructions.toString().slice(1, -1));
      }),
    );
  });

  it('are found in every hostile record', () => {
    for (const record of hostileRecords()) expect(rules(record, made(record)!)).toEqual([]);
  });
});

describe('the check', () => {
  const text =
    'Read `notes.md` at https://x.org/a_b and {{input}}. Do not answer unless at least 3.5 kg of "red apples" fit ' +
    'max_load; refund only what John must return, or x7 it. Never use more than one of HTML and max_load.';
  const record = question(told(text), [
    ['refund', 'Pay the money back'],
    ['x7', 'Refuse'],
    ['wait', 'Do nothing'],
  ]);
  const reworded = (from: string | RegExp, to: string) => ({
    instructions: json.string(`So: ${text.replace(from, to)}`),
  });

  it.each<[string, Partial<DecisionRecord>, string[]]>([
    ['nothing', reworded('Read', 'Look at'), []],
    ['nothing, in other quotation marks and another unit', reworded('"red apples"', '“red apples”'), []],
    ['the same text', { instructions: record.instructions }, ['different']],
    ['the same text in other spaces', { instructions: json.string(text.replace(' ', '\n ')) }, ['different']],
    ['another number', reworded('3.5', '3.6'), ['number', 'number']],
    ['another unit', reworded('3.5 kg', '3.5 g'), ['number', 'number']],
    ['a lost number', reworded('3.5 kg of ', ''), ['number']],
    ['another quotation', reworded('red apples', 'green apples'), ['quotation', 'quotation']],
    ['a lost code span', reworded(/`/g, ''), ['code']],
    ['another address', reworded('x.org', 'y.org'), ['address', 'address']],
    ['a lost placeholder', reworded('{{input}}', 'the input'), ['placeholder']],
    ['a lost identifier', reworded('fit max_load', 'fit it'), ['identifier']],
    ['a lost "not"', reworded('not ', ''), ['negation']],
    ['an added "not"', reworded('Read', 'Do not read'), ['negation']],
    ['"not" for "never"', reworded('Never use', 'Do not use'), []],
    ['a lost "unless"', reworded('unless', 'if'), ['exception']],
    ['a lost "only"', reworded('only ', ''), ['restriction']],
    ['"at most" for "at least"', reworded('at least', 'at most'), ['at_least', 'at_most']],
    ['a new option', reworded('or x7', 'or wait or x7'), ['new_option']],
    ['a lost option', reworded(', or x7 it', ''), ['lost_option']],
    ['options in another order', reworded(/refund (.*) x7/, 'x7 $1 refund'), ['option_order']],
    ['the text of the right option', reworded('Read', 'Pay the money  back; read'.replace('  ', ' ')), ['gold_text']],
    ['the text of another option', reworded('Read', 'Refuse to read'), ['new_option']],
    ['a lost "must"', reworded('must ', ''), ['duty?']],
    ['another name', reworded('John', 'Jane'), ['entity?', 'entity?']],
    ['a lost acronym', reworded('HTML', 'it'), ['entity?']],
    ['an added number word', reworded('Read', 'Twice read'), ['number_word?']],
    ['another text altogether', { instructions: json.string('語'.repeat(300)) }, ['distance']],
    ['a changed state', { ...reworded('Read', 'See'), state: json.value({}) }, ['state']],
    ['a changed option', { ...reworded('Read', 'See'), options: record.options.toReversed() }, ['options']],
    ['a changed gold', { ...reworded('Read', 'See'), gold: 'x7' }, ['gold', 'canonical_gold']],
    ['added metadata', { ...reworded('Read', 'See'), metadata: JsonText.parse('{"row":1,"paraphrase":{}}') }, []],
    ['lost metadata', { ...reworded('Read', 'See'), metadata: json.value({ paraphrase: {} }) }, ['metadata']],
  ])('finds %s', (_, changed, expected) => {
    const found = rules(record, { ...made(record)!, ...changed });
    // A text in which nothing is left has lost everything else, too.
    expect(expected.includes('distance') ? found.slice(0, 1) : found).toEqual(expected);
  });

  it.each([
    ['a rewritten string', '{"goal":"Choose one of them","n":1.0}', []],
    ['another number', '{"goal":"Choose one of them","n":1}', ['structure']],
    ['another key', '{"aim":"Choose one of them","n":1.0}', ['structure']],
    ['a string instead', '"Choose one of them"', ['structure']],
    ['the whole in another object', '{"x":"Do this:","y":{"goal":"Pick one of these" ,"n":1.0}}', []],
  ])('judges %s for instructions that are an object', (_, instructions, expected) => {
    const structured = question('{"goal":"Pick one of these","n":1.0}');
    expect(rules(structured, { ...made(structured)!, instructions: JsonText.parse(instructions) })).toEqual(expected);
  });

  it.each([
    ['a', 'Take a good look.', []],
    ['a', 'Take option a now.', ['new_option']],
    ['a', 'Take (a) now.', ['new_option']],
    ['I', 'What am I to do?', []],
    ['B', 'Take B now.', ['new_option']],
    ['b', 'Take B now.', []],
    ['no', 'No: which?', ['negation', 'new_option']],
    ['get', 'user.get or get-all or forget', []],
    ['拒绝', '退款还是拒绝', ['new_option']],
  ])('knows whether the option %s is named in %s', (id, added, expected) => {
    const asked = question('"Which one?"', [
      ['refund', 'Pay'],
      [id, 'Not this'],
    ]);
    expect(rules(asked, { ...made(asked)!, instructions: json.string(`Which one? ${added}`) })).toEqual(expected);
  });

  it('is quick for long instructions', () => {
    const long = question(told('Read the whole of it, and then choose. '.repeat(3_000)));
    const version = { ...made(long)!, instructions: json.string('See all of it; after that, decide. '.repeat(3_000)) };
    expect(rules(long, version)).toEqual([]);
  });
});
