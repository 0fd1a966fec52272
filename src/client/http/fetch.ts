/** The type of `fetch`, which the package declares: it imports nothing. */

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
