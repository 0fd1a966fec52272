/** Handles one request: route, access, media type, arguments, handler, reply. */

import type { IncomingHttpHeaders } from 'node:http';
import { pacificDay } from '../../dates/day.ts';
import { catalogue, services } from '../../operations/index.ts';
import type { Operation, Returns } from '../../operations/operation.ts';
import type { Resource } from '../../operations/resource.ts';
import { analyticsHandlers } from '../services/analytics.ts';
import { ordersHandlers } from '../services/orders.ts';
import { imagesHandlers, productsHandlers } from '../services/products.ts';
import { quickstatsHandlers } from '../services/quickstats.ts';
import { settle } from '../services/settle.ts';
import { shippingHandlers } from '../services/shipping.ts';
import { ticketsHandlers } from '../services/tickets.ts';
import type { Clock } from '../store/store.ts';
import {
  assertOr,
  assertValid,
  ignoresCase,
  Refusal,
  readArguments,
  readPage,
} from './arguments.ts';
import type { AnyHandler, BareText, Handlers, Page, Reply, State } from './handlers.ts';
import { type Row, rowJson, rowsJson, writeCsv } from './json.ts';
import { authorize, identify, NOBODY } from './keys.ts';
import { writeXml, writeXsd } from './xml.ts';

const isParameter = (segment: string) => segment.startsWith('{');

const split = (path: string) => path.split('/').filter((segment) => segment !== '');

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal(400, 'The path is not validly encoded.');
  }
}

function fits(operation: Operation, segments: readonly string[]): boolean {
  const patterns = split(operation.path);
  const compared = (text = '') => (ignoresCase(operation) ? text.toLowerCase() : text);
  const isSame = (pattern: string, i: number) => compared(pattern) === compared(segments[i]);
  const isEqual = patterns.every((pattern, i) => isParameter(pattern) || isSame(pattern, i));
  return isEqual && patterns.length === segments.length;
}

/** Ranks literal segments before parameters, from the left: `/orders2/list` is not a receipt. */
const rankOf = ({ path }: Operation) => split(path).map(isParameter).map(Number).join('');

/**
 * HEAD is handled like GET unless the catalogue has a HEAD operation for the path. Several operations may share a method
 * and a path and differ by the value of a constant parameter; a value that none of them has is refused with 400.
 */
function choose(
  all: readonly Operation[],
  method: string,
  query: URLSearchParams,
): Operation | undefined {
  const own = all.filter((operation) => operation.method === method);
  const usesGet = own.length === 0 && method === 'HEAD';
  const operations = usesGet ? all.filter((operation) => operation.method === 'GET') : own;
  const constants = new Map<string, string[]>();
  for (const [name, { constant }] of operations.flatMap(({ params }) => Object.entries(params))) {
    if (constant !== undefined) constants.set(name, [...(constants.get(name) ?? []), constant]);
  }
  for (const [name, values] of constants) {
    const requested = query.get(name) || undefined;
    if (requested !== undefined && !values.includes(requested)) {
      throw new Refusal(400, `The parameter ${name} must be one of ${values.join(', ')}.`);
    }
  }
  return operations.find(({ params }) =>
    [...constants.keys()].every(
      (name) => params[name]?.constant === (query.get(name) || undefined),
    ),
  );
}

/** Programs for the legacy orders service treat a bare 404 as an empty list. */
const LEGACY_ORDERS =
  'Not Found: the sandbox does not have the legacy service /rest/1.3/orders. Use /rest/1.3/orders2 instead.';

/** Throws a Refusal: 404 for an unknown path below `/rest`, 405 for a method that the path does not have. */
export function matchRoute(
  method: string,
  path: string,
  query: URLSearchParams,
): { operation: Operation; values: Readonly<Record<string, string>> } {
  const segments = split(path).map(decode);
  const fitting = catalogue.filter((operation) => fits(operation, segments));
  const [best] = fitting.map(rankOf).sort();
  const operations = fitting.filter((operation) => rankOf(operation) === best);
  if (operations.length === 0) {
    const isLegacy = segments[0] === '1.3' && segments[1] === 'orders';
    throw new Refusal(404, isLegacy ? LEGACY_ORDERS : 'Not Found');
  }
  const operation = choose(operations, method, query);
  if (!operation) {
    const allowed = new Set(operations.map((known) => known.method));
    throw new Refusal(405, 'Method Not Allowed', { Allow: [...allowed].join(', ') });
  }
  const values = split(operation.path).flatMap((pattern, i) =>
    isParameter(pattern) ? [[pattern.slice(1, -1), segments[i] ?? '']] : [],
  );
  return { operation, values: Object.fromEntries(values) };
}

// An operation of the catalogue without a handler does not compile.
const handled: { readonly [S in keyof typeof services]: Handlers<(typeof services)[S]> } = {
  analytics: analyticsHandlers,
  tickets: ticketsHandlers,
  orders: ordersHandlers,
  products: productsHandlers,
  images: imagesHandlers,
  quickstats: quickstatsHandlers,
  ...shippingHandlers,
};

const handlers = new Map(
  Object.entries(services).flatMap(([service, operations]) => {
    const own = handled[service as keyof typeof services] as Readonly<Record<string, AnyHandler>>;
    return Object.entries(operations).map(([name, one]: [string, Operation]) => [one, own[name]]);
  }),
);

const ROOT = '/rest';
const DEBUG = `${ROOT}/1.3/debug`;

