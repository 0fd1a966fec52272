/** The sandbox: the service on this machine, real HTTP on a loopback port, state in SQLite. */
import { setMaxListeners } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pacificTime } from '../dates/pacific.ts';
import { type AdvanceOptions, advance } from './advance.ts';
import { settleAtLength } from './billing.ts';
import { type Clock, instantOn, storedClock } from './clock.ts';
import { type FaultsStatus, faultsOf } from './faults.ts';
import type { Fate } from './faults-fate.ts';
import { parseFaults } from './faults-spec.ts';
import { KEYS, type SandboxKey } from './keys.ts';
import { serverFor } from './listener.ts';
import { type Asked, answer } from './service.ts';
import type { Database } from './store/driver.ts';
import {
  openStore,
  readSetting,
  rebuild,
  rebuildAtOnce,
  type Seed,
  totals,
  writeSetting,
} from './store/store.ts';

export type { AdvanceOptions, FaultsStatus, SandboxKey };

/** How many transactions to invent, and out of which numbers. */
export interface SeedOptions {
  /** 5,000 unless told; never fewer than the fixed receipts of the examples need. */
  readonly orders?: number;
  readonly randomSeed?: number;
}

export interface SandboxOptions {
  /** SQLite file, or `:memory:`. Its folder is made. */
  readonly file: string;
  /** Any free one by default; always on 127.0.0.1. */
  readonly port?: number;
  /** The real clock. */
  readonly now?: () => Date;
  /** Used when the store is empty. */
  readonly seed?: SeedOptions;
  /**
   * Called before seeding starts, with the number of transactions, and whether that takes the place
   * of what another version of cb had stored.
   */
  readonly onSeed?: (orders: number, replaces: boolean) => void;
  /** Called once if much has to happen before the sandbox is up to date, as after a long time. */
  readonly onCatchUp?: () => void;
  /** Faults of this server alone, like `503=10%,cut-after=#1`; else those of the store hold. */
  readonly faults?: string;
  /** Milliseconds in which a request must come in whole, 20,000 unless told. */
  readonly patience?: number;
  /** Ends the seeding, with its reason. */
  readonly signal?: AbortSignal;
}

/** One request of this run: path with query as received, the header `Page` where there was one. */
export interface RequestEntry {
  readonly method: string;
  readonly path: string;
  /** What was decided, also when the answer was lost; missing where a fault came before that. */
  readonly status?: number;
  readonly page?: string;
  /** The faults that befell it, joined by `+`, as in `latency+cut-after`. */
  readonly fault?: string;
}

/** Counts are of the store, times are Pacific. */
export interface SandboxStatus {
  readonly file: string;
  readonly orders: number;
  readonly receipts: number;
  readonly first: string | null;
  readonly last: string | null;
  readonly randomSeed: number;
  readonly clockOffsetSeconds: number;
}

export interface Sandbox {
  /** `http://127.0.0.1:PORT`, without `/rest`. */
  readonly url: string;
  readonly keys: readonly SandboxKey[];
  /** The last 20,000 requests that were let in, oldest first. */
  readonly requests: readonly RequestEntry[];
  /** The sandbox's clock. */
  now(): Date;
  /**
   * Moves the clock forward, a day at a time, and lets happen what happens meanwhile: sales, rebills,
   * refunds. Returns the new now, which is earlier than asked for if `signal` was aborted. Throws a
   * RangeError for a negative number.
   */
  advance(seconds: number, options?: AdvanceOptions): Promise<Date>;
  status(): SandboxStatus;
  /** Sets the faults of the store, for every process on it, or ends them. Throws BadFaults. */
  setFaults(faults: string | undefined): void;
  faults(): FaultsStatus;
  /**
   * Empties the store and seeds it again; without `seed` as it was seeded before. The clock and the
   * faults go with the rest.
   */
  reset(seed?: SeedOptions): Promise<void>;
  close(): Promise<void>;
}

const realNow = () => new Date();
const DEFAULT_ORDERS = 5000;
const DEFAULT_RANDOM_SEED = 1;
const KEPT_REQUESTS = 20_000;
/** Longer than any page number; so short a piece keeps no hold of a long text. */
const KEPT_PAGE = 12;

