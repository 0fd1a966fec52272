/** A client of a server of the tests: without a pace, and closed when the test ends. */
import { onTestFinished } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../../src/client/client.ts';

export function clientOf(baseUrl: string, options: Partial<ClientOptions> = {}): Client {
  const standard = { apiKey: 'API-TEST', pace: Number.POSITIVE_INFINITY, concurrency: 4 };
  // The servers of tests take any arguments.
  const client = createClient({ ...standard, baseUrl, validate: false, ...options });
  onTestFinished(() => client.close());
  return client;
}
