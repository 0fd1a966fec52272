/** Checks the options of a program as `validate` checks arguments: in JavaScript, no compiler does. */
import { ApiError } from '../client/errors.ts';
import { isProxyUrl } from '../client/http/proxy.ts';
import type { Finding } from '../operations/finding.ts';
import type { ClientOptions, RequestOptions, RowList, SafeWriteOptions } from './types.ts';

interface Rule {
  /** Completes "must be". */
  readonly accepts: string;
  matches(value: unknown): boolean;
}

/** A rule for each option. */
type Rules<O> = { readonly [K in keyof O]-?: Rule };

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const aFunction: Rule = { accepts: 'a function', matches: (value) => typeof value === 'function' };
const aText: Rule = { accepts: 'a text', matches: isText };
const anAbortSignal: Rule = {
  accepts: 'an AbortSignal',
  matches: (value) => typeof value === 'object' && value !== null && 'aborted' in value,
};
const milliseconds: Rule = {
  accepts: 'milliseconds, 0 or more',
  matches: (value) => isNumber(value) && value >= 0,
};

/** Node ends a longer timer at once. */
const longestTimer = 2 ** 31 - 1;

const clientRules: Rules<ClientOptions> = {
  // A missing key and an unusable base URL are errors of kind `key`.
  apiKey: { accepts: 'a text', matches: (value) => typeof value === 'string' },
  baseUrl: aText,
  pace: {
    accepts: 'requests a second, more than 0; Infinity for no limit',
    matches: (value) => isNumber(value) && value > 0,
  },
  paceFolder: aText,
  maxWait: milliseconds,
  timeout: {
    accepts: `milliseconds, from 1 to ${longestTimer}`,
    matches: (value) => isNumber(value) && value >= 1 && value <= longestTimer,
  },
  concurrency: {
    accepts: 'a whole number, 1 or more',
    matches: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  },
  proxy: {
    accepts: 'the URL of an HTTP proxy, such as http://proxy.example.com:3128',
    matches: (value) => isText(value) && isProxyUrl(value),
  },
  fetch: aFunction,
  userAgent: {
    accepts: 'a text of printable ASCII characters',
    matches: (value) => isText(value) && /^[\x20-\x7e]+$/.test(value),
  },
  now: aFunction,
  signal: anAbortSignal,
  onEvent: aFunction,
};

const requestRules: Rules<RequestOptions> = { signal: anAbortSignal };

type ListOptions = NonNullable<Parameters<RowList<unknown>['toArray']>[0]>;

const listRules: Rules<ListOptions> = {
  limit: { accepts: 'a number, 0 or more', matches: (value) => isNumber(value) && value >= 0 },
};

const safeWriteRules: Rules<SafeWriteOptions> = {
  confirm: aFunction,
  allowDuplicate: { accepts: 'true or false', matches: (value) => typeof value === 'boolean' },
  wait: milliseconds,
  signal: anAbortSignal,
};

/** A sandbox can be passed as options; these are its other members. */
const ofSandbox = ['apiKeys', 'requests', 'advance', 'setFaults', 'close'];

export function requireClientOptions(options: ClientOptions): void {
  requireOptions(options, clientRules, ofSandbox);
}

export function requireRequestOptions(options: RequestOptions): void {
  requireOptions(options, requestRules);
}

export function requireListOptions(options: ListOptions): void {
  requireOptions(options, listRules);
}

export function requireSafeWriteOptions(options: SafeWriteOptions): void {
  // The tests of cb replace the clock, so that they need not wait.
  requireOptions(options, safeWriteRules, ['clock']);
}

/** Throws an ApiError that names every option that is unknown or has an unusable value. Quotes no value. */
function requireOptions(
  options: object,
  rules: Readonly<Record<string, Rule>>,
  ignored: readonly string[] = [],
): void {
  const findings = Object.entries(options)
    .filter(([name, value]) => value !== undefined && !ignored.includes(name))
    .flatMap(([param, value]): Finding[] => {
      const rule = Object.hasOwn(rules, param) ? rules[param] : undefined;
      const finding = { param, weight: 'problem' } as const;
      if (!rule) return [{ ...finding, code: 'unknown-parameter', says: 'is not an option' }];
      if (rule.matches(value)) return [];
      const { accepts } = rule;
      return [{ ...finding, code: 'wrong-kind', says: `must be ${accepts}`, accepts }];
    });
  if (findings.length === 0) return;
  const message = findings.map(({ param, says }) => `${param} ${says}.`).join(' ');
  const hint = 'Nothing was sent.';
  throw new ApiError('request', message, { code: 'invalid-arguments', findings, hint });
}

export type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Leaves out options that are undefined, which then have their defaults. */
export function definedIn<T extends object>(options: T): Defined<T> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Defined<T>;
}
