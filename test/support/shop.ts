/** A service of orders with its own clock, faults, and keys, to which tests add orders. */
import type { ServerResponse } from 'node:http';
import { type Asked, serve } from './server.ts';

interface Sale {
  readonly receipt: string;
  /** `yyyy-mm-dd`, Pacific time. */
  readonly day: string;
  /** The nickname of the account that sold it. */
  readonly account: string;
}

export interface Shop {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  /** Requests for rows. */
  readonly asked: readonly Asked[];
  /** What a key can read; a key that is not here reads an account of its own. */
  readonly nicknames: Map<string, readonly string[]>;
  readonly sales: readonly Sale[];
  /** The value of the Date header; undefined sends none. */
  clock: Date | undefined;
  /** Called before each response; returns true if it has responded or closed the connection. */
  disturb: (reply: ServerResponse, body: string) => boolean;
  /** Sold by the own account of `key`. The newest come first, as at the service. */
  sell(receipt: string, day: string, key?: string): void;
}

export const shopKey = 'API-TEST';

export async function openShop(): Promise<Shop> {
  const sales: Sale[] = [];
  const asked: Asked[] = [];
  const nicknames = new Map<string, readonly string[]>();
  const accountsOf = (key: string) => nicknames.get(key) ?? [ownAccount(key)];
  const server = await serve(
    (reply, _, one) => {
      const found = accountsOf(one.headers.authorization ?? '');
      if (one.url.includes('/quickstats/accounts')) {
        const accountData = found.map((nickName) => ({ nickName }));
        return void reply.end(JSON.stringify({ accountData }));
      }
      asked.push(one);
      answer(shop, reply, one, found);
    },
    { time: () => shop.clock },
  );
  const shop: Shop = {
    url: server.url,
    asked,
    nicknames,
    env: { CB_BASE_URL: server.url, CB_API_KEY: shopKey },
    sales,
    clock: undefined,
    disturb: () => false,
    sell: (receipt, day, key = shopKey) =>
      void sales.push({ receipt, day, account: ownAccount(key) }),
  };
  return shop;
}

function ownAccount(key: string): string {
  return key.slice('API-'.length);
}

function answer(
  shop: Shop,
  reply: ServerResponse,
  { url, headers }: Asked,
  accounts: readonly string[],
): void {
  const query = new URL(url, 'http://x').searchParams;
  const [first, last] = [query.get('startDate') ?? '', query.get('endDate') ?? ''];
  const found = shop.sales
    .filter(({ day, account }) => day >= first && day <= last && accounts.includes(account))
    .sort((one, other) => other.day.localeCompare(one.day));
  if (url.includes('/count')) return void reply.end(String(found.length));
  const page = Number(headers.page);
  const rows = found.slice((page - 1) * 100, page * 100).map(({ receipt, day }) => ({
    receipt,
    transactionTime: `${day}T10:00:00-07:00`,
    transactionType: 'SALE',
  }));
  const body = JSON.stringify({ orderData: rows });
  if (shop.disturb(reply, body)) return;
  reply.statusCode = page * 100 < found.length ? 206 : 200;
  reply.end(body);
}
