/** The sandbox as a library, for tests of other programs: `clickbank-cli/sandbox`. */
import { parseDuration } from '../dates/duration.ts';
import { KEYS } from './http/keys.ts';
import { startSandbox as start } from './http/server.ts';

export interface SandboxOptions {
  /** Number of sample transactions, 500 by default. A few fixed receipts, such as MONTHLY1, are always there. */
  readonly orders?: number | undefined;
  /** The same seed and time give the same data; 1 by default. */
  readonly randomSeed?: number | undefined;
  /** The time of the sandbox: a Date stands still until `advance`. The system clock by default. */
  readonly now?: Date | (() => Date) | undefined;
  /** Faults from the start, as for `setFaults`. */
  readonly faults?: string | undefined;
  /** A free port by default; always on 127.0.0.1. */
  readonly port?: number | undefined;
}

/**
 * A ClickBank service in memory, with real HTTP on this machine only:
 *
 *     await using sandbox = await startSandbox({ now: new Date('2026-03-18T12:00:00Z') });
 *     const client = createClient(sandbox);
 */
export interface Sandbox {
  /** `http://127.0.0.1:PORT`. */
  readonly baseUrl: string;
  /** A key with every role, for all accounts. */
  readonly apiKey: string;
  /** Keys by name, with fewer roles or accounts: `vendor`, `affiliate`, `read-only` and others. */
  readonly apiKeys: Readonly<Record<SandboxKeyName, string>>;
  /** The last 20,000 requests, oldest first. */
  readonly requests: readonly SandboxRequest[];
  /** The time of the sandbox. */
  readonly now: () => Date;
  /**
   * Advances the clock, with the sales, rebills and refunds of that time, by seconds or a text such as `2d` or
   * `90m`. Resolves to the new time. Throws a RangeError for anything else.
   */
  advance(by: number | string): Promise<Date>;
  /**
   * Sets the faults of the next requests, such as `503=#2` (the next two), `429=10%`, `latency=200ms` or
   * `cut-after=#1,only=POST` (carries out the next write and loses its response); undefined clears them. Throws
   * an Error for anything else.
   */
  setFaults(faults: string | undefined): void;
  /** Stops the service and forgets its data. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export type SandboxKeyName =
  | 'full'
  | 'vendor'
  | 'affiliate'
  | 'read-only'
  | 'no-subscriptions'
  | 'no-developer-key'
  | 'no-orders';

/** One request, with its path and query as received. */
export interface SandboxRequest {
  readonly method: string;
  readonly path: string;
  /** The status of the response, even if a fault lost it; undefined if a fault prevented it. */
  readonly status?: number;
  /** The request header `Page`, if present. */
  readonly page?: string;
  /** The faults of the request, joined by `+`. */
  readonly fault?: string;
}

/** Starts a sandbox in memory. Requires the optional package libsql. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { orders = 500, randomSeed = 1, now, faults, port } = options;
  const sandbox = await start({
    file: ':memory:',
    seed: { orders, randomSeed },
    ...(now && { now: typeof now === 'function' ? now : () => now }),
    ...(faults !== undefined && { faults }),
    ...(port !== undefined && { port }),
  }).catch((cause: unknown) => {
    if (!(cause instanceof Error) || cause.name !== 'MissingDriver') throw cause;
    const message = 'The sandbox requires libsql. Run `npm install --save-dev libsql`.';
    throw new Error(message, { cause });
  });
  const keys = KEYS.map(({ name, key }) => [name, key]);
  const apiKeys: Record<SandboxKeyName, string> = Object.fromEntries(keys);
  const close = () => sandbox.close();
  return {
    baseUrl: sandbox.url,
    apiKey: apiKeys.full,
    apiKeys,
    requests: sandbox.requests,
    now: sandbox.now,
    async advance(by) {
      const seconds = typeof by === 'number' ? by : (parseDuration(by) ?? Number.NaN) / 1000;
      if (Number.isSafeInteger(seconds) && seconds >= 0) return sandbox.advance(seconds);
      throw new RangeError(`Invalid time '${by}'. Use seconds, or a text such as 2d or 90m.`);
    },
    setFaults: sandbox.setFaults,
    close,
    [Symbol.asyncDispose]: close,
  };
}
