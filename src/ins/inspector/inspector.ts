/** The inspector page of a listener: the events of its journal, in a browser on this machine. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Database } from '../../storage/sqlite.ts';
import { eventDetail, eventList, mostEvents } from './event-views.ts';
import { type Gate, refusalOf } from './gate.ts';
import { pageHtml } from './page.ts';
import { script } from './script.ts';
import { style } from './style.ts';

export interface ResendResult {
  readonly to: string;
  readonly isDone: boolean;
  /** As in `HTTP 200`. */
  readonly result: string;
}

export interface InspectorOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** The journal. */
  readonly database: Database;
  /** Where the listener receives notifications; shown while there are no events. */
  readonly receiver: string;
  /** Where events are delivered to, as in `localhost:3000`. */
  readonly destinations: readonly string[];
  /** Delivers an event once to each destination. */
  resend(id: number): Promise<readonly ResendResult[]>;
}

export interface Inspector {
  /** With the token. */
  readonly url: string;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly type?: string;
  readonly body?: string;
}

type Page = InspectorOptions & { readonly resending: Map<number, Promise<unknown>> };

const mostConnections = 32;
/** Milliseconds; requests have no body. */
const patience = { request: 5000, check: 500, closing: 1000 };

/** Rejects with the error of Node if the port can't be used. */
export async function startInspector(options: InspectorOptions): Promise<Inspector> {
  const page: Page = { ...options, resending: new Map() };
  const token = randomBytes(24).toString('base64url');
  let gate: Gate = { port: 0, token };
  const server = createServer(
    { requestTimeout: patience.request, connectionsCheckingInterval: patience.check },
    (request, response) => {
      void answer(page, gate, request, response).catch(() => response.destroy());
    },
  );
  server.maxConnections = mostConnections;
  gate = { port: await portOf(server, options.port), token };
  return {
    url: `http://127.0.0.1:${gate.port}/?token=${token}`,
    async close() {
      await closeServer(server);
      await Promise.allSettled(page.resending.values());
    },
  };
}

function portOf(server: Server, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.on('error', fail);
    server.listen({ port, host: '127.0.0.1' }, () => done((server.address() as AddressInfo).port));
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), patience.closing).unref();
  });
}

async function answer(
  page: Page,
  gate: Gate,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refusal = refusalOf(request, gate);
  const reply = refusal === undefined ? await route(page, request) : text(403, refusal);
  // The rest of a refused request is not read.
  response.shouldKeepAlive = refusal === undefined;
  const { status, type = 'application/json', body = '' } = reply;
  const length = Buffer.byteLength(body);
  const content = { 'Content-Type': `${type}; charset=utf-8`, 'Content-Length': length };
  response.writeHead(status, { ...headers, ...content }).end(body);
}

function text(status: number, body: string): Reply {
  return { status, type: 'text/plain', body: `${body}\n` };
}

function json(body: unknown): Reply {
  return { status: 200, body: JSON.stringify(body) };
}

async function route(page: Page, { method, url = '' }: IncomingMessage): Promise<Reply> {
  if (method === 'POST') {
    const [, id] = /^\/events\/(\d{1,15})\/resend$/.exec(url) ?? [];
    return id === undefined ? text(404, 'Not found.') : resend(page, Number(id));
  }
  if (method !== 'GET') return text(405, 'Use GET or POST.');
  if (url.startsWith('/?')) return { status: 200, type: 'text/html', body: pageHtml };
  const [, limit, seen] = /^\/events\?limit=(\d{1,5})&seen=([\d.]*)$/.exec(url) ?? [];
  if (limit !== undefined) return listed(page, Number(limit), seen);
  const [, id] = /^\/events\/(\d{1,15})$/.exec(url) ?? [];
  const detail = id === undefined ? undefined : eventDetail(page.database, Number(id));
  return detail ? json(detail) : text(404, 'Not found.');
}

/** Answers 204 if the journal has not changed since `seen`: the page asks every second. */
function listed(
  { database, receiver, destinations }: Page,
  limit: number,
  seen: string | undefined,
): Reply {
  const version = versionOf(database);
  if (seen === version) return { status: 204 };
  const list = eventList(database, Math.min(limit, mostEvents));
  return json({ version, receiver, destinations, mostEvents, ...list });
}

/** Changes with every commit: the first number with those of other connections, the second with our own. */
function versionOf(database: Database): string {
  const others = database.first<{ data_version: number }>('PRAGMA data_version')?.data_version;
  const own = database.first<{ n: number }>('SELECT total_changes() AS n')?.n;
  return `${others}.${own}`;
}

async function resend({ database, destinations, resending, ...page }: Page, id: number) {
  if (!eventDetail(database, id)) return text(404, 'Not found.');
  if (destinations.length === 0) return text(409, 'There is nowhere to send events.');
  // A second click, or a second window, must not send it twice.
  if (resending.has(id)) return text(409, 'The event is being sent.');
  const sending = page.resend(id);
  resending.set(id, sending);
  try {
    return json({ results: await sending });
  } finally {
    resending.delete(id);
  }
}

function hashOf(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}

const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(style)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // The browser refuses to read any text as markup.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const headers = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};
