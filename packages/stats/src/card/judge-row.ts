import type { CardQuestionKey, CardRow } from './card-rows.ts';
import type { DecisionOutcome } from './card-tally.ts';

/** Why a planned version of a question has no valid answer. */
export type ExclusionReason = 'missing_prediction' | 'request_failed' | 'invalid_choice' | 'invalid_confidence';

/**
 * Judges one planned version: its row, if any, becomes an outcome, with the reason where there is no valid answer.
 * Choices are compared exactly and confidences are never clamped.
 */
export function judgeRow(
  row: CardRow | undefined,
  key: CardQuestionKey,
  version: string,
): { outcome: DecisionOutcome; reason: ExclusionReason | null } {
  if (row === undefined) return { outcome: { status: 'missing' }, reason: 'missing_prediction' };
  const [, , status, choice, confidence = null] = row;
  const reason =
    status !== 'ok'
      ? 'request_failed'
      : choice === null || !optionsOf(key, version).includes(choice)
        ? 'invalid_choice'
        : confidence !== null && !isConfidence(confidence)
          ? 'invalid_confidence'
          : null;
  if (reason !== null) return { outcome: { status: 'failed' }, reason };
  return { outcome: { status: 'ok', correct: choice === goldOf(key, version), confidence }, reason: null };
}

function isConfidence(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function optionsOf({ options }: CardQuestionKey, version: string): readonly string[] {
  return isSame(options) ? options : (options[version] ?? []);
}

function isSame(options: CardQuestionKey['options']): options is readonly string[] {
  return Array.isArray(options);
}

function goldOf({ gold }: CardQuestionKey, version: string): string | undefined {
  return typeof gold === 'string' ? gold : gold[version];
}
