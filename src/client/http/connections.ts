/** The interface of HTTP connections, and its implementation with Node's own client. */
import {
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as requestPlain,
} from 'node:http';
import { request as requestSecure } from 'node:https';
import type { HttpProxy } from './proxy.ts';

export type Headers = Readonly<Record<string, string>>;

export interface HttpOptions {
  /** Milliseconds for one exchange, from the first byte out to the last byte in. */
  readonly timeout: number;
  readonly connections: number;
  /** The largest body that is read, in bytes, compressed or not. */
  readonly largestBody?: number;
  /** Every request goes through this proxy. */
  readonly proxy?: HttpProxy | undefined;
}

/** The part of undici's agents that is used here. */
export interface Connections {
  /** Resolves with the head of the response; an aborted signal also ends the body. */
  request(options: {
    readonly origin: string;
    readonly path: string;
    readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
    readonly headers: Headers;
    readonly signal: AbortSignal;
  }): Promise<{
    readonly statusCode: number;
    readonly headers: RawHeaders;
    readonly body: AsyncIterable<Buffer>;
  }>;
  destroy(): Promise<void>;
}

export type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Milliseconds to open a connection. Less than the timeout of an exchange, which could not show that
 * nothing was sent.
 */
export function connectTimeout({ timeout }: HttpOptions): number {
  return Math.min(0.9 * timeout, 10_000);
}

/** Opens a connection for each request, so a write never uses one that the service has just closed. */
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
        request.on('error', fail).on('response', (response) => done(headOf(response)));
        request.end();
      });
    },
    async destroy() {
      for (const request of open) request.destroy();
    },
  };
}

function headOf(response: IncomingMessage) {
  return { statusCode: response.statusCode ?? 0, headers: response.headers, body: response };
}

/** Connecting includes the TLS handshake; nothing is sent before it ends. */
function limitConnecting(request: ClientRequest, timeout: number): void {
  request.on('socket', (socket) => {
    const tooLate = Object.assign(new Error('Timed out connecting.'), { code: 'ECONNTIMEOUT' });
    const timer = setTimeout(() => request.destroy(tooLate), timeout);
    const stop = () => clearTimeout(timer);
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', stop).once('close', stop);
  });
}
