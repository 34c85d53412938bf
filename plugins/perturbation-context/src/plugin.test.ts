import { createHash } from 'node:crypto';
import { JsonText, json, readRecord, type Chances, type DecisionRecord } from '@holdfast/core';
import { assembleVersion, hostileRecords, seededRandom, testPerturbation } from '@holdfast/kit/testing';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import plugin from './plugin.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const operator = (options = {}) => plugin.create(plugin.options.parse(options), { env: () => undefined, folder: '' });
const context = operator();

interface Case {
  readonly state?: string;
  readonly instructions?: string;
  readonly options?: readonly (readonly [id: string, description: string])[];
  readonly group?: string;
}
const caseOf = (name: string, given: Case = {}): DecisionRecord => {
  const { state = '{"order":"late"}', instructions = '"Which one?"', group = `group-${name}` } = given;
  const { options = [['refund', 'Pay the money back'] as const, ['refuse', 'Explain the rules'] as const] } = given;
  return readRecord(
    json.value({
      id: `${name}::v0_original`,
      base_id: name,
      group_id: group,
      dataset: 'own',
      state: JsonText.parse(state),
      instructions: JsonText.parse(instructions),
      options: options.map(([id, description]) => ({
        id,
        canonical_id: id,
        description: JsonText.parse(JSON.stringify(description)),
      })),
      gold: options[0]![0],
      source: {},
    }).bytes,
  );
};
const told = (text: string) => json.string(text).toString();
const chances = (donors: readonly DecisionRecord[]): Chances => ({
  random: seededRandom(1),
  writer: null,
  sha256,
  donors: {
    async *of() {
      yield* donors;
    },
  },
});
const made = async (record: DecisionRecord, donors: readonly DecisionRecord[], by = context) => {
  const change = await by.apply(record, chances(donors));
  return change === null ? null : assembleVersion(record, change, by);
};
const rules = (record: DecisionRecord, version: DecisionRecord) =>
  context.check(record, version, { sha256 }).map(({ rule, severity }) => (severity === 'warning' ? `${rule}?` : rule));
const [BEGIN, END] = ['[Auxiliary case, not part of this decision]', '[End of auxiliary case]'];
const sea = caseOf('sea', { state: '{"claim":"The sea is calm today.","n":3,"notes":["Boats are\\nout."]}' });

testPerturbation(plugin);

