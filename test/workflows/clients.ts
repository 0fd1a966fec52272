/** Clients of a sandbox, and of a bare server on a clock on which waiting takes no time. */
import type { Client } from '../../src/client/client.ts';
import { clientOf } from '../support/client.ts';
import { serveSandbox } from '../support/sandbox.ts';
import { serve } from '../support/server.ts';
import { type VirtualClock, virtualClock } from '../support/virtual-clock.ts';

export async function sandboxClient(orders = 60) {
  const { sandbox, key: apiKey, writes } = await serveSandbox({ orders });
  return { sandbox, api: clientOf(sandbox.url, { apiKey, maxWait: 0 }), writes };
}

export interface Answer {
  readonly status: number;
  readonly body?: string;
}

export interface Served {
  readonly api: Client;
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
  const api = clientOf(server.url, { timeout: 5000, maxWait: 0, clock, signal });
  return { api, clock, asked };
}
