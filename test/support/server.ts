/** A bare server for what the sandbox never does: broken, slow and strange answers. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { cert, key } from './certificate.ts';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
}

export interface BareServer {
  readonly url: string;
  /** What makes cb use this server. */
  readonly env: { readonly CB_BASE_URL: string; readonly CB_API_KEY: string };
  readonly asked: Asked[];
}

interface ServerOptions {
  /** What the server says that the time is, when cb asks for it; undefined: cb goes by its own clock. */
  readonly time?: () => Date | undefined;
}

/** Serves until the test ends; `answer` gets the number of the request, from 1. */
export async function serve(
  answer: (reply: ServerResponse, number: number, asked: Asked) => void,
  { time = () => undefined }: ServerOptions = {},
): Promise<BareServer> {
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
    answer(reply, asked.length, one);
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  return { url, env: { CB_BASE_URL: url, CB_API_KEY: 'API-TEST' }, asked };
}

/** The same over TLS, with the certificate of the tests, which nobody vouches for. */
export async function serveSecurely(answer: RequestListener): Promise<{ readonly url: string }> {
  const server = createSecureServer({ key, cert }, answer);
  return { url: `https://127.0.0.1:${await listen(server)}` };
}

/** Listens on a free port until the test ends, and returns the port. */
async function listen(server: Server | SecureServer): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(
    () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  );
  return (server.address() as AddressInfo).port;
}