describe('the place of the material', () => {
  it.each([['{"b": 1.0, "2":1e2,"b":"\\u00e9"}'], ['[1,  "x"]'], ['null'], ['12345678901234567890'], ['true']])(
    'is beside the state %s',
    async state => {
      const version = (await made(caseOf('q', { state }), [sea]))!;
      const text = told(`${BEGIN}\nThe sea is calm today.\nBoats are\nout.\n${END}`);
      expect(version.state.toString()).toBe(`{"auxiliary_case":${text},"current_case":${state}}`);
      expect(version.instructions.string()).toMatch(/^Which one\?\n\nDecide only about current_case\. .*ignored\.$/);
    },
  );

  it.each([['""'], [String.raw`"a \/ \u00e9 \udc00 \"b\" "`], [String.raw`"\ud800"`]])(
    'is inside of the string %s, before its own bytes',
    async state => {
      const version = (await made(caseOf('q', { state }), [sea]))!;
      const text = told(`${BEGIN}\nThe sea is calm today.\nBoats are\nout.\n${END}\n`);
      expect(version.state.toString()).toBe(text.slice(0, -1) + state.slice(1));
      expect(version.instructions.string()).toContain(`Decide only about what follows the line ${END}.`);
    },
  );

  it.each([['{"goal": "Pick",  "1":1.0}'], ['["Read", {"then":"choose"}]']])(
    'is told beside the instructions %s',
    async instructions => {
      const version = (await made(caseOf('q', { instructions }), [sea]))!;
      const scope =
        'Decide only about current_case. The text in auxiliary_case comes from another case and must be ignored.';
      expect(version.instructions.toString()).toBe(`{"instructions":${instructions},"scope":"${scope}"}`);
    },
  );

  it('is told behind the own bytes of the instructions', async () => {
    const version = (await made(caseOf('q', { instructions: String.raw`"Which \u006fne\/"` }), [sea]))!;
    expect(version.instructions.toString()).toMatch(/^"Which \\u006fne\\\/\\n\\nDecide only /);
  });

  it('is written down, with hashes', async () => {
    const version = (await made(caseOf('q'), [sea]))!;
    expect(version.context_provenance!.lossyValue()).toEqual({
      generator: 'holdfast-context/1',
      source_record: 'sea::v0_original',
      source_group: 'group-sea',
      context_type: 'other_case_excerpt',
      delimiters: { begin: BEGIN, end: END },
      hashes: {
        inserted_text: sha256(Buffer.from(`${BEGIN}\nThe sea is calm today.\nBoats are\nout.\n${END}`)),
        source_state: sha256(sea.state.bytes),
      },
    });
  });
});

describe('the excerpt', () => {
  const excerpt = async (record: DecisionRecord, donors: readonly DecisionRecord[], options = {}) => {
    const version = await made(record, donors, operator(options));
    if (version === null) return null;
    expect(rules(record, version)).toEqual([]);
    const { auxiliary_case } = version.state.lossyValue() as { auxiliary_case: string };
    return auxiliary_case.split('\n').slice(1, -1).join('\n');
  };
  const run = 'one two three four five six seven eight';
  const own = caseOf('q', {
    state: json.value([`It says ${run} here.`, 'Order #W2378156 of Yusuf Rossi, see find_order', '1']).toString(),
    options: [
      ['refund', 'Pay the money back'],
      ['no', 'Do nothing at all'],
      ['退款', '42'],
    ],
  });

  it.each([
    ['an option id', 'Please Refund it'],
    ['an option id in a script without spaces', '请退款给我'],
    ['an option text, in other spaces', 'They pay  the\\nmoney back'],
    ['eight words in a row', `Also ${run.toUpperCase()} there`],
    ['an identifier', 'I called find_order'],
    ['a number of an order', 'About #w2378156.'],
    ['a name', 'I am Yusuf Rossi'],
    ['a delimiter', `Hello ${END.toUpperCase()} now decide`],
    ['nothing readable', ' \\n !'],
  ])('is not taken from a donor with %s', async (_, text) => {
    const donor = caseOf('donor', { state: `["${text}"]` });
    expect(await excerpt(own, [donor])).toBeNull();
    expect(await excerpt(own, [donor, sea])).toBe('The sea is calm today.\nBoats are\nout.');
  });

  it.each([
    ['a part of a word', 'Unrefundable findings'],
    ['seven words in a row', run.slice(0, -6)],
    ['a common word', 'The order, say the rules'],
    ['an article that is an id', 'It is a boat'],
  ])('may have %s in common', async (_, text) => {
    expect(await excerpt(own, [caseOf('donor', { state: `["${text}"]` })])).toBe(text);
  });

  it('leaves out lines with ids that any prose says', async () => {
    const donor = caseOf('donor', { state: '["I see\\nThere is no boat\\nIt has 42 seats\\nIt floats"]' });
    expect(await excerpt(own, [donor])).toBe('I see\nIt floats');
  });

  it('leaves out what every donor shares, where no donor is free of it', async () => {
    const policy = (text: string) => caseOf(text, { state: json.value([`It says ${run} here.`, text]).toString() });
    expect(await excerpt(own, [policy('Boats are out'), policy('Trains')])).toBe('Boats are out');
    expect(await excerpt(own, [policy('Boats are out'), policy('Trains'), sea])).toMatch(/^The sea/);
  });

  it('is not of the same group or case, whatever the engine offers', async () => {
    expect(await excerpt(caseOf('q', { group: 'group-sea' }), [sea])).toBeNull();
    expect(await excerpt(caseOf('q'), [caseOf('q', { state: '"Trains"', group: 'g' }), caseOf('t')])).toBe('late');
    expect(await excerpt(caseOf('q'), [])).toBeNull();
  });

  it.each([
    ['a word', 'x'.repeat(100), 'x'.repeat(64)],
    ['a character of three bytes', 'ab' + '語'.repeat(50), 'ab' + '語'.repeat(20)],
    ['a character of four bytes', 'abc' + '😀'.repeat(50), 'abc' + '😀'.repeat(15)],
    ['a quotation mark', '"'.repeat(100), null],
    ['an escaped character', 'q' + '"'.repeat(100), 'q' + '"'.repeat(63)],
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
    ['colours of a terminal', '\u001b[31mred\u0000alert\u001b[0m', 'red alert'],
  ])('is cut in %s', async (_, text, expected) => {
    const donor = caseOf('donor', { state: told(text) });
    expect(await excerpt(caseOf('q'), [donor], { max_bytes: 64 })).toBe(expected);
  });

  it('of a long line can lose a part of it', async () => {
    const html = `<p>${'Ships sail. '.repeat(40)}</p><b>find_order</b><i>Wind</i>`;
    const found = await excerpt(own, [caseOf('donor', { state: told(html) })]);
    expect(found).toContain('Wind');
    expect(found).not.toContain('find_order');
  });

  it('is of the prose of a state, where it has any', async () => {
    const state = '{"role":"user","said":"I like it here","other":"我很喜欢这个地方"}';
    expect(await excerpt(own, [caseOf('donor', { state })])).toBe('I like it here\n我很喜欢这个地方');
  });

  it('stands between the delimiters of the recipe, which a check needs no options for', async () => {
    const version = (await made(caseOf('q'), [sea], operator({ begin: '<<<', end: '>>>' })))!;
    expect(version.state.toString()).toContain(String.raw`"<<<\nThe sea is calm today.\nBoats are\nout.\n>>>"`);
    expect(rules(caseOf('q'), version)).toEqual([]);
  });

  it.each([
    [{ begin: 'a', end: 'A b' }],
    [{ begin: 'two\nlines' }],
    [{ end: ' x' }],
    [{ max_bytes: 0 }],
    [{ max_bytes: 9e9 }],
  ])('has no options such as %j', given => expect(plugin.options.safeParse(given).success).toBe(false));

  it('keeps its promise whatever the case and the donor say', async () => {
    const any = fc.oneof(fc.json(), fc.string({ unit: 'binary' }).map(told), fc.lorem({ maxCount: 30 }).map(told));
    const id = fc.string({ minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(any, any, fc.uniqueArray(id, { minLength: 2, maxLength: 5 }), async (state, lent, ids) => {
        const record = caseOf('q', { state, options: ids.map(each => [each, `${each} it is`] as const) });
        const version = await made(record, [caseOf('donor', { state: lent }), sea]);
        if (version === null) return;
        expect(rules(record, version)).toEqual([]);
        expect(version.state.toString()).toContain(record.state.toString().replace(/^"/, ''));
      }),
    );
  });
});

describe('the check', () => {
  const record = caseOf('q', { state: '{"a":1.0,"b":"\\u00e9"}' });
  const parts = async (given = record) => (await made(given, [sea]))!;
  const provenance = (version: DecisionRecord, changes: object) =>
    JsonText.parse(JSON.stringify({ ...(version.context_provenance!.lossyValue() as object), ...changes }));
  const state = (auxiliary: string, rest = '') =>
    JsonText.parse(`{"auxiliary_case":${told(auxiliary)},"current_case":{"a":1.0,"b":"é"}${rest}}`);
  const around = (text: string) => state(`${BEGIN}\n${text}\n${END}`);

  it.each<[string, (version: DecisionRecord) => Partial<DecisionRecord>, string[]]>([
    ['a re-parsed state', v => ({ state: JsonText.parse(v.state.toString().replace('1.0', '1')) }), ['current_case']],
    ['a lost state', () => ({ state: record.state }), ['current_case']],
    [
      'a further member',
      v => ({ state: JsonText.parse(v.state.toString().replace('{', '{"x":1,')) }),
      ['current_case'],
    ],
    ['other material', () => ({ state: around('Trains') }), ['hash']],
    ['no material', () => ({ state: around('') }), ['hash', 'empty']],
    ['lost delimiters', () => ({ state: state('Trains') }), ['hash', 'delimiters']],
    ['a second delimiter', () => ({ state: around(`x\n${END}\ny`) }), ['hash', 'delimiters']],
    ['the right answer in it', () => ({ state: around('It is refund.') }), ['hash', 'option_text']],
    ['long material', () => ({ state: around('x '.repeat(5000)) }), ['hash', 'length']],
    ['a lost scope', () => ({ instructions: record.instructions }), ['scope']],
    [
      'other instructions',
      v => ({ instructions: json.string(v.instructions.string().replace('one', 'two')) }),
      ['scope'],
    ],
    ['no provenance', () => ({ context_provenance: json.value(null) }), ['context_provenance']],
    ['half a provenance', v => ({ context_provenance: provenance(v, { hashes: {} }) }), ['context_provenance']],
    [
      'itself as the source',
      v => ({ context_provenance: provenance(v, { source_record: record.id }) }),
      ['source_record'],
    ],
    [
      'a donor of its group',
      v => ({ context_provenance: provenance(v, { source_group: 'group-q' }) }),
      ['source_group'],
    ],
    ['a changed option', v => ({ options: v.options.toReversed() }), ['options']],
    ['another gold', () => ({ gold: 'refuse' }), ['gold', 'canonical_gold']],
    ['changed metadata', () => ({ metadata: json.value({ x: 1 }) }), ['metadata']],
  ])('sees %s', async (_, change, expected) => {
    const version = await parts();
    expect(rules(record, { ...version, ...change(version) })).toEqual(expected);
  });

  it('takes hashes as they are where nobody hashes', async () => {
    expect(context.check(record, { ...(await parts()), state: around('Trains') })).toEqual([]);
  });

  it('sees a changed byte of a string state', async () => {
    const text = caseOf('q', { state: '"Late order 7"' });
    const version = await parts(text);
    const changed = JsonText.parse(version.state.toString().replace('7"', '8"'));
    expect(rules(text, { ...version, state: changed })).toEqual(['current_case']);
  });

  const foreign = json.value({ generator: 'model', source_record: 'case_7', context_type: 'generated', hashes: {} });
  const scoped = JsonText.parse('"Ignore the other case. Which one?"');
  it.each<[string, Partial<DecisionRecord>, string[]]>([
    ['as a member', { state: JsonText.parse('{"notes":["Trains"],"case":{"a":1.0, "b":"é"}}') }, []],
    ['among its members', { state: JsonText.parse('{"a":1.0,"context":"Trains","b":"é"}') }, []],
    ['in a string', { state: json.string(`Trains. ${record.state.toString()}`) }, []],
    ['with a changed number', { state: JsonText.parse('{"a":1,"context":"Trains","b":"é"}') }, ['current_case']],
    ['alone', { state: record.state }, ['empty']],
    ['with nothing', { state: JsonText.parse('{"context":"","case":{"a":1.0,"b":"é"}}') }, ['empty']],
    [
      'with the right answer',
      { state: JsonText.parse('{"context":"refund","case":{"a":1.0,"b":"é"}}') },
      ['option_text'],
    ],
    ['without a scope', { instructions: record.instructions }, ['scope?']],
    ['with other instructions', { instructions: json.string('Which?') }, ['instructions']],
    ['from itself', { context_provenance: JsonText.parse('{"generator":"m","source_record":"q"}') }, ['source_record']],
  ])('judges a version of another generator: the state %s', async (_, change, expected) => {
    const version: DecisionRecord = {
      ...(await parts()),
      state: JsonText.parse('{"context":"Trains","case":{"a":1.0,"b":"é"}}'),
      instructions: scoped,
      context_provenance: foreign,
      ...change,
    };
    expect(rules(record, version)).toEqual(expected);
  });

  it('finds nothing in what is made of any hostile record with any other as donor', async () => {
    const records = hostileRecords();
    for (const original of records) {
      for (const donor of records) {
        const version = await made(original, [donor]);
        if (version !== null) expect(rules(original, version)).toEqual([]);
      }
    }
  });
});
