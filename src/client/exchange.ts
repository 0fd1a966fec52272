/** How programs see the exchanges of a client: options, events, `fetch`. The package declares them: it imports nothing. */

/** How requests are sent; each option has a default. Times are milliseconds. */
export interface SendingOptions {
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
  /**
   * Sends all requests in place of Node's HTTP clients, for tests. It must neither follow redirects nor send a request
   * again.
   */
  readonly fetch?: Fetch | undefined;
  /** The header User-Agent; `clickbank-client` by default. */
  readonly userAgent?: string | undefined;
  /** The current time of the service, for rules such as "must be in the future"; the system clock by default. */
  readonly now?: (() => Date) | undefined;
  /** Aborts all requests and waits of the client. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each request (errors that it then throws are ignored), when the client waits, and when it can't share its pace or record an outcome. */
  readonly onEvent?: ((event: ClientEvent) => void) | undefined;
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

/** The part of `fetch` that the client uses; `globalThis.fetch` is one. */
export type Fetch = (url: string, options: FetchOptions) => Promise<FetchResponse>;

export interface FetchOptions {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly redirect: 'manual';
  readonly keepalive: boolean;
  readonly signal: AbortSignal;
}

export interface FetchResponse {
  readonly status: number;
  readonly headers: { forEach(receive: (value: string, name: string) => void): void };
  /** Decompressed. */
  readonly body: { getReader(): FetchReader } | null;
}

export interface FetchReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}
