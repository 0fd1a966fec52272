/** The client of the library: a method for each operation of the catalogue. */

import { isLosslessNumber } from 'lossless-json';
import {
  type Client as Core,
  type ClientOptions as CoreOptions,
  createClient as createCore,
  type PageOptions,
  requireValidArguments,
} from '../client/client.ts';
import { longestTimer } from '../client/clock.ts';
import { plainInteger } from '../client/codec/rows.ts';
import { parseJson } from '../client/codec/wire-json.ts';
import { ApiError } from '../client/errors.ts';
import type { RequestOptions } from '../client/exchange.ts';
import { refusal, unreadable } from '../client/http/http-errors.ts';
import { baseUrlFrom, isProxyUrl, liveBaseUrl, proxyFor } from '../client/http/origin.ts';
import { hasDotSegment } from '../client/http/request.ts';
import type { RowPage } from '../client/paging/pages.ts';
import { WorkflowError } from '../client/workflow-error.ts';
import type { Finding } from '../operations/finding.ts';
import { type Arguments, isWrite, type Operation } from '../operations/operation.ts';
import { planWrite } from '../safe-write/confirmation.ts';
import type { WritePlan } from '../safe-write/plan.ts';
import { existingMatch } from '../safe-write/rules.ts';
import { type RecordWrite, sendRecorded, writeOnce } from '../safe-write/safe-write.ts';
import type { Catalogue, SafeCatalogue } from './catalogue.ts';
import { namespaces } from './namespaces.ts';
import type {
  ClientOptions,
  GetOptions,
  GetResponse,
  Page,
  Query,
  RowList,
  SafeWriteOptions,
  SafeWriteResult,
} from './types.ts';

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
  /**
   * Reads a path that has no method: `client.get('/1.3/orders2/count', { startDate: '2026-03-01' })`. The path follows
   * `/rest`. `data` is the JSON as sent, with numbers as strings of digits where a number would be inexact, or the text of
   * another format; 206 means that there is another `page`. Throws an ApiError for any other status than 2xx.
   */
  get(path: string, query?: Query, options?: GetOptions): Promise<GetResponse>;
  /** Aborts all requests. Resolves when all connections are closed. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates a client. Sends nothing, and reads neither files nor the environment. Throws an ApiError for a missing key or
 * a base URL that can't be used (kind `key`), and for an unknown option or an unusable value (kind `request`).
 */
export function createClient(options: ClientOptions): Client {
  const core = coreOptionsOf(options);
  const client = createCore(core);
  const { now = () => new Date() } = options;
  const calling = { client, now, record: recorderOf(options, core) };
  const close = () => client.close();
  return {
    ...(methodsOf(namespaces, (operation) => methodOf(calling, operation)) as Catalogue),
    safe: methodsOf(namespaces, (operation) =>
      isWrite(operation) ? safeMethodOf(calling, operation) : undefined,
    ) as SafeCatalogue,
    get: (path, query, options) => getFrom(client, path, query, options),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Only known options: a sandbox, which may be passed as options, has other members too. */
function coreOptionsOf(options: ClientOptions): CoreOptions {
  // In JavaScript, a variable that is not set would send requests without a key.
  if (!options?.apiKey)
    throw new ApiError('key', 'There is no API key.', { hint: 'Pass it as `apiKey`.' });
  requireOptions(options, clientRules, ofSandbox);
  const given = Object.keys(clientRules).map((name) => [
    name,
    options[name as keyof ClientOptions],
  ]);
  const { ledger: _, proxy, ...core }: ClientOptions = Object.fromEntries(given);
  const baseUrl = baseUrlFrom(core.baseUrl ?? liveBaseUrl);
  return {
    ...core,
    baseUrl,
    ...(proxy !== undefined && { proxy: proxyFor(baseUrl, { HTTPS_PROXY: proxy }) }),
  };
}

interface Calling {
  readonly client: Core;
  now(): Date;
  readonly record: RecordWrite | undefined;
}

/** The ledger is loaded with the first write, so that a client without one can't read files. */
function recorderOf({ ledger, onEvent }: ClientOptions, { apiKey = '', baseUrl }: CoreOptions) {
  if (ledger === undefined) return undefined;
  const service = { ledger, onEvent, baseUrl: baseUrl ?? liveBaseUrl, key: apiKey };
  let opened: Promise<RecordWrite> | undefined;
  const record: RecordWrite = async (...write) => {
    opened ??= import('./record-writes.ts').then(({ recorderIn }) => recorderIn(service));
    return (await opened)(...write);
  };
  return record;
}

async function getFrom(
  client: Core,
  path: string,
  query: Query = {},
  given: GetOptions = {},
): Promise<GetResponse> {
  requireOptions(given, { ...requestRules, page: clientRules.concurrency });
  const { page = 1, ...options } = given;
  requireObject('query', query);
  if (!/^\/[^?#]*$/.test(path) || hasDotSegment(path)) {
    const message = 'The path must begin with /, and have no query and no dot segments.';
    const details = { code: 'invalid-arguments', hint: 'Nothing was sent.' } as const;
    throw new ApiError('request', message, details);
  }
  const entries = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => (one === undefined ? [] : [[name, String(one)] as const])),
  );
  const request = { method: 'GET', path: `/rest${path}`, query: entries } as const;
  const response = await client.send(request, page, options);
  const { status, headers, body } = response;
  if (status < 200 || status > 299) throw ofRead(refusal(response));
  options.onResponse?.({ status, headers });
  const isJson = /\bjson\b/.test(headers['content-type'] ?? '');
  if (!isJson) return { status, headers, data: body };
  try {
    return { status, headers, data: body.trim() === '' ? null : plainNumbers(parseJson(body)) };
  } catch (cause) {
    throw ofRead(unreadable(response, (cause as Error).message, cause));
  }
}

/** A read changes nothing, so it can always be repeated. */
const ofRead = (error: ApiError) => Object.assign(error, { maybeDone: false });

function plainNumbers(value: unknown): unknown {
  if (isLosslessNumber(value)) return plainInteger(value.value);
  if (Array.isArray(value)) return value.map(plainNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainNumbers(one)]));
}

