/** The public types of the library that don't depend on the catalogue. Imports only what the package declares too. */
import type { ApiError } from '../client/errors.ts';
import type { RequestOptions, ResponseInfo, SendingOptions } from '../client/exchange.ts';
import type { WritePlan } from '../safe-write/plan.ts';

/** Only `apiKey` is required. Times are milliseconds. */
export interface ClientOptions extends SendingOptions {
  /** Sent unchanged in the Authorization header, only to `baseUrl`. Never appears in an error. */
  readonly apiKey: string;
  /** The URL of an HTTP proxy. No proxy by default, whatever the environment says. */
  readonly proxy?: string | undefined;
  /**
   * A file in which each write is recorded before and after it is sent; none by default. A write that can't be recorded
   * is not sent. `cb log` shows the writes in `ledger.ndjson` of the data folder of `cb`.
   */
  readonly ledger?: string | undefined;
}

/** The parameters of a query; a list is one parameter several times. */
export type Query = Readonly<
  Record<string, string | number | boolean | readonly (string | number)[] | undefined>
>;

export interface GetOptions extends RequestOptions {
  /** The header `Page`, from 1. */
  readonly page?: number | undefined;
}

export interface GetResponse extends ResponseInfo {
  readonly data: unknown;
}

/**
 * The rows of an operation. Nothing is sent until they are read, and each time reads them again:
 *
 *     for await (const order of client.orders.list({ startDate: '2026-03-01', endDate: '2026-03-07' })) …
 *     const [order] = await client.orders.get({ receipt: 'MONTHLY1' }).toArray();
 *
 * Iterating yields each row once, in the order of the service. Pages are prefetched. Long periods are split into several
 * requests. A list that can't be read to its end throws an ApiError of kind `incomplete`.
 */
export interface RowList<R> extends AsyncIterable<R> {
  /** Yields the pages in order. A list that the service does not page is one page. */
  pages(): AsyncIterable<Page<R>>;
  /** Resolves to the first row; undefined if there is none. */
  first(): Promise<R | undefined>;
  /** Resolves to all rows, or to at most `limit` of them. */
  toArray(options?: { readonly limit?: number | undefined }): Promise<R[]>;
}

export interface Page<R> {
  readonly rows: readonly R[];
  /** Sums over the whole list, if the operation has any: the metrics of analytics. */
  readonly totals: readonly Readonly<Record<string, unknown>>[];
  /** There is another page. */
  readonly more: boolean;
}

export interface SafeWriteOptions {
  /**
   * Decides whether the write is sent: only true sends it. Without it, a write with any warning is not sent. If it is not
   * sent, the error has the kind `refused` for a plan that ClickBank refused already (`warnings` say so), and `declined`
   * otherwise.
   */
  readonly confirm?: ((plan: WritePlan) => boolean | Promise<boolean>) | undefined;
  /** Send even if an equal ticket or ship notice already exists. */
  readonly allowDuplicate?: boolean | undefined;
  /** Milliseconds to search for the write after its response was lost; 10,000 by default. */
  readonly wait?: number | undefined;
  /** Once it is aborted, the write is not sent. After it was sent, the search ends early; the outcome is then unknown. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * - `done`: the service confirmed the write, or it was found by reading back (`verified`)
 * - `not-done`: nothing was changed; `error` says why, and `error.retryable` whether to try again
 * - `unknown`: the response was lost and the write was not found; check it before you send it again
 */
export type SafeWriteResult<T> =
  | {
      readonly state: 'done';
      /** Undefined if the write was found by reading back and the service does not show it. */
      readonly reply: T | undefined;
      readonly verified: boolean;
      readonly plan: WritePlan;
    }
  | {
      readonly state: 'not-done' | 'unknown';
      readonly error: ApiError;
      /** Absent if the write could not be planned. */
      readonly plan: WritePlan | undefined;
    };

/** Options for `createClient`. */
export interface Credentials {
  readonly apiKey: string;
  readonly baseUrl: string;
  /** From HTTPS_PROXY and NO_PROXY. */
  readonly proxy?: string;
}
