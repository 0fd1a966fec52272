/** Clients of a sandbox, and of a bare server on a clock on which waiting takes no time. */
import { onTestFinished } from 'vitest';
import { type Api, type ApiOptions, createApi } from '../../src/api/client.ts';
import { servedSandbox } from '../support/served-sandbox.ts';
import { serve } from '../support/server.ts';
import { type VirtualClock, virtualClock } from '../support/virtual-clock.ts';

const limits = { timeout: 5000, maxWait: 0, pace: Number.POSITIVE_INFINITY, concurrency: 4 };

export function clientOf(baseUrl: string, key: string, options: Partial<ApiOptions> = {}): Api {
  const client = createApi({
    baseUrl,
    key,
    userAgent: 'test',
    wire: 'json',
    ...limits,
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

export async function sandboxClient(orders = 60) {
  const { sandbox, key, writes } = await servedSandbox({ orders });
  return { sandbox, api: clientOf(sandbox.url, key), writes };
}

export interface Answer {
  readonly status: number;
  readonly body?: string;
}

export interface Served {
  readonly api: Api;
  readonly clock: VirtualClock;
  /** Method, path and the time on the clock of each request. */
  readonly asked: { readonly method: string; readonly url: string; readonly at: number }[];
}

/** `answer` may return undefined to cut the connection. */
export async function servedApi(
  answer: (method: string, url: string, at: number) => Answer | undefined,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Served> {
  const clock = virtualClock();
  const asked: Served['asked'] = [];
  const server = await serve((reply, _, { method, url }) => {
    const at = clock.now();
    asked.push({ method, url, at });
    const found = answer(method, url, at);
    if (found) reply.writeHead(found.status).end(found.body ?? '');
    else reply.destroy();
  });
  return { api: clientOf(server.url, 'API-KEY', { clock, signal }), clock, asked };
}
