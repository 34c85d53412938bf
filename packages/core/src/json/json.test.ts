import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HoldfastError } from '../error.ts';
import { JsonText } from './json-text.ts';
import { isQuoteOf, quote, unquote } from './quote.ts';
import { readItems, readMap, readMembers, readStrings } from './read.ts';
import { MAX_DEPTH } from './scan.ts';
import { readTree, sameJson, stringsOf } from './tree.ts';
import { json } from './write.ts';

const bytes = (text: string) => Buffer.from(text, 'utf8');

/** Strings of every kind, lone surrogates and the keys that JavaScript treats apart included. */
const strings = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('\ud800', '\udfff', '\\', '"', '\n', '\0', '\u2028', 'é', '😀', 'a') }),
  fc.constantFrom('__proto__', 'constructor', '0', '1', '-1', 'toString'),
);
const numbers = fc.constantFrom('0', '-0', '1.0', '1e400', '-1E+5', '12345678901234567890', '0.10', '1e-7', '5E0');
const space = fc.constantFrom('', '', ' ', '\n', '\t \r\n');

/** Arbitrary JSON texts with white space, duplicate keys and every spelling of numbers and escapes. */
const texts: fc.Arbitrary<string> = fc.letrec<{ value: string; text: string }>(tie => ({
  text: fc.tuple(space, tie('value'), space).map(parts => parts.join('')),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('true', 'false', 'null'),
    numbers,
    strings.map(text => JSON.stringify(text)),
    strings.map(text => `"${[...text].map(unit => escapeAll(unit)).join('')}"`),
    fc.array(tie('text'), { maxLength: 4 }).map(items => `[${items.join(',')}]`),
    fc
      .array(fc.tuple(space, strings, space, tie('text')), { maxLength: 4 })
      .map(members => `{${members.map(([a, key, b, value]) => `${a}${JSON.stringify(key)}${b}:${value}`).join(',')}}`),
  ),
})).text;

