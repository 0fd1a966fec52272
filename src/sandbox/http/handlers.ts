/** The types of handlers and responses: the compiler requires a handler for each operation of the catalogue. */
import type { Decimal } from '../../operations/decimal.ts';
import type { Arguments, Operation, Params, Returns } from '../../operations/operation.ts';
import type { Resource, Row } from '../../operations/resource.ts';
import type { Database } from '../../storage/sqlite.ts';
import type { PlainText } from './json.ts';
import type { Caller } from './keys.ts';

/** A response. One without a body has no media type either. */
export interface Reply {
  readonly status: number;
  readonly type?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type AnalyticsStatus = (typeof analyticsStatuses)[number];
export const analyticsStatuses = ['GREEN', 'YELLOW', 'RED'] as const;

export interface State {
  readonly db: Database;
  readonly analyticsStatus: () => AnalyticsStatus;
  readonly hasNullRows: () => boolean;
}

/** The parsed request. Values of a choice are unchecked: each handler decides how to treat unknown ones. */
export interface Call<P extends Params = Params> {
  readonly args: Arguments<P>;
  /** From the header `Page`, 1-based. */
  readonly page: number;
}

/** The caller, and the time of the sandbox's clock in seconds since 1970 and as a Pacific day. */
export interface Context {
  readonly caller: Caller;
  readonly now: number;
  readonly today: string;
}

type Scalar = string | number | boolean | null | undefined;

/**
 * A value as a handler returns it: stored values under the field names of the resource. Instants, hundredths and
 * flags are numbers; null is sent as nil, undefined is omitted.
 */
export type Sent<Value> = [Value] extends [number | Decimal]
  ? Scalar | PlainText
  : Value extends readonly (infer Element)[]
    ? readonly Sent<Element>[]
    : Value extends object
      ? { readonly [K in keyof Value]: Sent<NonNullable<Value[K]>> | null | undefined }
      : Scalar;

/** One page: its rows, or the resource that wraps them. */
export interface Page<Content> {
  readonly content: Content;
  /** Sent as status 206. */
  readonly more: boolean;
}

export interface BareText {
  readonly text: string;
  /** Sent as status 201. */
  readonly created: boolean;
}

type Content<R extends Returns> = R extends
  | { kind: 'one'; resource: infer T extends Resource }
  | { inside: infer T extends Resource }
  ? Sent<Row<T>>
  : R extends { resource: infer T extends Resource }
    ? readonly Sent<Row<T>>[]
    : undefined;

type Result<R extends Returns> = R extends { kind: 'count' }
  ? number
  : R extends { kind: 'answer' }
    ? boolean
    : R extends { kind: 'text' }
      ? BareText
      : R extends { kind: 'schema' }
        ? Resource | readonly Resource[]
        : R extends { kind: 'pages' }
          ? Page<Content<R>>
          : Content<R>;

type Handler<O> =
  O extends Operation<infer P, infer R>
    ? (state: State, call: Call<P>, context: Context) => Result<R>
    : never;

export type Handlers<Operations> = { readonly [K in keyof Operations]: Handler<Operations[K]> };

/** A handler whose operation is not known at compile time. */
export type AnyHandler = (state: State, call: Call, context: Context) => unknown;
