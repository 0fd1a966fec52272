/**
 * The contract of the library in every runtime. Nothing here needs a module of Node or a test runner. Each check has
 * its own clients, and the sandbox has no faults when it begins.
 */
import type { Client } from '../../../src/library/index.ts';
import { equal, fails, type World } from './world.ts';

export type Check = (world: World, client: Client) => Promise<void>;

/** What a runtime can't do; `docs/library-runtimes.md` names the same. */
export interface Limits {
  /** Other writes are refused, because `fetch` may send them twice. */
  readonly writes: 'all' | 'POST' | 'none';
  /** A refused connection can't be told from one that was lost. */
  readonly vagueFailures: boolean;
}

const year = { startDate: '2025-03-19', endDate: '2026-03-18' };
const support = { type: 'tech', reason: 'ticket.type.tech_support.1' } as const;

async function writesIn(world: World): Promise<string[]> {
  const all = await world.requests();
  return all
    .filter(({ method }) => method !== 'GET' && method !== 'HEAD')
    .map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`);
}

const reads: Readonly<Record<string, Check>> = {
  async 'reads all pages of a list'(world, client) {
    const rows = await client.orders.list(year).toArray();
    const asked = await world.requests();
    equal(rows.length, await client.orders.count(year));
    equal(rows.length > 300, true);
    equal(new Set(asked.map(({ page }) => page)).size > 3, true);
  },
  async 'reads a long period in several requests'(world, client) {
    // The service accepts at most seven days.
    const month = { createDateFrom: '2026-02-16', createDateTo: '2026-03-18' };
    const rows = await client.tickets.list(month).toArray();
    equal(new Set((await world.requests()).map(({ path }) => path)).size, 5);
    equal(new Set(rows.map(({ ticketid }) => ticketid)).size, rows.length);
    equal(rows.length > 3, true);
  },
  async 'reads the rows of a week by for await'(_, client) {
    const days = new Set<string>();
    for await (const { transactionTime } of client.orders.list({
      ...{ startDate: '2026-03-10', endDate: '2026-03-16' },
    })) {
      days.add(String(transactionTime).slice(0, 10));
    }
    equal(days.size > 3, true);
    equal(
      [...days].every((day) => day >= '2026-03-10' && day <= '2026-03-16'),
      true,
    );
  },
  async 'ends a list whose loop is left'(_, client) {
    const receipts: unknown[] = [];
    for await (const { receipt } of client.orders.list(year)) {
      receipts.push(receipt);
      if (receipts.length === 3) break;
    }
    const first = await client.orders.list(year).toArray({ limit: 3 });
    equal(
      first.map(({ receipt }) => receipt),
      receipts,
    );
  },
  async 'gets one row, a yes or no, and a schema'(_, client) {
    const [order] = await client.orders.get({ receipt: 'DIGITAL1' }).toArray();
    equal(order?.receipt, 'DIGITAL1');
    equal((await client.tickets.get({ id: '1001' })).ticketid, 1001);
    equal(await client.orders.active({ receipt: 'MONTHLY1' }), true);
    equal((await client.orders.schema()).includes('<xs:schema'), true);
  },
  async 'returns amounts as text and times with an offset'(_, client) {
    const [order] = await client.orders.get({ receipt: 'DIGITAL1' }).toArray();
    equal(order?.totalOrderAmount, '37.00');
    equal(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-0[78]:00$/.test(order?.transactionTime ?? ''), true);
  },
  async 'reads rows that the service sends as XML'(world) {
    const client = world.open({ baseUrl: world.xmlUrl });
    const [order] = await client.orders.get({ receipt: 'DIGITAL1' }).toArray();
    equal(
      [order?.receipt, order?.totalOrderAmount, order?.trackingId],
      ['DIGITAL1', '12.10', '007'],
    );
    await client.close();
  },
  async 'tries a read again after 503 and after a lost connection'(world, client) {
    for (const faults of ['503=#1', 'cut-before=#1', 'truncate=#1']) {
      await world.setFaults(faults);
      await world.requests();
      equal((await client.orders.get({ receipt: 'DIGITAL1' }).toArray()).length, 1);
      equal((await world.requests()).length, 2);
    }
  },
};

const failures: Readonly<Record<string, Check>> = {
  async 'reports an unknown key without showing it'(world) {
    const client = world.open({ apiKey: 'API-UNKNOWN-KEY-OF-NOBODY' });
    const error = await fails(client.orders.count(year), { kind: 'key', status: 401 });
    equal(`${error.message} ${error.hint} ${error.stack}`.includes('NOBODY'), false);
    await client.close();
  },
  async 'sends no key to a server with an untrusted certificate'(world) {
    const client = world.open({ baseUrl: world.untrustedUrl, maxWait: 0 });
    // Over Node's HTTP clients, the second request takes another way than the first.
    for (let times = 0; times < 2; times++) {
      await fails(client.orders.count(year), { kind: 'network' });
    }
    equal(await world.untrustedRequests(), 0);
    await client.close();
  },
  async 'reports a missing permission'(world) {
    const client = world.open({ apiKey: world.apiKeys['no-orders'] ?? '' });
    await fails(client.orders.count(year), { kind: 'refused', status: 403, retryable: false });
    await client.close();
  },
  async 'reports 404, 429, and 500 as what they are'(world) {
    const client = world.open({ maxWait: 0 });
    const kinds = { 404: 'refused', 429: 'rate-limit', 500: 'failed' };
    for (const [status, kind] of Object.entries(kinds)) {
      await world.setFaults(`${status}=#1`);
      await fails(client.orders.count(year), { kind, status: Number(status) });
    }
    await client.close();
  },
  async 'refuses invalid arguments before anything is sent'(world, client) {
    const endless = { startDate: '2026-02-30', endDate: '2026-03-01' };
    await fails(client.orders.count(endless), { kind: 'request', code: 'invalid-arguments' });
    equal(await world.requests(), []);
  },
  async 'reports a response that does not come in time'(world) {
    const client = world.open({ timeout: 300, maxWait: 0 });
    await world.setFaults('latency=60s');
    await fails(client.orders.count(year), { kind: 'network', code: 'timeout', retryable: true });
    await client.close();
  },
  async 'ends a request when its signal is aborted'(world, client) {
    await world.setFaults('latency=60s');
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    const { signal } = stop;
    await fails(client.orders.list(year, { signal }).toArray(), { kind: 'cancelled' });
    await fails(client.orders.count(year, { signal }), { kind: 'cancelled' });
  },
  async 'ends all requests when it is closed'(world) {
    await world.setFaults('latency=60s');
    const client = world.open();
    setTimeout(() => void client.close(), 100);
    await fails(client.orders.list(year).toArray(), { kind: 'cancelled' });
    await fails(client.orders.count(year), { kind: 'cancelled' });
  },
};

