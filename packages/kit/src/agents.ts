import { HoldfastError } from '@holdfast/core';
import { Agent, EnvHttpProxyAgent, type Dispatcher } from 'undici';

/** Where HTTP_PROXY, HTTPS_PROXY and NO_PROXY are looked up, in small letters too. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/** The connections of a client: direct ones, and those through the proxies that the environment names. */
export interface Agents {
  /** What a request to this address goes through. The loopback is always reached directly. */
  to(target: URL): Dispatcher;
  /** Waits for what is in flight and closes the connections. */
  close(): Promise<void>;
  /** Closes the connections at once. */
  destroy(): Promise<void>;
}

/** Throws RECIPE_INVALID where a proxy's address is none. */
export function createAgents(env: ProxyEnvironment, options: Agent.Options): Agents {
  const direct = new Agent(options);
  const proxied = proxyAgent(env, options);
  return {
    to: target => (proxied !== null && !isLoopback(target.hostname) ? proxied : direct),
    async close() {
      await Promise.all([direct.close(), proxied?.close()]);
    },
    async destroy() {
      await Promise.all([direct.destroy(), proxied?.destroy()]);
    },
  };
}

function proxyAgent(env: ProxyEnvironment, options: Agent.Options): Dispatcher | null {
  const read = (name: string) => env[name] ?? env[name.toUpperCase()] ?? '';
  const httpProxy = read('http_proxy');
  const httpsProxy = read('https_proxy');
  if (httpProxy === '' && httpsProxy === '') return null;
  for (const [name, address] of Object.entries({ HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy })) {
    if (address === '' || (URL.canParse(address) && /^(https?|socks5?):$/.test(new URL(address).protocol))) continue;
    // Its value may hold a password.
    const sentence = `${name} is no address of a proxy, such as http://proxy.example:3128; correct it`;
    throw new HoldfastError('RECIPE_INVALID', sentence, { facts: { variable: name } });
  }
  return new EnvHttpProxyAgent({ ...options, httpProxy, httpsProxy, noProxy: read('no_proxy') });
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\])$/.test(hostname);
}
