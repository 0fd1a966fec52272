/** Admits requests of programs on this machine, and rejects web pages and foreign host names. */
import type { IncomingMessage } from 'node:http';
import { assertOr } from '../request/refusal.ts';
import type { ServiceRequest } from './service.ts';

const MAX_URL = 2000;
/** No operation takes a body. */
const MAX_BODY = 1_000_000;
/** With any port, since the connection may be forwarded from another one. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Node reads the first of several Host headers; a proxy in between may have used another. */
function assertOnOneHost({ rawHeaders }: IncomingMessage): void {
  const hosts = rawHeaders.filter((text, i) => i % 2 === 0 && /^host$/i.test(text));
  assertOr(hosts.length < 2, 400, 'One header Host is enough.');
}

/** A web page must not reach the sandbox: neither by a name of its own, nor through a browser. */
function refuseForeigners({ headers }: IncomingMessage): void {
  const host = headers.host ?? '';
  assertOr(LOOPBACK.test(host), 403, 'The sandbox answers only as a loopback host.');
  const { origin = `http://${host}`, 'sec-fetch-site': site = 'none' } = headers;
  const own = origin.toLowerCase() === `http://${host.toLowerCase()}`;
  const asked = site === 'none' || site === 'same-origin';
  assertOr(own && asked, 403, 'The sandbox answers no web pages.');
}

/** Throws a Refusal for a request that the sandbox does not admit. */
export function admit(request: IncomingMessage): ServiceRequest {
  assertOnOneHost(request);
  refuseForeigners(request);
  const { method = '', url: target = '', headers } = request;
  assertOr(target.startsWith('/'), 400, 'The address must begin with a path.');
  const length = `http://${headers.host}${target}`.length;
  assertOr(length <= MAX_URL, 414, 'Request-URI Too Long');
  assertOr(Number(headers['content-length'] ?? 0) <= MAX_BODY, 413, 'Content Too Large');
  const url = new URL(`http://127.0.0.1${target}`);
  assertOr(url.pathname.startsWith('/rest/'), 404, 'Not Found');
  return { method, url, headers };
}

/** Discards the body, so that the connection can be used again; too long a body ends it. */
export function drain(request: IncomingMessage): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BODY) request.socket.destroy();
  });
}
