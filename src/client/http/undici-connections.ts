/** Connections that are kept for the requests that follow, by undici; with a proxy, through a tunnel. */
import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { ApiError } from '../errors.ts';
import { type Connections, connectTimeout, type HttpOptions } from './connections.ts';
import type { HttpProxy } from './proxy.ts';

export function openUndici(options: HttpOptions): Connections {
  const { proxy, connections: atOnce } = options;
  const most = 20 + 10 * atOnce;
  let unanswered = 0;
  /**
   * undici opens connection after connection to a server that speaks before it is asked, such as one for
   * mail, and sends nothing. The limit allows a few attempts for each request that may be under way.
   */
  const onConnect = () => {
    unanswered += 1;
    if (unanswered <= most) return;
    throw new ApiError('network', 'no connection lasts until a request can be sent', {
      maybeDone: true,
      hint: 'check the base URL: is the port one for web services?',
    });
  };
  const agent = proxy ? openProxied(options, proxy, onConnect) : openDirect(options, onConnect);
  return {
    async request(sent) {
      const reply = await agent.request(sent);
      unanswered = 0;
      return reply;
    },
    destroy: () => agent.destroy(),
  };
}

function openDirect(options: HttpOptions, onConnect: () => void): Dispatcher {
  const connect = buildConnector({ timeout: connectTimeout(options), rejectUnauthorized: true });
  return new Agent({
    connections: options.connections,
    connect(target, callback) {
      try {
        onConnect();
      } catch (error) {
        return callback(error as Error, null);
      }
      return connect(target, callback);
    },
    ...noTimeouts,
  });
}

/** One deadline holds for the whole exchange. */
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 };

/**
 * A proxy is asked for a tunnel (CONNECT) whatever the scheme, and TLS goes on to the service: the proxy
 * learns the host, neither path nor key.
 */
function openProxied(options: HttpOptions, proxy: HttpProxy, onConnect: () => void): Dispatcher {
  const timeout = connectTimeout(options);
  const tls = { timeout, rejectUnauthorized: true };
  return new ProxyAgent({
    uri: proxy.origin,
    ...(proxy.token !== undefined && { token: proxy.token }),
    proxyTunnel: true,
    proxyTls: tls,
    requestTls: tls,
    connections: options.connections,
    ...noTimeouts,
    clientFactory(origin, settings) {
      const pool = new Pool(origin, settings);
      const open: (sent: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData> =
        pool.connect.bind(pool);
      const connect = (sent: Dispatcher.ConnectOptions) => {
        onConnect();
        return openTunnel(proxy, timeout, (signal) => open({ ...sent, signal }));
      };
      return Object.assign(pool, { connect });
    },
  });
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
