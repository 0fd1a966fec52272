/** One HTTP exchange: sends a request, and returns a complete response or throws an ApiError. */
import { setMaxListeners } from 'node:events';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { codeOf } from '../../storage/error-code.ts';
import { ApiError } from '../errors.ts';
import {
  type Connections,
  type Headers,
  type HttpOptions,
  openNode,
  type RawHeaders,
} from './connections.ts';
import { networkError } from './network-error.ts';

export interface HttpRequest {
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
  /** Size of the body as received, which may be compressed. */
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
 * The first request goes over Node's own HTTP client: most commands send only one, and undici takes longer to
 * load than all other modules together. undici sends what follows, such as the other pages of a list, and
 * everything that goes through a proxy.
 */
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
      pool ??= import('./undici-connections.ts').then(({ openUndici }) => openUndici(options));
      return (await pool).request(sent);
    },
    async destroy() {
      await Promise.all([first.destroy(), pool?.then((opened) => opened.destroy())]);
    },
  };
}

export function openHttpClient(
  options: HttpOptions,
  connections: Connections = openConnections(options),
): HttpClient {
  let isClosed = false;
  return {
    async send(request, signal) {
      if (isClosed) throw new ApiError('cancelled', 'The client is closed.');
      try {
        return await exchange(connections, request, options, signal);
      } catch (cause) {
        // Closing cuts requests in progress. That is not a network failure, and a retry would not help.
        if (!isClosed) throw cause;
        throw new ApiError('cancelled', 'The client is closed.', { cause, maybeDone: true });
      }
    },
    close() {
      isClosed = true;
      return connections.destroy();
    },
  };
}

async function exchange(
  connections: Connections,
  { method, url, headers }: HttpRequest,
  { timeout, largestBody: largest = 64 * 1024 * 1024 }: HttpOptions,
  signal: AbortSignal | undefined,
): Promise<HttpResponse> {
  const deadline = startDeadline(timeout, signal);
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
    if (signal?.aborted) throw new ApiError('cancelled', 'Canceled.', { cause, maybeDone: true });
    if (deadline.signal.aborted) throw timedOut(timeout, cause);
    throw cause instanceof ApiError ? cause : networkError(cause, host);
  } finally {
    deadline.clear();
  }
}

/** Aborts on the timeout or the caller's signal. `AbortSignal.any` leaks and loses timeouts on Node 20. */
function startDeadline(timeout: number, signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const end = () => controller.abort();
  const passed = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
  });
  passed.catch(() => undefined);
  const timer = setTimeout(end, timeout);
  // All requests in progress listen to one signal.
  if (signal) setMaxListeners(0, signal);
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  return {
    signal: controller.signal,
    passed,
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    },
  };
}

async function readBytes(stream: AsyncIterable<Buffer>, largest: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > largest) throw tooLarge(largest);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

async function decompressed(bytes: Buffer, headers: RawHeaders, largest: number): Promise<Buffer> {
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity' || bytes.length === 0) return bytes;
  // Not quoted, since it may contain a key; the same holds for every error of this file.
  if (!/^(?:x-)?gzip$/.test(encoding)) {
    throw unusable('The response has an unsupported content encoding.');
  }
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: largest });
  } catch (cause) {
    if (codeOf(cause) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(largest);
    throw unusable('The response is not valid gzip.', cause);
  }
}

function textOf(bytes: Buffer, headers: RawHeaders): string {
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
function charsetWithin(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] !== 0x3c) return undefined;
  return /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.-]+)/.exec(bytes.toString('latin1', 0, 200))?.[1];
}

function timedOut(timeout: number, cause: unknown): ApiError {
  return new ApiError('network', `No complete response within ${timeout / 1000} s.`, {
    ...{ code: 'timeout', cause, passing: true, maybeDone: true },
  });
}

function unusable(message: string, cause?: unknown): ApiError {
  return new ApiError('failed', message, { cause, passing: true, maybeDone: true });
}

function tooLarge(largest: number): ApiError {
  return new ApiError('failed', `The response is larger than ${largest / 1024 / 1024} MiB.`, {
    maybeDone: true,
  });
}

function joined(headers: RawHeaders): Headers {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value = '']) => [name, [value].flat().join(', ')]));
}
