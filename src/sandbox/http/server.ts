/** The sandbox: a local ClickBank API with real HTTP on a loopback port and state in SQLite. */
import { once, setMaxListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pacificTime } from '../../dates/day.ts';
import type { Processes } from '../../storage/lock-owner.ts';
import type { Database } from '../../storage/sqlite.ts';
import { notificationsOf } from '../notifications/notifications.ts';
import { startSender } from '../notifications/sender.ts';
import { type AdvanceOptions, advance, settle, settleAtLength } from '../services/settle.ts';
import { getRow } from '../store/statements.ts';
import {
  openStore,
  type Seed,
  type SeededWith,
  seededWith,
  storedClock,
  writeSetting,
} from '../store/store.ts';
import { faultsOf } from './faults.ts';
import { KEYS } from './keys.ts';
import { createListener, type RequestHandler } from './listener.ts';
import { respond } from './service.ts';

/** 5,000 orders by default, at least as many as the fixed receipts need; amounts in US dollars, as recorded. */
export type SeedOptions = Partial<SeededWith>;

export interface SandboxOptions {
  /** SQLite file, or `:memory:`. Its folder is created. */
  readonly file: string;
  /** A free port by default; always on 127.0.0.1. */
  readonly port?: number;
  readonly now?: () => Date;
  /** Used when the store is empty. */
  readonly seed?: SeedOptions;
  /** Called before seeding, with the number of transactions and whether they replace stored ones. */
  readonly onSeed?: (orders: number, replaces: boolean) => void;
  /** Called once if the sandbox has many events to catch up on, as after a long time. */
  readonly onCatchUp?: () => void;
  /** Faults for this server only, such as `503=10%,cut-after=#1`, instead of those of the store. */
  readonly faults?: string;
  /** Milliseconds in which a request must arrive completely, 20,000 by default. */
  readonly requestTimeout?: number;
  /** Aborts seeding, and what is still to be sent when the sandbox is closed. */
  readonly signal?: AbortSignal;
  /** With it, a sandbox at once takes over the notifications of one that was killed. */
  readonly processes?: Processes;
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

const realNow = () => new Date();
const DEFAULT_ORDERS = 5000;
const DEFAULT_RANDOM_SEED = 1;
const KEPT_REQUESTS = 20_000;

/** As the library names it `SandboxRequest`. */
function entryOf(...[request, status, { names }]: Parameters<RequestHandler['log']>) {
  const { method = '', url: path = '', headers } = request;
  return {
    ...{ method, path },
    ...(status !== undefined && { status }),
    ...(headers.page !== undefined && { page: String(headers.page) }),
    ...(names && { fault: names }),
  };
}

function seedOf({ seed = {}, now = realNow, onSeed }: SandboxOptions): Seed {
  return async (db, pause, former) => {
    const { seedStore } = await import('../seed/seed.ts');
    const orders = seed.orders ?? (former?.orders || DEFAULT_ORDERS);
    const randomSeed = seed.randomSeed ?? former?.randomSeed ?? DEFAULT_RANDOM_SEED;
    onSeed?.(orders, former !== undefined);
    const instant = Math.floor(now().getTime() / 1000);
    writeSetting(db, 'orders', await seedStore(db, { orders, randomSeed, now: instant }, pause));
    writeSetting(db, 'randomSeed', randomSeed);
    writeSetting(db, 'orderAmounts', seed.orderAmounts ?? former?.orderAmounts ?? 'dollars');
  };
}

/**
 * Empties the store in a file and seeds it again without serving it. Without `seed`, repeats the
 * earlier seed. Also resets the clock and the faults. If `signal` is aborted, nothing changes.
 */
export async function reseedSandbox(options: SandboxOptions): Promise<void> {
  const { file, signal } = options;
  const db = await openStore(file, { seed: seedOf(options), again: true, signal });
  db.close();
}

/** Opens or builds the store and serves it until closed. Throws MissingDriver without libsql. */
export async function startSandbox(options: SandboxOptions) {
  const { file, signal } = options;
  const db = await openStore(file, { seed: seedOf(options), signal });
  try {
    return await serve(db, options);
  } catch (error) {
    db.close();
    throw error;
  }
}

async function serve(db: Database, options: SandboxOptions) {
  const { file, port = 0, now = realNow, requestTimeout = 20_000, signal, onCatchUp } = options;
  const clock = storedClock(db, now);
  await settleAtLength(db, clock.instant(), { signal, onCatchUp });
  const requests: ReturnType<typeof entryOf>[] = [];
  const faults = faultsOf(db, clock, options.faults);
  const closing = new AbortController();
  // Every delayed request adds a listener.
  setMaxListeners(0, closing.signal);
  const { analyticsStatus, hasNullRows } = faults;
  const state = { db, analyticsStatus, hasNullRows };
  const server = createListener(
    {
      respond: (request) => respond(state, clock, request),
      chooseFaults: faults.choose,
      log(...request) {
        if (requests.length >= KEPT_REQUESTS) requests.shift();
        requests.push(entryOf(...request));
      },
      now: clock.now,
      closing: closing.signal,
    },
    requestTimeout,
  );
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { instant } = clock;
  const sender = startSender(db, {
    now: instant,
    settle: () => settle(db, instant()),
    processes: options.processes,
  });
  return {
    /** `http://127.0.0.1:PORT`, without `/rest`. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys: KEYS,
    /** The last 20,000 accepted requests, oldest first. */
    requests: requests as readonly (typeof requests)[number][],
    now: clock.now,
    /**
     * Advances the clock day by day, with the sales, rebills, and refunds of that time. Returns
     * the new time, which is earlier than requested if `signal` was aborted.
     */
    advance: (seconds: number, how?: AdvanceOptions) =>
      advance(db, clock, seconds, { ...how, deliver: sender.drain }),
    /** Transactions and receipts in the store, and the first and last transaction; times are Pacific. */
    status() {
      const { orders: _, ...seeded } = seededWith(db);
      const { first, last, ...counts } = getRow<
        Readonly<Record<'orders' | 'receipts' | 'first' | 'last', number>>
      >(
        db,
        `SELECT count(*) orders, (SELECT count(*) FROM purchase) receipts, min(time) first,
           max(time) last FROM txn`,
      );
      return {
        file,
        ...counts,
        first: pacificTime(first),
        last: pacificTime(last),
        ...seeded,
        clockOffsetSeconds: clock.offsetSeconds(),
      };
    },
    /** Sets the faults of the store, for every process that uses it, or clears them. Throws BadFaults. */
    setFaults: faults.set,
    faults: faults.status,
    /** Instant notifications, which are sent while the sandbox is served. */
    notifications: notificationsOf(db, instant, sender),
    /** Sends notifications that are due for up to three seconds. */
    async close(): Promise<void> {
      await sender.close(signal);
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      db.close();
    },
  };
}
