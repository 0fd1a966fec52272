/** Handles one request: route, access, media type, arguments, handler, reply. */
import type { IncomingHttpHeaders } from 'node:http';
import { pacificDay } from '../../dates/pacific.ts';
import { catalogue, services } from '../../operations/index.ts';
import { analyticsHandlers } from '../analytics/analytics.ts';
import { type Clock, instantOn } from '../lifecycle/clock.ts';
import { settle } from '../lifecycle/settle.ts';
import { ordersHandlers } from '../orders/orders.ts';
import { imagesHandlers, productsHandlers } from '../products/products.ts';
import { quickstatsHandlers } from '../quickstats/quickstats.ts';
import { readArguments, readPage } from '../request/arguments.ts';
import type { AnyHandler, Handlers, Reply, State } from '../request/handlers.ts';
import { authorize, type Caller, identify, NOBODY } from '../request/keys.ts';
import { assertOr } from '../request/refusal.ts';
import { notices2Handlers, notices3Handlers, noticesHandlers } from '../shipping/notices.ts';
import { shipping2Handlers, shipping3Handlers, shippingHandlers } from '../shipping/shipping.ts';
import { ticketsHandlers } from '../tickets/tickets.ts';
import { negotiate } from './media-type.ts';
import { offeredBy, replyWith } from './reply.ts';
import { matchRoute, routesOf } from './routes.ts';

type Services = typeof services;

// An operation of the catalogue without a handler does not compile.
const handled: { readonly [S in keyof Services]: Handlers<Services[S]> } = {
  analytics: analyticsHandlers,
  tickets: ticketsHandlers,
  orders: ordersHandlers,
  products: productsHandlers,
  images: imagesHandlers,
  quickstats: quickstatsHandlers,
  shipping: shippingHandlers,
  shipping2: shipping2Handlers,
  shipping3: shipping3Handlers,
  notices: noticesHandlers,
  notices2: notices2Handlers,
  notices3: notices3Handlers,
};

const handlers = new Map<unknown, AnyHandler>();
const byName: Readonly<Record<string, Readonly<Record<string, unknown>>>> = handled;
for (const [service, operations] of Object.entries(services)) {
  for (const [name, operation] of Object.entries(operations)) {
    const handler = byName[service]?.[name];
    if (handler) handlers.set(operation, handler as AnyHandler);
  }
}

const routes = routesOf(catalogue);

const ROOT = '/rest';
const DEBUG = `${ROOT}/1.3/debug`;

/** The relevant parts of an HTTP request. There is no body: parameters are in the query, also for POST. */
export interface ServiceRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
}

/** Returns the key to its owner in plain text, as the live service does. */
function debugReply(caller: Caller): Reply {
  const lines = [...caller.roles, caller.key].map((line) => `${line}\n`);
  return { status: 200, type: 'text/plain', body: lines.join('') };
}

/** POST and PUT must send the length of their body, even if it is empty. */
function requireLength({ method, headers }: ServiceRequest): void {
  const announced = headers['content-length'] ?? headers['transfer-encoding'];
  const needed = method === 'POST' || method === 'PUT';
  assertOr(!needed || announced !== undefined, 400, 'Content-Length is required.');
}

/** Throws a Refusal if the service rejects the request. */
export function respond(state: State, clock: Clock, request: ServiceRequest): Reply {
  const { method, url, headers } = request;
  if (url.pathname === DEBUG) return debugReply(identify(headers.authorization));
  const { operation, values } = matchRoute(
    routes,
    method,
    url.pathname.slice(ROOT.length),
    url.searchParams,
  );
  requireLength(request);
  const caller = operation.roles.length ? identify(headers.authorization) : NOBODY;
  authorize(caller, operation.roles);
  const offered = offeredBy(operation);
  const type = offered ? negotiate(headers.accept, offered) : '';
  assertOr(type !== undefined, 406, 'Not Acceptable');
  const page = operation.returns.kind === 'pages' ? readPage(header(headers, 'page')) : 1;
  const args = readArguments(operation, values, url.searchParams);
  const now = instantOn(clock);
  settle(state.db, now);
  const handle = handlers.get(operation);
  assertOr(handle, 501, 'Not Implemented');
  const work = () => handle(state, { args, page }, { caller, now, today: pacificDay(now) });
  // A handler that writes checks its rules and writes in one transaction.
  const isRead = method === 'GET' || method === 'HEAD';
  const result = isRead ? state.db.steadily(work) : state.db.immediately(work);
  return replyWith(operation.returns, type, result);
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
