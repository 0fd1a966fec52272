/**
 * The types of a client's methods and rows, derived from the catalogue. The build replaces the declarations of this
 * file with the same types written out, so that they have documentation (`build/library/`).
 */
import type { RequestOptions } from '../client/exchange.ts';
import type {
  Arguments,
  Operation,
  Param,
  Params,
  Reply,
  Returns,
} from '../operations/operation.ts';
import type { Row } from '../operations/resource.ts';
import type { namespaces } from './namespaces.ts';
import type { RowList, SafeWriteOptions, SafeWriteResult } from './types.ts';

type Namespaces = typeof namespaces;

/** Parameters with a constant value are always sent. */
type Given<P extends Params> = {
  readonly [K in keyof P as P[K] extends { readonly constant: string } ? never : K]: P[K];
};

/** A list takes several values of a parameter where the service takes one. */
type WithSeveral<P extends Params> = {
  readonly [K in keyof P]: P[K] extends { readonly splits: true } & Param<infer V, infer Q>
    ? Param<V | readonly V[], Q>
    : P[K];
};

type ArgumentsOf<P extends Params, R extends Returns> = R extends { kind: 'pages' }
  ? Arguments<WithSeveral<Given<P>>>
  : Arguments<Given<P>>;

/** The last parameters of a method: none of the arguments, all optional, or some required. */
type Parameters<A, O> = keyof A extends never
  ? [options?: O | undefined]
  : Partial<A> extends A
    ? [args?: A | undefined, options?: O | undefined]
    : [args: A, options?: O | undefined];

type Result<R extends Returns> = R extends { kind: 'list' | 'pages'; resource: infer T }
  ? RowList<Row<T>>
  : Promise<Reply<R>>;

type Methods<T> = {
  readonly [K in keyof T]: T[K] extends Operation<infer P, infer R>
    ? (...given: Parameters<ArgumentsOf<P, R>, RequestOptions>) => Result<R>
    : Methods<T[K]>;
};

type Read = { readonly method: 'GET' | 'HEAD' };

type HasWrites<T> = true extends {
  [K in keyof T]: T[K] extends Operation ? (T[K] extends Read ? false : true) : HasWrites<T[K]>;
}[keyof T]
  ? true
  : false;

type SafeMethods<T> = {
  readonly [K in keyof T as T[K] extends Operation
    ? T[K] extends Read
      ? never
      : K
    : HasWrites<T[K]> extends true
      ? K
      : never]: T[K] extends Operation<infer P, infer R>
    ? (
        ...given: Parameters<Arguments<Given<P>>, SafeWriteOptions>
      ) => Promise<SafeWriteResult<Reply<R>>>
    : SafeMethods<T[K]>;
};

/** A method for each operation of the service. */
export type Catalogue = Methods<Namespaces>;

/** The writes among them, as safe writes. */
export type SafeCatalogue = SafeMethods<Namespaces>;

type RowOf<T> = T extends { returns: { resource: infer R } } ? Row<R> : never;

export type Order = RowOf<Namespaces['orders']['list']>;
export type Ticket = RowOf<Namespaces['tickets']['list']>;
export type RefundAmounts = RowOf<Namespaces['tickets']['refundAmounts']>;
export type Product = RowOf<Namespaces['products']['list']>;
export type Image = RowOf<Namespaces['images']['list']>;
export type AccountQuickstats = RowOf<Namespaces['quickstats']['list']>;
export type Account = RowOf<Namespaces['quickstats']['accounts']>;
export type AnalyticsStatus = RowOf<Namespaces['analytics']['status']>;
export type DimensionMetrics = RowOf<Namespaces['analytics']['dimension']>;
export type SubscriptionTrend = RowOf<Namespaces['analytics']['trends']>;
export type Subscription = RowOf<Namespaces['analytics']['subscriptions']['list']>;
export type Shipment = RowOf<Namespaces['ship']['list']>;
export type Shipment1 = RowOf<Namespaces['ship']['generation1']['list']>;
export type Shipment2 = RowOf<Namespaces['ship']['generation2']['list']>;
export type ShipNotice = RowOf<Namespaces['ship']['notices']['list']>;
export type ShipNotice1 = RowOf<Namespaces['ship']['generation1']['notices']['list']>;
