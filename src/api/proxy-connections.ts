/**
 * Connections through a proxy. It is asked for a tunnel (CONNECT) whatever the scheme, and TLS goes on to
 * the service: the proxy learns the host, neither path nor key.
 */
import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import { connectTimeout, guardConnections } from './connections.ts';
import { ApiError } from './errors.ts';
import type { Connections, HttpOptions } from './http-client.ts';
import type { HttpProxy } from './proxy.ts';

export function openProxied(options: HttpOptions, proxy: HttpProxy): Connections {
  const timeout = connectTimeout(options);
  const tls = { timeout, rejectUnauthorized: true };
  const guard = guardConnections(options);
  const agent = new ProxyAgent({
    uri: proxy.origin,
    ...(proxy.token !== undefined && { token: proxy.token }),
    proxyTunnel: true,
    proxyTls: tls,
    requestTls: tls,
    connections: options.connections,
    // One deadline holds for the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
    clientFactory(origin, settings) {
      const pool = new Pool(origin, settings);
      const open: (sent: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData> =
        pool.connect.bind(pool);
      const connect = (sent: Dispatcher.ConnectOptions) => {
        guard.opening();
        return openTunnel(proxy, timeout, (signal) => open({ ...sent, signal }));
      };
      return Object.assign(pool, { connect });
    },
  });
  return guard.watch(agent);
}

/** Failures to open a tunnel name the proxy: nothing went to the service yet. */
async function openTunnel(
  proxy: HttpProxy,
  timeout: number,
  open: (signal: AbortSignal) => Promise<Dispatcher.ConnectData>,
): Promise<Dispatcher.ConnectData> {
  const signal = AbortSignal.timeout(timeout);
  const tunnel = await open(signal).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code ? `${cause.message} (${cause.code})` : cause.message;
    const why = signal.aborted ? 'it does not answer in time' : reason;
    throw proxyError(proxy, `the proxy ${proxy.origin} can't be used: ${why}`, { cause });
  });
  const { statusCode: status } = tunnel;
  if (status === 200) return tunnel;
  tunnel.socket.on('error', () => undefined).destroy();
  throw proxyError(proxy, `the proxy ${proxy.origin} opens no way to the service (${status})`, {
    passing: status >= 500,
    ...(status === 407 && { hint: `give ${proxy.source} the right user and password` }),
  });
}

/** It carries no status: that of a response is the proxy's, not the service's. */
function proxyError(proxy: HttpProxy, message: string, details: object): ApiError {
  const hint = `${proxy.source} names it; NO_PROXY names hosts that need none`;
  return new ApiError('network', message, { passing: true, hint, ...details });
}
