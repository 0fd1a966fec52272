/** One HTTP exchange: a request goes out, and a whole response or an ApiError comes back. */
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
  /** Size of the body as it came, which may be compressed. */
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
      if (isClosed) throw new ApiError('cancelled', 'the client is closed');
      try {
        return await exchange(connections, request, options, signal);
      } catch (cause) {
        // Closing cuts requests that are under way: no failure of the network that a retry could mend.
        if (!isClosed) throw cause;
        throw new ApiError('cancelled', 'the client is closed', { cause, maybeDone: true });
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
    const reply = await Promise.race([sent, deadline.passed]);
    const bytes = await readBytes(reply.body, largest);
    // A body without a length ends where the connection does, also where we cut it ourselves.
    deadline.signal.throwIfAborted();
    const body = textOf(await decompressed(bytes, reply.headers, largest), reply.headers);
    return {
      ...{ status: reply.statusCode, headers: joined(reply.headers) },
      ...{ body, bytes: bytes.length },
    };
  } catch (cause) {
    if (signal?.aborted) throw new ApiError('cancelled', 'cancelled', { cause, maybeDone: true });
    if (deadline.signal.aborted) throw timedOut(timeout, cause);
    throw cause instanceof ApiError ? cause : networkError(cause, host);
  } finally {
    deadline.clear();
  }
}

/** Ends with the time or with the caller's signal. `AbortSignal.any` leaks and loses time-outs on Node 20. */
function startDeadline(timeout: number, signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const end = () => controller.abort();
  const passed = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
  });
  passed.catch(() => undefined);
  const timer = setTimeout(end, timeout);
  // All requests under way listen to one signal.
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
  // Not quoted, since a key may stand there; the same holds for every error of this file.
  if (!/^(?:x-)?gzip$/.test(encoding)) {
    throw unusable('the answer has a content encoding that was not asked for');
  }
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: largest });
  } catch (cause) {
    if (codeOf(cause) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(largest);
    throw unusable('the answer is not whole gzip', cause);
  }
}

function textOf(bytes: Buffer, headers: RawHeaders): string {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(
    String(headers['content-type'] ?? ''),
  )?.[1];
  try {
    return new TextDecoder(charset ?? charsetWithin(bytes)).decode(bytes);
  } catch (cause) {
    throw unusable('the response names an unknown character set', cause);
  }
}

/** The charset of a byte order mark or of an XML declaration; undefined, which is UTF-8, without these. */
function charsetWithin(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] !== 0x3c) return undefined;
  return /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.-]+)/.exec(bytes.toString('latin1', 0, 200))?.[1];
}

function timedOut(timeout: number, cause: unknown): ApiError {
  return new ApiError('network', `no whole answer within ${timeout / 1000} s`, {
    ...{ code: 'timeout', cause, passing: true, maybeDone: true },
  });
}

function unusable(message: string, cause?: unknown): ApiError {
  return new ApiError('failed', message, { cause, passing: true, maybeDone: true });
}

function tooLarge(largest: number): ApiError {
  return new ApiError('failed', `the answer is larger than ${largest / 1024 / 1024} MiB`, {
    maybeDone: true,
  });
}

function joined(headers: RawHeaders): Headers {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.map(([name, value = '']) => [name, [value].flat().join(', ')]));
}
