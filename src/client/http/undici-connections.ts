/** Keep-alive connections by undici; with a proxy, through a tunnel. */
import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { ApiError } from '../errors.ts';
import { type Connections, connectTimeout, type HttpOptions } from './connections.ts';
import type { HttpProxy } from './proxy.ts';

export function openUndici(options: HttpOptions): Connections {
  const { proxy, connections: atOnce } = options;
  const most = 20 + 10 * atOnce;
  let unanswered = 0;
  /**
   * undici reconnects endlessly to a server that sends data before any request, such as a
   * mail server, and sends nothing. The limit allows a few attempts for each concurrent request.
   */
  const onConnect = () => {
    unanswered += 1;
    if (unanswered <= most) return;
    throw new ApiError('network', 'Every connection was closed before a request could be sent.', {
      maybeDone: true,
      hint: 'Check that the port of the base URL belongs to a web service.',
    });
  };
  const agent = proxy ? openProxied(options, proxy, onConnect) : openDirect(options, onConnect);
  return {
    async request(sent) {
      const response = await agent.request(sent);
      unanswered = 0;
      return response;
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

/** The deadline of the whole exchange replaces these timeouts. */
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 };

/**
 * Always opens a tunnel (CONNECT), also for plain http, with TLS up to the service: the proxy
 * sees the host, but neither path nor key.
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

/** Failures to open a tunnel name the proxy; nothing was sent to the service yet. */
async function openTunnel(
  proxy: HttpProxy,
  timeout: number,
  open: (signal: AbortSignal) => Promise<Dispatcher.ConnectData>,
): Promise<Dispatcher.ConnectData> {
  const signal = AbortSignal.timeout(timeout);
  const tunnel = await open(signal).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code ? `${cause.message} (${cause.code})` : cause.message;
    const why = signal.aborted ? 'it did not respond in time' : reason;
    throw proxyError(proxy, `The proxy ${proxy.origin} can't be used: ${why}.`, { cause });
  });
  const { statusCode: status } = tunnel;
  if (status === 200) return tunnel;
  tunnel.socket.on('error', () => undefined).destroy();
  throw proxyError(
    proxy,
    `The proxy ${proxy.origin} refused to connect to the service (${status}).`,
    {
      passing: status >= 500,
      ...(status === 407 && { hint: `Set the correct user and password in ${proxy.source}.` }),
    },
  );
}

/** Has no status, since the status of the response is that of the proxy. */
function proxyError(proxy: HttpProxy, message: string, details: object): ApiError {
  const hint = `It is set in ${proxy.source}. List hosts that need no proxy in NO_PROXY.`;
  return new ApiError('network', message, { passing: true, hint, ...details });
}
