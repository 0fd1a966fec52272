/** The types of the catalogue. Facts about one parameter are data; rules across parameters are the `check` function. */
import { addDays } from '../dates/day.ts';
import type { Remark } from './finding.ts';
import type { Named, Resource, Row, Words } from './resource.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';

/** A permission of an API key (section 5 of the specification). */
export const roles = [
  'api_order_read',
  'api_order_write',
  'api_subscription_modifications',
  'api_products_client',
  'api_analytics_client',
  'HAS_DEVELOPER_KEY',
] as const;

export type Role = (typeof roles)[number];

/** The form of a text, and the same in words that follow "must be" or "use". */
export interface Pattern {
  readonly matches: RegExp;
  readonly says: string;
}

/** One parameter. `Value` is its type in code: a date is `yyyy-mm-dd`, a decimal is its digits. */
export interface Param<Value = unknown, Required extends boolean = boolean> {
  readonly kind: 'text' | 'choice' | 'integer' | 'decimal' | 'boolean' | 'date';
  readonly summary: string;
  readonly required: Required;
  readonly repeatable?: boolean;
  /** The service also accepts several values in one, separated by commas. */
  readonly commas?: boolean;
  /** The allowed values of a choice, each with its meaning ('' where the name says it). */
  readonly values?: Readonly<Record<string, string>>;
  readonly pattern?: Pattern;
  /** `%` stands for any run of characters. */
  readonly wildcard?: boolean;
  readonly min?: number;
  readonly max?: number;
  /** What the service assumes if the parameter is absent, in words. */
  readonly fallback?: string;
  /** The service accepts a request without the parameter, and ignores a value that it can't read. */
  readonly lenient?: boolean;
  /** Summary of the negated option of a boolean, as in "Do not mark the whole order as shipped". */
  readonly off?: string;
  /** Always sent with this value, never typed. */
  readonly constant?: string;
  /** Part of the path, but typed as an option: in the path, arguments follow it. */
  readonly asFlag?: boolean;
  readonly names?: Named;
  /** Two dates with the same range name are the first and last day of one period. */
  readonly range?: Range;
  /** The help topic that lists the values if they are too many for a help page. */
  readonly topic?: 'reasons';
  /** The values as people type them, for the short help. */
  readonly inWords?: string;
  readonly future?: boolean;
  /** Counts Pacific days up to today, and stands for a period. */
  readonly daysBack?: boolean;
  /** The values are codes, so people type words of their meanings. */
  readonly coded?: boolean;
  /** The values go with those of another parameter: how they begin, by its value. */
  readonly follows?: {
    readonly param: string;
    readonly prefixes: Readonly<Record<string, string>>;
  };
  /** The service accepts one value at a time: several values are several requests. */
  readonly splits?: boolean;
  /** Used only by the compiler, never set. */
  readonly is?: Value;
}

export interface Range {
  readonly name: string;
  readonly end: 'first' | 'last';
  /** The longest period that the service accepts in one request, both days included. */
  readonly maxDays?: number;
  /** The summary of the period; set on the first day. */
  readonly summary?: string;
  /** The field that holds the time of a row by which the period selects it; set on the first day. */
  readonly at?: string;
  /** Without dates, the service selects yesterday and today; set on the first day. */
  readonly isRecent?: boolean;
}

export type Params = Readonly<Record<string, Param>>;

type ValueOf<P> = P extends Param<infer Value, boolean> ? Value : never;

export type Arguments<P extends Params = Params> = {
  readonly [K in keyof P as P[K] extends Param<unknown, true> ? K : never]: ValueOf<P[K]>;
} & {
  readonly [K in keyof P as P[K] extends Param<unknown, true> ? never : K]?:
    | ValueOf<P[K]>
    | undefined;
};

/** Arguments that may be wrong: any value under any name. */
export type Given = Readonly<Record<string, unknown>>;

export type Returns =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'count';
      /** The service documents XML and JSON for this count; for other counts it documents no media type. */
      readonly asData?: boolean;
    }
  | { readonly kind: 'text'; readonly confirms?: Confirms }
  | { readonly kind: 'schema' }
  | {
      /** Yes or no, from the status: 2xx is yes, `noStatus` is no. */
      readonly kind: 'answer';
      readonly yes: string;
      readonly no: string;
      readonly noStatus: number;
    }
  | {
      readonly kind: 'one';
      readonly resource: Resource;
      /** The service also writes it as text/csv. */
      readonly csv?: boolean;
      readonly confirms?: Confirms;
    }
  | ({ readonly kind: 'list'; readonly resource: Resource } & ListFacts)
  | ({ readonly kind: 'pages'; readonly resource: Resource } & ListFacts);

