/** Finds the operation of the catalogue for a method and a path. */
import type { Method, Operation } from '../../operations/operation.ts';
import { ignoresCase, Refusal } from '../request/arguments.ts';

/** All operations on one path, regardless of the names of its parameters. */
interface Route {
  readonly segments: readonly string[];
  readonly anyCase: boolean;
  readonly operations: readonly Operation[];
}

interface Match {
  readonly operation: Operation;
  readonly values: Readonly<Record<string, string>>;
}

const isParameter = (segment: string) => segment.startsWith('{');

/** Sorts literal segments before parameters, from the left: `/orders2/list` is not a receipt. */
function compareRoutes(a: Route, b: Route): number {
  for (const [i, segment] of a.segments.entries()) {
    const difference = Number(isParameter(segment)) - Number(isParameter(b.segments[i] ?? ''));
    if (difference) return difference;
  }
  return 0;
}

/** Returns the routes of a catalogue in the order in which they are tried. */
export function routesOf(catalogue: readonly Operation[]): readonly Route[] {
  const byShape = new Map<string, Operation[]>();
  for (const operation of catalogue) {
    const shape = operation.path.replaceAll(/\{[^}]*\}/g, '{}');
    byShape.set(shape, [...(byShape.get(shape) ?? []), operation]);
  }
  return [...byShape]
    .map(([shape, operations]) => ({
      segments: split(shape),
      anyCase: operations.every(ignoresCase),
      operations,
    }))
    .sort(compareRoutes);
}

const split = (path: string) => path.split('/').filter((segment) => segment !== '');

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal(400, 'The path is not validly encoded.');
  }
}

function fits({ segments: patterns, anyCase }: Route, segments: readonly string[]): boolean {
  if (patterns.length !== segments.length) return false;
  const same = (a: string, b = '') => a === b || (anyCase && a.toLowerCase() === b.toLowerCase());
  return patterns.every((pattern, i) => isParameter(pattern) || same(pattern, segments[i]));
}

function bind({ path }: Operation, segments: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [i, pattern] of split(path).entries()) {
    if (isParameter(pattern)) values[pattern.slice(1, -1)] = segments[i] ?? '';
  }
  return values;
}

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
  routes: readonly Route[],
  method: string,
  path: string,
  query: URLSearchParams,
): Match {
  const segments = split(path).map(decode);
  for (const route of routes) {
    if (!fits(route, segments)) continue;
    const operation = choose(route.operations, method, query);
    if (operation) return { operation, values: bind(operation, segments) };
    const allowed = new Set<Method>(route.operations.map((known) => known.method));
    throw new Refusal(405, 'Method Not Allowed', { Allow: [...allowed].join(', ') });
  }
  const isLegacy = segments[0] === '1.3' && segments[1] === 'orders';
  throw new Refusal(404, isLegacy ? LEGACY_ORDERS : 'Not Found');
}
