/** Connections: Node's own HTTP client for the first request and undici for the others, or the `fetch` of a program. */
import { type RequestOptions, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { Method } from '../../operations/operation.ts';
import { ApiError } from '../errors.ts';
import type { Fetch, FetchResponse } from '../exchange.ts';
import type { HttpProxy } from './origin.ts';

export type Headers = Readonly<Record<string, string>>;

export interface HttpOptions {
  /** Milliseconds for one exchange, from the first byte out to the last byte in. */
  readonly timeout: number;
  readonly connections: number;
  /** Every request goes through this proxy. */
  readonly proxy?: HttpProxy | undefined;
  /** Sends everything in place of Node's clients; then a proxy is refused. */
  readonly fetch?: Fetch | undefined;
}

/** The part of undici's agents that is used here. */
export interface Connections {
  /** Resolves with the head of the response; an aborted signal also ends the body. */
  request(options: SentRequest): Promise<ReceivedHead>;
  destroy(): Promise<void>;
}

export interface SentRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: Method;
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

export interface ReceivedHead {
  readonly statusCode: number;
  /** Without `content-encoding` if the body is already decompressed. */
  readonly headers: RawHeaders;
  readonly body: AsyncIterable<Uint8Array>;
}

export type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The first request goes over Node's own HTTP client: most commands send only one, and undici takes longer to
 * load than all other modules together. undici sends what follows, such as the other pages of a list, and
 * everything that goes through a proxy.
 */
export function openConnections(options: HttpOptions): Connections {
  const { fetch, proxy, connections } = options;
  if (fetch && proxy) {
    throw new ApiError('request', "A proxy can't be used together with fetch.", {
      hint: 'Use one or the other.',
    });
  }
  // Less than the timeout of an exchange, which could not show that nothing was sent.
  const timeout = Math.min(0.9 * options.timeout, 10_000);
  let pool: Promise<Connections> | undefined;
  let isFirst = proxy === undefined;
  return {
    async request(sent) {
      if (fetch) return requestByFetch(fetch, sent);
      if (isFirst) {
        isFirst = false;
        return requestByNode(sent, timeout);
      }
      pool ??= import('./undici-connections.ts').then(({ openUndici }) =>
        openUndici({ proxy, connections, timeout }),
      );
      return (await pool).request(sent);
    },
    // The signals of the requests end the others.
    destroy: async () => (await pool)?.destroy(),
  };
}

/** A new connection each time: a write never uses one that was just closed. `timeout` is milliseconds to connect. */
function requestByNode(
  { origin, path, method, headers, signal }: SentRequest,
  timeout: number,
): Promise<ReceivedHead> {
  const send = origin.startsWith('https:') ? requestSecure : requestPlain;
  const settings: RequestOptions & { rejectUnauthorized: true } = {
    ...{ method, headers, signal, agent: false, rejectUnauthorized: true },
  };
  const request = send(origin + path, settings);
  // Connecting includes the TLS handshake; nothing is sent before it ends.
  request.on('socket', (socket) => {
    const tooLate = Object.assign(new Error('Timed out connecting.'), { code: 'ECONNTIMEOUT' });
    const timer = setTimeout(() => request.destroy(tooLate), timeout);
    const stop = () => clearTimeout(timer);
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', stop).once('close', stop);
  });
  return new Promise((done, fail) => {
    request.on('error', fail).on('response', (body) => {
      done({ statusCode: body.statusCode ?? 0, headers: body.headers, body });
    });
    request.end();
  });
}

/** The `fetch` of some runtimes sends a write again if the connection that it reused is lost. */
async function requestByFetch(
  fetch: Fetch,
  { origin, path, method, headers, signal }: SentRequest,
): Promise<ReceivedHead> {
  if (fetch === globalThis.fetch && method !== 'GET' && method !== 'HEAD') {
    throw new ApiError('request', `The global fetch may send a ${method} request twice.`, {
      hint: 'Nothing was sent. Create the client without the option fetch, or pass a function of your own.',
    });
  }
  // `fetch` sets the length of an empty body itself.
  const { 'content-length': _, ...own } = headers;
  const settings = { redirect: 'manual', keepalive: false } as const;
  // In JavaScript, it may return a response instead of a promise.
  const fetched = async () => fetch(origin + path, { method, headers: own, signal, ...settings });
  const response = await fetched().catch((error) => {
    throw causeOf(error);
  });
  if (response.body === undefined) {
    throw new ApiError('failed', 'The response from fetch has no body.', { maybeDone: true });
  }
  const received: Record<string, string> = {};
  response.headers.forEach((value, name) => {
    // Only set-cookie can occur twice.
    received[name] = name in received ? `${received[name]}, ${value}` : value;
  });
  // The body is already decompressed.
  delete received['content-encoding'];
  return { statusCode: response.status, headers: received, body: chunks(response.body) };
}

async function* chunks(body: FetchResponse['body']): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      if (part.value) yield part.value;
    }
  } catch (error) {
    throw causeOf(error);
  } finally {
    // The rest of a body that is too large is not received.
    await reader?.cancel().catch(() => undefined);
  }
}

/** Node's `fetch` names its reason, with a code, as the cause. */
function causeOf(error: unknown): unknown {
  return (error instanceof Error && error.cause) || error;
}
