/** Keep-alive connections by undici; with a proxy, through a tunnel. */
import { Agent, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { ApiError } from '../errors.ts';
import type { HttpProxy } from './origin.ts';

interface UndiciOptions {
  readonly proxy: HttpProxy | undefined;
  readonly connections: number;
  /** Milliseconds to open a connection. */
  readonly timeout: number;
}

/** A proxy gets a tunnel (CONNECT), also for plain http, so that it sees the host, but neither path nor key. */
export function openUndici({ proxy, connections, timeout }: UndiciOptions): Dispatcher {
  const connect = { timeout, rejectUnauthorized: true };
  // The deadline of the whole exchange replaces these timeouts.
  const settings = { connections, headersTimeout: 0, bodyTimeout: 0 };
  if (!proxy) return new Agent({ ...settings, connect });
  return new ProxyAgent({
    ...settings,
    uri: proxy.origin,
    ...(proxy.token !== undefined && { token: proxy.token }),
    proxyTunnel: true,
    proxyTls: connect,
    requestTls: connect,
    clientFactory(origin, settings) {
      const pool = new Pool(origin, settings);
      const open: (sent: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData> =
        pool.connect.bind(pool);
      const connect = (sent: Dispatcher.ConnectOptions) =>
        openTunnel(proxy, timeout, (signal) => open({ ...sent, signal }));
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
  const message = `The proxy ${proxy.origin} refused to connect to the service (${status}).`;
  throw proxyError(proxy, message, {
    passing: status >= 500,
    ...(status === 407 && { hint: `Set the correct user and password in ${proxy.source}.` }),
  });
}

/** Has no status, since the status of the response is that of the proxy. */
function proxyError(proxy: HttpProxy, message: string, details: object): ApiError {
  const hint = `It is set in ${proxy.source}. List hosts that need no proxy in NO_PROXY.`;
  return new ApiError('network', message, { passing: true, hint, ...details });
}
