/** Parses and validates query and path parameters, and refuses requests: an invalid value with 400. */
import { endOf, instantOf, isDay } from '../../dates/day.ts';
import type { Arguments, Operation, Param, Params } from '../../operations/operation.ts';

/** The live service ignores case in the paths and the enumerated values of analytics. */
export function ignoresCase({ path }: Pick<Operation, 'path'>): boolean {
  return path.startsWith('/1.3/analytics/');
}

/** Returns the value of a choice as the specification spells it, or an unknown text unchanged. */
function canonicalChoice({ values = {} }: Param, text: string): string {
  const wanted = text.toUpperCase();
  return Object.keys(values).find((value) => value.toUpperCase() === wanted) ?? text;
}

interface Parser {
  readonly fits: (text: string) => boolean;
  /** The value is the text itself by default. */
  readonly read?: (text: string) => unknown;
  /** A noun phrase for error messages. */
  readonly says: string;
}

const anything = { fits: () => true, says: 'text' };

const PARSERS: Readonly<Record<Param['kind'], Parser>> = {
  text: anything,
  choice: anything,
  integer: {
    fits: (text) => /^[+-]?\d{1,10}$/.test(text) && Number(text) === (Number(text) | 0),
    read: Number,
    says: 'a whole number',
  },
  decimal: { fits: (text) => /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text), says: 'a number' },
  boolean: {
    fits: (text) => /^(true|false)$/i.test(text),
    read: (text) => text.toLowerCase() === 'true',
    says: 'true or false',
  },
  date: { fits: isDay, says: 'a calendar date, yyyy-mm-dd' },
};

/** An empty value counts as absent. Like JAX-RS, takes the first of repeated values unless the parameter is a list. */
function readParam(name: string, param: Param, sent: readonly string[]): unknown {
  const { fits, read = String, says } = PARSERS[param.kind];
  const values = sent.filter((text) => text !== '').slice(0, param.repeatable ? undefined : 1);
  const isMissing = values.length === 0 && param.required && !param.lenient;
  assertValid(!isMissing, `The parameter ${name} is required.`);
  for (const text of values) {
    assertValid(fits(text) || param.lenient, `The parameter ${name} must be ${says}.`);
  }
  const parsed = values.map((text) => (fits(text) ? read(text) : undefined));
  return param.repeatable && parsed.length > 0 ? parsed : parsed[0];
}

/** Returns the arguments of a request; parameters unknown to the operation are ignored. */
export function readArguments(
  operation: Operation,
  path: Readonly<Record<string, string>>,
  query: URLSearchParams,
): Arguments<Params> {
  const args: Record<string, unknown> = {};
  const anyCase = ignoresCase(operation);
  for (const [name, param] of Object.entries(operation.params)) {
    const inPath = path[name];
    const given = inPath === undefined ? query.getAll(name) : [inPath];
    const sent = param.commas ? given.flatMap((value) => value.split(',')) : given;
    const texts = anyCase ? sent.map((text) => canonicalChoice(param, text)) : sent;
    const value = readParam(name, param, texts);
    if (value !== undefined) args[name] = value;
  }
  return args;
}

/** Parses the header `Page`, 1-based. The response to an invalid one is not documented; the sandbox sends 400. */
export function readPage(header: string | undefined): number {
  if (header === undefined) return 1;
  assertValid(
    /^[1-9]\d{0,8}$/.test(header.trim()),
    'The header Page must be a number of 1 or more.',
  );
  return Number(header);
}

function assertOne(name: string, { values, min, max, pattern }: Param, value: unknown): void {
  const allowed = values && Object.keys(values);
  const fits = !allowed || allowed.includes(String(value));
  assertValid(fits, `The parameter ${name} must be one of ${allowed?.join(', ')}.`);
  const number = Number(value);
  assertValid(min === undefined || number >= min, `The parameter ${name} must be at least ${min}.`);
  assertValid(max === undefined || number <= max, `The parameter ${name} must be at most ${max}.`);
  const matches = !pattern || pattern.matches.test(String(value));
  assertValid(matches, `The parameter ${name} must be ${pattern?.says}.`);
}

export function assertFacts(params: Params, args: Readonly<Record<string, unknown>>): void {
  for (const [name, param] of Object.entries(params)) {
    const value = args[name];
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) assertOne(name, param, one);
  }
}

export function assertOrder(startDate: string | undefined, endDate: string | undefined): void {
  const backwards = startDate !== undefined && endDate !== undefined && endDate < startDate;
  assertValid(!backwards, 'The parameter endDate must not be before startDate.');
}

/** Returns the instants of an inclusive period of Pacific days; an absent day leaves that end open. */
export function readDays(startDate: string | undefined, endDate?: string) {
  assertOrder(startDate, endDate);
  return {
    from: startDate === undefined ? undefined : instantOf(startDate),
    until: endDate === undefined ? undefined : endOf(endDate),
  };
}

/** An error response: a status, and a sentence that is sent as plain text. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, says: string, headers: Readonly<Record<string, string>> = {}) {
    super(says);
    this.status = status;
    this.headers = headers;
  }
}

export function assertOr(condition: unknown, status: number, says: string): asserts condition {
  if (!condition) throw new Refusal(status, says);
}

/** Refuses the request with 400 unless the condition holds. */
export function assertValid(condition: unknown, says: string): asserts condition {
  assertOr(condition, 400, says);
}
