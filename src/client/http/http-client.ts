/** One HTTP exchange: sends a request, and returns a complete response or throws an ApiError. */
import { cancelledBy, onAbort } from '../abort.ts';
import { ApiError } from '../errors.ts';
import type { Connections, Headers, HttpOptions, RawHeaders } from './connections.ts';
import type { Fetch } from './fetch.ts';
import { openFetch } from './fetch-connections.ts';
import { networkError, tooLarge, unusable } from './network-error.ts';

export interface HttpRequest {
  /** The largest body that is read, in bytes; default: that of the client. */
  readonly largestBody?: number | undefined;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers: Headers;
}

export interface HttpResponse {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Headers;
  /** Decompressed and decoded, without a byte order mark. */
  readonly body: string;
  /** Size of the body as received, which may be compressed; after `fetch`, decompressed. */
  readonly bytes: number;
}

export interface HttpClient {
  /**
   * Never follows a redirect: a key goes to its own origin only. Rejects with an ApiError of kind
   * `network`, `failed` or `cancelled`.
   */
  send(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse>;
  close(): Promise<void>;
}

/**
 * Uses `fetch` if given, and otherwise the HTTP clients of Node, which are loaded with the first request: a runtime
 * without Node's modules can load everything else. Throws an ApiError for a proxy with `fetch`.
 */
export function openConnections(options: HttpOptions, fetch?: Fetch): Connections {
  if (fetch) {
    if (!options.proxy) return openFetch(fetch);
    throw new ApiError('request', "A proxy can't be used together with fetch.", {
      hint: 'Use one or the other.',
    });
  }
  let opened: Promise<Connections> | undefined;
  const open = async () => {
    const { openNodeAndUndici } = await import('./node-connections.ts').catch(withoutNode);
    return openNodeAndUndici(options);
  };
  return {
    async request(sent) {
      opened ??= open();
      return (await opened).request(sent);
    },
    // Without Node, there is nothing to close.
    destroy: async () => (await opened?.catch(() => undefined))?.destroy(),
  };
}

function withoutNode(cause: unknown): never {
  throw new ApiError('request', "This runtime doesn't have the HTTP client of Node.", {
    ...{ cause, hint: 'Create the client with the option fetch: globalThis.fetch.' },
  });
}

export function openHttpClient(
  options: HttpOptions,
  connections: Connections = openConnections(options),
): HttpClient {
  const closing = new AbortController();
  return {
    async send(request, signal) {
      if (closing.signal.aborted) throw new ApiError('cancelled', 'The client is closed.');
      try {
        return await exchange(connections, request, options, [closing.signal, signal]);
      } catch (cause) {
        // Closing cuts requests in progress. That is not a network failure, and a retry would not help.
        if (!closing.signal.aborted) throw cause;
        throw new ApiError('cancelled', 'The client is closed.', { cause, maybeDone: true });
      }
    },
    close() {
      closing.abort();
      return connections.destroy();
    },
  };
}

async function exchange(
  connections: Connections,
  { method, url, headers, largestBody }: HttpRequest,
  { timeout, largestBody: usual = 64 * 1024 * 1024 }: HttpOptions,
  signals: readonly (AbortSignal | undefined)[],
): Promise<HttpResponse> {
  const largest = largestBody ?? usual;
  const deadline = startDeadline(timeout, signals);
  const { origin, pathname, search, host } = new URL(url);
  try {
    const sent = connections.request({
      ...{ origin, path: pathname + search, method, signal: deadline.signal },
      headers: { ...headers, 'accept-encoding': 'gzip' },
    });
    // The connections may notice an aborted signal only once one of them is open.
    const response = await Promise.race([sent, deadline.passed]);
    const bytes = await readBytes(response.body, largest);
    // A body without a length ends with the connection, also when the deadline cut the connection.
    deadline.signal.throwIfAborted();
    const body = textOf(await decompressed(bytes, response.headers, largest), response.headers);
    return {
      ...{ status: response.statusCode, headers: joined(response.headers) },
      ...{ body, bytes: bytes.length },
    };
  } catch (cause) {
    const aborted = signals.find((signal) => signal?.aborted);
    if (aborted) throw cancelledBy(aborted, { maybeDone: true });
    if (deadline.signal.aborted) throw timedOut(timeout, cause);
    throw cause instanceof ApiError ? cause : networkError(cause, host);
  } finally {
    deadline.clear();
  }
}

/** Aborts on the timeout or one of the signals. `AbortSignal.any` leaks and loses timeouts on Node 20. */
function startDeadline(timeout: number, signals: readonly (AbortSignal | undefined)[]) {
  const controller = new AbortController();
  const end = () => controller.abort();
  const passed = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
  });
  passed.catch(() => undefined);
  const timer = setTimeout(end, timeout);
  const forget = signals.map((signal) => signal && onAbort(signal, end));
  return {
    signal: controller.signal,
    passed,
    clear() {
      clearTimeout(timer);
      for (const each of forget) each?.();
    },
  };
}

async function readBytes(stream: AsyncIterable<Uint8Array>, largest: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > largest) throw tooLarge(largest);
    chunks.push(chunk);
  }
  const [only] = chunks;
  return only && chunks.length === 1 ? only : concatenated(chunks, size);
}

function concatenated(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

async function decompressed(
  bytes: Uint8Array,
  headers: RawHeaders,
  largest: number,
): Promise<Uint8Array> {
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity' || bytes.length === 0) return bytes;
  // Not quoted, since it may contain a key; the same holds for every error of this file.
  if (!/^(?:x-)?gzip$/.test(encoding)) {
    throw unusable('The response has an unsupported content encoding.');
  }
  // Not needed after `fetch`, which decompresses itself.
  const { gunzipped } = await import('./node-connections.ts');
  return gunzipped(bytes, largest);
}

function textOf(bytes: Uint8Array, headers: RawHeaders): string {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(
    String(headers['content-type'] ?? ''),
  )?.[1];
  try {
    return new TextDecoder(charset ?? charsetWithin(bytes)).decode(bytes);
  } catch (cause) {
    throw unusable('The response names an unknown character set.', cause);
  }
}

/** The charset of a byte order mark or an XML declaration. Undefined without either, which means UTF-8. */
function charsetWithin(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] !== 0x3c) return undefined;
  const start = String.fromCharCode(...bytes.subarray(0, 200));
  return /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.-]+)/.exec(start)?.[1];
}

function timedOut(timeout: number, cause: unknown): ApiError {
  return new ApiError('network', `No complete response within ${timeout / 1000} s.`, {
    ...{ code: 'timeout', cause, passing: true, maybeDone: true },
  });
}

function joined(headers: RawHeaders): Headers {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value = '']) => [name, [value].flat().join(', ')]));
}
