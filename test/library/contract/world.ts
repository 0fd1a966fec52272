/** What the checks of the contract use: clients of the library, and a sandbox that the test controls. */
import {
  ApiError,
  type Client,
  type ClientOptions,
  createClient,
} from '../../../src/library/index.ts';

/** What the test tells about the sandbox. */
export interface Service {
  readonly baseUrl: string;
  /** Nothing listens there. */
  readonly deadUrl: string;
  /** Answers every request with the same order as XML. */
  readonly xmlUrl: string;
  /** Has a certificate that nobody trusts. */
  readonly untrustedUrl: string;
  readonly apiKeys: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly page?: string;
}

export interface World extends Service {
  /** A client with the key of all roles, without a pace. */
  open(options?: Partial<ClientOptions>): Client;
  setFaults(faults: string): Promise<void>;
  /** How many requests the server with the untrusted certificate received. */
  untrustedRequests(): Promise<number>;
  /** The requests since the last call. */
  requests(): Promise<readonly ReceivedRequest[]>;
}

/** `control` is the URL of the server of the test. */
export async function openWorld(control: string, fetchOption: Pick<ClientOptions, 'fetch'>) {
  const ask = async <T>(path: string) => (await (await fetch(control + path)).json()) as T;
  const service = await ask<Service>('/service');
  const { baseUrl, apiKeys, now } = service;
  const standard = { baseUrl, apiKey: apiKeys.full ?? '', now: () => new Date(now) };
  const world: World = {
    ...service,
    open: (options) =>
      createClient({ ...standard, pace: Number.POSITIVE_INFINITY, ...fetchOption, ...options }),
    setFaults: async (faults) => void (await ask(`/faults?list=${encodeURIComponent(faults)}`)),
    untrustedRequests: () => ask<number>('/untrusted'),
    requests: () => ask<ReceivedRequest[]>('/requests'),
  };
  return world;
}

/** Compares JSON forms. */
export function equal(actual: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (one !== other) throw new Error(`${one} instead of ${other}`);
}

/** Throws unless the promise rejects with an ApiError that has these fields, and returns the error. */
export async function fails(promise: Promise<unknown>, fields: object): Promise<ApiError> {
  const error = await promise.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw error;
  const shown = Object.keys(fields).map((name) => [name, error[name as keyof ApiError]]);
  const actual = Object.fromEntries(shown);
  if (JSON.stringify(actual) !== JSON.stringify(fields)) {
    throw new Error(`${JSON.stringify({ ...actual, message: error.message })}`, { cause: error });
  }
  return error;
}
