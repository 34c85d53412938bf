import { HoldfastError, type ErrorCode } from '@holdfast/core';

/** What the command's exit says. Where several hold, the first here does. */
export const exits = { interrupted: 130, signIn: 5, budget: 4, data: 3, usage: 2, failed: 1, done: 0 } as const;

const byCode: Readonly<Record<ErrorCode, number>> = {
  RECIPE_INVALID: exits.usage,
  PLUGIN_NOT_FOUND: exits.usage,
  PLUGIN_MISFIT: exits.usage,
  IDENTITY_MISMATCH: exits.usage,
  RUN_LOCKED: exits.usage,
  RECORD_INVALID: exits.data,
  UPSTREAM_INVALID: exits.data,
  HASH_MISMATCH: exits.data,
  SCORE_INVALID: exits.data,
  CORPUS_INVALID: exits.data,
  STORAGE_FAILED: exits.data,
  MODEL_FAILED: exits.failed,
};

/** The exit code of an error; null where it is a bug of ours. */
export function exitCodeOf(error: unknown): number | null {
  return HoldfastError.is(error) ? byCode[error.code] : null;
}