/** The relevant parts of an HTTP request. There is no body: parameters are in the query, also for POST. */
export interface ServiceRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
}

/** Throws a Refusal if the service rejects the request. */
export function respond(
  state: State,
  clock: Clock,
  { method, url, headers }: ServiceRequest,
): Reply {
  if (url.pathname === DEBUG) {
    // The live service also returns the key to its owner in plain text.
    const { roles, key } = identify(headers.authorization);
    const body = [...roles, key].map((line) => `${line}\n`).join('');
    return { status: 200, type: TEXT, body };
  }
  const path = url.pathname.slice(ROOT.length);
  const { operation, values } = matchRoute(method, path, url.searchParams);
  // POST and PUT must send the length of their body, even if it is empty.
  const length = headers['content-length'] ?? headers['transfer-encoding'];
  const needsLength = method === 'POST' || method === 'PUT';
  assertValid(!needsLength || length !== undefined, 'Content-Length is required.');
  const caller = operation.roles.length ? identify(headers.authorization) : NOBODY;
  authorize(caller, operation.roles);
  const offered = offeredBy(operation);
  const type = offered ? negotiate(headers.accept, offered) : '';
  assertOr(type !== undefined, 406, 'Not Acceptable');
  const page = operation.returns.kind === 'pages' ? readPage([headers.page].flat()[0]) : 1;
  const args = readArguments(operation, values, url.searchParams);
  const now = clock.instant();
  settle(state.db, now);
  const context = { caller, now, today: pacificDay(now) };
  const work = () => handlers.get(operation)?.(state, { args, page }, context);
  // A handler that writes checks its rules and writes in one transaction.
  const isRead = method === 'GET' || method === 'HEAD';
  const result = isRead ? state.db.steadily(work) : state.db.immediately(work);
  return replyWith(operation.returns, type, result);
}

/**
 * Returns the accepted media type of the highest quality, or undefined if none is accepted. Between
 * equal qualities, a type that the header names wins over one that only matches a wildcard. After that,
 * and without an Accept header, the first offered type wins: JAX-RS takes the first type of `@Produces`.
 */
function negotiate(accept: string | undefined, offered: readonly string[]): string | undefined {
  if (!accept?.trim()) return offered[0];
  const ranges = accept.split(',').map((part) => {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const quality = parameters.find((text) => text.startsWith('q='));
    return { range, quality: quality ? Number(quality.slice(2)) || 0 : 1 };
  });
  const [best] = offered
    .map((type) => {
      const forms = ['*/*', `${type.split('/')[0]}/*`, type];
      // The most specific range decides: `application/json;q=0` excludes JSON even if a wildcard allows it.
      const [closest = { type, quality: 0, closeness: -1 }] = ranges
        .map(({ range, quality }) => ({ type, quality, closeness: forms.indexOf(range) }))
        .filter(({ closeness }) => closeness >= 0)
        .sort((a, b) => b.closeness - a.closeness);
      return closest;
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || b.closeness - a.closeness);
  return best?.type;
}

const XML = 'application/xml';
const JSON_TYPE = 'application/json';
const TEXT = 'text/plain';
const CSV = 'text/csv';

const DATA: readonly string[] = [XML, JSON_TYPE];
/** Media types of responses that the specification leaves open. */
const UNLISTED: readonly string[] = [TEXT, XML, JSON_TYPE];

/** The media types of a response, the default first. A response without a body matches every Accept. */
function offeredBy({ returns }: Operation): readonly string[] | undefined {
  const { kind } = returns;
  if (kind === 'nothing') return undefined;
  if (kind === 'schema') return [XML];
  if (kind === 'text' || (kind === 'count' && !returns.asData)) return UNLISTED;
  return kind === 'one' && returns.csv ? [...DATA, CSV] : DATA;
}

function rowBody(type: string, resource: Resource, row: Row): string {
  if (type === CSV) return writeCsv(resource, row);
  const json = rowJson(resource, row);
  return type === XML ? writeXml(resource.root ?? resource.element, json) : JSON.stringify(json);
}

type Listing = Extract<Returns, { kind: 'list' | 'pages' }>;

function listBody(type: string, { inside, resource }: Listing, content: unknown): string {
  if (inside) return rowBody(type, inside, content as Row);
  const json = rowsJson(resource, content as readonly Row[]);
  // The service's documents do not name the root.
  return type === XML ? writeXml(`${resource.element}List`, json ?? {}) : JSON.stringify(json);
}

function replyWith(returns: Returns, type: string, result: unknown): Reply {
  switch (returns.kind) {
    case 'nothing':
      return { status: 204 };
    case 'answer':
      return { status: result ? 204 : returns.noStatus };
    case 'count': {
      // A bare number, except in XML, where it would not be a document.
      const count = String(result);
      return { status: 200, type, body: type === XML ? writeXml('count', count) : count };
    }
    case 'text': {
      const { text, created } = result as BareText;
      return { status: created ? 201 : 200, type: TEXT, body: text };
    }
    case 'schema':
      return { status: 200, type, body: writeXsd(...[result as Resource | Resource[]].flat()) };
    case 'one':
      return { status: 200, type, body: rowBody(type, returns.resource, result as Row) };
    case 'list':
      return { status: 200, type, body: listBody(type, returns, result) };
    case 'pages': {
      const { content, more } = result as Page<unknown>;
      return { status: more ? 206 : 200, type, body: listBody(type, returns, content) };
    }
  }
}
