/** A service of orders with its own clock, faults, and keys, to which tests add orders. */
import type { ServerResponse } from 'node:http';
import { type Asked, serve } from './server.ts';

interface Sale {
  readonly receipt: string;
  /** `yyyy-mm-dd`, Pacific time. */
  readonly day: string;
  /** The key that can read it. */
  readonly key: string;
}

export interface Shop {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  /** Requests for rows. */
  readonly asked: readonly Asked[];
  readonly sales: readonly Sale[];
  /** The value of the Date header; undefined sends none. */
  clock: Date | undefined;
  /** Called before each response; returns true if it has responded or closed the connection. */
  disturb: (reply: ServerResponse, body: string) => boolean;
  /** The newest come first, as at the service. */
  sell(receipt: string, day: string, key?: string): void;
}

export const shopKey = 'API-TEST';

export async function openShop(): Promise<Shop> {
  const sales: Sale[] = [];
  const server = await serve((reply, _, asked) => answer(shop, reply, asked), {
    time: () => shop.clock,
  });
  const shop: Shop = {
    ...server,
    env: { CB_BASE_URL: server.url, CB_API_KEY: shopKey },
    sales,
    clock: undefined,
    disturb: () => false,
    sell: (receipt, day, key = shopKey) => void sales.push({ receipt, day, key }),
  };
  return shop;
}

function answer(shop: Shop, reply: ServerResponse, { url, headers }: Asked): void {
  const query = new URL(url, 'http://x').searchParams;
  const [first, last] = [query.get('startDate') ?? '', query.get('endDate') ?? ''];
  const found = shop.sales
    .filter(({ day, key }) => day >= first && day <= last && key === headers.authorization)
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
