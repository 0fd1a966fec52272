/** The interface of HTTP connections. */
import type { HttpProxy } from './proxy.ts';

export type Headers = Readonly<Record<string, string>>;

export interface HttpOptions {
  /** Milliseconds for one exchange, from the first byte out to the last byte in. */
  readonly timeout: number;
  readonly connections: number;
  /** The largest body that is read, in bytes, compressed or not. */
  readonly largestBody?: number;
  /** Every request goes through this proxy. */
  readonly proxy?: HttpProxy | undefined;
}

/** The part of undici's agents that is used here. */
export interface Connections {
  /** Resolves with the head of the response; an aborted signal also ends the body. */
  request(options: SentRequest): Promise<ReceivedHead>;
  destroy(): Promise<void>;
}

export interface SentRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly headers: Headers;
  readonly signal: AbortSignal;
}

export interface ReceivedHead {
  readonly statusCode: number;
  /** Without `content-encoding` if the body is already decompressed. */
  readonly headers: RawHeaders;
  readonly body: AsyncIterable<Uint8Array>;
}

export type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Milliseconds to open a connection. Less than the timeout of an exchange, which could not show that
 * nothing was sent.
 */
export function connectTimeout({ timeout }: HttpOptions): number {
  return Math.min(0.9 * timeout, 10_000);
}
