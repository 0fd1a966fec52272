/** The HTTP server: limits requests, applies faults, logs, and sends replies. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { assertOr, assertValid, Refusal } from './arguments.ts';
import { NO_FAULTS, type RequestFaults } from './faults.ts';
import type { Reply } from './handlers.ts';
import type { ServiceRequest } from './service.ts';

const MAX_URL = 2000;
/** No operation takes a body. */
const MAX_BODY = 1_000_000;
/** Any port, since the connection may be forwarded from another one. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Rejects web pages: by their host name (DNS rebinding), Origin and Sec-Fetch-Site. */
function admit({
  method = '',
  url: target = '',
  headers,
  rawHeaders,
}: IncomingMessage): ServiceRequest {
  // Node uses the first of several Host headers; a proxy may have used another.
  const hosts = rawHeaders.filter((text, i) => i % 2 === 0 && /^host$/i.test(text));
  assertValid(hosts.length < 2, 'The request must have exactly one Host header.');
  const { host = '' } = headers;
  assertOr(LOOPBACK.test(host), 403, 'The sandbox accepts only loopback host names.');
  const { origin = `http://${host}`, 'sec-fetch-site': site = 'none' } = headers;
  const isOwn = origin.toLowerCase() === `http://${host.toLowerCase()}`;
  const isDirect = site === 'none' || site === 'same-origin';
  assertOr(isOwn && isDirect, 403, 'The sandbox does not accept requests from web pages.');
  assertValid(target.startsWith('/'), 'The request target must begin with a path.');
  assertOr(`http://${host}${target}`.length <= MAX_URL, 414, 'Request-URI Too Long');
  assertOr(Number(headers['content-length'] ?? 0) <= MAX_BODY, 413, 'Content Too Large');
  const url = new URL(`http://127.0.0.1${target}`);
  assertOr(url.pathname.startsWith('/rest/'), 404, 'Not Found');
  return { method, url, headers };
}

/** Discards the body so that the connection can be reused; closes the connection if the body is too long. */
function drain(request: IncomingMessage): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BODY) request.socket.destroy();
  });
}

/** In bytes; compression does not shrink shorter bodies. */
const MIN_GZIP = 200;
/** Request line and headers, in bytes. */
const MAX_HEAD = 16_384;

function refused(error: unknown): Reply {
  if (error instanceof Refusal) {
    const { status, message, headers } = error;
    return { status, type: 'text/plain', body: message, headers };
  }
  const text = error instanceof Error ? error.message : String(error);
  return { status: 500, type: 'text/plain', body: `The sandbox failed: ${text}` };
}

export interface RequestHandler {
  /** Throws a Refusal to reject the request. */
  respond(request: ServiceRequest): Reply;
  chooseFaults(method: string): RequestFaults;
  /** `status` is undefined if the request never reached the service. */
  log(request: IncomingMessage, status: number | undefined, faults: RequestFaults): void;
  /** The sandbox's clock, which is sent in the Date header. */
  now(): Date;
  readonly closing: AbortSignal;
}

/** How a response is sent; `closing` ends a slow one. */
interface Sending {
  readonly response: ServerResponse;
  readonly faults: RequestFaults;
  readonly closing: AbortSignal;
}

async function send(reply: Reply, sending: Sending): Promise<void> {
  const { response } = sending;
  response.statusCode = reply.status;
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  if (reply.body === undefined) return deliver(undefined, sending);
  const charset = reply.type?.startsWith('text/') ? ';charset=UTF-8' : '';
  response.setHeader('Content-Type', `${reply.type}${charset}`);
  const plain = Buffer.from(reply.body);
  const accepted = String(response.req.headers['accept-encoding'] ?? '');
  const acceptsGzip = /(^|,)\s*(gzip|\*)\s*(?!;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted);
  const small = plain.length < MIN_GZIP || !acceptsGzip;
  const body = small ? plain : gzipSync(plain, { level: 1 });
  if (!small) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Content-Length', body.length);
  // node:http does not send the body of a response to HEAD.
  await deliver(body, sending);
}

/** A rejected request is neither counted nor logged. */
async function receive(
  handler: RequestHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { chooseFaults, respond, log, closing, now } = handler;
  drain(request);
  // Node would send the real time.
  response.sendDate = false;
  response.setHeader('Date', now().toUTCString());
  let admitted: ServiceRequest;
  try {
    admitted = admit(request);
  } catch (error) {
    return send(refused(error), { response, faults: NO_FAULTS, closing });
  }
  let faults = NO_FAULTS;
  let reply: Reply | undefined;
  try {
    faults = chooseFaults(admitted.method);
    if (faults.wait > 0) await setTimeout(faults.wait, undefined, { signal: closing });
    const isPrevented = faults.ending === 'refuse' || faults.ending === 'cut-before';
    reply = isPrevented || faults.instead ? faults.instead : respond(admitted);
  } catch (error) {
    if (closing.aborted) return void response.destroy();
    reply = refused(error);
  }
  log(request, reply?.status, faults);
  const { ending } = faults;
  if (ending === 'refuse') return void request.socket.resetAndDestroy();
  if (ending?.startsWith('cut') || !reply) return void request.socket.destroy();
  const sending = { response, faults, closing };
  if (ending !== 'garbage') return send(reply, sending);
  // A reply without a body gets one, and a status that allows it.
  const { status, type = 'text/plain', body } = reply;
  const spoiled = { ...reply, type, body: GARBAGE, status: body === undefined ? 200 : status };
  return send(spoiled, sending);
}

/**
 * Closes the connection of a request that has not arrived completely after `requestTimeout` milliseconds.
 * Parser options in NODE_OPTIONS have no effect here.
 */
export function createListener(handler: RequestHandler, requestTimeout: number): Server {
  const server = createServer(
    {
      insecureHTTPParser: false,
      maxHeaderSize: MAX_HEAD,
      requestTimeout,
      connectionsCheckingInterval: requestTimeout / 4,
    },
    (request, response) => {
      // An error while sending can no longer be reported in the response.
      receive(handler, request, response).catch(() => response.destroy());
    },
  );
  // Only bytes are limited: Node would silently drop further headers, such as Origin.
  server.maxHeadersCount = 0;
  return server;
}

const GARBAGE = '\u0001\u0002 not a response: ]}>&\n';
const PORTIONS_PER_SECOND = 10;

/** Sends the body, if any, and ends the response. Content-Length is that of the whole body. */
async function deliver(
  body: Buffer | undefined,
  { response, faults: { ending, bytesPerSecond }, closing }: Sending,
): Promise<void> {
  const whole = ending !== 'truncate';
  const hasBody = body !== undefined && response.req.method !== 'HEAD';
  if (!hasBody) return void (whole ? response.end() : response.destroy());
  const bytes = whole ? body : body.subarray(0, body.length >> 1);
  if (whole && bytesPerSecond === undefined) return void response.end(bytes);
  response.flushHeaders();
  const speed = bytesPerSecond ?? Number.POSITIVE_INFINITY;
  const size = Math.max(1, Math.floor(Math.min(bytes.length, speed / PORTIONS_PER_SECOND)));
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    const portion = bytes.subarray(at, at + size);
    await new Promise((written) => response.write(portion, written));
    await setTimeout((portion.length * 1000) / speed, undefined, { signal: closing });
  }
  if (whole) response.end();
  else response.destroy();
}
