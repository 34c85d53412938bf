import type { HoldfastError } from '@holdfast/core';
import { downloadFailed } from './download-failed.ts';
import type { HttpAnswer } from './http-answer.ts';
import { isHubHost } from './hub-host.ts';
import { retryAfter } from './retry-after.ts';

/** What was asked for, and how. */
export interface Asked {
  readonly target: URL;
  /** Where the file was to stand. */
  readonly to: string;
  /** Whether an Authorization header was sent. */
  readonly signedIn: boolean;
  /** Milliseconds since 1970, which a Retry-After date is held against. */
  readonly now: number;
}

/** The error of an answer that brings no file: what happened, and what to do. */
export function refusedDownload(answer: HttpAnswer, { target, to, signedIn, now }: Asked): HoldfastError {
  const { status, from } = answer;
  const by = from.origin === target.origin ? '' : ` by ${from.host}`;
  if (status === 401 || status === 403) {
    const onHub = isHubHost(target.hostname) || isHubHost(from.hostname);
    const remedy = onHub ? signIn(signedIn) : `it is not public: put the file at ${to} by hand`;
    return downloadFailed(target, `refused${by} (${status}); ${remedy}`, { kind: 'auth', status });
  }
  if (status === 404 || status === 410) {
    const remedy = `it was moved or removed: correct its address, or put the file at ${to} by hand`;
    return downloadFailed(target, `not found${by} (${status}); ${remedy}`, { status });
  }
  const retryable = [408, 425, 429].includes(status) || status >= 500;
  const why = status === 429 ? 'too many requests' : status >= 500 ? 'the server failed' : 'an unexpected answer';
  const asked = ['retry-after', 'retry-after-ms'].flatMap(name => {
    const value = answer.header(name);
    return value === null ? [] : [[name, value] as const];
  });
  return downloadFailed(target, `${why}${by} (${status})`, { status, retryable, retryAfterMs: retryAfter(asked, now) });
}

function signIn(signedIn: boolean): string {
  return signedIn
    ? 'the account of HF_TOKEN may not read it: accept the terms on its page, or set HF_TOKEN to a token that may'
    : 'it is gated or private: accept the terms on its page, then set HF_TOKEN to a token that may read it';
}
