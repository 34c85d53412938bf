/** Why a connection brought no whole answer. */
export interface ConnectionProblem {
  /** Half a sentence. */
  readonly problem: string;
  readonly code: string;
  /** Whether it was a wait that grew too long. */
  readonly timeout: boolean;
  /** Whether another try may go better. */
  readonly retryable: boolean;
}

/** What an error of undici or of the system says of a connection. `answered`: whether the answer had begun. */
export function connectionProblem(cause: unknown, { answered }: { answered: boolean }): ConnectionProblem {
  const code = codeOf(cause);
  const proxyStatus = /^Proxy response \((\d+)\)/.exec((cause as Error | null)?.message ?? '')?.[1];
  if (proxyStatus !== undefined) {
    const retryable = Number(proxyStatus) >= 500;
    return { problem: 'the proxy refused the connection', code: proxyStatus, timeout: false, retryable };
  }
  return {
    problem: problems.get(code) ?? (answered ? 'the answer was cut' : 'the connection failed'),
    code,
    timeout: timeouts.has(code),
    // A certificate does not become good by trying again.
    retryable: !/CERT|^ERR_TLS/.test(code),
  };
}

const timeouts: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

const problems: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', 'the connection was reset'],
  ['ENOTFOUND', 'the host is unknown'],
  ['EAI_AGAIN', 'the host name could not be looked up'],
  ['ETIMEDOUT', 'no connection in time'],
  ['UND_ERR_CONNECT_TIMEOUT', 'no connection in time'],
  ['UND_ERR_HEADERS_TIMEOUT', 'no answer in time'],
  ['UND_ERR_BODY_TIMEOUT', 'the answer stopped coming'],
]);

function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name);
}
