/** HTTP on loopback: what a request may cost, what is logged, how a reply is sent. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { admit, drain } from './admission.ts';
import { cutConnection, deliver, reachesService, spoil } from './faults-delivery.ts';
import { type Fate, UNHARMED } from './faults-fate.ts';
import { Refusal } from './refusal.ts';
import type { Reply } from './reply.ts';
import type { Asked } from './service.ts';

const compress = promisify(gzip);
/** Shorter bodies don't get smaller. */
const MIN_GZIP = 200;
/** All headers of a request and its address, in bytes. */
const MAX_HEAD = 16_384;

function refused(error: unknown): Reply {
  if (error instanceof Refusal) {
    const { status, message, headers } = error;
    return { status, type: 'text/plain', body: message, headers };
  }
  const text = error instanceof Error ? error.message : String(error);
  return { status: 500, type: 'text/plain', body: `The sandbox failed: ${text}` };
}

function acceptsGzip(request: IncomingMessage): boolean {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  return /(^|,)\s*(gzip|\*)\s*(?!;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted);
}

/** What the listener needs of the sandbox. */
export interface Desk {
  /** Throws a Refusal to say no. */
  answer(asked: Asked): Reply;
  /** What is to befall a request of this method. */
  meet(method: string): Fate;
  /** `status` is undefined where the service was never asked. */
  log(request: IncomingMessage, status: number | undefined, fate: Fate): void;
  /** The sandbox's clock, which every answer tells. */
  now(): Date;
  /** Ends what still waits. */
  readonly closing: AbortSignal;
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  fate: Fate,
  closing: AbortSignal,
): Promise<void> {
  response.statusCode = reply.status;
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  if (reply.body === undefined) return deliver(response, undefined, fate, closing);
  const charset = reply.type?.startsWith('text/') ? ';charset=UTF-8' : '';
  response.setHeader('Content-Type', `${reply.type}${charset}`);
  response.setHeader('Vary', 'Accept, Accept-Encoding');
  const plain = Buffer.from(reply.body);
  const small = plain.length < MIN_GZIP || !acceptsGzip(request);
  const body = small ? plain : await compress(plain, { level: 1 });
  if (!small) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Length', body.length);
  // node:http keeps the body of an answer to HEAD to itself.
  await deliver(response, body, fate, closing);
}

/** Whom the sandbox doesn't let in meets no fault and leaves no trace. */
async function receive(desk: Desk, request: IncomingMessage, response: ServerResponse) {
  const { meet, answer, log, closing, now } = desk;
  drain(request);
  // Node would tell the real time.
  response.sendDate = false;
  response.setHeader('Date', now().toUTCString());
  let asked: Asked;
  try {
    asked = admit(request);
  } catch (error) {
    return send(request, response, refused(error), UNHARMED, closing);
  }
  let fate = UNHARMED;
  let reply: Reply | undefined;
  try {
    fate = meet(asked.method);
    if (fate.wait > 0) await setTimeout(fate.wait, undefined, { signal: closing });
    reply = reachesService(fate) ? answer(asked) : fate.instead;
  } catch (error) {
    if (closing.aborted) return response.destroy();
    reply = refused(error);
  }
  log(request, reply?.status, fate);
  if (cutConnection(request.socket, fate) || !reply) return;
  return send(request, response, spoil(reply, fate), fate, closing);
}

/**
 * Serves requests one by one, and closes the connection of one that is not in whole after `patience`
 * milliseconds. What Node was told in its environment about its parser counts for nothing here.
 */
export function serverFor(desk: Desk, patience: number): Server {
  const server = createServer(
    {
      insecureHTTPParser: false,
      requireHostHeader: true,
      maxHeaderSize: MAX_HEAD,
      requestTimeout: patience,
      connectionsCheckingInterval: patience / 4,
    },
    (request, response) => {
      // Whatever goes wrong in sending, there is no answer left to tell it with.
      receive(desk, request, response).catch(() => response.destroy());
    },
  );
  // No limit but that of their bytes: Node would leave out the rest unseen, an Origin among them.
  server.maxHeadersCount = 0;
  return server;
}
