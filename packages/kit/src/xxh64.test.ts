import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Xxh64 } from './xxh64.ts';

const hash = (...pieces: Uint8Array[]) => {
  const checksum = new Xxh64();
  for (const piece of pieces) checksum.update(piece);
  return checksum.digest();
};

describe('Xxh64', () => {
  it.each([
    ['', 0xef46db3751d8e999n],
    ['a', 0xd24ec4f1a98c6e5bn],
    ['abc', 0x44bc2cf5ad770999n],
    ['Nobody inspects the spammish repetition', 0xfbcea83c8a378bf1n],
  ])('of %j is known', (text, expected) => {
    expect(hash(Buffer.from(text))).toBe(expected);
  });

  it('is the same in whatever pieces the bytes come', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 90 }), { maxLength: 8 }), pieces => {
        expect(hash(...pieces)).toBe(hash(Buffer.concat(pieces)));
      }),
    );
  });
});
