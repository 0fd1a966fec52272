/** The client of the library: a method for each operation of the catalogue. */
import {
  type Client as Core,
  type ClientOptions as CoreOptions,
  createClient as createCore,
  type PageOptions,
} from '../client/client.ts';
import { type Clock, realClock } from '../client/clock.ts';
import { ApiError } from '../client/errors.ts';
import { baseUrlFrom, liveBaseUrl } from '../client/http/origin.ts';
import { proxyFor } from '../client/http/proxy.ts';
import type { RowPage } from '../client/paging/pages.ts';
import type { Arguments, Operation } from '../operations/operation.ts';
import type { Catalogue, SafeCatalogue } from './catalogue.ts';
import { namespaces } from './namespaces.ts';
import {
  definedIn,
  requireClientOptions,
  requireListOptions,
  requireRequestOptions,
} from './options.ts';
import { writeSafely } from './safe.ts';
import type { ClientOptions, Page, RequestOptions, RowList, SafeWriteOptions } from './types.ts';

/**
 * A client of the ClickBank REST API 1.3. Methods throw only ApiErrors. Reads are retried after connection
 * failures, 429, and 5xx, for up to `maxWait` milliseconds. A write is sent once and never retried: if the error has
 * `maybeDone`, check whether it was done before you send it again, or use the same method of `safe`.
 *
 * In rows, a decimal is a string with the digits as sent (`'37.00'`), an integer is a number (a string of digits
 * beyond the safe range), and a time is ISO 8601 with the Pacific offset. A field is null where the service sent nil,
 * and undefined where it sent nothing. Days are Pacific days, `yyyy-mm-dd`.
 */
export interface Client extends Catalogue {
  /**
   * The writes, each of which looks first, is sent once, and is read back if its response is lost. They resolve to
   * `{ state: 'done' | 'not-done' | 'unknown', … }`. A write with warnings is sent only if `confirm` agrees.
   */
  readonly safe: SafeCatalogue;
  /** Aborts all requests. Resolves when all connections are closed. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates a client. Sends nothing, and reads neither files nor the environment. Throws an ApiError for a base URL or
 * a key that can't be used (kind `key`), and for an unknown option or one with an unusable value (kind `request`).
 */
export function createClient(options: ClientOptions): Client {
  const core = coreOptionsOf(options);
  const clock = clockOf(options);
  const client = createCore({ ...core, clock });
  const close = () => client.close();
  return {
    ...(methodsOf(namespaces, (operation) => methodOf(client, operation)) as unknown as Catalogue),
    safe: methodsOf(namespaces, (operation) =>
      isRead(operation) ? undefined : safeMethodOf({ client, clock }, operation),
    ) as unknown as SafeCatalogue,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Only known options: a sandbox, which may be passed as options, has other members too. */
function coreOptionsOf(options: ClientOptions): CoreOptions {
  // In JavaScript, a variable that is not set would send requests without a key.
  if (!options?.apiKey)
    throw new ApiError('key', 'There is no API key.', { hint: 'Pass it as `apiKey`.' });
  requireClientOptions(options);
  const { apiKey, pace, paceFolder, maxWait, timeout, concurrency, userAgent, signal } = options;
  const { proxy, onEvent, fetch } = options;
  const baseUrl = baseUrlFrom(options.baseUrl ?? liveBaseUrl);
  return {
    ...definedIn({
      pace,
      paceFolder,
      maxWait,
      timeout,
      concurrency,
      userAgent,
      signal,
      onEvent,
      fetch,
    }),
    apiKey,
    baseUrl,
    ...(proxy !== undefined && { proxy: proxyFor(baseUrl, { HTTPS_PROXY: proxy }) }),
  };
}

function clockOf({ now }: ClientOptions): Clock {
  return now ? { ...realClock, wall: () => now().getTime() } : realClock;
}

type Method = (...given: readonly unknown[]) => unknown;

interface Tree {
  readonly [name: string]: Operation | Tree;
}

interface MethodTree {
  [name: string]: Method | MethodTree;
}

/** Leaves out operations without a method, and then groups without methods. */
function methodsOf(
  tree: object,
  methodFor: (operation: Operation) => Method | undefined,
): MethodTree {
  const methods: MethodTree = {};
  for (const [name, node] of Object.entries(tree as Tree)) {
    if (isOperation(node)) {
      const method = methodFor(node);
      if (method) methods[name] = method;
    } else {
      const below = methodsOf(node, methodFor);
      if (Object.keys(below).length > 0) methods[name] = below;
    }
  }
  return methods;
}

function isOperation(node: Operation | Tree): node is Operation {
  return typeof node.path === 'string';
}

function isRead({ method }: Operation): boolean {
  return method === 'GET' || method === 'HEAD';
}

function methodOf(client: Core, operation: Operation): Method {
  const split = splitterFor<RequestOptions>(operation);
  const { kind } = operation.returns;
  if (kind !== 'list' && kind !== 'pages') {
    return async (...given) => {
      const [args, options] = split(given);
      requireRequestOptions(options);
      return client.call(operation, args, options);
    };
  }
  return (...given) => {
    const [args, own] = split(given);
    return rowListOf((options) => {
      requireRequestOptions(own);
      return client.pages(operation, args, { ...options, signal: own.signal });
    });
  };
}

function safeMethodOf(
  core: { readonly client: Core; readonly clock: Clock },
  operation: Operation,
): Method {
  const split = splitterFor<SafeWriteOptions>(operation);
  return (...given) => {
    const [args, options] = split(given);
    return writeSafely(core, operation, args, options);
  };
}

/** A method of an operation without parameters takes only options. */
function splitterFor<O extends object>({ params }: Operation) {
  const hasArguments = Object.values(params).some(({ constant }) => constant === undefined);
  return (given: readonly unknown[]): [args: Arguments, options: O] => {
    const [args, options] = hasArguments ? given : [undefined, given[0]];
    return [(args ?? {}) as Arguments, (options ?? {}) as O];
  };
}

type ReadPages<R> = (options: Pick<PageOptions, 'expectedRows'>) => AsyncIterable<RowPage<R>>;

function rowListOf<R>(read: ReadPages<R>): RowList<R> {
  async function* rowsOf(expectedRows?: number): AsyncGenerator<R> {
    for await (const { rows } of read({ expectedRows })) yield* rows;
  }
  async function* pages(): AsyncGenerator<Page<R>> {
    for await (const { rows, totals, more } of read({})) yield { rows, totals, more };
  }
  async function toArray(options: { readonly limit?: number | undefined } = {}): Promise<R[]> {
    requireListOptions(options);
    const { limit = Number.POSITIVE_INFINITY } = options;
    const all: R[] = [];
    if (limit <= 0) return all;
    for await (const row of rowsOf(limit)) {
      all.push(row);
      if (all.length >= limit) break;
    }
    return all;
  }
  return {
    [Symbol.asyncIterator]: () => rowsOf(),
    pages,
    first: async () => (await toArray({ limit: 1 }))[0],
    toArray,
  };
}
