/**
 * Refreshes single receipts of a copy, for `cb ins listen --sync`. What an event says is not written: its receipt is read
 * again from the API, so a forged, late or repeated event can't put a wrong row into the copy.
 */
import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { pacificDay } from '../../dates/day.ts';
import { analytics } from '../../operations/analytics.ts';
import { type Arguments, saleOf } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import { tickets } from '../../operations/tickets.ts';
import type { CommandContext } from '../../shell/context.ts';
import { exitCodes, Failure } from '../../shell/failure.ts';
import { serviceNow, withApi } from '../../shell/session/session.ts';
import { continuedAccount } from './access.ts';
import {
  accountsIn,
  aMoment,
  type CopyFacts,
  factsOf,
  prepareCopy,
  sqlDestination,
  stateOf,
  storeRun,
} from './database/copy.ts';
import { missingCopy, type Sql } from './destination.ts';
import { openForSync, placeOfCopy, serviceLabel, withCopyAt } from './open-copy.ts';
import { Budget, clockError } from './plan.ts';
import { readerFor } from './sync-account.ts';
import { orderSource } from './tables/order-tables.ts';
import { subscriptionSource, ticketSource } from './tables/sources.ts';
import { rowMaker, type ServiceRow, type Source } from './tables/table.ts';
import { forgottenIn } from './upkeep/forget.ts';
import { eventRuns } from './upkeep/status.ts';

/** Requests that events may cost on a Pacific day; `cb sync` has the rest. */
const requestsOfEvents = 5000;

type Result = readonly ServiceRow[] | Error;

interface Wanted {
  readonly receipt: string;
  /** Also its tickets. */
  readonly tickets: boolean;
  /** Also its subscription, as far as ClickBank's analytics know it. */
  readonly subscription: boolean;
}

export interface LiveCopy {
  readonly label: string;
  /** Milliseconds since a sync has read the latest orders; undefined if none has. */
  readonly readAgo: number | undefined;
  /**
   * Brings the rows of a receipt up to date, for a rebill also those of its sale and of the other rebills, and returns
   * all these transactions; none if the API does not know them yet. Throws an ApiError or a DestinationError; the copy
   * is then as it was.
   */
  refresh(wanted: Wanted): Promise<readonly ServiceRow[]>;
}