function escapeAll(unit: string): string {
  return [...Array(unit.length).keys()]
    .map(index => `\\u${unit.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');
}

function accepts(text: string, parse: (text: string) => unknown): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('the scanner', () => {
  it('accepts what JSON.parse accepts, and keeps its bytes', () => {
    fc.assert(
      fc.property(texts, text => {
        const read = JsonText.parse(text);
        expect(read.toString()).toBe(text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, ''));
        expect(read.lossyValue()).toEqual(JSON.parse(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('refuses exactly what JSON.parse refuses, on texts with one byte changed', () => {
    const marks = fc.constantFrom(...'{}[]",:\\u0123eE+-. \ntfn\u0001'.split(''));
    fc.assert(
      fc.property(texts, fc.nat(), marks, fc.constantFrom(0, 1), (text, place, mark, remove) => {
        const at = place % (text.length + 1);
        const changed = text.slice(0, at) + mark + text.slice(at + remove);
        // The change may cut a surrogate pair in two, and then no UTF-8 text says the same.
        if (!changed.isWellFormed()) return;
        expect(accepts(changed, JsonText.parse)).toBe(accepts(changed, JSON.parse));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ['', 0],
    ['  ', 2],
    ['nul', 0],
    ['NaN', 0],
    ['Infinity', 0],
    ['-Infinity', 1],
    ["{'a':1}", 1],
    ['{"a":1,}', 7],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['{"a" 1}', 5],
    ['01', 1],
    ['1.', 2],
    ['1e', 2],
    ['+1', 0],
    ['"a\nb"', 2],
    ['"\\x"', 1],
    ['"\\u12g4"', 1],
    ['"open', 0],
    ['{"a":[1', 7],
    ['1 2', 2],
  ])('says where %j stops being JSON', (text, offset) => {
    expect.assertions(2);
    try {
      JsonText.parse(text);
    } catch (error) {
      expect(HoldfastError.is(error) && error.code).toBe('RECORD_INVALID');
      expect((error as HoldfastError).facts).toMatchObject({ offset });
    }
  });

  it.each(['[', '{"a":'])('refuses 10,000 levels of %s with a sentence, not a stack overflow', open => {
    const close = open === '[' ? ']' : '}';
    const text = `${open.repeat(10_000)}1${close.repeat(10_000)}`;
    expect(() => JsonText.parse(text)).toThrow(`more than ${MAX_DEPTH} levels of nesting`);
    const deepest = `${open.repeat(MAX_DEPTH)}1${close.repeat(MAX_DEPTH)}`;
    expect(readTree(JsonText.parse(deepest)).text.toString()).toBe(deepest);
  });
});

describe('the ordered reader', () => {
  it('keeps the order of integer-like keys, duplicates and __proto__', () => {
    const members = readMembers(bytes('{"1": 1, "0":[ 2 ],"-1":3,"1":4,"__proto__":5}'));
    expect(members.map(([key, value]) => [key, value.toString()])).toEqual([
      ['1', '1'],
      ['0', '[ 2 ]'],
      ['-1', '3'],
      ['1', '4'],
      ['__proto__', '5'],
    ]);
  });

  it('reads back what the writer wrote', () => {
    const pairs = fc.array(fc.tuple(strings, texts.map(JsonText.parse)), { maxLength: 6 });
    fc.assert(
      fc.property(pairs, members => {
        const read = readMembers(json.object(members).bytes);
        expect(read.map(([key, value]) => [key, value.toString()])).toEqual(
          members.map(([key, value]) => [key, value.toString()]),
        );
        const values = members.map(([, value]) => value);
        expect(readItems(json.array(values).bytes).map(String)).toEqual(values.map(String));
      }),
    );
  });

  it('finds the same members where one of them is known, whatever it is', () => {
    fc.assert(
      fc.property(texts, texts, fc.boolean(), (text, other, same) => {
        const value = JsonText.parse(text);
        const object = json.object([
          ['a', 1],
          ['state', value],
          ['z', other === '' ? null : JsonText.parse(other)],
        ]).bytes;
        const known = { key: 'state', value: same ? value : JsonText.parse(other) };
        expect(readMembers(object, known).map(String)).toEqual(readMembers(object).map(String));
      }),
    );
    expect(() => readMembers(bytes('{"state":12}'), { key: 'state', value: JsonText.parse('1') })).not.toThrow();
  });

  it('refuses a key that stands twice where a map is read', () => {
    expect(() => readMap(bytes('{"a":1,"\\u0061":2}'))).toThrow('the key "a" stands twice');
  });

  it.each(['[1]', '"a"', '{"a":1} x', '{"a":1'])('refuses %s as an object', text => {
    expect(() => readMembers(bytes(text))).toThrow('not JSON');
  });
});

describe('the ordered writer', () => {
  it('writes what JSON.parse reads back, minus zero included', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        // fixed-key objects refuse integer-like keys by design
        if (/"(0|[1-9]\d*)":/.test(JSON.stringify(value))) return;
        expect(JSON.parse(json.value(value as never).toString())).toEqual(value);
      }),
    );
  });

  it('refuses integer-like keys in plain objects, NaN and infinities', () => {
    expect(() => json.value({ 1: 'a' })).toThrow('needs a Map');
    expect(() => json.value(Number.NaN)).toThrow('JSON has no NaN');
    expect(
      json
        .value(
          new Map([
            ['1', 1],
            ['0', 2],
          ]),
        )
        .toString(),
    ).toBe('{"1":1,"0":2}');
  });

  it('is not printed by accident', () => {
    expect(() => JSON.stringify({ state: JsonText.parse('1') })).toThrow('ordered writer');
  });
});

describe('quote', () => {
  it('gives a JSON string of exactly the text, and unquote gives the bytes back', () => {
    fc.assert(
      fc.property(texts, text => {
        const value = JsonText.parse(text);
        const quoted = quote(value);
        expect(JSON.parse(quoted.toString())).toBe(value.toString());
        expect(unquote(quoted).equals(value)).toBe(true);
        expect(isQuoteOf(quoted, value)).toBe(true);
      }),
    );
  });

  it('is told from every other string', () => {
    fc.assert(
      fc.property(texts, texts, (left, right) => {
        const [a, b] = [JsonText.parse(left), JsonText.parse(right)];
        expect(isQuoteOf(quote(a), b)).toBe(a.equals(b));
        expect(isQuoteOf(JsonText.parse(`"${quote(a).toString().slice(1, -1)} "`), a)).toBe(false);
      }),
    );
  });

  it('refuses a string that spells no JSON', () => {
    expect(() => unquote(JsonText.parse('"{"'))).toThrow('not JSON');
    expect(() => unquote(JsonText.parse('[]'))).toThrow('a string was expected');
    expect(() => unquote(JsonText.parse('"\\"\\ud800\\""'))).toThrow('lone surrogate');
  });
});

describe('the tree', () => {
  it('keeps the bytes of every node and finds equal what differs in space and escapes only', () => {
    fc.assert(
      fc.property(texts, text => {
        const value = JsonText.parse(text);
        expect(readTree(value).text.equals(value)).toBe(true);
        const respelled = JsonText.parse(respell(value));
        expect(sameJson(value, respelled)).toBe(true);
      }),
    );
  });

  function respell(value: JsonText): string {
    const node = readTree(value);
    const inner = (child: typeof node): string => {
      if (child.kind === 'object') {
        return `{ ${child.members.map(m => `"${escapeAll(m.key)}" :${inner(m.value)}`).join(' ,')} }`;
      }
      if (child.kind === 'array') return `[ ${child.items.map(inner).join(' , ')} ]`;
      return child.kind === 'string' ? `"${escapeAll(child.text.string())}"` : child.text.toString();
    };
    return inner(node);
  }

  it.each([
    ['1.0', '1'],
    ['12345678901234567890', '12345678901234567891'],
    ['{"a":1,"b":2}', '{"b":2,"a":1}'],
    ['{"a":1,"a":2}', '{"a":2}'],
    ['"a"', '"A"'],
    ['[1]', '[1,1]'],
    ['true', '"true"'],
    ['-0', '0'],
  ])('tells %s from %s', (left, right) => {
    expect(sameJson(JsonText.parse(left), JsonText.parse(right))).toBe(false);
  });

  it('lists the same strings as are read without it', () => {
    fc.assert(
      fc.property(texts, text => {
        const value = JsonText.parse(text);
        expect(readStrings(value)).toEqual([...stringsOf(readTree(value))]);
      }),
    );
  });

  it('lists strings in document order', () => {
    const node = readTree(JsonText.parse('{"k":["a",{"k":"b"}],"z":"c"}'));
    expect([...stringsOf(node)]).toEqual(['a', 'b', 'c']);
    expect([...stringsOf(node, { keys: true })]).toEqual(['k', 'a', 'k', 'b', 'z', 'c']);
  });
});
