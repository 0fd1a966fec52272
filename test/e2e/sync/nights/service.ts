/** What the service lists now, by table of the copy: read with the client, without any code of the sync. */
import type { Client } from '../../../../src/client/client.ts';
import { addDays } from '../../../../src/dates/day.ts';
import { readTransactions } from '../../../../src/features/earnings/transaction.ts';
import { analytics } from '../../../../src/operations/analytics.ts';
import { products } from '../../../../src/operations/products.ts';
import { quickstats } from '../../../../src/operations/quickstats.ts';
import { notices3, shipping3 } from '../../../../src/operations/shipping.ts';
import { tickets } from '../../../../src/operations/tickets.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface Listed {
  /** Identifies the row among those of its table. */
  readonly id: string;
  /** The row as the client returns it, as JSON. */
  readonly row: Json;
  /** The time that places it on a day; undefined for lists without days. */
  readonly time?: unknown;
}

export interface Asked {
  readonly client: Client;
  readonly nicknames: readonly string[];
  readonly first: string;
  readonly last: string;
  /** Only these tables. */
  readonly tables?: readonly string[];
}

const asJson = (row: unknown): Json => JSON.parse(JSON.stringify(row));

async function all(rows: AsyncIterable<unknown>): Promise<Json[]> {
  const found: Json[] = [];
  for await (const row of rows) found.push(asJson(row));
  return found;
}

async function transactions({ client, nicknames, first, last }: Asked): Promise<Listed[]> {
  const found: Json[] = [];
  const query = { days: { first, last }, accounts: nicknames };
  for await (const rows of readTransactions(client, query)) found.push(...rows.map(asJson));
  return found.map((row) => ({
    id: [row.receipt, row.transactionType, row.transactionTime, row.role].join(' '),
    row,
    time: row.transactionTime,
  }));
}

async function statistics({ client, first, last }: Asked): Promise<Listed[]> {
  const accounts = await client.call(quickstats.list, { startDate: first, endDate: last });
  return accounts.flatMap(({ nickName, quickStats }) =>
    (quickStats ?? []).map((stat) => ({
      id: `${nickName} ${String(stat.quickStatDate).slice(0, 10)}`,
      row: asJson({ nickName, ...stat }),
      time: stat.quickStatDate,
    })),
  );
}

async function shipments({ client, first, last }: Asked, status: 'all' | 'shipped') {
  const args = { status, startDate: first, endDate: last } as const;
  return all(client.list(shipping3.list, args));
}

async function shipNotices(asked: Asked): Promise<Listed[]> {
  const found: Listed[] = [];
  for (const { receipt, transactionTime } of await shipments(asked, 'shipped')) {
    const notices = await asked.client.call(notices3.list, { receipt: String(receipt) });
    for (const [i, notice] of notices.entries()) {
      const position = i + 1;
      const row = asJson({ ...notice, receipt, position, transactionTime });
      found.push({ id: `${receipt} ${position}`, row, time: transactionTime });
    }
  }
  return found;
}

async function subscriptions({ client, nicknames }: Asked): Promise<Listed[]> {
  const found: Listed[] = [];
  for (const account of nicknames) {
    for (const role of ['VENDOR', 'AFFILIATE'] as const) {
      const rows = await all(client.list(analytics.subscriptions, { account, role }));
      found.push(
        ...rows.map((row) => ({
          id: [row.receipt, row.itemNo, role].join(' '),
          row: { role, ...row },
        })),
      );
    }
  }
  return found;
}

/** ClickBank is asked about the notices of orders of so many days. */
const noticeDays = 60;

/** All rows whose day is copied, and those without a day. */
export async function listedNow(asked: Asked): Promise<ReadonlyMap<string, readonly Listed[]>> {
  const { client, nicknames, last } = asked;
  const [, first = last] = [asked.first, addDays(last, -noticeDays)].sort();
  const lists: Readonly<Record<string, () => Promise<Listed[]>>> = {
    orders: () => transactions(asked),
    async tickets() {
      // Without dates, all of them are one list instead of one for each week.
      const rows = await all(client.list(tickets.list, {}));
      return rows
        .filter(({ openedDate }) => String(openedDate) >= asked.first)
        .map((row) => ({ id: String(row.ticketid), row, time: row.openedDate }));
    },
    async products() {
      const lists = nicknames.map((site) => all(client.list(products.list, { site })));
      return (await Promise.all(lists)).flat().map((row) => ({ id: String(row.id), row }));
    },
    quickstats: () => statistics(asked),
    async shipments() {
      const rows = await shipments(asked, 'all');
      return rows.map((row) => ({ id: String(row.receipt), row, time: row.transactionTime }));
    },
    ship_notices: () => shipNotices({ ...asked, first }),
    subscriptions: () => subscriptions(asked),
  };
  const found = new Map<string, readonly Listed[]>();
  for (const name of asked.tables ?? Object.keys(lists)) {
    found.set(name, (await lists[name]?.()) ?? []);
  }
  return found;
}
