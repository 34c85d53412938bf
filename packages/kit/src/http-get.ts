import type { Agents } from './agents.ts';
import { connectionProblem } from './connection-problem.ts';
import { downloadFailed, shownUrl } from './download-failed.ts';
import { HttpAnswer } from './http-answer.ts';
import type { HttpHeaders } from './http-client.ts';

export interface GetOptions {
  readonly agents: Agents;
  readonly headers: HttpHeaders;
  readonly signal: AbortSignal;
  /** Longest silence, before the answer and within it. */
  readonly timeoutMs: number;
}

const MOST_REDIRECTS = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Asks for an address and follows redirects, at most five, never from https to http; behind another origin the
 * Authorization header is no longer sent. Throws UPSTREAM_INVALID, and the signal's reason when it aborts.
 */
export async function httpGet(target: URL, { agents, headers, signal, timeoutMs }: GetOptions): Promise<HttpAnswer> {
  let from = target;
  let sent = headers;
  for (let followed = 0; ; followed++) {
    const flat = sent.flatMap(([name, value]) => [name, value]);
    const answer = await HttpAnswer.of(from, agents.to(from), { headers: flat, signal, timeoutMs }).catch(
      (error: unknown) => {
        if (signal.aborted) throw signal.reason;
        throw connectionFailed(from, error, { answered: false });
      },
    );
    const location = answer.header('location');
    if (!redirects.has(answer.status) || location === null) return answer;
    answer.discard();
    if (followed === MOST_REDIRECTS) {
      throw downloadFailed(target, `more than ${MOST_REDIRECTS} redirects, the last to ${shownUrl(from)}`);
    }
    const next = redirectTarget(from, location);
    if (next.origin !== from.origin) sent = sent.filter(([name]) => name.toLowerCase() !== 'authorization');
    from = next;
  }
}

/** The error of a connection that broke, before the answer or within it. */
export function connectionFailed(from: URL, cause: unknown, { answered }: { answered: boolean }): Error {
  const { problem, code, retryable } = connectionProblem(cause, { answered });
  if (code === 'UND_ERR_INVALID_ARG') {
    return downloadFailed(from, `the request cannot be sent: ${(cause as Error).message}`, {}, cause);
  }
  // A host that is unknown stays so: most often there is no network at all.
  const offline = code === 'ENOTFOUND';
  const remedy = offline ? '; check the network, or put the file in its place by hand' : '';
  return downloadFailed(from, `${problem} (${code})${remedy}`, { retryable: retryable && !offline }, cause);
}

function redirectTarget(from: URL, location: string): URL {
  const next = URL.canParse(location, from.href) ? new URL(location, from) : null;
  const refused = (why: string) => downloadFailed(from, `is redirected ${why}; this is not followed`);
  if (next === null || !/^https?:$/.test(next.protocol)) throw refused('to something that is no web address');
  if (next.username !== '' || next.password !== '') throw refused('to an address with a user name in it');
  if (from.protocol === 'https:' && next.protocol === 'http:') throw refused(`from https to http, to ${next.host}`);
  return next;
}
