import { describe, expect, it } from 'vitest';
import { cohenKappa } from './cohen-kappa.ts';
import { fleissKappa } from './fleiss-kappa.ts';

describe('kappa', () => {
  it('is 1 for agreement and below 0 for disagreement', () => {
    expect(cohenKappa(['a', 'b'], ['a', 'b'])).toEqual({ p_o: 1, p_e: 0.5, kappa: 1 });
    expect(cohenKappa(['a', 'b'], ['b', 'a'])).toEqual({ p_o: 0, p_e: 0.5, kappa: -1 });
    expect(
      fleissKappa([
        ['a', 'a'],
        ['b', 'b'],
      ]),
    ).toEqual({ p_bar: 1, p_e: 0.5, kappa: 1 });
    expect(
      fleissKappa([
        ['a', 'b'],
        ['b', 'a'],
      ]),
    ).toEqual({ p_bar: 0, p_e: 0.5, kappa: -1 });
  });

  it('is null where only one label occurs, or nothing is rated twice', () => {
    expect(cohenKappa(['a', 'a', 'a'], ['a', 'a', 'a'])).toEqual({ p_o: 1, p_e: 1, kappa: null });
    expect(
      fleissKappa([
        ['a', 'a', 'a'],
        ['a', 'a', 'a'],
      ]),
    ).toEqual({ p_bar: 1, p_e: 1, kappa: null });
    expect(fleissKappa([['a'], ['b']])).toMatchObject({ p_bar: null, kappa: null });
    expect([cohenKappa([], []).kappa, fleissKappa([]).kappa]).toEqual([null, null]);
  });
});
