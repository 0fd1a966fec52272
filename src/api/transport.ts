/** One exchange over HTTP: a request goes out, a whole answer comes back, or a `network` error. */
import { setMaxListeners } from 'node:events';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { type Body, bodyFrom } from './body.ts';
import { ApiError } from './errors.ts';
import { networkError } from './network-error.ts';
import type { HttpProxy } from './proxy.ts';

export interface Exchange {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

export interface Received extends Answer {
  /** The size of the body as it came, which may be packed. */
  readonly bytes: number;
}

export interface Transport {
  /** Rejects with an ApiError of kind `network`, `failed` or `cancelled`. */
  send(exchange: Exchange, signal?: AbortSignal): Promise<Received>;
  close(): Promise<void>;
}

export interface TransportOptions {
  /** Milliseconds for one exchange, from the first byte out to the last byte in. */
  readonly timeout: number;
  readonly connections: number;
  /** The largest body that is read, in bytes, packed or unpacked. */
  readonly largestBody?: number;
  /** All goes through it. */
  readonly proxy?: HttpProxy | undefined;
}

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

/**
 * A connection that is not there by then is given up: milliseconds, out of those for an exchange. It
 * comes before the end of these, which could not tell that nothing was sent.
 */
export function connectTimeout({ timeout }: TransportOptions): number {
  return Math.min(0.9 * timeout, 10_000);
}

/** Redirects are never followed: a key goes to its own origin only. */
export function openTransport(carrier: Carrier, options: TransportOptions): Transport {
  const largest = options.largestBody ?? 64 * 1024 * 1024;
  let isClosed = false;
  return {
    async send(exchange, signal) {
      if (isClosed) throw new ApiError('cancelled', 'the client is closed');
      try {
        return await exchangeOver(carrier, exchange, options.timeout, largest, signal);
      } catch (cause) {
        // Closing cuts what is under way: that is no failure of the network, which would pass.
        if (!isClosed) throw cause;
        throw new ApiError('cancelled', 'the client is closed', { cause, maybeDone: true });
      }
    },
    close() {
      isClosed = true;
      return carrier.destroy();
    },
  };
}

async function exchangeOver(
  carrier: Carrier,
  { method, url, headers }: Exchange,
  timeout: number,
  largest: number,
  signal: AbortSignal | undefined,
): Promise<Received> {
  const ends = endsAfter(timeout, signal);
  const { origin, pathname, search } = new URL(url);
  try {
    const asked = carrier.request({
      origin,
      path: pathname + search,
      method: method as Dispatcher.HttpMethod,
      headers: { ...headers, 'accept-encoding': 'gzip' },
      signal: ends.signal,
    });
    // A carrier may hear of the end only once it has a connection.
    const reply = await Promise.race([asked, ends.ended]);
    const body = await readBody(reply.body, largest);
    // A body without a length ends where the connection does, also where we cut it ourselves.
    ends.signal.throwIfAborted();
    return {
      status: reply.statusCode,
      headers: flat(reply.headers),
      body: await decoded(body, reply.headers, largest),
      bytes: body.length,
    };
  } catch (cause) {
    if (signal?.aborted) throw new ApiError('cancelled', 'cancelled', { cause, maybeDone: true });
    if (ends.signal.aborted) {
      throw new ApiError('network', `no whole answer within ${timeout / 1000} s`, {
        cause,
        passing: true,
        maybeDone: true,
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
  let fail: (reason: unknown) => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    fail = reject;
  });
  ended.catch(() => undefined);
  const end = () => {
    either.abort();
    fail(either.signal.reason);
  };
  const timer = setTimeout(end, timeout);
  if (signal?.aborted) end();
  // As many requests as are under way listen to one signal.
  if (signal) setMaxListeners(0, signal);
  signal?.addEventListener('abort', end);
  return {
    signal: either.signal,
    ended,
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

async function decoded(body: Buffer, headers: Headers, largest: number): Promise<Body> {
  if (body.length === 0) return { text: '' };
  return decodedBody(await plainBody(body, headers, largest), headers);
}

async function plainBody(body: Buffer, headers: Headers, largest: number): Promise<Buffer> {
  const packing = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  if (packing === 'gzip' || packing === 'x-gzip') return unpacked(body, largest);
  if (packing === 'identity') return body;
  // Not quoted, since a key may have been put there: so it is with all that is thrown here.
  throw unusable('the answer is packed in a way that cb did not ask for');
}

function decodedBody(body: Buffer, headers: Headers): Body {
  try {
    return bodyFrom(body, String(headers['content-type'] ?? ''));
  } catch (cause) {
    throw unusable('the answer is in a charset that there is none of', cause);
  }
}

async function unpacked(body: Buffer, largest: number): Promise<Buffer> {
  try {
    return await promisify(gunzip)(body, { maxOutputLength: largest });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(largest);
    throw unusable('the answer is not whole gzip', cause);
  }
}

function unusable(message: string, cause?: unknown): ApiError {
  return new ApiError('failed', message, { cause, passing: true, maybeDone: true });
}

function tooLarge(largest: number): ApiError {
  return new ApiError('failed', `the answer is larger than ${largest / 1024 / 1024} MiB`, {
    maybeDone: true,
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