/** The code that invents data is loaded only when there is data to invent. */
async function loadSeed(
  options: SeedOptions,
  now: () => Date,
  onSeed: SandboxOptions['onSeed'],
): Promise<Seed> {
  const { seedStore } = await import('./seed/seed.ts');
  return function* seed(db, former) {
    const orders = options.orders ?? (former?.orders || DEFAULT_ORDERS);
    const randomSeed = options.randomSeed ?? former?.randomSeed ?? DEFAULT_RANDOM_SEED;
    onSeed?.(orders, former !== undefined);
    const instant = Math.floor(now().getTime() / 1000);
    writeSetting(db, 'orders', yield* seedStore(db, { orders, randomSeed, now: instant }));
    writeSetting(db, 'randomSeed', randomSeed);
  };
}

function requestLog() {
  const entries: RequestEntry[] = [];
  return {
    entries,
    add(
      { method = '', url = '', headers }: IncomingMessage,
      status: number | undefined,
      { names }: Fate,
    ): void {
      if (entries.length >= KEPT_REQUESTS) entries.shift();
      entries.push({
        method,
        path: url,
        ...(status !== undefined && { status }),
        ...(headers.page !== undefined && { page: String(headers.page).slice(0, KEPT_PAGE) }),
        ...(names && { fault: names }),
      });
    },
  };
}

function statusOf(db: Database, file: string, clock: Clock): SandboxStatus {
  const { first, last, ...counts } = totals(db);
  return {
    file,
    ...counts,
    first: first === null ? null : pacificTime(first),
    last: last === null ? null : pacificTime(last),
    randomSeed: readSetting(db, 'randomSeed'),
    clockOffsetSeconds: clock.offsetSeconds(),
  };
}

function open(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

async function shut(server: Server, db: Database): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
  db.close();
}

/** What the store was seeded with. */
function seedOf(db: Database): SeedOptions {
  return { orders: readSetting(db, 'orders'), randomSeed: readSetting(db, 'randomSeed') };
}

/**
 * Empties the store in a file and seeds it again without serving it; as it was seeded before, where
 * `seed` says nothing else. Ended by `signal`, all is as it was.
 */
export async function reseedSandbox(options: SandboxOptions): Promise<void> {
  const { file, now = realNow, seed, onSeed, signal } = options;
  let isFresh = false;
  const telling = (orders: number, replaces: boolean) => {
    isFresh = true;
    onSeed?.(orders, replaces);
  };
  const db = await openStore(file, () => loadSeed(seed ?? {}, now, telling), signal);
  try {
    // A store that was empty has just been filled as asked.
    if (isFresh) return;
    await rebuild(db, await loadSeed({ ...seedOf(db), ...seed }, now, onSeed), signal);
  } finally {
    db.close();
  }
}

/** Opens or builds the store and serves it until closed. Throws MissingDriver without libsql. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { file, port = 0, now = realNow, seed = {}, onSeed, patience = 20_000 } = options;
  // Before anything is made for a server that can't be.
  const own = options.faults === undefined ? undefined : parseFaults(options.faults);
  const db = await openStore(file, () => loadSeed(seed, now, onSeed), options.signal);
  const clock = storedClock(db, now);
  const { signal, onCatchUp } = options;
  await settleAtLength(db, instantOn(clock), { signal, onCatchUp }).catch((error: unknown) => {
    db.close();
    throw error;
  });
  const log = requestLog();
  const faults = faultsOf(db, clock, own);
  const closing = new AbortController();
  // Every request that waits listens to it.
  setMaxListeners(0, closing.signal);
  const desk = {
    answer: (asked: Asked) => answer({ db, analyticsStatus: faults.analyticsStatus }, clock, asked),
    meet: faults.meet,
    log: log.add,
    now: clock.now,
    closing: closing.signal,
  };
  const server = serverFor(desk, patience);
  const opened = await open(server, port).catch((error: unknown) => {
    db.close();
    throw error;
  });
  return {
    url: `http://127.0.0.1:${opened}`,
    keys: KEYS,
    requests: log.entries,
    now: clock.now,
    advance: (seconds, how) => advance(db, clock, seconds, how),
    status: () => statusOf(db, file, clock),
    setFaults: faults.set,
    faults: faults.status,
    async reset(again) {
      await rebuildAtOnce(db, await loadSeed({ ...seedOf(db), ...again }, now, onSeed));
    },
    close() {
      closing.abort();
      return shut(server, db);
    },
  };
}
