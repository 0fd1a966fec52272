/**
 * Requests through a proxy. It is asked for a tunnel (CONNECT) whatever the scheme, and TLS goes on to
 * the service: the proxy learns the host, neither path nor key.
 */
import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import { type Dials, dialsOf } from './dials.ts';
import { ApiError } from './errors.ts';
import type { HttpProxy } from './proxy.ts';
import { type Carrier, connectTimeout, type TransportOptions } from './transport.ts';

export function openProxied(options: TransportOptions, proxy: HttpProxy): Carrier {
  const timeout = connectTimeout(options);
  const tls = { timeout, rejectUnauthorized: true };
  const dials = dialsOf(options);
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
    clientFactory: (origin, settings) =>
      blamed(new Pool(origin, settings), { proxy, timeout, dials }),
  });
  return dials.heard(agent);
}

interface Way {
  readonly proxy: HttpProxy;
  /** Milliseconds for a tunnel. */
  readonly timeout: number;
  readonly dials: Dials;
}

/** The same pool, whose failures to open a tunnel name the proxy: nothing went to the service yet. */
function blamed(pool: Pool, { proxy, timeout, dials }: Way): Pool {
  const connect = pool.connect.bind(pool) as (
    options: Dispatcher.ConnectOptions,
  ) => Promise<Dispatcher.ConnectData>;
  const open = async (options: Dispatcher.ConnectOptions) => {
    dials.next();
    const signal = AbortSignal.timeout(timeout);
    const tunnel = await connect({ ...options, signal }).catch((cause) => {
      throw unreached(
        proxy,
        signal.aborted ? 'it does not answer in time' : reasonOf(cause),
        cause,
      );
    });
    if (tunnel.statusCode === 200) return tunnel;
    tunnel.socket.on('error', () => undefined).destroy();
    throw refused(proxy, tunnel.statusCode);
  };
  return Object.assign(pool, { connect: open });
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return code ? `${message} (${code})` : message;
}

function unreached(proxy: HttpProxy, why: string, cause: unknown): ApiError {
  return new ApiError('network', `the proxy ${proxy.origin} can't be used: ${why}`, {
    cause,
    passing: true,
    hint: `${proxy.source} names it; NO_PROXY names hosts that need none`,
  });
}

function refused(proxy: HttpProxy, status: number): ApiError {
  const login = `give ${proxy.source} the right user and password`;
  return new ApiError(
    'network',
    `the proxy ${proxy.origin} opens no way to the service (${status})`,
    {
      // The status is the proxy's, not the service's.
      passing: status >= 500,
      hint:
        status === 407 ? login : `${proxy.source} names it; NO_PROXY names hosts that need none`,
    },
  );
}
