import { describe, expect, it } from 'vitest';
import { orderReversal } from './order-reversal.ts';
import { positionPrior } from './position-prior.ts';
import { positionBias } from './position.ts';

describe('position bias', () => {
  it('has no recall where no gold stands', () => {
    expect(positionBias(3, [0, 2, 0], [0, 0, 2])).toEqual({
      recall_by_position: [0.5, null, 0],
      rstd: 0.25,
      choice_rate_by_position: [2 / 3, 0, 1 / 3],
      gold_rate_by_position: [2 / 3, 0, 1 / 3],
    });
    expect(positionBias(2, [], [])).toMatchObject({ recall_by_position: [null, null], rstd: null });
  });

  it('counts the middle option as agreement', () => {
    expect(orderReversal([1, 0, 0], [1, 0, 1], [3, 2, 3])).toEqual({
      canonical_agreement: 1 / 3,
      position_stick_rate: 1 / 3,
      other_flip_rate: 1 / 3,
    });
  });

  it('has an even prior where presentations balance, and 0 where a position once had none', () => {
    expect(
      positionPrior([
        [0.8, 0.2],
        [0.2, 0.8],
      ]),
    ).toEqual([0.5, 0.5]);
    expect(
      positionPrior([
        [1, 0],
        [0.5, 0.5],
      ]),
    ).toEqual([1, 0]);
    expect(
      positionPrior([
        [1, 0],
        [0, 1],
      ]),
    ).toBe(null);
  });
});
