import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wordHash, wordHashes, wordsOf } from './words.ts';

it.each<[string, string[]]>([
  ['', []],
  ['One two_three, 4!', ['one', 'two_three', '4']],
  ['naïve café\u0301', ['naïve', 'café\u0301']],
  ['東京 and 大', ['東', '京', 'and', '大']],
  ['a😀b 𝔸𝔹', ['a', 'b', '𝔸𝔹']],
])('the words of %j are %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

it('hashes of a text are those of its words', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.oneof(
          fc.constantFrom('a', 'B', ' ', '_', 'é', '大', '😀', '𝔸', '\n'),
          fc.string({ unit: 'binary', maxLength: 1 }),
        ),
      }),
      text => {
        const lower = text.toLowerCase();
        expect([...wordHashes(lower)]).toEqual(wordsOf(lower).map(word => wordHash(word)));
      },
    ),
  );
});