/** Throws a Failure if there is no copy of the account of the key. */
export async function withLiveCopy<T>(
  cmd: CommandContext,
  typed: string | undefined,
  work: (copy: LiveCopy) => Promise<T>,
): Promise<T> {
  const place = await placeOfCopy(cmd, typed);
  const budget = new Budget(requestsOfEvents);
  return withApi(cmd, { onRequest: () => budget.take() }, async (client, session) => {
    const service = serviceLabel(session);
    const { nicknames } = await readerFor(cmd, client);
    const { label, readAgo, account, firstDay } = await withCopyAt(place, async (copy) => {
      if (!(await factsOf(copy, service))) throw missingCopy(`in ${copy.label}`);
      const found = continuedAccount(await accountsIn(copy), nicknames, { label: copy.label });
      if (!found) {
        const message = `${copy.label} has no account of this API key.`;
        throw new Failure(exitCodes.key, message, { hint: 'Run `cb sync` with this key first.' });
      }
      const { days } = await stateOf(copy, found.account);
      const latest = [...(days.get(orderSource.name)?.entries() ?? [])].sort().at(-1)?.[1];
      const readAgo = latest && serviceNow(cmd.context).getTime() - Date.parse(latest.syncedAt);
      return { label: copy.label, readAgo, ...found };
    });

    /** Runs `work` while nobody else writes to the account. */
    async function locked(work: (sql: Sql, facts: CopyFacts) => Promise<void>): Promise<void> {
      const sql = await openForSync(cmd, place);
      try {
        const facts = await prepareCopy(sql, {
          ...{ service, withoutPersonalData: false, patience: aMoment },
        });
        await sql.lockAccount(account, aMoment);
        await work(sql, facts);
      } finally {
        await sql.close();
      }
    }

    async function store(
      sql: Sql,
      { withoutPersonalData }: CopyFacts,
      found: readonly (readonly [Source, readonly ServiceRow[]])[],
      readAt: number,
    ): Promise<void> {
      const { days, lists } = await stateOf(sql, account);
      const forgotten = await forgottenIn(sql);
      // As in a sync, the time before the first request.
      const syncedAt = new Date(readAt).toISOString().replace(/\.\d+Z$/, 'Z');
      const isAnonymous = (row: ServiceRow) => withoutPersonalData || forgotten.has(row);
      for (const [source, rows] of found) {
        const [ofDays, ofList] = [days.get(source.name), lists.get(source.name)];
        // Nobody has asked for this table.
        if (!ofDays && !ofList) continue;
        const dated = rows.flatMap((row) => {
          const day = source.kind === 'days' ? source.dayOf(row) : '';
          if (day === undefined || (day !== '' && day < firstDay)) return [];
          // A sync that began later has read it since.
          const last = day === '' ? ofList : ofDays?.get(day);
          const isNewer = Date.parse(last?.syncedAt ?? '') > readAt + clockError;
          return isNewer ? [] : [{ row, day }];
        });
        if (dated.length === 0) continue;
        const writer = await sqlDestination(sql).begin(account, source);
        await writer.write(rowMaker(source, { account, syncedAt, isAnonymous })(dated));
        await writer.commit({ extent: 'rows', syncedAt, nicknames });
      }
      await forgotten.flush(sql, syncedAt);
      const pacific_day = pacificDay(readAt / 1000);
      const run = { run_id: `${eventRuns} of ${pacific_day}`, account, pacific_day };
      const [known] = await sql.query<{ requests: unknown }>(
        'SELECT requests FROM sync_runs WHERE run_id = ? AND account = ?',
        [run.run_id, account],
      );
      const requests = Number(known?.requests ?? 0) + budget.spent;
      budget.most = requestsOfEvents - requests;
      budget.spent = 0;
      await storeRun(sql, { ...run, started_at: syncedAt, outcome: 'complete', requests });
    }

    const refresh = gathering(async (wanted) => {
      // While a sync is writing, requests would be spent in vain.
      await locked(async () => undefined);
      const started = cmd.context.now().getTime();
      const read = await Promise.allSettled(wanted.map((one) => readSale(client, nicknames, one)));
      // By the clock of the service, as these responses show it.
      const readAt = serviceNow(cmd.context).getTime() - cmd.context.now().getTime() + started;
      const values = read.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
      const found = [
        [orderSource, values.flatMap((one) => one.orders)],
        [ticketSource, values.flatMap((one) => one.tickets)],
        [subscriptionSource, values.flatMap((one) => one.subscriptions)],
      ] as const;
      await locked((sql, facts) => store(sql, facts, found, readAt));
      return read.map((one) => {
        if (one.status === 'fulfilled') return one.value.orders;
        return one.reason instanceof Error ? one.reason : new Error(String(one.reason));
      });
    });
    return work({ label, readAgo, refresh });
  });
}

/** `receipts` are that of a sale, of its rebills, or both; a rebill also changes what the others say of the subscription. */
async function readSale(client: Client, nicknames: readonly string[], wanted: WantedSale) {
  const { sale, receipts } = wanted;
  const get = (receipt: string) => orNone(client.call(orders.get, { receipt }));
  const rows = [...(await get(sale))];
  for (const receipt of receipts) {
    const isKnown = receipt === sale || rows.some((row) => row.receipt === receipt);
    if (!isKnown) rows.push(...(await get(receipt)));
  }
  const own = rows.filter((row) => receipts.has(row.receipt ?? ''));
  const all = [...rows, ...(await sharesOf(client, nicknames, own))];
  const found: ServiceRow[] = [];
  if (wanted.tickets) {
    for await (const page of client.pages(tickets.list, { receipt: sale })) {
      found.push(...page.rows);
    }
  }
  const sales = all.filter((row) => row.transactionType === 'SALE' && row.receipt === sale);
  const subscriptions = wanted.subscription ? await subscriptionsOf(client, nicknames, sales) : [];
  return { orders: all, tickets: found, subscriptions };
}

