/** Clients without a pace, closed when the test ends: of test servers, of a sandbox, and of a bare server with a virtual clock. */
import { onTestFinished } from 'vitest';
import { type Client, type ClientOptions, createClient } from '../../src/client/client.ts';
import { serveSandbox } from './sandbox.ts';
import { serve } from './server.ts';
import { virtualClock } from './virtual-clock.ts';

export function clientOf(baseUrl: string, options: Partial<ClientOptions> = {}): Client {
  const standard = { apiKey: 'API-TEST', pace: Number.POSITIVE_INFINITY, concurrency: 4 };
  // Test servers accept any arguments.
  const client = createClient({ ...standard, baseUrl, validate: false, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** The rows of all pages. */
export async function listed<T>(
  pages: AsyncIterable<{ readonly rows: readonly T[] }>,
): Promise<T[]> {
  const all: T[] = [];
  for await (const { rows } of pages) all.push(...rows);
  return all;
}

export async function sandboxClient(orders = 60) {
  const { sandbox, key: apiKey, writes } = await serveSandbox({ orders });
  return { sandbox, client: clientOf(sandbox.url, { apiKey, maxWait: 0 }), writes };
}

export interface Response {
  readonly status: number;
  readonly body?: string;
}

/** `respond` may return undefined to close the connection. */
export async function servedClient(
  respond: (method: string, url: string, at: number) => Response | undefined,
  { signal }: { readonly signal?: AbortSignal } = {},
) {
  const clock = virtualClock();
  const asked: { readonly method: string; readonly url: string; readonly at: number }[] = [];
  const server = await serve((reply, _, { method, url }) => {
    const at = clock.now();
    asked.push({ method, url, at });
    const response = respond(method, url, at);
    if (response) reply.writeHead(response.status).end(response.body ?? '');
    else reply.destroy();
  });
  const client = clientOf(server.url, { timeout: 5000, maxWait: 0, clock, signal });
  return { client, clock, asked };
}