type Method = (...given: readonly unknown[]) => unknown;

/** Leaves out operations without a method, and then groups without methods. */
function methodsOf(
  tree: Readonly<Record<string, object>>,
  methodFor: (operation: Operation) => Method | undefined,
): object {
  const methods = Object.entries(tree).map(([name, node]) => {
    if ('path' in node) return [name, methodFor(node as Operation)] as const;
    const below = methodsOf(node as typeof tree, methodFor);
    return [name, Object.keys(below).length > 0 ? below : undefined] as const;
  });
  return Object.fromEntries(methods.filter(([, method]) => method !== undefined));
}

function methodOf({ client, now, record }: Calling, operation: Operation): Method {
  const split = splitterFor<RequestOptions>(operation);
  const { kind } = operation.returns;
  if (kind !== 'list' && kind !== 'pages') {
    return async (...given) => {
      const [args, options] = split(given);
      requireOptions(options, requestRules);
      if (!record || !isWrite(operation)) return client.call(operation, args, options);
      requireValidArguments(operation, args, now());
      return sendRecorded(record, operation, args, () => client.call(operation, args, options));
    };
  }
  return (...given) =>
    rowListOf((options) => {
      const [args, own] = split(given);
      requireOptions(own, requestRules);
      return client.pages(operation, args, { ...options, ...own });
    });
}

/** Methods throw only what `confirm` throws. */
function safeMethodOf({ client, now, record }: Calling, operation: Operation): Method {
  const split = splitterFor<SafeWriteOptions>(operation);
  return async (...typed): Promise<SafeWriteResult<unknown>> => {
    let plan: WritePlan | undefined;
    try {
      const [args, given] = split(typed);
      // The tests of cb replace the clock, so that they need not wait.
      requireOptions(given, safeWriteRules, ['clock']);
      const { confirm, ...options } = given;
      requireValidArguments(operation, args, now());
      const { undo: _, ...planned } = await planWrite(client, operation, args);
      plan = planned;
      // In JavaScript, an answer such as 'no' may come back as it was typed.
      const isConfirmed = confirm ? (await confirm(plan)) === true : plan.warnings.length === 0;
      if (!isConfirmed) {
        const error = notConfirmed(plan, confirm !== undefined);
        // An equal write says more than a state that it has brought about.
        const isChecked = error.kind === 'refused' && !options.allowDuplicate;
        const match = isChecked ? await existingMatch(client, operation, args) : undefined;
        throw match === undefined ? error : new WorkflowError('existing-match', `${match}.`);
      }
      const checked = { ...options, record };
      const { reply, how } = await writeOnce(client, operation, args, checked);
      return { state: 'done', reply, verified: how === 'verified', plan };
    } catch (thrown) {
      const error = apiErrorOf(thrown);
      const state = error.code === 'unknown-outcome' ? 'unknown' : 'not-done';
      return { state, error, plan };
    }
  };
}