/** What does not exist, or is not for this key, has no rows. */
function orNone<T>(reading: Promise<readonly T[]>): Promise<readonly T[]> {
  return reading.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 403) return [];
    throw error;
  });
}

/** The shares of own affiliates, which ClickBank lists apart. */
async function sharesOf(
  client: Client,
  nicknames: readonly string[],
  rows: readonly ServiceRow[],
): Promise<readonly ServiceRow[]> {
  const shared = rows.filter(
    ({ role, affiliate }) => role !== 'AFFILIATE' && nicknames.includes(String(affiliate)),
  );
  const lists = new Map(
    shared.map((row) => {
      const { affiliate, vendor } = row;
      const day = orderSource.dayOf(row);
      const asked = { startDate: day, endDate: day, role: 'AFFILIATE', affiliate, vendor };
      return [JSON.stringify(asked), asked];
    }),
  );
  const known = new Set(rows.map(orderSource.idOf));
  const receipts = new Set(rows.map((row) => row.receipt));
  const shares: ServiceRow[] = [];
  for (const asked of lists.values()) {
    for await (const page of client.pages(
      orders.list,
      asked as Arguments<typeof orders.list.params>,
    )) {
      shares.push(
        ...page.rows.filter(
          (row) => receipts.has(row.receipt) && !known.has(orderSource.idOf(row)),
        ),
      );
    }
  }
  return shares;
}

/** No operation reads one subscription, but one lists those that started on a day. */
async function subscriptionsOf(
  client: Client,
  nicknames: readonly string[],
  sales: readonly ServiceRow[],
): Promise<readonly ServiceRow[]> {
  const found: ServiceRow[] = [];
  for (const sale of sales) {
    const role = sale.role === 'AFFILIATE' ? 'AFFILIATE' : 'VENDOR';
    const account = String(role === 'AFFILIATE' ? sale.affiliate : sale.vendor);
    const day = orderSource.dayOf(sale);
    if (day === undefined || !nicknames.includes(account)) continue;
    const asked = { account, role, startDate: day, endDate: day } as const;
    const rows = await orNone(client.call(analytics.byStartDate, asked));
    const own = rows.filter(({ receipt }) => receipt === sale.receipt);
    found.push(...own.map((row) => ({ role, ...row })));
  }
  return found;
}

/** What is read at once, so that no row is read twice. */
interface WantedSale extends Omit<Wanted, 'receipt'> {
  readonly sale: string;
  readonly receipts: ReadonlySet<string>;
}

/** Calls that come while another one works wait for it, and then work together: each sale once. */
function gathering(work: (wanted: readonly WantedSale[]) => Promise<readonly Result[]>) {
  let next:
    | { wanted: Map<string, WantedSale>; done: Promise<ReadonlyMap<string, Result>> }
    | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return async ({ receipt, ...one }: Wanted): Promise<readonly ServiceRow[]> => {
    if (!next) {
      const wanted = new Map<string, WantedSale>();
      const done = last.then(async () => {
        next = undefined;
        const results = await work([...wanted.values()]);
        return new Map([...wanted.keys()].map((sale, i) => [sale, results[i] ?? []]));
      });
      last = done.catch(() => undefined);
      next = { wanted, done };
    }
    const { wanted, done } = next;
    const sale = saleOf(receipt);
    const before = wanted.get(sale);
    wanted.set(sale, {
      sale,
      receipts: new Set([...(before?.receipts ?? []), receipt]),
      tickets: one.tickets || before?.tickets === true,
      subscription: one.subscription || before?.subscription === true,
    });
    const result = (await done).get(sale) ?? [];
    if (result instanceof Error) throw result;
    return result;
  };
}
