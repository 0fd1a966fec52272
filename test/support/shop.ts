/** Services of orders with exactly the transactions that a test writes down. */
import type { ServerResponse } from 'node:http';
import { pacificDay } from '../../src/dates/day.ts';
import { type Asked, serve } from './server.ts';

/** A transaction as ClickBank sends it; absent fields have usual values. */
export interface Entry {
  readonly time: string;
  readonly type?: string;
  /** What the account earns. */
  readonly amount?: string | null;
  readonly receipt?: string;
  readonly vendor?: string;
  readonly affiliate?: string | null;
  readonly role?: string;
  readonly trackingId?: string | null;
  readonly sku?: string;
  readonly title?: string;
  readonly country?: string;
  readonly currency?: string;
}

/** Serves the entries, latest first, and the accounts of a key. `entries` may change while it runs. */
export async function openLedger(entries: readonly Entry[], { accounts = ['GREENLEAF'] } = {}) {
  const server = await serve((reply, _, one) => {
    const { status, body } = answerTo(one, entries, accounts);
    reply.writeHead(status).end(body);
  });
  const lists = () => server.asked.filter(({ url }) => url.includes('/orders2/list'));
  return { ...server, lists };
}

interface Sale extends Entry {
  readonly receipt: string;
  readonly vendor: string;
}

/** A service with its own clock, faults, and keys, to which tests add orders. */
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
      const found = sales
        .filter(({ vendor }) => accounts.includes(vendor))
        .sort((one, other) => Number(other.time > one.time) - Number(other.time < one.time));
      const { status, body } = answerTo(one, found, accounts);
      if (!one.url.includes('/accounts')) asked.push(one);
      const isDisturbed = one.url.includes('/list') && shop.disturb(reply, body);
      if (!isDisturbed) reply.writeHead(status).end(body);
    },
    { time: () => shop.clock },
  );
  const shop: Shop = {
    ...{ url, env, asked, nicknames, sales },
    clock: undefined,
    disturb: () => false,
    sell: (receipt, day, key = shopKey) =>
      void sales.push({ receipt, time: `${day}T10:00:00-07:00`, vendor: ownAccount(key) }),
  };
  return shop;
}

/** Accounts, the number of the requested orders, or a page of them. */
function answerTo(asked: Asked, entries: readonly Entry[], accounts: readonly string[]) {
  const { pathname, searchParams } = new URL(asked.url, 'http://localhost');
  if (pathname.endsWith('/accounts')) {
    const accountData = accounts.map((nickName) => ({ nickName }));
    return { status: 200, body: JSON.stringify({ accountData }) };
  }
  const found = entries.filter((entry) => isAsked(entry, searchParams));
  if (pathname.endsWith('/count')) return { status: 200, body: `${found.length}` };
  const { rows, status } = pageOf(found, asked);
  const body = rows.length === 0 ? null : { orderData: rows.map(rowOf) };
  return { status, body: JSON.stringify(body) };
}

function isAsked({ time, role = 'VENDOR' }: Entry, asked: URLSearchParams): boolean {
  const day = pacificDay(Date.parse(time) / 1000);
  const [first, last] = [asked.get('startDate') ?? '', asked.get('endDate') ?? '9999'];
  return day >= first && day <= last && (asked.get('role') ?? role) === role;
}

function rowOf(entry: Entry, index: number) {
  const { time, type = 'SALE', amount = '10.00', affiliate = null, trackingId = null } = entry;
  const nil = { '@nil': 'true' };
  return {
    transactionTime: time,
    receipt: entry.receipt ?? `R${index}${time.replaceAll(/\D/g, '').slice(0, 14)}`,
    ...{ transactionType: type, totalOrderAmount: '37.00' },
    vendor: entry.vendor ?? 'GREENLEAF',
    role: entry.role ?? 'VENDOR',
    currency: entry.currency ?? 'USD',
    country: entry.country ?? 'US',
    affiliate: affiliate ?? nil,
    trackingId: trackingId ?? nil,
    lineItemData: {
      itemNo: entry.sku ?? 'SKU-1',
      productTitle: entry.title ?? 'A book',
      accountAmount: amount ?? nil,
    },
  };
}

/** The rows of the requested page of 100, and the status that says whether there are more. */
export function pageOf<T>(rows: readonly T[], { headers }: Asked) {
  const end = Number(headers.page ?? 1) * 100;
  return { rows: rows.slice(end - 100, end), status: end < rows.length ? 206 : 200 };
}
