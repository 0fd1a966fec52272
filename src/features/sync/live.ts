/**
 * Refreshes single receipts of a copy, for `cb ins listen --sync`. What an event says is not written: its receipt is read
 * again from the API, so a forged, late or repeated event can't put a wrong row into the copy.
 */
import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { pacificDay } from '../../dates/pacific.ts';
import type { Arguments } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import { tickets } from '../../operations/tickets.ts';
import type { CommandContext } from '../../shell/command-context.ts';
import { exitCodes } from '../../shell/exit-codes.ts';
import { Failure } from '../../shell/failure.ts';
import { serviceNow } from '../../shell/session/clock-difference.ts';
import { withApi } from '../../shell/session/session.ts';
import {
  accountsIn,
  aMoment,
  factsOf,
  prepareCopy,
  sqlDestination,
  stateOf,
  storeRun,
} from './database/copy.ts';
import { missingCopy, type Sql } from './destination.ts';
import { openForSync, placeOfCopy, serviceLabel, withCopyAt } from './open-copy.ts';
import { Budget } from './plan.ts';
import { readerFor } from './sync-account.ts';
import { orderSource } from './tables/order-tables.ts';
import { ticketSource } from './tables/sources.ts';
import { type DatedSource, rowMaker, type ServiceRow } from './tables/table.ts';
import { forgottenIn } from './upkeep/forget.ts';
import { eventRuns } from './upkeep/status.ts';

/** Requests that events may cost on a Pacific day; `cb sync` has the rest. */
const requestsOfEvents = 5000;

type Result = readonly ServiceRow[] | Error;

interface Wanted {
  readonly receipt: string;
  /** Also its tickets. */
  readonly tickets: boolean;
}

export interface LiveCopy {
  readonly label: string;
  /**
   * Brings the rows of a receipt up to date and returns its transactions; none if the API does not know it yet. Throws
   * an ApiError or a DestinationError; the copy is then as it was.
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
    const { label, account, firstDay } = await withCopyAt(place, async (copy) => {
      if (!(await factsOf(copy, service))) throw missingCopy(`in ${copy.label}`);
      const found = (await accountsIn(copy)).find((one) =>
        one.nicknames.some((name) => nicknames.includes(name)),
      );
      if (!found) {
        const message = `${copy.label} has no account of this API key.`;
        throw new Failure(exitCodes.key, message, { hint: 'Run `cb sync` with this key first.' });
      }
      return { label: copy.label, ...found };
    });

    async function store(
      sql: Sql,
      found: readonly (readonly [DatedSource, readonly ServiceRow[]])[],
      readAt: number,
    ): Promise<void> {
      const { withoutPersonalData } = await prepareCopy(sql, {
        ...{ service, withoutPersonalData: false, patience: aMoment },
      });
      await sql.lockAccount(account, aMoment);
      const { days } = await stateOf(sql, account);
      const forgotten = await forgottenIn(sql);
      // As in a sync, the time before the first request.
      const syncedAt = new Date(readAt).toISOString().replace(/\.\d+Z$/, 'Z');
      const isAnonymous = (row: ServiceRow) => withoutPersonalData || forgotten.has(row);
      for (const [source, rows] of found) {
        const dated = rows.flatMap((row) => {
          const day = source.dayOf(row);
          if (day === undefined || day < firstDay) return [];
          // A sync that began later has read it since.
          const syncedAt = days.get(source.name)?.get(day)?.syncedAt ?? '';
          return Date.parse(syncedAt) > readAt ? [] : [{ row, day }];
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
      const readAt = serviceNow(cmd.context).getTime();
      const read = await Promise.allSettled(
        wanted.map((one) => readReceipt(client, nicknames, one)),
      );
      const values = read.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
      const sql = await openForSync(cmd, place);
      try {
        const found = [
          [orderSource, values.flatMap((one) => one.orders)],
          [ticketSource, values.flatMap((one) => one.tickets)],
        ] as const;
        await store(sql, found, readAt);
      } finally {
        await sql.close();
      }
      return read.map((one) => {
        if (one.status === 'fulfilled') return one.value.orders;
        return one.reason instanceof Error ? one.reason : new Error(String(one.reason));
      });
    });
    return work({ label, refresh });
  });
}

/** Also the shares of own affiliates, which ClickBank lists apart. */
async function readReceipt(
  client: Client,
  nicknames: readonly string[],
  { receipt, tickets: hasTickets }: Wanted,
) {
  const rows = await client.call(orders.get, { receipt }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 403) return [];
    throw error;
  });
  const shared = rows.filter(
    ({ role, affiliate }) => role !== 'AFFILIATE' && nicknames.includes(affiliate ?? ''),
  );
  const lists = new Map(
    shared.map(({ affiliate, vendor, ...row }) => {
      const day = orderSource.dayOf(row);
      const asked = { startDate: day, endDate: day, role: 'AFFILIATE', affiliate, vendor };
      return [JSON.stringify(asked), asked];
    }),
  );
  const known = new Set(rows.map(orderSource.idOf));
  const shares: ServiceRow[] = [];
  for (const asked of lists.values()) {
    for await (const page of client.pages(
      orders.list,
      asked as Arguments<typeof orders.list.params>,
    )) {
      shares.push(
        ...page.rows.filter((row) => row.receipt === receipt && !known.has(orderSource.idOf(row))),
      );
    }
  }
  const found: ServiceRow[] = [];
  if (hasTickets) {
    for await (const page of client.pages(tickets.list, { receipt })) found.push(...page.rows);
  }
  return { orders: [...rows, ...shares], tickets: found };
}

/** Calls that come while another one works wait for it, and then work together: each receipt once. */
function gathering(work: (wanted: readonly Wanted[]) => Promise<readonly Result[]>) {
  let next: { wanted: Map<string, Wanted>; done: Promise<ReadonlyMap<string, Result>> } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return async (one: Wanted): Promise<readonly ServiceRow[]> => {
    if (!next) {
      const wanted = new Map<string, Wanted>();
      const done = last.then(async () => {
        next = undefined;
        const results = await work([...wanted.values()]);
        return new Map([...wanted.keys()].map((receipt, i) => [receipt, results[i] ?? []]));
      });
      last = done.catch(() => undefined);
      next = { wanted, done };
    }
    const { wanted, done } = next;
    const hasTickets = one.tickets || wanted.get(one.receipt)?.tickets === true;
    wanted.set(one.receipt, { ...one, tickets: hasTickets });
    const result = (await done).get(one.receipt) ?? [];
    if (result instanceof Error) throw result;
    return result;
  };
}
