/** Connections by the `fetch` of a runtime, which needs no module of Node. */
import { ApiError } from '../errors.ts';
import type { Connections, Headers, ReceivedHead, SentRequest } from './connections.ts';
import type { Fetch, FetchResponse } from './fetch.ts';
import { fetchFailure } from './fetch-failure.ts';

export function openFetch(fetch: Fetch): Connections {
  return {
    async request({ origin, path, method, headers, signal }) {
      requireSentOnce(method);
      try {
        const response = await fetch(origin + path, {
          ...{ method, headers: ownHeaders(headers), redirect: 'manual', signal },
          // Otherwise Bun sends PUT and DELETE again if a connection that it reused is lost.
          keepalive: false,
        });
        return headOf(response);
      } catch (error) {
        throw fetchFailure(error);
      }
    },
    // The signals of the requests end them.
    destroy: async () => undefined,
  };
}

/**
 * `fetch` sets the length of an empty body itself. Node's does not notice that gzip was cut, which JSON and XML show
 * and other formats do not.
 */
function ownHeaders({ 'content-length': _, ...headers }: Headers): Record<string, string> {
  const showsItsEnd = /json|xml/.test(headers.accept ?? '');
  return showsItsEnd ? headers : { ...headers, 'accept-encoding': 'identity' };
}

/** The methods that each runtime sends once even if a connection that it reused is lost; see decision 039. */
const sentOnce: Readonly<Record<string, readonly string[]>> = {
  'Node.js': ['POST', 'PUT', 'DELETE'],
  Bun: ['POST', 'PUT', 'DELETE'],
  'Cloudflare-Workers': ['POST'],
};

/** Throws an ApiError for a write that the runtime could send twice. */
function requireSentOnce(method: SentRequest['method']): void {
  if (method === 'GET' || method === 'HEAD') return;
  const runtime = runtimeName();
  if (sentOnce[runtime]?.includes(method)) return;
  throw new ApiError('request', `The fetch of ${runtime} may send a ${method} request twice.`, {
    hint: 'Nothing was sent. Create the client without the option fetch, or send it from another runtime.',
  });
}

/** As in `Deno/2.9.6`. Node 20 is the only runtime without a name. */
function runtimeName(): string {
  const { navigator } = globalThis as { navigator?: { readonly userAgent?: string } };
  return navigator?.userAgent?.split('/', 1)[0] ?? 'Node.js';
}

function headOf({ status, headers, body }: FetchResponse): ReceivedHead {
  return { statusCode: status, headers: decompressedHeaders(headers), body: chunksOf(body) };
}

function decompressedHeaders(headers: FetchResponse['headers']): Headers {
  const all: Record<string, string> = {};
  headers.forEach((value, name) => {
    // Only set-cookie can occur twice.
    all[name] = name in all ? `${all[name]}, ${value}` : value;
  });
  const { 'content-encoding': encoding, ...others } = all;
  // Other encodings are left as they are, and refused like those of other connections.
  return encoding === undefined || /^(?:x-)?gzip$/i.test(encoding) ? others : all;
}

async function* chunksOf(body: FetchResponse['body']): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      if (part.value) yield part.value;
    }
  } catch (error) {
    throw fetchFailure(error);
  } finally {
    // The rest of a body that is too large is not received.
    await reader?.cancel().catch(() => undefined);
  }
}
