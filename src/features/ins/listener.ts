/** Receives notifications: decrypts each, journals it, and only then answers that it was received. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../client/clock.ts';
import type { ExactObject } from './event-text.ts';
import { type Accepted, journaledEvent, type NewEvent } from './journal/journal.ts';
import { NotificationError } from './notification-error.ts';
import { type OpenedNotification, openNotification } from './open-notification.ts';

export interface Received {
  readonly id: number;
  readonly isDuplicate: boolean;
  readonly event: NewEvent;
  readonly exact: ExactObject;
}

export interface ListenerOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** Milliseconds for a whole request; default: 8 seconds. */
  readonly requestTime?: number;
  readonly secrets: readonly string[];
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves when the event is on the disk; rejects if it can't be journaled. */
  accept(event: NewEvent): Promise<Accepted>;
  onReceived(received: Received): void;
  /** `reason` is a sentence for the operator, never for the sender. */
  onRefused(reason: string): void;
  /** An event could not be journaled, so that the sender was told to try again. */
  onNotJournaled(error: unknown): void;
}

export type Listener = Awaited<ReturnType<typeof startListener>>;

/** Bytes of one body, and of all that are being received. Events have a few kilobytes. */
const mostBytes = 1_000_000;
const mostBytesOfAll = 32_000_000;
const rate = { perSecond: 1000, burst: 2000 };
const mostConnections = 256;

/** Milliseconds. Idle connections are kept for long, because a notification on one that closes just then can get lost. */
const times = { headers: 3000, request: 8000, check: 500, idle: 30_000, closing: 1000 };

/**
 * Milliseconds after the end of a body at which every notification that can't be decrypted is refused. With the
 * same answer at the same time, nobody can tell a wrong padding from other failures.
 */
const refusalTime = 50;

/** Accepts any path and any host name, because a tunnel has its own. */
export async function startListener(options: ListenerOptions) {
  const { clock, secrets, onRefused, requestTime = times.request } = options;
  const mayAccept = rateLimiter(rate);
  let held = 0;

  /** Throws Refused with 413 or 503, and the error of a connection that was closed. */
  async function readBody(request: IncomingMessage): Promise<Buffer> {
    const tooLong = new Refused(413, 'The body is too long.');
    if (Number(request.headers['content-length'] ?? 0) > mostBytes) throw tooLong;
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const chunk of request.iterator({ destroyOnReturn: false })) {
        bytes += chunk.length;
        held += chunk.length;
        if (bytes > mostBytes) throw tooLong;
        if (held > mostBytesOfAll) throw new Refused(503, 'Too many notifications at a time.');
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    } finally {
      held -= bytes;
    }
  }

  /** Returns the status to answer with, and what follows the answer. */
  async function receive(request: IncomingMessage): Promise<readonly [number, (() => void)?]> {
    if (request.method !== 'POST') throw new Refused(405, 'The method is not POST.');
    if (!mayAccept(clock.now())) throw new Refused(503, 'Too many notifications in a second.');
    const body = await readBody(request);
    const begin = clock.now();
    let opened: OpenedNotification;
    try {
      opened = openNotification(body, secrets);
    } catch (error) {
      if (!(error instanceof NotificationError)) throw error;
      onRefused(error.detail);
      await clock.sleep(Math.max(0, refusalTime - (clock.now() - begin)));
      return [400];
    }
    const { exact, text } = opened;
    const source = { exact, text, body: body.toString('utf8'), isReconstructed: false };
    const event = journaledEvent({ ...source, receivedAt: options.now() });
    try {
      const accepted = await options.accept(event);
      return [200, () => options.onReceived({ ...accepted, event, exact })];
    } catch (error) {
      options.onNotJournaled(error);
      return [503];
    }
  }

  const server = createServer(
    {
      headersTimeout: Math.min(times.headers, requestTime),
      requestTimeout: requestTime,
      connectionsCheckingInterval: times.check,
      keepAliveTimeout: times.idle,
      maxHeaderSize: 16_384,
    },
    (request, response) => {
      receive(request)
        .then(
          ([status, after]) => {
            response.writeHead(status, { 'Content-Length': 0 }).end();
            after?.();
          },
          (error) => {
            if (!(error instanceof Refused)) throw error;
            onRefused(error.message);
            // The rest of the request is not read: the connection is closed after the answer.
            const headers = { 'Content-Length': 0, Connection: 'close' };
            response.writeHead(error.status, headers).end(() => request.socket.destroy());
          },
        )
        // No request may end the listener.
        .catch(() => response.destroy());
    },
  );
  server.maxConnections = mostConnections;
  await new Promise<void>((done, fail) => {
    // Later errors, such as too many open files, concern one connection, and must not end the process.
    server.on('error', fail);
    server.listen({ port: options.port, host: '127.0.0.1' }, done);
  });
  return {
    port: (server.address() as AddressInfo).port,
    /** Stops receiving, after the requests that are being answered. */
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), times.closing).unref();
      }),
  };
}

/** Whether one more request is accepted at a time in milliseconds: `perSecond` on average, `burst` after a pause. */
export function rateLimiter({ perSecond, burst }: { perSecond: number; burst: number }) {
  let tokens = burst;
  let before: number | undefined;
  return (now: number): boolean => {
    const passed = Math.max(0, now - (before ?? now));
    before = now;
    tokens = Math.min(burst, tokens + (passed * perSecond) / 1000);
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** A request that is answered with a status and nothing else. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
