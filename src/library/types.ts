/** The public types of the library that don't depend on the catalogue. Imports only what the package declares too. */
import type { ApiError } from '../client/errors.ts';
import type { Fetch } from '../client/http/fetch.ts';

/** Only `apiKey` is required. Times are milliseconds. */
export interface ClientOptions {
  /** Sent unchanged in the Authorization header, only to `baseUrl`. Never appears in an error. */
  readonly apiKey: string;
  /** `https://api.clickbank.com` by default. Plain http is refused except to this machine. */
  readonly baseUrl?: string | undefined;
  /** Requests a second, 8 by default; Infinity for no limit. ClickBank allows 10. */
  readonly pace?: number | undefined;
  /** A folder through which processes share the pace of a service. Without it, each client has a pace of its own. */
  readonly paceFolder?: string | undefined;
  /** Maximum total milliseconds that a read waits between attempts; 60,000 by default. */
  readonly maxWait?: number | undefined;
  /** Milliseconds from sending a request to the end of its response; 60,000 by default. */
  readonly timeout?: number | undefined;
  /** Maximum number of concurrent requests of lists; 10 by default. */
  readonly concurrency?: number | undefined;
  /** The URL of an HTTP proxy. No proxy by default, whatever the environment says. */
  readonly proxy?: string | undefined;
  /**
   * Sends all requests in place of Node's HTTP clients, for tests. It must neither follow redirects nor send a request
   * again.
   */
  readonly fetch?: Fetch | undefined;
  /** The header User-Agent; `clickbank-client` by default. */
  readonly userAgent?: string | undefined;
  /** The current time of the service, for rules such as "must be in the future"; the system clock by default. */
  readonly now?: (() => Date) | undefined;
  /**
   * A file in which each write is recorded before and after it is sent; none by default. A write that can't be recorded
   * is not sent. `cb log` shows the writes in `ledger.ndjson` of the data folder of `cb`.
   */
  readonly ledger?: string | undefined;
  /** Aborts all requests and waits of the client. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each request (errors that it then throws are ignored), when the client waits, and when it can't share its pace or record an outcome. */
  readonly onEvent?: ((event: ClientEvent) => void) | undefined;
}

/**
 * - `request`: a request was answered or has failed; each attempt of a read is one
 * - `waiting`: a read is tried again after this time; `why` is the message of the error
 * - `paced`: the next request waited for its turn
 * - `unshared`: the pace could not be shared through `paceFolder`
 * - `unrecorded`: a write was sent, and its outcome could not be recorded in `ledger`
 */
export type ClientEvent =
  | RequestEvent
  | { readonly type: 'waiting'; readonly why: string; readonly milliseconds: number }
  | { readonly type: 'paced'; readonly milliseconds: number }
  | { readonly type: 'unshared' | 'unrecorded'; readonly why: string };

/** One attempt of a request. */
export interface RequestEvent {
  readonly type: 'request';
  readonly method: string;
  /** With the query, without the base URL; keys are redacted. */
  readonly path: string;
  /** Of a list; 1 otherwise. */
  readonly page: number;
  /** Counts the attempts of one request, from 1. */
  readonly attempt: number;
  /** Of HTTP; undefined if there was no response. */
  readonly status: number | undefined;
  readonly milliseconds: number;
}

/** What a response says beside its rows. */
export interface ResponseInfo {
  readonly status: number;
  /** In lower case; keys are redacted. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface RequestOptions {
  /** Milliseconds for each request, instead of those of the client. */
  readonly timeout?: number | undefined;
  /** Maximum total milliseconds between attempts, instead of those of the client. */
  readonly maxWait?: number | undefined;
  /** Called with the status and headers of each response, except for refusals, whose errors have the status. */
  readonly onResponse?: ((response: ResponseInfo) => void) | undefined;
  /** Aborts this request or list only. The error has the kind `cancelled`. */
  readonly signal?: AbortSignal | undefined;
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

/** What a safe write is going to do, for the person or the rule that confirms it. */
export interface WritePlan {
  /** One sentence in the imperative, without final punctuation: `Refund 29.00 USD to "Ada Sample" …`. */
  readonly action: string;
  /** Complete sentences to add, such as "This can't be undone.". */
  readonly details: readonly string[];
  /** Complete sentences that are true once it is done, such as "The next payment is due on 2026-12-24.". */
  readonly effects: readonly string[];
  readonly warnings: readonly WriteWarning[];
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query: readonly (readonly [name: string, value: string])[];
  };
}

/** An effect on money that the name of a write does not suggest, or a reason for which ClickBank will refuse it. */
export interface WriteWarning {
  readonly kind:
    | 'refunds-sale'
    | 'cancels-refund'
    | 'full-refund'
    | 'reopens-refund'
    | 'prorated-refund'
    | 'not-refundable'
    | 'several-items'
    | 'not-checked'
    | 'refused';
  /** One sentence without its final period. */
  readonly message: string;
  readonly receipt?: string;
  /** Digits as sent by the service, in `currency`, if the amount is known. */
  readonly amount?: string;
  readonly currency?: string;
  /** HTTP status of the response, if `kind` is `refused`. */
  readonly status?: number;
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
