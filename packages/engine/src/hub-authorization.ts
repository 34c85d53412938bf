import { isHubHost, type HttpHeaders } from '@holdfast/kit';

/** The sign-in for an address: HF_TOKEN, for Hugging Face's own hosts and never over plain http; none for others. */
export function hubAuthorization(url: string, token: string | undefined): HttpHeaders {
  const target = URL.canParse(url) ? new URL(url) : null;
  if (target === null || target.protocol !== 'https:' || !isHubHost(target.hostname)) return [];
  // Tokens that were read from a file end in a line feed.
  const trimmed = token?.trim() ?? '';
  return trimmed === '' ? [] : [['authorization', `Bearer ${trimmed}`]];
}
