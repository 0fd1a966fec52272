/** From a method and a path to an operation of the catalogue. */
import type { Method, Operation } from '../operations/operation.ts';
import { Refusal } from './refusal.ts';

/** All operations of one path. */
interface Route {
  readonly segments: readonly string[];
  readonly operations: readonly Operation[];
}

/** The operation asked for, and the values of its path parameters. */
interface Match {
  readonly operation: Operation;
  readonly values: Readonly<Record<string, string>>;
}

const isParameter = (segment: string) => segment.startsWith('{');

/** Literal segments go before parameters, from the left: /orders2/list is not a receipt. */
function compareRoutes(a: Route, b: Route): number {
  for (const [i, segment] of a.segments.entries()) {
    const difference = Number(isParameter(segment)) - Number(isParameter(b.segments[i] ?? ''));
    if (difference) return difference;
  }
  return 0;
}

/** The routes of a catalogue, the more literal ones first. */
export function routesOf(catalogue: readonly Operation[]): readonly Route[] {
  const paths = [...new Set(catalogue.map((operation) => operation.path))];
  return paths
    .map((path) => ({
      segments: split(path),
      operations: catalogue.filter((operation) => operation.path === path),
    }))
    .sort(compareRoutes);
}

function split(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal(400, 'The path is not well encoded.');
  }
}

function bind(route: Route, segments: readonly string[]): Record<string, string> | undefined {
  if (route.segments.length !== segments.length) return undefined;
  const values: Record<string, string> = {};
  for (const [i, pattern] of route.segments.entries()) {
    const segment = segments[i] ?? '';
    if (isParameter(pattern)) values[pattern.slice(1, -1)] = segment;
    else if (pattern !== segment) return undefined;
  }
  return values;
}

/** HEAD is answered like GET where the catalogue has no HEAD of its own. */
function choose(operations: readonly Operation[], method: string): Operation | undefined {
  const of = (wanted: string) => operations.find((operation) => operation.method === wanted);
  return of(method) ?? (method === 'HEAD' ? of('GET') : undefined);
}

/** 404 for an unknown path (below `/rest`), 405 for a known one with another method. */
export function matchRoute(routes: readonly Route[], method: string, path: string): Match {
  const segments = split(path).map(decode);
  for (const route of routes) {
    const values = bind(route, segments);
    if (!values) continue;
    const operation = choose(route.operations, method);
    if (operation) return { operation, values };
    const allowed = new Set<Method>(route.operations.map((known) => known.method));
    throw new Refusal(405, 'Method Not Allowed', { Allow: [...allowed].join(', ') });
  }
  throw new Refusal(404, 'Not Found');
}
