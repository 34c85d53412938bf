import type { HttpHeaders } from './http-client.ts';

/**
 * How long the server asks to wait, in milliseconds from `now` (milliseconds since 1970), never negative; null where it
 * does not say. Reads `retry-after-ms`, then `Retry-After` in seconds, decimals allowed, or as an HTTP date.
 */
export function retryAfter(headers: HttpHeaders, now: number): number | null {
  const header = (name: string) => headers.find(([given]) => given.toLowerCase() === name)?.[1].trim();
  const exact = numberIn(header('retry-after-ms'));
  if (exact !== null) return exact;
  const given = header('retry-after');
  const seconds = numberIn(given);
  if (seconds !== null) return Math.round(seconds * 1000);
  // Date.parse takes almost anything for a date, and a date without a zone for local time.
  if (given === undefined || !/^[A-Za-z]{3,9},? /.test(given)) return null;
  const date = Date.parse(/GMT|UTC|[+-]\d{4}$/.test(given) ? given : `${given} GMT`);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function numberIn(text: string | undefined): number | null {
  if (text === undefined || !/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? Math.max(0, value) : null;
}
