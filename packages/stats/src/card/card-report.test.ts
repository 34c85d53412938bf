import { describe, expect, it } from 'vitest';
import { cardReport } from './card-report.ts';
import type { CardInput, CardRow } from './card-rows.ts';

const colours: CardInput = {
  planned_versions: ['plain', 'renamed'],
  known_versions: ['plain', 'renamed', 'spare'],
  questions: {
    sky: { gold: { plain: 'blue', renamed: 'x1' }, options: { plain: ['red', 'blue'], renamed: ['x0', 'x1'] } },
    grass: { gold: 'green', options: ['green', 'grey'] },
  },
  rows: [],
};

describe('cardReport', () => {
  it('compares with the gold of the same version, at any threshold', () => {
    const rows: CardRow[] = [
      ['sky', 'plain', 'ok', 'blue', 0.7],
      ['sky', 'renamed', 'ok', 'x0', 0.74],
      ['grass', 'plain', 'ok', 'green', 0.75],
      ['grass', 'renamed', 'ok', 'green', 0.1],
    ];
    expect(cardReport({ ...colours, threshold: 0.75, rows })).toEqual({
      included_questions: 2,
      excluded_questions: 0,
      failed_requests: 0,
      included_decisions: 4,
      confidence_reporting_count: 4,
      correct_decisions: 3,
      strict_correct_questions: 1,
      strict_accuracy: 0.5,
      mean_accuracy: 0.75,
      abstained_decisions: 3,
      abstention_rate: 0.75,
      strict_aaa: 1,
      mean_aaa: 1,
    });
  });

  it.each<[string, CardRow, string]>([
    ['an id of the other version', ['sky', 'renamed', 'ok', 'blue', 0.5], 'invalid_choice'],
    ['another case', ['sky', 'renamed', 'ok', 'X1', 0.5], 'invalid_choice'],
    ['an empty choice', ['sky', 'renamed', 'ok', '', 0.5], 'invalid_choice'],
    ['no choice', ['sky', 'renamed', 'ok', null, 0.5], 'invalid_choice'],
    ['NaN', ['sky', 'renamed', 'ok', 'x1', NaN], 'invalid_confidence'],
    ['infinity', ['sky', 'renamed', 'ok', 'x1', Infinity], 'invalid_confidence'],
    ['a confidence just above 1', ['sky', 'renamed', 'ok', 'x1', 1 + Number.EPSILON], 'invalid_confidence'],
    ['a confidence as text', ['sky', 'renamed', 'ok', 'x1', '0.5' as never], 'invalid_confidence'],
    ['a failure with all the rest', ['sky', 'renamed', 'timeout', '?', NaN], 'request_failed'],
  ])('excludes a question for %s', (_, row, reason) => {
    const report = cardReport({ ...colours, rows: [['sky', 'plain', 'ok', 'blue', 0.9], row] });
    expect(report).toMatchObject({ included_questions: 0, excluded_questions: 2, failed_requests: 1, mean_aaa: null });
    expect(report.exclusion_reasons).toEqual({ sky: [reason], grass: ['missing_prediction', 'missing_prediction'] });
  });

  it('scores a recipe of one version and ignores the others', () => {
    const rows: CardRow[] = [
      ['sky', 'plain', 'ok', 'blue', 0],
      ['sky', 'spare', 'failed', null, null],
      ['grass', 'plain', 'ok', 'grey', 0.5],
    ];
    expect(cardReport({ ...colours, planned_versions: ['plain'], rows })).toMatchObject({
      included_questions: 2,
      failed_requests: 0,
      strict_accuracy: 0.5,
      mean_accuracy: 0.5,
      abstention_rate: 0.5,
    });
  });

  it('has nulls for no rows and for no questions', () => {
    expect(cardReport(colours)).toMatchObject({ excluded_questions: 2, failed_requests: 0, strict_accuracy: null });
    const none = cardReport({ ...colours, questions: {} });
    expect(none).toMatchObject({ included_questions: 0, excluded_questions: 0, abstained_decisions: null });
    expect(none).not.toHaveProperty('exclusion_reasons');
  });

  it.each<[string, CardRow[], string]>([
    ['a version nobody declared', [['nobody', 'v9', 'ok', 'a', 1]], 'unknown_version'],
    ['a question nobody asked', [['nobody', 'plain', 'ok', 'a', 1]], 'orphan_prediction'],
    ['a name every object has', [['constructor', 'plain', 'ok', 'a', 1]], 'orphan_prediction'],
    [
      'two rows of an unplanned version',
      [
        ['sky', 'spare', 'failed', null],
        ['sky', 'spare', 'failed', null],
      ],
      'duplicate_prediction',
    ],
    [
      'the first of two faults',
      [
        ['sky', 'plain', 'ok', 'blue'],
        ['sky', 'plain', 'ok', 'blue'],
        ['sky', 'v9', 'ok', ''],
      ],
      'duplicate_prediction',
    ],
  ])('refuses %s', (_, rows, code) => {
    expect(() => cardReport({ ...colours, rows })).toThrow(expect.objectContaining({ name: 'CardInputError', code }));
  });
});
