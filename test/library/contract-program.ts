/** The contract of the library, run by a version of Node against the sandbox. Argument: the URL of the test. */
import { deepEqual, rejects } from 'node:assert/strict';
import { argv, stdout } from 'node:process';
import { type Client, type ClientOptions, createClient } from '../../src/library/index.ts';
import type { SandboxRequest } from '../../src/sandbox/index.ts';

type Check = (world: World, client: Client) => Promise<void>;

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

interface World extends Service {
  /** A client with the key of all roles, without a pace. */
  open(options?: Partial<ClientOptions>): Client;
  setFaults(faults: string): Promise<void>;
  /** How many requests the server with the untrusted certificate received. */
  untrustedRequests(): Promise<number>;
  /** The requests since the last call. */
  requests(): Promise<readonly SandboxRequest[]>;
}

const year = { startDate: '2025-03-19', endDate: '2026-03-18' };
const support = { type: 'tech', reason: 'ticket.type.tech_support.1' } as const;

const checks: Readonly<Record<string, Check>> = {
  async 'reads all pages of a list'(world, client) {
    const rows = await client.orders.list(year).toArray();
    const asked = await world.requests();
    deepEqual(rows.length, await client.orders.count(year));
    deepEqual(rows.length > 300, true);
    deepEqual(new Set(asked.map(({ page }) => page)).size > 3, true);
  },
  async 'reads rows that the service sends as XML'(world) {
    const client = world.open({ baseUrl: world.xmlUrl });
    const [order] = await client.orders.get({ receipt: 'DIGITAL1' }).toArray();
    const { receipt, totalOrderAmount, trackingId } = order ?? {};
    deepEqual([receipt, totalOrderAmount, trackingId], ['DIGITAL1', '12.10', '007']);
    await client.close();
  },
  async 'tries a read again after 503 and after a lost connection'(world, client) {
    for (const faults of ['503=#1', 'cut-before=#1', 'truncate=#1']) {
      await world.setFaults(faults);
      await world.requests();
      deepEqual((await client.orders.get({ receipt: 'DIGITAL1' }).toArray()).length, 1);
      deepEqual((await world.requests()).length, 2);
    }
  },
  async 'sends no key to a server with an untrusted certificate'(world) {
    const client = world.open({ baseUrl: world.untrustedUrl, maxWait: 0 });
    // The second request takes another way than the first.
    for (let times = 0; times < 2; times++) {
      await rejects(client.orders.count(year), { kind: 'network' });
    }
    deepEqual(await world.untrustedRequests(), 0);
    await client.close();
  },
  async 'reports a response that does not come in time'(world) {
    const client = world.open({ timeout: 300, maxWait: 0 });
    await world.setFaults('latency=60s');
    await rejects(client.orders.count(year), { kind: 'network', code: 'timeout', retryable: true });
    await client.close();
  },
  async 'ends a request when its signal is aborted'(world, client) {
    await world.setFaults('latency=60s');
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    const { signal } = stop;
    await rejects(client.orders.list(year, { signal }).toArray(), { kind: 'cancelled' });
    await rejects(client.orders.count(year, { signal }), { kind: 'cancelled' });
  },
  async 'ends all requests when it is closed'(world) {
    await world.setFaults('latency=60s');
    const client = world.open();
    setTimeout(() => void client.close(), 100);
    await rejects(client.orders.list(year).toArray(), { kind: 'cancelled' });
    await rejects(client.orders.count(year), { kind: 'cancelled' });
  },
  async 'sends a write once and reads it back'(world, client) {
    await world.requests();
    const { ticketid } = await client.tickets.create({ receipt: 'MONTHLY1', ...support });
    deepEqual(await writesIn(world), ['POST /rest/1.3/tickets/MONTHLY1']);
    const ticket = await client.tickets.get({ id: String(ticketid) });
    deepEqual([ticket.receipt, ticket.status], ['MONTHLY1', 'OPEN']);
  },
  async 'sends a write once over a connection in use, also if its response is lost'(world, client) {
    for (let times = 0; times < 4; times++) await client.orders.count(year);
    await world.requests();
    await world.setFaults('cut-after=#1,only=POST');
    const lost = client.tickets.create({ receipt: 'WORLDWD1', ...support });
    await rejects(lost, { kind: 'network', maybeDone: true });
    deepEqual(await writesIn(world), ['POST /rest/1.3/tickets/WORLDWD1']);
  },
  async 'reports a refused connection'(world) {
    const client = world.open({ baseUrl: world.deadUrl, maxWait: 0 });
    const refused = { kind: 'network', code: 'unreachable', maybeDone: false };
    await rejects(client.tickets.create({ receipt: 'DIGITAL1', ...support }), refused);
    await client.close();
  },
  async 'sends PUT once over a connection in use that is lost'(world, client) {
    for (let times = 0; times < 4; times++) await client.orders.count(year);
    await world.requests();
    await world.setFaults('cut-before=#1,only=PUT');
    await rejects(client.tickets.close({ id: '1001', comment: 'Solved' }), { maybeDone: true });
    deepEqual((await writesIn(world)).length, 1);
  },
};
async function writesIn(world: World): Promise<string[]> {
  const all = await world.requests();
  return all
    .filter(({ method }) => method !== 'GET' && method !== 'HEAD')
    .map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`);
}

const [, , control = ''] = argv;
const ask = async <T>(path: string) => (await (await fetch(control + path)).json()) as T;
const service = await ask<Service>('/service');
const { baseUrl, apiKeys, now } = service;
const standard = { baseUrl, apiKey: apiKeys.full ?? '', now: () => new Date(now) };
const world: World = {
  ...service,
  open: (options) => createClient({ ...standard, pace: Number.POSITIVE_INFINITY, ...options }),
  setFaults: async (faults) => void (await ask(`/faults?list=${encodeURIComponent(faults)}`)),
  untrustedRequests: () => ask<number>('/untrusted'),
  requests: () => ask<SandboxRequest[]>('/requests'),
};
for (const [name, check] of Object.entries(checks)) {
  await world.setFaults('');
  await world.requests();
  const client = world.open();
  try {
    await check(world, client);
    stdout.write(`ok ${name}\n`);
  } catch (error) {
    stdout.write(`failed ${name}: ${(error as Error).stack ?? error}\n`);
  } finally {
    await client.close();
  }
}
