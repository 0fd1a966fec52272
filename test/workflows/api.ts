/** A client of a bare server, on a clock on which waiting takes no time. */
import { onTestFinished } from 'vitest';
import { type Api, createApi } from '../../src/api/client.ts';
import { serve } from '../support/server.ts';
import { type VirtualClock, virtualClock } from '../support/virtual-clock.ts';

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
  const limits = { timeout: 5000, maxWait: 0, pace: Number.POSITIVE_INFINITY, concurrency: 4 };
  const options = { baseUrl: server.url, key: 'API-KEY', userAgent: 'test', ...limits };
  const api = createApi({ ...options, wire: 'json', clock, signal });
  onTestFinished(() => api.close());
  return { api, clock, asked };
}
