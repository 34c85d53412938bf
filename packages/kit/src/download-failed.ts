import { HoldfastError, type ErrorFacts } from '@holdfast/core';

/** The facts of an UPSTREAM_INVALID error of a download. */
export interface DownloadFacts extends ErrorFacts {
  /** `auth`: the server wants to know who asks. */
  readonly kind?: 'auth';
  /** Whether another try may go better. */
  readonly retryable?: boolean;
  /** HTTP status, where an answer came. */
  readonly status?: number;
  /** How long the server asked to wait, in milliseconds. */
  readonly retryAfterMs?: number | null;
}

/** An UPSTREAM_INVALID error of a download. */
export function downloadFailed(
  target: URL,
  problem: string,
  facts: DownloadFacts = {},
  cause?: unknown,
): HoldfastError {
  const url = shownUrl(target);
  return new HoldfastError('UPSTREAM_INVALID', `${url}: ${problem}`, { cause, facts: { url, ...facts } });
}

/** An address as it may be shown: a query or a name before the host may hold what opens the file. */
export function shownUrl({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}
