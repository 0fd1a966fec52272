/** What the service lists now, by table of the copy: read with the client, without any code of the sync. */
import type { Client } from '../../../../src/client/client.ts';
import { addDays } from '../../../../src/dates/day.ts';
import { readTransactions } from '../../../../src/features/earnings/transaction.ts';
import { analytics } from '../../../../src/operations/analytics.ts';
import { products } from '../../../../src/operations/products.ts';
import { quickstats } from '../../../../src/operations/quickstats.ts';
import { notices3, shipping3 } from '../../../../src/operations/shipping.ts';
import { tickets } from '../../../../src/operations/tickets.ts';
import { listed } from '../../../support/client.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface Asked {
  readonly client: Client;
  readonly first: string;
  readonly last: string;
  /** Only these tables. */
  readonly tables?: readonly string[];
}

const asJson = (row: unknown): Json => JSON.parse(JSON.stringify(row));

/** All rows, as they are in JSON. */
export async function all(pages: Parameters<typeof listed>[0]): Promise<Json[]> {
  return (await listed(pages)).map(asJson);
}

async function transactions(
  { client, first, last }: Asked,
  accounts: readonly string[],
): Promise<Json[]> {
  const found: Json[] = [];
  const query = { days: { first, last }, accounts };
  for await (const rows of readTransactions(client, query)) found.push(...rows.map(asJson));
  return found;
}

async function shipments({ client, first, last }: Asked, status: 'all' | 'shipped') {
  const args = { status, startDate: first, endDate: last } as const;
  return all(client.pages(shipping3.list, args));
}

async function shipNotices(asked: Asked): Promise<Json[]> {
  const found: Json[] = [];
  for (const { receipt, transactionTime } of await shipments(asked, 'shipped')) {
    const notices = await asked.client.call(notices3.list, { receipt: String(receipt) });
    for (const [i, notice] of notices.entries()) {
      found.push(asJson({ ...notice, receipt, position: i + 1, transactionTime }));
    }
  }
  return found;
}

async function subscriptions({ client }: Asked, accounts: readonly string[]): Promise<Json[]> {
  const found: Json[] = [];
  for (const account of accounts) {
    for (const role of ['VENDOR', 'AFFILIATE'] as const) {
      const rows = await all(client.pages(analytics.subscriptions, { account, role }));
      found.push(...rows.map((row) => ({ role, ...row })));
    }
  }
  return found;
}

/** ClickBank is asked about the notices of orders of so many days. */
const noticeDays = 60;

/** All rows whose day is copied, and those without a day, as the client returns them. */
export async function listedNow(asked: Asked): Promise<ReadonlyMap<string, readonly Json[]>> {
  const { client, first, last } = asked;
  const accounts = await client.call(quickstats.accounts, {});
  const nicknames = accounts.flatMap(({ nickName }) => nickName ?? []);
  const lists: Readonly<Record<string, () => Promise<Json[]>>> = {
    orders: () => transactions(asked, nicknames),
    async tickets() {
      // Without dates, all of them are one list instead of one for each week.
      const rows = await all(client.pages(tickets.list, {}));
      return rows.filter(({ openedDate }) => String(openedDate) >= first);
    },
    async products() {
      const lists = nicknames.map((site) => all(client.pages(products.list, { site })));
      return (await Promise.all(lists)).flat();
    },
    async quickstats() {
      const accounts = await client.call(quickstats.list, { startDate: first, endDate: last });
      return accounts.flatMap(({ nickName, quickStats }) =>
        (quickStats ?? []).map((stat) => asJson({ nickName, ...stat })),
      );
    },
    shipments: () => shipments(asked, 'all'),
    ship_notices() {
      const [, latest = last] = [first, addDays(last, -noticeDays)].sort();
      return shipNotices({ ...asked, first: latest });
    },
    subscriptions: () => subscriptions(asked, nicknames),
  };
  const found = new Map<string, readonly Json[]>();
  for (const name of asked.tables ?? Object.keys(lists)) {
    found.set(name, (await lists[name]?.()) ?? []);
  }
  return found;
}
