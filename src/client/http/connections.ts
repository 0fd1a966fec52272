/** The interface of HTTP connections, and connections by the `fetch` of a program. */
import { ApiError } from '../errors.ts';
import type { Fetch, FetchResponse } from './fetch.ts';
import type { HttpProxy } from './origin.ts';

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
  request(options: SentRequest): Promise<ReceivedHead>;
  destroy(): Promise<void>;
}

export interface SentRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
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
 * Milliseconds to open a connection. Less than the timeout of an exchange, which could not show that
 * nothing was sent.
 */
export function connectTimeout({ timeout }: HttpOptions): number {
  return Math.min(0.9 * timeout, 10_000);
}

/**
 * Sends requests by a function of the program, for its tests. The `fetch` of some runtimes sends a write again if the
 * connection that it reused is lost.
 */
export function openFetch(fetch: Fetch): Connections {
  return {
    async request({ origin, path, method, headers, signal }) {
      if (fetch === globalThis.fetch && method !== 'GET' && method !== 'HEAD') {
        throw new ApiError('request', `The global fetch may send a ${method} request twice.`, {
          hint: 'Nothing was sent. Create the client without the option fetch, or pass a function of your own.',
        });
      }
      // `fetch` sets the length of an empty body itself.
      const { 'content-length': _, ...own } = headers;
      const options = {
        method,
        headers: own,
        redirect: 'manual',
        keepalive: false,
        signal,
      } as const;
      const response = await fetch(origin + path, options).catch((error) => {
        throw causeOf(error);
      });
      const received: Record<string, string> = {};
      response.headers.forEach((value, name) => {
        // Only set-cookie can occur twice.
        received[name] = name in received ? `${received[name]}, ${value}` : value;
      });
      // The body is already decompressed.
      delete received['content-encoding'];
      return { statusCode: response.status, headers: received, body: chunks(response.body) };
    },
    // The signals of the requests end them.
    destroy: async () => undefined,
  };
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
