/** Turns an operation and its arguments into the request that is sent. */
import type { Arguments, Method, Operation, Params } from '../../operations/operation.ts';
import { ApiError } from '../errors.ts';

/** Only the query carries parameters: the service ignores bodies. */
export interface Request {
  readonly method: Method;
  /** Starts with `/rest`; without the query. */
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
}

const longestUrl = 2000;

export function requestFor<P extends Params>(operation: Operation<P>, args: Arguments<P>): Request {
  const values = args as Readonly<Record<string, unknown>>;
  const inPath = new Set<string>();
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name);
    const value = String(values[name] ?? '');
    // A server or proxy would read it as another path.
    if (value === '' || value === '.' || value === '..') {
      const wrong = value === '' ? 'empty' : `'${value}'`;
      throw new ApiError('request', `${name} must not be ${wrong}.`);
    }
    return encoded(name, value);
  });
  const query = Object.keys(operation.params)
    .filter((name) => !inPath.has(name))
    .flatMap((name) =>
      [values[name] ?? operation.params[name]?.constant ?? []]
        .flat()
        .map((value) => [name, String(value)] as const),
    );
  return { method: operation.method, path: `/rest${path}`, query };
}

/** The absolute URL. Throws if it is longer than ClickBank accepts, or if its path would leave the base URL. */
export function urlOf(baseUrl: string, request: Request): string {
  if (hasDotSegment(request.path)) {
    throw new ApiError('request', `The path ${request.path} contains a '.' or '..' segment.`);
  }
  const query = request.query.map(
    ([name, value]) => `${encoded(name, name)}=${encoded(name, value)}`,
  );
  const url = `${baseUrl}${request.path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  if (url.length > longestUrl) {
    const message = `The request is ${url.length} characters long. ClickBank accepts ${longestUrl} at most.`;
    throw new ApiError('request', message, { hint: 'Shorten the longest value.' });
  }
  return url;
}

/**
 * Whether a server, a proxy, or the URL parser could read a segment as `.` or `..`: also encoded,
 * more than once or in part, after a backslash, or with a parameter as in `..;a=b`.
 */
export function hasDotSegment(path: string): boolean {
  return decoded(path)
    .split(/[/\\]/)
    .some((segment) => /^\s*\.\.?\s*(?:;.*)?$/s.test(segment));
}

/** Decodes ASCII only, so that every input is valid. */
function decoded(text: string): string {
  const once = text.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return once === text ? text : decoded(once);
}

/** Throws for an unpaired surrogate, as in a text that was cut. */
function encoded(name: string, value: string): string {
  try {
    return encodeURIComponent(value);
  } catch (cause) {
    throw new ApiError('request', `${name} contains an incomplete character.`, { cause });
  }
}
