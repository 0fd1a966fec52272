/** A service of orders that the test adds to, with a clock, faults and keys of its own. */
import type { ServerResponse } from 'node:http';
import { type Asked, serve } from './server.ts';

interface Sale {
  readonly receipt: string;
  /** `yyyy-mm-dd`, Pacific time. */
  readonly day: string;
  /** The key that sees it. */
  readonly key: string;
}

export interface Shop {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  /** Requests for rows. */
  readonly asked: readonly Asked[];
  readonly sales: readonly Sale[];
  /** What the header Date tells; without it there is no such header. */
  clock: Date | undefined;
  /** Called before each answer; true when it has answered or cut the connection itself. */
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
