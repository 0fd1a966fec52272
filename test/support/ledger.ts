/** A service with exactly the transactions that a test writes down, for orders and the accounts of a key. */
import { pacificDay } from '../../src/dates/day.ts';
import { serve } from './server.ts';
import { pageOf } from './shop.ts';

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

/** Serves the entries, latest first. `entries` may change while it runs. */
export async function openLedger(entries: readonly Entry[], { accounts = ['GREENLEAF'] } = {}) {
  const server = await serve((reply, _, asked) => {
    const { pathname, searchParams } = new URL(asked.url, 'http://localhost');
    if (pathname.endsWith('/accounts')) {
      const accountData = accounts.map((nickName) => ({ nickName }));
      return reply.end(JSON.stringify({ accountData }));
    }
    const found = entries.filter((entry) => isAsked(entry, searchParams));
    if (pathname.endsWith('/count')) return reply.end(`${found.length}`);
    const { rows, status } = pageOf(found, asked);
    const body = rows.length === 0 ? null : { orderData: rows.map(rowOf) };
    return reply.writeHead(status).end(JSON.stringify(body));
  });
  const lists = () => server.asked.filter(({ url }) => url.includes('/orders2/list'));
  return { ...server, lists };
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
