import { JsonText, modelFailed, type Exchange, type FailureKind, type HoldfastError } from '@holdfast/core';
import type { HttpResponse } from './http-client.ts';
import { redact, safeHeaders } from './redact.ts';
import { retryAfter } from './retry-after.ts';

export interface Discretion {
  /** What must not be kept of the answer, wherever the server repeats it: the key that was sent. */
  readonly secrets?: readonly string[] | undefined;
}

/** What is kept of an answer as evidence: without secret headers, and without the secrets in the others and the body. */
export function exchangeOf(response: Omit<HttpResponse, 'latencyMs'>, { secrets = [] }: Discretion = {}): Exchange {
  return {
    status: response.status,
    headers: safeHeaders(response.headers).map(([name, value]) => [name, redact(value, secrets)]),
    body: redact(response.body, secrets),
  };
}

/**
 * The MODEL_FAILED error that a status stands for, with the server's own words and its wish to wait; null for 2xx,
 * whose body the adapter judges. `now`, in milliseconds since 1970, is what a date in `Retry-After` is compared with.
 */
export function failureOfResponse(
  response: Omit<HttpResponse, 'latencyMs'>,
  { now, secrets = [] }: Discretion & { readonly now: number },
): HoldfastError | null {
  const { status } = response;
  if (status >= 200 && status < 300) return null;
  const { words, codes } = readRefusal(response.body);
  const retryAfterMs = retryAfter(response.headers, now);
  const said = clean(redact(words, secrets));
  return modelFailed(said === '' ? `HTTP ${status}` : `HTTP ${status}: ${said}`, {
    ...kindOf(status, codes),
    status,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
    exchange: exchangeOf(response, { secrets }),
  });
}

const overLength = ['max_tokens_exceeded', 'context_length_exceeded'];
/** Workers AI: the free allocation of the day is used up. It comes with the status of a throttled request. */
const allocationUsedUp = '4006';

function kindOf(status: number, codes: readonly string[]): { kind: FailureKind; retryable: boolean } {
  const is = (kind: FailureKind, retryable: boolean) => ({ kind, retryable });
  if (status === 413 || (status === 400 && codes.some(code => overLength.includes(code))))
    return is('over_length', false);
  if (status === 401 || status === 403) return is('auth', false);
  if (status === 429) return codes.includes(allocationUsedUp) ? is('refused', false) : is('throttled', true);
  if (status === 408 || status === 504) return is('timeout', true);
  if (status === 409 || status === 425 || status >= 500) return is('overloaded', true);
  return is('refused', false);
}

type Fields = { readonly [name: string]: unknown };

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const textsOf = (...values: readonly unknown[]): string[] =>
  values.filter(value => typeof value === 'string' || typeof value === 'number').map(String);

/** What the server says in any of the known forms, and the codes by which it names the problem. */
function readRefusal(body: Buffer): { words: string; codes: string[] } {
  let value: unknown;
  try {
    value = JsonText.parse(body).lossyValue();
  } catch {
    return { words: plain(body), codes: [] };
  }
  const root = fieldsOf(value);
  const detail = fieldsOf(root['detail']);
  const error = fieldsOf(root['error']);
  const errors = Array.isArray(root['errors']) ? root['errors'].map(fieldsOf) : [];
  const codes = textsOf(
    ...[detail, error, root].flatMap(({ error_type, code, type }) => [error_type, code, type]),
    ...errors.map(({ code }) => code),
  );
  const invalid = Array.isArray(root['detail']) ? root['detail'].map(fieldsOf) : [];
  const forms = [
    textsOf(detail['error_type'], detail['message']),
    invalid.flatMap(({ loc, msg }) => textsOf(msg).map(text => [locOf(loc), text].filter(Boolean).join(': '))),
    textsOf(root['detail']),
    textsOf(root['error']),
    textsOf(error['message']),
    errors.flatMap(({ code, message }) => textsOf(message).map(text => [...textsOf(code), text].join(': '))),
    textsOf(root['message']),
  ];
  const words = forms.find(form => form.length > 0)?.join(invalid.length > 0 ? '; ' : ': ');
  // Validation errors repeat the input: where their own words are missing nothing of the body is shown.
  return { words: words ?? (Array.isArray(root['detail']) ? '' : plain(body)), codes };
}

function locOf(loc: unknown): string {
  return Array.isArray(loc) ? textsOf(...loc).join('.') : '';
}

/** The start of a body that is no known form; of a page, its text. */
function plain(body: Buffer): string {
  return clean(body.toString('utf8', 0, 4_000).replaceAll(/<(script|style)\b.*?<\/\1>|<[^>]*>/gs, ' ')).slice(0, 200);
}

/** One line without control characters, which terminals obey, or direction marks, which hide text. */
function clean(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\s]+/gu, ' ')
    .trim()
    .slice(0, 500)
    .toWellFormed();
}
