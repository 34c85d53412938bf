import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request as it came over the wire. */
export interface ServedRequest {
  /** From 0, in order of arrival. */
  readonly index: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The raw bytes: read them with the ordered reader, since objects move integer-like keys. */
  readonly body: Buffer;
}

/** What the server does with a request: an answer, or a fault. */
export type ServerAction =
  | {
      /** @default 200 */
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string | string[]>>;
      readonly body?: string | Uint8Array;
      readonly delayMs?: number;
      /** The headers promise the whole body, so many bytes of it are sent, then the socket is destroyed. */
      readonly cut?: number;
    }
  /** The socket is reset before any byte. */
  | { readonly reset: true; readonly delayMs?: number }
  /** Nothing ever comes. */
  | { readonly hang: true };

export interface FaultServer {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  /** Every request whose body came whole, in order of arrival. */
  readonly requests: readonly ServedRequest[];
  /** Closes every socket, hanging ones too. */
  close(): Promise<void>;
}

/** A real HTTP server on a free port of the loopback that does with each request what `handler` says. */
export async function startFaultServer(
  handler: (request: ServedRequest) => ServerAction | Promise<ServerAction>,
): Promise<FaultServer> {
  const requests: ServedRequest[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('error', () => response.destroy());
    incoming.on('end', () => {
      const { method = '', url: path = '', headers } = incoming;
      const request = { index: requests.length, method, path, headers, body: Buffer.concat(pieces) };
      requests.push(request);
      void respond(request, response);
    });
  });
  const respond = async (request: ServedRequest, response: ServerResponse) => {
    let action: ServerAction;
    try {
      action = await handler(request);
    } catch (error) {
      // The test sees the reason in the answer.
      action = { status: 500, body: `the handler of the fault server threw: ${String(error)}` };
    }
    if ('hang' in action) return;
    const { delayMs = 0 } = action;
    if (delayMs === 0) {
      perform(action, response);
      return;
    }
    const timer = setTimeout(() => {
      timers.delete(timer);
      perform(action, response);
    }, delayMs);
    timers.add(timer);
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async close() {
      for (const timer of timers) clearTimeout(timer);
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function perform(action: Exclude<ServerAction, { hang: true }>, response: ServerResponse): void {
  const socket = response.socket as Socket | null;
  if (socket === null || socket.destroyed) return;
  if ('reset' in action) {
    socket.resetAndDestroy();
    return;
  }
  const { status = 200, headers = { 'content-type': 'application/json' }, body = '', cut } = action;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const chunked = Object.keys(headers).some(name => name.toLowerCase() === 'transfer-encoding');
  response.writeHead(status, chunked ? headers : { ...headers, 'content-length': bytes.byteLength });
  if (cut === undefined) {
    response.end(bytes);
  } else {
    response.flushHeaders();
    response.write(bytes.subarray(0, cut), () => socket.destroy());
  }
}