/** Whether the reply shows what these arguments write: it may be a gateway's. Each write that returns something has one. */
export type Confirms = (reply: unknown, args: Arguments) => boolean;

export interface ListFacts {
  /** The fields that together identify a row, for lists whose rows may move while they are read. */
  readonly key?: readonly string[];
  readonly dated?: Dated;
  /** The resource that contains the rows on the wire, if it is more than a bare list. */
  readonly inside?: Resource;
  /** Sums over all rows, which the same resource contains. */
  readonly totals?: Resource;
  /** The operation that counts the rows; it accepts the same arguments, as far as it has them. */
  readonly count?: Operation;
}

/** Each row has a day: the list of a period consists of the lists of its days, in order. */
export interface Dated {
  /** The range that selects those days. */
  readonly by: string;
  readonly first: 'latest' | 'earliest';
  /** A parameter that makes the service ignore the range. */
  readonly unless?: string;
}

/** One operation of the service (section 4 of the specification). */
export interface Operation<P extends Params = Params, R extends Returns = Returns> {
  readonly method: Method;
  /** The path below `{base_url}/rest`; `{name}` is a path parameter of the same name. */
  readonly path: string;
  /** The words after `cb`. */
  readonly command: string;
  readonly summary: string;
  /** Its figures are those of Pacific days and can't be those of another time zone. */
  readonly isPacific?: boolean;
  /** A key must have all of these. */
  readonly roles: readonly Role[];
  readonly params: P;
  readonly returns: R;
  /** `today` is the Pacific day, yyyy-mm-dd. */
  check?(args: Arguments<P>, today: string): readonly (Remark | false)[];
  /** Command lines that work on a new sandbox. */
  readonly examples: readonly string[];
  /** By status: what a refusal means for this operation (section 7 of the specification). */
  readonly refusals?: Readonly<Record<number, string>>;
}

/** The decoded reply of an operation; of a paged one, the rows of a page. */
export type Reply<R extends Returns> = R extends { kind: 'count' }
  ? number
  : R extends { kind: 'answer' }
    ? boolean
    : R extends { kind: 'text' }
      ? string | undefined
      : R extends { kind: 'schema' }
        ? string
        : R extends { kind: 'one'; resource: infer T }
          ? Row<T>
          : R extends { kind: 'list' | 'pages'; resource: infer T }
            ? Row<T>[]
            : undefined;

/** Keeps the exact types of an operation's parameters, reply, method and command. */
export function operation<
  const P extends Params,
  const R extends Returns,
  const M extends Method,
  const C extends string,
>(value: Operation<P, R> & Identity<M, C>): Operation<P, R> & Identity<M, C> {
  return value;
}

export interface Identity<M extends Method, C extends string> {
  readonly method: M;
  readonly command: C;
}

/** Returns a problem if `broken` is true. */
export function when(
  broken: boolean,
  param: string,
  says: string,
  accepts?: string,
): Remark | false {
  return broken && { param, says, weight: 'problem', ...(accepts !== undefined && { accepts }) };
}

/** Returns a problem that a value for the parameter resolves, if `broken` is true. */
export function needed(broken: boolean, param: string, says: string): Remark | false {
  return broken && { param, says, weight: 'problem', isMissing: true };
}

export function note(holds: boolean, says: string): Remark | false {
  return holds && { param: undefined, says, weight: 'note' };
}

export function isWrite({ method }: { readonly method: Method }): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** Whether a reply names the ID of the request; the service may write it in another case. */
export function isSameId(replied: unknown, sent: unknown): boolean {
  return String(replied).toUpperCase() === String(sent).toUpperCase();
}

/** As `isSameId`, for items, which either may leave out. */
export function isSameItem(replied: unknown, sent: unknown): boolean {
  return replied == null || sent == null || isSameId(replied, sent);
}

/** The receipt of the sale: that of a rebill has a suffix such as -B002. */
export function saleOf(receipt: string): string {
  return receipt.replace(/-B\d+$/i, '');
}

type Facts = Omit<Partial<Param>, 'kind' | 'summary' | 'required' | 'values' | 'is'>;

function ofKind<Value>(kind: Exclude<Param['kind'], 'choice'>) {
  return (summary: string, facts: Facts = {}): Param<Value, false> => {
    return { kind, summary, required: false, ...facts };
  };
}

