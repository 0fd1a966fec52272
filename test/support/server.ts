/** Bare servers for broken, slow, and unusual responses that the sandbox never sends. They serve until the test ends. */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createRawServer,
  type Server,
  type Socket,
} from 'node:net';
import { onTestFinished } from 'vitest';
import { cert, key } from './certificate.ts';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

interface ServerOptions {
  /** The time that the server reports; if undefined, cb uses its own clock. */
  readonly time?: () => Date | undefined;
}

/** `answer` receives the number of the request, from 1. The connection is cut if it rejects. */
export async function serve(
  answer: (reply: ServerResponse, number: number, asked: Asked) => unknown,
  { time = () => undefined }: ServerOptions = {},
) {
  const asked: Asked[] = [];
  const server = createServer(({ method = '', url = '', headers }, reply) => {
    if (method === 'HEAD' && url === '/') {
      const now = time();
      reply.sendDate = false;
      if (now) reply.setHeader('date', now.toUTCString());
      reply.end();
      return;
    }
    const one = { method, url, headers };
    asked.push(one);
    const answered = answer(reply, asked.length, one);
    if (answered instanceof Promise) answered.catch(() => reply.destroy());
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  /** The environment makes cb use this server. */
  return { url, env: { CB_BASE_URL: url, CB_API_KEY: 'API-TEST' }, asked };
}

/** Passes a request on to a sandbox. */
export async function forward(url: string, asked: Asked, page = asked.headers.page ?? '1') {
  const { authorization = '', accept = '*/*' } = asked.headers;
  const headers = { authorization, accept, page: String(page) };
  const answer = await fetch(url + asked.url, { method: asked.method, headers });
  const type = answer.headers.get('content-type') ?? 'text/plain';
  return { status: answer.status, type, body: await answer.text() };
}

/** The same over TLS, with the self-signed certificate of the tests. */
export async function serveSecurely(answer: RequestListener): Promise<{ readonly url: string }> {
  return { url: `https://127.0.0.1:${await listen(createSecureServer({ key, cert }, answer))}` };
}

/** A server that writes raw bytes, for invalid HTTP responses. `answer` receives the number of the request, from 1, and must end the socket itself. `asked` has the first line of each request. */
export async function serveRaw(answer: (socket: Socket, number: number, request: string) => void) {
  const asked: string[] = [];
  const server = createRawServer((socket) => {
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
        const request = received.slice(0, end);
        received = received.slice(end + 4);
        const line = request.split('\r\n', 1)[0] ?? '';
        if (line.startsWith('HEAD / ')) {
          // cb requests the time of a local service, and uses its own clock if there is none.
          socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
          continue;
        }
        asked.push(line);
        answer(socket, asked.length, request);
      }
    });
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  return { url, env: { CB_BASE_URL: url, CB_API_KEY: 'API-TEST' }, asked };
}

/** Listens on a free port until the test ends, and returns the port. */
export async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    const closed = new Promise((done) => server.close(done));
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return (server.address() as AddressInfo).port;
}
