import type { HttpHeaders } from './http-client.ts';

const secretHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']);

/** The headers that may be kept as evidence: none that carries a key, a token or a cookie. */
export function safeHeaders(headers: HttpHeaders): HttpHeaders {
  return headers.filter(([name]) => {
    const lower = name.toLowerCase();
    return !secretHeaders.has(lower) && !lower.includes('api-key') && !lower.includes('token');
  });
}

/** The text, or the bytes, with every secret in it replaced by `[redacted]`; also as JSON and URLs spell it. */
export function redact(text: string, secrets: readonly string[]): string;
export function redact(bytes: Uint8Array, secrets: readonly string[]): Uint8Array;
export function redact(source: string | Uint8Array, secrets: readonly string[]): string | Uint8Array {
  const spelled = spellings(secrets);
  if (typeof source === 'string')
    return spelled.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), source);
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  if (!spelled.some(secret => bytes.includes(secret))) return source;
  // One byte a character, so that what is no UTF-8 stays as it is.
  const latin = spelled.map(secret => Buffer.from(secret).toString('latin1'));
  return Buffer.from(
    latin.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), bytes.toString('latin1')),
    'latin1',
  );
}

/** Longest first: one secret may be a part of another. */
function spellings(secrets: readonly string[]): string[] {
  const all = secrets
    .filter(secret => secret !== '')
    .flatMap(secret => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())]);
  return [...new Set(all)].sort((left, right) => right.length - left.length);
}
