import { json, quote, JsonText } from '@holdfast/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stemsOf, unescaped } from './words.ts';

describe('the stems of a text', () => {
  it.each<[string, string]>([
    ['Calculating the areas of triangles', 'calcul area triangl'],
    ['triangle_properties.get', 'triangl properti get'],
    ['getUserID parseHTMLDocument', 'get user id pars html document'],
    ['side1, side2', 'side side 1 2'],
    ['Zürich ZÜRICH zu\u0308rich', 'zürich zürich zürich'],
    ['天气 weather', '天 气 weather'],
    ['constructor __proto__', 'constructor proto'],
    ['the of and', ''],
  ])('of %s are %s', (text, stems) => {
    expect([...stemsOf(text)].flatMap(([stem, count]) => Array(count).fill(stem)).join(' ')).toBe(stems);
  });

  it('takes a word as it is when it is too long for English', () => {
    const long = 'ab'.repeat(100_000);
    expect([...stemsOf(`${long}ing`).keys()]).toEqual([`${long}ing`]);
  });
});

describe('a text without escapes', () => {
  it.each([
    [String.raw`"a\nb\u00e9\/"`, '"a bé/"'],
    [String.raw`"\ud83d\ude00"`, '"😀"'],
    [String.raw`"\\\\n"`, '" "'],
    ['ends with \\', 'ends with '],
  ])('of %s is %s', (text, expected) => expect(unescaped(text)).toBe(expected));

  it('gives the same words for a state and for the string of it', () => {
    const words = (state: JsonText) => [...stemsOf(unescaped(state.toString()))];
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), text => {
        const state = JsonText.parse(text);
        expect(words(quote(state))).toEqual(words(state));
        expect(words(quote(quote(state)))).toEqual(words(state));
      }),
    );
    const path = json.value({ text: 'C:\\new\\"folder"\n' });
    expect(words(quote(path))).toEqual(words(path));
  });
});
