/**
 * The connections of a client. The first request goes over Node's own HTTP client: most commands send only
 * one, and undici takes longer to load than all other modules together. undici sends what follows, such as
 * the other pages of a list, and everything that goes through a proxy.
 */
import {
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as requestPlain,
} from 'node:http';
import { request as requestSecure } from 'node:https';
import { ApiError } from './errors.ts';
import type { Connections, HttpOptions } from './http-client.ts';

export function openConnections(options: HttpOptions): Connections {
  const first = openNode(options);
  let pool: Promise<Connections> | undefined;
  let isFirst = options.proxy === undefined;
  return {
    async request(sent) {
      if (isFirst) {
        isFirst = false;
        return first.request(sent);
      }
      pool ??= openPool(options);
      return (await pool).request(sent);
    },
    async destroy() {
      await Promise.all([first.destroy(), pool?.then((opened) => opened.destroy())]);
    },
  };
}

async function openPool(options: HttpOptions): Promise<Connections> {
  if (options.proxy) {
    return (await import('./proxy-connections.ts')).openProxied(options, options.proxy);
  }
  return openUndici(options);
}

/**
 * Milliseconds to open a connection. Less than the time for an exchange, whose end could not tell that
 * nothing was sent.
 */
export function connectTimeout({ timeout }: HttpOptions): number {
  return Math.min(0.9 * timeout, 10_000);
}

/** Each request has a connection of its own, so a write never meets one that the service has just closed. */
export function openNode(options: HttpOptions): Connections {
  const open = new Set<ClientRequest>();
  return {
    request({ origin, path, method, headers, signal }) {
      const send = origin.startsWith('https:') ? requestSecure : requestPlain;
      const settings: RequestOptions & { rejectUnauthorized: true } = {
        ...{ method, headers, signal, agent: false, rejectUnauthorized: true },
      };
      const request = send(origin + path, settings);
      open.add(request);
      request.on('close', () => open.delete(request));
      limitConnecting(request, connectTimeout(options));
      return new Promise((done, fail) => {
        request.on('error', fail).on('response', (answer) => done(headOf(answer)));
        request.end();
      });
    },
    async destroy() {
      for (const request of open) request.destroy();
    },
  };
}

function headOf(answer: IncomingMessage) {
  return { statusCode: answer.statusCode ?? 0, headers: answer.headers, body: answer };
}

/** Connecting includes the TLS handshake; nothing is sent before its end. */
function limitConnecting(request: ClientRequest, timeout: number): void {
  request.on('socket', (socket) => {
    const tooLate = Object.assign(new Error('no connection in time'), { code: 'ECONNTIMEOUT' });
    const timer = setTimeout(() => request.destroy(tooLate), timeout);
    const stop = () => clearTimeout(timer);
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', stop).once('close', stop);
  });
}

export async function openUndici(options: HttpOptions): Promise<Connections> {
  const { Agent, buildConnector } = await import('undici');
  const guard = guardConnections(options);
  const connect = buildConnector({ timeout: connectTimeout(options), rejectUnauthorized: true });
  const agent = new Agent({
    connections: options.connections,
    connect(target, callback) {
      try {
        guard.opening();
      } catch (error) {
        return callback(error as Error, null);
      }
      return connect(target, callback);
    },
    // One deadline holds for the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return guard.watch(agent);
}

export interface ConnectionGuard {
  /** Counts a connection; throws an ApiError when too many in a row brought no response. */
  opening(): void;
  /** The same connections; each response resets the count. */
  watch(connections: Connections): Connections;
}

/**
 * undici opens connection after connection to a server that speaks before it is asked, such as one for
 * mail, and sends nothing. The limit allows a few attempts for each request that may be under way.
 */
export function guardConnections({ connections: atOnce }: HttpOptions): ConnectionGuard {
  const most = 20 + 10 * atOnce;
  let unanswered = 0;
  return {
    opening() {
      unanswered += 1;
      if (unanswered <= most) return;
      throw new ApiError('network', 'no connection lasts until a request can be sent', {
        maybeDone: true,
        hint: 'check the base URL: is the port one for web services?',
      });
    },
    watch: (connections) => ({
      async request(sent) {
        const reply = await connections.request(sent);
        unanswered = 0;
        return reply;
      },
      destroy: () => connections.destroy(),
    }),
  };
}
