import { describe, expect, it } from 'vitest';
import { pairedDifference } from './paired-difference.ts';

describe('pairedDifference', () => {
  it('has no z for identical models, nor for a constant difference', () => {
    expect(pairedDifference([1, 0, 1], [1, 0, 1], ['a', 'b', 'c'])).toEqual({
      delta: 0,
      clusters: 3,
      se: 0,
      z: null,
      p_two_sided: null,
      ci95: [0, 0],
    });
    expect(pairedDifference([0.1, 0.3, 0.6], [0, 0.2, 0.5], ['a', 'b', 'c'])).toMatchObject({ se: 0, z: null });
  });

  it('has no error for one cluster or none', () => {
    expect(pairedDifference([1, 1], [0, 1], ['a', 'a'])).toMatchObject({
      delta: 0.5,
      clusters: 1,
      se: null,
      ci95: null,
    });
    expect(pairedDifference([], [], [])).toMatchObject({ delta: null, clusters: 0 });
  });

  it('changes sign with the models', () => {
    const [a, b, names] = [
      [1, 1, 0, 1],
      [0, 1, 0, 0],
      ['g', 'g', 'h', 'i'],
    ];
    const [there, back] = [pairedDifference(a, b, names), pairedDifference(b, a, names)];
    expect(back).toMatchObject({ delta: -there.delta!, z: -there.z!, p_two_sided: there.p_two_sided });
  });

  it('refuses models of other lengths', () => {
    expect(() => pairedDifference([1], [1, 0], ['a', 'b'])).toThrow(RangeError);
  });
});
