/** HTTP on loopback: what is let in, what is logged, how a reply is sent. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { cutConnection, deliver, reachesService, spoil } from './faults-delivery.ts';
import { type Fate, UNHARMED } from './faults-fate.ts';
import { insist, Refusal } from './refusal.ts';
import type { Reply } from './reply.ts';
import type { Asked } from './service.ts';

const compress = promisify(gzip);
const MAX_URL = 2000;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
/** Shorter bodies don't get smaller. */
const MIN_GZIP = 200;

/** A web page elsewhere must not reach the sandbox, neither by its own name nor through a browser. */
function refuseForeigners({ headers }: IncomingMessage): void {
  insist(LOOPBACK.test(headers.host ?? ''), 403, 'The sandbox answers only as a loopback host.');
  const origin = headers.origin?.replace(/^https?:\/\//i, '');
  insist(origin === undefined || LOOPBACK.test(origin), 403, 'The sandbox answers no web pages.');
}

function parse(request: IncomingMessage): Asked {
  refuseForeigners(request);
  const target = request.url ?? '/';
  insist(target.startsWith('/'), 400, 'The address must begin with a path.');
  const url = new URL(`http://127.0.0.1${target}`);
  insist(`http://${request.headers.host}${target}`.length <= MAX_URL, 414, 'Request-URI Too Long');
  return { method: request.method ?? '', url, headers: request.headers };
}

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

/** Serves requests one by one. Whom the sandbox doesn't let in meets no fault either. */
export function listen({ answer, meet, log, closing }: Desk): RequestListener {
  return async (request, response) => {
    // The body counts for nothing, yet it must be read for the connection to live on.
    request.resume();
    let fate = UNHARMED;
    let reply: Reply | undefined;
    try {
      const asked = parse(request);
      fate = meet(asked.method);
      if (fate.wait > 0) await setTimeout(fate.wait, undefined, { signal: closing });
      reply = reachesService(fate) ? answer(asked) : fate.instead;
    } catch (error) {
      if (closing.aborted) return void response.destroy();
      reply = refused(error);
    }
    log(request, reply?.status, fate);
    if (cutConnection(request.socket, fate) || !reply) return;
    // Whatever goes wrong now, there is no answer left to tell it with.
    await send(request, response, spoil(reply, fate), fate, closing).catch(() =>
      response.destroy(),
    );
  };
}
