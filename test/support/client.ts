/** A client without a pace for test servers, closed when the test ends. */
import { onTestFinished } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../../src/client/client.ts';

export function clientOf(baseUrl: string, options: Partial<ClientOptions> = {}): Client {
  const standard = { apiKey: 'API-TEST', pace: Number.POSITIVE_INFINITY, concurrency: 4 };
  // Test servers accept any arguments.
  const client = createClient({ ...standard, baseUrl, validate: false, ...options });
  onTestFinished(() => client.close());
  return client;
}