const writing: Readonly<Record<string, Check>> = {
  async 'sends a write once and reads it back'(world, client) {
    await world.requests();
    const { ticketid } = await client.tickets.create({ receipt: 'MONTHLY1', ...support });
    equal(await writesIn(world), ['POST /rest/1.3/tickets/MONTHLY1']);
    const ticket = await client.tickets.get({ id: String(ticketid) });
    equal([ticket.receipt, ticket.status], ['MONTHLY1', 'OPEN']);
  },
  async 'sends a write once over a connection in use, also if its response is lost'(world, client) {
    // Runtimes that send a request again do so if the connection was used before.
    for (let times = 0; times < 4; times++) await client.orders.count(year);
    await world.requests();
    await world.setFaults('cut-after=#1,only=POST');
    const lost = client.tickets.create({ receipt: 'WORLDWD1', ...support });
    await fails(lost, { kind: 'network', maybeDone: true });
    equal(await writesIn(world), ['POST /rest/1.3/tickets/WORLDWD1']);
  },
  async 'verifies a safe write whose response is lost'(world, client) {
    await world.setFaults('cut-after=#1,only=POST');
    await world.requests();
    const { state } = await client.safe.tickets.create({ receipt: 'DIGITAL1', ...support });
    equal(state, 'done');
    equal(await writesIn(world), ['POST /rest/1.3/tickets/DIGITAL1']);
  },
};

function refusalOf(vagueFailures: boolean): Check {
  return async (world) => {
    const client = world.open({ baseUrl: world.deadUrl, maxWait: 0 });
    const refused = { kind: 'network', code: 'unreachable', maybeDone: vagueFailures };
    await fails(client.tickets.create({ receipt: 'DIGITAL1', ...support }), refused);
    await client.close();
  };
}

/** A write that `fetch` might send twice. */
function onceOrNot(method: 'POST' | 'PUT', isSent: boolean): Check {
  return async (world, client) => {
    for (let times = 0; times < 4; times++) await client.orders.count(year);
    await world.requests();
    await world.setFaults(`cut-before=#1,only=${method}`);
    const written =
      method === 'PUT'
        ? client.tickets.close({ id: '1001', comment: 'Solved' })
        : client.tickets.create({ receipt: 'LIMITED1', ...support });
    await fails(written, isSent ? { maybeDone: true } : { kind: 'request', maybeDone: false });
    equal((await writesIn(world)).length, isSent ? 1 : 0);
  };
}

/** The checks that depend on the runtime. */
function limited({ writes, vagueFailures }: Limits): Readonly<Record<string, Check>> {
  return {
    ...(writes !== 'none' && writing),
    ...(writes !== 'none' && { 'reports a refused connection': refusalOf(vagueFailures) }),
    'sends POST once or not at all': onceOrNot('POST', writes !== 'none'),
    'sends PUT once or not at all': onceOrNot('PUT', writes === 'all'),
  };
}

/** Runs all checks one after another; `print` receives one line for each. */
export async function runChecks(
  world: World,
  limits: Limits,
  print: (line: string) => unknown,
): Promise<void> {
  const all = { ...reads, ...failures, ...limited(limits) };
  for (const [name, check] of Object.entries(all)) {
    await world.setFaults('');
    await world.requests();
    const client = world.open();
    try {
      await check(world, client);
      print(`ok ${name}`);
    } catch (error) {
      print(`failed ${name}: ${(error as Error).stack ?? error}`);
    } finally {
      await client.close();
    }
  }
}
