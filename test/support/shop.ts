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

const ownAccount = (key: string) => key.slice('API-'.length);

export async function openShop(): Promise<Shop> {
  const sales: Sale[] = [];
  const asked: Asked[] = [];
  const nicknames = new Map<string, readonly string[]>();
  const { url, env } = await serve(
    (reply, _, one) => {
      const key = one.headers.authorization ?? '';
      const accounts = nicknames.get(key) ?? [ownAccount(key)];
      if (one.url.includes('/quickstats/accounts')) {
        const accountData = accounts.map((nickName) => ({ nickName }));
        return void reply.end(JSON.stringify({ accountData }));
      }
      asked.push(one);
      const query = new URL(one.url, 'http://x').searchParams;
      const [first, last] = [query.get('startDate') ?? '', query.get('endDate') ?? ''];
      const found = sales
        .filter(({ day, account }) => day >= first && day <= last && accounts.includes(account))
        .sort((one, other) => Number(other.day > one.day) - Number(other.day < one.day));
      if (one.url.includes('/count')) return void reply.end(String(found.length));
      const { status, rows } = pageOf(found, one);
      const orderData = rows.map(({ receipt, day }) => ({
        ...{ receipt, transactionType: 'SALE', transactionTime: `${day}T10:00:00-07:00` },
      }));
      const body = JSON.stringify({ orderData });
      if (!shop.disturb(reply, body)) reply.writeHead(status).end(body);
    },
    { time: () => shop.clock },
  );
  const shop: Shop = {
    ...{ url, env, asked, nicknames, sales },
    clock: undefined,
    disturb: () => false,
    sell: (receipt, day, key = shopKey) =>
      void sales.push({ receipt, day, account: ownAccount(key) }),
  };
  return shop;
}

/** The rows of the requested page of 100, and the status that says whether there are more. */
export function pageOf<T>(rows: readonly T[], { headers }: Asked) {
  const end = Number(headers.page ?? 1) * 100;
  return { rows: rows.slice(end - 100, end), status: end < rows.length ? 206 : 200 };
}
