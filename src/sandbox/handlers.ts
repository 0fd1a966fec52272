/** What a handler is: one function for each operation of the catalogue, checked by the compiler. */
import type { Arguments, Operation, Params, Returns } from '../operations/operation.ts';
import type { Numeral, Resource, Row } from '../operations/resource.ts';
import type { Caller } from './access.ts';
import type { PlainText } from './codec/json.ts';
import type { Database } from './store/driver.ts';

/** What is kept between requests. */
export interface State {
  readonly db: Database;
  /** What analytics say of themselves now. */
  readonly analyticsStatus: () => 'GREEN' | 'YELLOW' | 'RED';
}

/** What was asked. Values of a choice are not checked: what they mean is the operation's matter. */
export interface Call<P extends Params = Params> {
  readonly args: Arguments<P>;
  /** From the header `Page`, 1-based. */
  readonly page: number;
}

/** Who asks, and when: the sandbox's clock, in seconds since 1970 and as a Pacific day. */
export interface Context {
  readonly caller: Caller;
  readonly now: number;
  readonly today: string;
}

type Scalar = string | number | boolean | null | undefined;

/**
 * A value as a handler gives it: what the store has, under the names of the wire. Instants, hundredths and flags
 * are numbers; null goes out as nil, undefined not at all.
 */
export type Sent<Value> = [Value] extends [Numeral]
  ? Scalar | PlainText
  : Value extends readonly (infer Element)[]
    ? readonly Sent<Element>[]
    : Value extends object
      ? { readonly [K in keyof Value]: Sent<NonNullable<Value[K]>> | null | undefined }
      : Scalar;

/** One page: its rows, or what they stand inside of. */
export interface Page<Content> {
  readonly content: Content;
  /** Answered as 206. */
  readonly more: boolean;
}

/** A bare text. */
export interface BareText {
  readonly text: string;
  /** Answered as 201. */
  readonly created: boolean;
}

type Result<R extends Returns> = R extends { kind: 'count' }
  ? number
  : R extends { kind: 'answer' }
    ? boolean
    : R extends { kind: 'text' }
      ? BareText
      : R extends { kind: 'schema' }
        ? Resource | readonly Resource[]
        : R extends { kind: 'one'; resource: infer T }
          ? Sent<Row<T>>
          : R extends { kind: 'list'; inside: infer T }
            ? Sent<Row<T>>
            : R extends { kind: 'pages'; inside: infer T }
              ? Page<Sent<Row<T>>>
              : R extends { kind: 'list'; resource: infer T }
                ? readonly Sent<Row<T>>[]
                : R extends { kind: 'pages'; resource: infer T }
                  ? Page<readonly Sent<Row<T>>[]>
                  : undefined;

type Handler<O> =
  O extends Operation<infer P, infer R>
    ? (state: State, call: Call<P>, context: Context) => Result<R>
    : never;

/** A handler for every operation of a service. */
export type Handlers<Operations> = { readonly [K in keyof Operations]: Handler<Operations[K]> };

/** A handler whose operation isn't known to the compiler. */
export type AnyHandler = (state: State, call: Call, context: Context) => unknown;
