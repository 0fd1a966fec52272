/** One HTTP exchange: sends a request, and returns a complete response or throws an ApiError. */
import { gunzipSync } from 'node:zlib';
import { codeOf } from '../../storage/files.ts';
import { cancelledBy, onAbort } from '../clock.ts';
import { ApiError } from '../errors.ts';
import {
  type Connections,
  type Headers,
  type HttpOptions,
  openConnections,
  type RawHeaders,
  type SentRequest,
} from './connections.ts';

export interface HttpRequest extends Pick<SentRequest, 'method' | 'headers'> {
  readonly url: string;
  /** The largest body that is read, in bytes, compressed or not; 64 MiB by default. */
  readonly largestBody?: number | undefined;
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

const defaultLargest = 64 * 1024 * 1024;

export function openHttpClient(
  { timeout, ...options }: HttpOptions,
  connections: Connections = openConnections({ timeout, ...options }),
) {
  const closing = new AbortController();
  const closed = (details: object = {}) =>
    new ApiError('cancelled', 'The client is closed.', details);
  return {
    /** Follows no redirect: a key goes to its own origin only. Throws an ApiError `network`, `failed` or `cancelled`. */
    async send(
      { method, url, headers, largestBody: largest = defaultLargest }: HttpRequest,
      signal?: AbortSignal,
      most = timeout,
    ): Promise<HttpResponse> {
      if (closing.signal.aborted) throw closed();
      const deadline = startDeadline(most, [closing.signal, signal]);
      const { origin, pathname, search, host } = new URL(url);
      try {
        const sent = connections.request({
          ...{ origin, path: pathname + search, method, signal: deadline.signal },
          headers: { ...headers, 'accept-encoding': 'gzip' },
        });
        // A connection notices an aborted signal only once it is open, and a caller's fetch may ignore it.
        const response = await Promise.race([sent, deadline.passed]);
        const bytes = await Promise.race([readBytes(response.body, largest), deadline.passed]);
        // A body without a length ends with the connection, also when the deadline cut the connection.
        deadline.signal.throwIfAborted();
        const body = textOf(decompressed(bytes, response.headers, largest), response.headers);
        const entries = Object.entries(response.headers);
        const joined = entries.map(([name, value = '']) => [name, [value].flat().join(', ')]);
        return {
          ...{ status: response.statusCode, headers: Object.fromEntries(joined) },
          ...{ body, bytes: bytes.length },
        };
      } catch (cause) {
        // Closing cuts requests in progress. That is not a network failure, and a retry would not help.
        if (closing.signal.aborted) throw closed({ cause, maybeDone: true });
        if (signal?.aborted) throw cancelledBy(signal, { maybeDone: true });
        if (deadline.signal.aborted) {
          throw new ApiError('network', `No complete response within ${most / 1000} s.`, {
            ...{ code: 'timeout', cause, passing: true, maybeDone: true },
          });
        }
        throw cause instanceof ApiError ? cause : networkError(cause, host);
      } finally {
        deadline.clear();
      }
    },
    close(): Promise<void> {
      closing.abort();
      return connections.destroy();
    },
  };
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
  return Buffer.concat(chunks);
}

/** At once: a page takes less time than the handing over to another thread. */
function decompressed(bytes: Uint8Array, headers: RawHeaders, largest: number): Uint8Array {
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity' || bytes.length === 0) return bytes;
  // Not quoted, since it may contain a key; the same holds for every error of this file.
  if (!/^(?:x-)?gzip$/.test(encoding)) {
    throw unusable('The response has an unsupported content encoding.');
  }
  try {
    return gunzipSync(bytes, { maxOutputLength: largest });
  } catch (cause) {
    if (codeOf(cause) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(largest);
    throw unusable('The response is not valid gzip.', cause);
  }
}

/** The character set is that of the header or of an XML declaration; otherwise it is UTF-8. */
function textOf(bytes: Uint8Array, headers: RawHeaders): string {
  const [, named] =
    /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(String(headers['content-type'] ?? '')) ??
    /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.-]+)/.exec(
      String.fromCharCode(...bytes.subarray(0, 200)),
    ) ??
    [];
  try {
    return new TextDecoder(named).decode(bytes);
  } catch (cause) {
    throw unusable('The response names an unknown character set.', cause);
  }
}

/** Failures that occur only before anything is sent. */
const beforeSending = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ECONNTIMEOUT)$/;

/** TLS failures of the handshake. Others may occur while a response is being received. */
const tlsRefusals = /^ERR_SSL_.*(VERSION|PROTOCOL|HANDSHAKE_FAILURE)/;

interface SystemError {
  readonly code?: string;
  readonly syscall?: string;
  /** One error for each address, if several were tried. */
  readonly errors?: readonly SystemError[];
}

function isBeforeSending({ code = '', syscall, errors }: SystemError): boolean {
  if (errors && errors.length > 0) return errors.every(isBeforeSending);
  return beforeSending.test(code) || syscall === 'connect' || syscall === 'getaddrinfo';
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused by',
  ENOTFOUND: 'Could not find the host',
  EAI_AGAIN: 'The name server could not resolve',
  ECONNRESET: 'Connection closed by',
  EPIPE: 'Connection closed by',
  UND_ERR_SOCKET: 'Connection closed by',
  UND_ERR_CONNECT_TIMEOUT: 'Timed out connecting to',
  ECONNTIMEOUT: 'Timed out connecting to',
  EHOSTUNREACH: 'No route to',
  ENETUNREACH: 'No network connection to',
};

/** The error for an exchange that failed in the network or in TLS. */
function networkError(cause: unknown, host: string): ApiError {
  // A caller's fetch may throw anything.
  const { code = '', message = String(cause) } = Object(cause) as NodeJS.ErrnoException;
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL/.test(code)) {
    return new ApiError('network', `The certificate of ${host} can't be trusted (${code}).`, {
      cause,
      maybeDone: code.startsWith('ERR_SSL') && !tlsRefusals.test(code),
      hint: 'If a company proxy intercepts TLS, name its certificate in NODE_EXTRA_CA_CERTS.',
    });
  }
  const reason = reasons[code];
  const says = reason ? `${reason} ${host} (${code}).` : `No response from ${host}: ${message}.`;
  return new ApiError('network', says, {
    ...{ cause, passing: true, maybeDone: !isBeforeSending(Object(cause)) },
    ...{ code: 'unreachable', hint: 'Check the network and the base URL.' },
  });
}

function unusable(message: string, cause?: unknown): ApiError {
  return new ApiError('failed', message, { cause, passing: true, maybeDone: true });
}

function tooLarge(largest: number): ApiError {
  return new ApiError('failed', `The response is larger than ${largest / 1024 / 1024} MiB.`, {
    code: 'too-large',
    maybeDone: true,
  });
}