export const text = ofKind<string>('text');
export const integer = ofKind<number>('integer');
/** A number that is sent with the digits as typed. */
export const decimal = ofKind<string>('decimal');
export const boolean = ofKind<boolean>('boolean');
/** A Pacific day, `yyyy-mm-dd`. */
export const date = ofKind<string>('date');

export function choice<const V extends string>(
  summary: string,
  values: Readonly<Record<V, string>>,
  facts: Facts = {},
): Param<V, false> {
  return { kind: 'choice', summary, required: false, values, ...facts };
}

/** Values of a choice whose names explain themselves, separated by spaces. */
export function plain<const V extends string>(values: V): Readonly<Record<Words<V>, ''>> {
  return Object.fromEntries(values.split(' ').map((value) => [value, ''])) as Record<Words<V>, ''>;
}

export interface Constant<V extends string> extends Param<V, false> {
  readonly constant: V;
}

/** A parameter with a fixed value, which distinguishes commands on the same path. */
export function constant<const V extends string>(value: V): Constant<V> {
  return { ...choice(`Always ${value}`, plain(value as string)), constant: value } as Constant<V>;
}

export function required<V>(param: Param<V, false>): Param<V, true> {
  return { ...param, required: true } as Param<V, true>;
}

export function repeated<V>(param: Param<V, false>): Param<readonly V[], false> {
  return { ...param, repeatable: true } as Param<readonly V[], false>;
}

/** For a parameter of which a search accepts several values, which are several requests. */
export const several = { splits: true } as const;

export const nothing = { kind: 'nothing' } as const;
export const countReply = { kind: 'count' } as const;

export function one<const T extends Resource>(resource: T, confirms?: Confirms) {
  return { kind: 'one', resource, ...(confirms && { confirms }) } as const;
}

export function schemaOf<const C extends string>(
  path: string,
  command: C,
  what: string,
  example = `cb ${command}`,
) {
  return operation({
    method: 'GET',
    path,
    command,
    summary: `Print the XML Schema of ${what}`,
    roles: [],
    params: {},
    returns: { kind: 'schema' },
    examples: [example],
  });
}

function rowsOf<const K extends 'list' | 'pages'>(kind: K) {
  return <const T extends Resource, const F extends ListFacts>(resource: T, facts: F = {} as F) =>
    ({ kind, resource, ...facts }) as const;
}

/** All rows in one body. */
export const list = rowsOf('list');
/** Rows in pages: request header `Page`; status 206 if there are more (section 8). */
export const pages = rowsOf('pages');

const receiptPattern = {
  matches: /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/,
  says: 'letters, digits and dashes, as in MONTHLY1 or MONTHLY1-B002',
};

/** A required receipt. Other text could change the path that it becomes part of. */
export function receiptOf(summary: string) {
  return required(text(summary, { pattern: receiptPattern, names: 'receipt' }));
}

/* Periods: two date parameters each, the first and the last day. */

/** The range of a first day, with the names of both parameters. */
export interface Period extends Range {
  readonly first: string;
  readonly last: string;
  readonly summary: string;
}

/** Returns the periods of an operation, in the order of their first days. */
export function periodsOf({ params }: Pick<Operation, 'params'>): Period[] {
  const dates = Object.entries(params);
  return dates.flatMap(([first, { range }]) => {
    if (range?.end !== 'first') return [];
    const last = dates.find(
      ([, end]) => end.range?.name === range.name && end.range.end === 'last',
    );
    return last ? [{ summary: 'Period', ...range, first, last: last[0] }] : [];
  });
}

/** Checks a last day alone: the service then begins `days` before today, and finds nothing if that is later. */
export function beginsInTime(
  { startDate, endDate }: Given,
  today: string,
  days: number,
): Remark | false {
  const begins = addDays(today, -days);
  const isLate = !startDate && !!endDate && String(endDate) < begins;
  return needed(
    isLate,
    'startDate',
    `is required, because ClickBank otherwise begins on ${begins}`,
  );
}

/** Checks a period for which the service requires both days or none. */
export function bothOrNeither(args: Given, first: string, last: string): (Remark | false)[] {
  const [hasFirst, hasLast] = [args[first] !== undefined, args[last] !== undefined];
  return [
    when(hasFirst && !hasLast, last, `is required with {${first}}`),
    when(hasLast && !hasFirst, first, `is required with {${last}}`),
  ];
}