/** A method of an operation without parameters takes only options. */
function splitterFor<O extends object>({ params }: Operation) {
  const hasArguments = Object.values(params).some(({ constant }) => constant === undefined);
  return (given: readonly unknown[]): [args: Arguments, options: O] => {
    const [args, options] = hasArguments ? given : [undefined, given[0]];
    requireObject('arguments', args ?? {});
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
    requireOptions(options, listRules);
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

/** A plan that the service refused is its refusal, whoever said no. */
function notConfirmed({ warnings }: WritePlan, isAsked: boolean): ApiError {
  const refused = warnings.filter(({ kind }) => kind === 'refused');
  const [refusal] = refused;
  const message = (refusal ? refused : warnings).map((one) => `${one.message}.`).join(' ');
  const nothing = 'Nothing was sent.';
  if (refusal) return new ApiError('refused', message, { hint: nothing, status: refusal.status });
  const hint = isAsked ? nothing : `${nothing} Pass \`confirm\` to decide about the warnings.`;
  return new ApiError('declined', isAsked ? 'The write was not confirmed.' : message, { hint });
}

function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (!(error instanceof WorkflowError)) throw error;
  const { message, cause, hint } = error;
  if (error.kind === 'not-done' && cause instanceof ApiError) return cause;
  if (error.kind === 'existing-match') {
    const again = 'Nothing was sent. Pass `allowDuplicate: true` to send it anyway.';
    return new ApiError('refused', message, { code: error.kind, hint: again, cause });
  }
  return error.kind === 'unknown-outcome'
    ? new ApiError('incomplete', message, { hint, cause, code: error.kind, maybeDone: true })
    : new ApiError('failed', message, { hint, cause });
}

/** The text after "must be", and the check of a value. */
type Rule = readonly [accepts: string, matches: (value: unknown) => boolean];

/** A rule for each option. */
type Rules<O> = { readonly [K in keyof O]-?: Rule };

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isFrom = (value: unknown, least: number) => typeof value === 'number' && value >= least;

const aFunction: Rule = ['a function', (value) => typeof value === 'function'];
const aText: Rule = ['a text', isText];
const anAbortSignal: Rule = [
  'an AbortSignal',
  (value) => typeof value === 'object' && value !== null && 'aborted' in value,
];
const milliseconds: Rule = ['milliseconds, 0 or more', (value) => isFrom(value, 0)];

const clientRules: Rules<ClientOptions> = {
  // A missing key and an unusable base URL are errors of kind `key`.
  apiKey: ['a text', (value) => typeof value === 'string'],
  baseUrl: aText,
  pace: [
    'requests a second, more than 0; Infinity for no limit',
    (value) => isFrom(value, 0) && value !== 0,
  ],
  paceFolder: aText,
  maxWait: milliseconds,
  timeout: [
    `milliseconds, from 1 to ${longestTimer}`,
    (value) => isFrom(value, 1) && Number(value) <= longestTimer,
  ],
  concurrency: [
    'a whole number, 1 or more',
    (value) => isFrom(value, 1) && Number.isSafeInteger(value),
  ],
  proxy: [
    'the URL of an HTTP proxy, such as http://proxy.example.com:3128',
    (value) => isText(value) && isProxyUrl(value),
  ],
  fetch: aFunction,
  userAgent: [
    'a text of printable ASCII characters',
    (value) => isText(value) && /^[\x20-\x7e]+$/.test(value),
  ],
  now: aFunction,
  ledger: aText,
  signal: anAbortSignal,
  onEvent: aFunction,
};

const requestRules: Rules<RequestOptions> = {
  signal: anAbortSignal,
  timeout: clientRules.timeout,
  maxWait: milliseconds,
  onResponse: aFunction,
};

const listRules: Rules<NonNullable<Parameters<RowList<unknown>['toArray']>[0]>> = {
  limit: ['a number, 0 or more', (value) => isFrom(value, 0)],
};

const safeWriteRules: Rules<SafeWriteOptions> = {
  confirm: aFunction,
  allowDuplicate: ['true or false', (value) => typeof value === 'boolean'],
  wait: milliseconds,
  signal: anAbortSignal,
};

/** A sandbox can be passed as options; these are its other members. */
const ofSandbox = ['apiKeys', 'requests', 'advance', 'setFaults', 'close'];

/** Throws an ApiError for a value whose content would be ignored, such as a function, a number, or URLSearchParams. */
function requireObject(name: string, value: unknown): void {
  if (typeof value === 'object' && value !== null && !(Symbol.iterator in value)) return;
  const details = { code: 'invalid-arguments', hint: 'Nothing was sent.' } as const;
  throw new ApiError('request', `The ${name} must be an object.`, details);
}

/** Throws an ApiError that names every option that is unknown or has an unusable value. Quotes no value. */
function requireOptions(
  options: object,
  rules: Readonly<Record<string, Rule>>,
  ignored: readonly string[] = [],
): void {
  requireObject('options', options);
  const findings = Object.entries(options)
    .filter(([name, value]) => value !== undefined && !ignored.includes(name))
    .flatMap(([param, value]): Finding[] => {
      const rule = Object.hasOwn(rules, param) ? rules[param] : undefined;
      const finding = { param, weight: 'problem' } as const;
      if (!rule) return [{ ...finding, code: 'unknown-parameter', says: 'is not an option' }];
      const [accepts, matches] = rule;
      if (matches(value)) return [];
      return [{ ...finding, code: 'wrong-kind', says: `must be ${accepts}`, accepts }];
    });
  if (findings.length === 0) return;
  const message = findings.map(({ param, says }) => `${param} ${says}.`).join(' ');
  const hint = 'Nothing was sent.';
  throw new ApiError('request', message, { code: 'invalid-arguments', findings, hint });
}
