import type { Option } from '@holdfast/core';

/**
 * New ids that tell nothing of the candidates: `option_000`, `option_001` … in order, as on the CITY-Jev card. Where a
 * candidate already has one of these, all are `choice_000` …, else `choice1_000` …, `choice2_000` … and so on: the
 * first prefix that gives no id which a candidate had before.
 */
export function opaqueIds(options: readonly Option[]): readonly string[] {
  const taken = new Set(options.map(option => option.id));
  for (let attempt = 0; ; attempt++) {
    const prefix = attempt === 0 ? 'option' : attempt === 1 ? 'choice' : `choice${attempt - 1}`;
    const ids = options.map((_, index) => `${prefix}_${String(index).padStart(3, '0')}`);
    if (!ids.some(id => taken.has(id))) return ids;
  }
}
