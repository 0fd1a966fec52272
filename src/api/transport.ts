/** One exchange over HTTP: a request goes out, a whole answer comes back, or a `network` error. */
import { isAscii, isUtf8, transcode } from 'node:buffer';
import { setMaxListeners } from 'node:events';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { ApiError } from './errors.ts';

export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Transport {
  /** Rejects with an ApiError of kind `network`, `failed` or `cancelled`. */
  send(exchange: Exchange, signal?: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

export interface TransportOptions {
  /** Milliseconds for one exchange, from the first byte out to the last byte in. */
  readonly timeout: number;
  readonly connections: number;
  /** The largest body that is read, in bytes, packed or unpacked. */
  readonly largestBody?: number;
}

const unpack = promisify(gunzip);

/** What carries requests, as undici's agents do; it follows no redirect. */
export interface Carrier {
  /** Resolves with the head of the answer; what the signal ends rejects, body included. */
  request(options: {
    readonly origin: string;
    readonly path: string;
    readonly method: Dispatcher.HttpMethod;
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  }): Promise<{
    readonly statusCode: number;
    readonly headers: Headers;
    readonly body: AsyncIterable<Buffer>;
  }>;
  destroy(): Promise<void>;
}

/** A connection that is not there by then is given up: milliseconds, out of those for an exchange. */
export function connectTimeout({ timeout }: TransportOptions): number {
  return Math.min(timeout, 10_000);
}

/** Redirects are never followed: a key goes to its own origin only. */
export function openTransport(carrier: Carrier, options: TransportOptions): Transport {
  const largest = options.largestBody ?? 64 * 1024 * 1024;
  return {
    send: (exchange, signal) => exchangeOver(carrier, exchange, options.timeout, largest, signal),
    close: () => carrier.destroy(),
  };
}

async function exchangeOver(
  carrier: Carrier,
  { method, url, headers }: Exchange,
  timeout: number,
  largest: number,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const ends = endsAfter(timeout, signal);
  const { origin, pathname, search } = new URL(url);
  try {
    const reply = await carrier.request({
      origin,
      path: pathname + search,
      method: method as Dispatcher.HttpMethod,
      headers: { ...headers, 'accept-encoding': 'gzip' },
      signal: ends.signal,
    });
    const body = await readBody(reply.body, largest);
    return {
      status: reply.statusCode,
      headers: flat(reply.headers),
      body: await decoded(body, reply.headers, largest),
    };
  } catch (cause) {
    if (signal?.aborted) throw new ApiError('cancelled', 'cancelled', { cause, arrived: 'later' });
    if (ends.signal.aborted) {
      throw new ApiError('network', `no whole answer within ${timeout / 1000} s`, {
        cause,
        passing: true,
        arrived: 'later',
        hint: 'allow more with --timeout',
      });
    }
    throw cause instanceof ApiError ? cause : networkError(cause, new URL(url).host);
  } finally {
    ends.forget();
  }
}

/** Both ends in one signal, without the cost of `AbortSignal.any` for each request. */
function endsAfter(timeout: number, signal: AbortSignal | undefined) {
  const either = new AbortController();
  const end = () => either.abort();
  const timer = setTimeout(end, timeout);
  if (signal?.aborted) end();
  // As many requests as are under way listen to one signal.
  if (signal) setMaxListeners(0, signal);
  signal?.addEventListener('abort', end);
  return {
    signal: either.signal,
    forget() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    },
  };
}

async function readBody(stream: AsyncIterable<Buffer>, largest: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > largest) throw tooLarge(largest);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

async function decoded(body: Buffer, headers: Headers, largest: number): Promise<string> {
  const packed = headers['content-encoding'] === 'gzip' && body.length > 0;
  const plain = packed ? await unpacked(body, largest) : body;
  const text = textOf(plain);
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** What `toString('utf8')` gives, sooner: it takes one character after the other. */
function textOf(body: Buffer): string {
  if (isAscii(body)) return body.toString('latin1');
  if (isUtf8(body)) return transcode(body, 'utf8', 'utf16le').toString('utf16le');
  return body.toString('utf8');
}

async function unpacked(body: Buffer, largest: number): Promise<Buffer> {
  try {
    return await unpack(body, { maxOutputLength: largest });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(largest);
    throw new ApiError('failed', 'the answer is not whole gzip', {
      cause,
      passing: true,
      arrived: 'surely',
    });
  }
}

function tooLarge(largest: number): ApiError {
  return new ApiError('failed', `the answer is larger than ${largest / 1024 / 1024} MiB`, {
    arrived: 'surely',
  });
}

function flat(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

/** Failures before anything could be sent. */
const beforeSending: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ECONNTIMEOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at',
  ENOTFOUND: 'there is no host called',
  EAI_AGAIN: 'the name server does not know',
  ECONNRESET: 'the connection was cut by',
  EPIPE: 'the connection was cut by',
  UND_ERR_SOCKET: 'the connection was cut by',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time to',
  ECONNTIMEOUT: 'no connection in time to',
  EHOSTUNREACH: 'there is no way to',
  ENETUNREACH: 'there is no network to',
};

function networkError(cause: unknown, host: string): ApiError {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const certificate = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL/.test(code);
  if (certificate) {
    return new ApiError('network', `the certificate of ${host} can't be trusted (${code})`, {
      cause,
      hint: 'if a proxy of your company is in between, name its certificate in NODE_EXTRA_CA_CERTS',
    });
  }
  const reason = reasons[code];
  return new ApiError(
    'network',
    reason ? `${reason} ${host} (${code})` : `no answer from ${host}: ${message}`,
    {
      cause,
      passing: true,
      arrived: beforeSending.has(code) ? 'never' : 'perhaps',
      hint: 'check the network and the base URL (cb whoami)',
    },
  );
}
