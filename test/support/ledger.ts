/** A service with exactly the transactions that a test writes down, for orders and the accounts of a key. */
import { pacificDay } from '../../src/dates/pacific.ts';
import { serve } from './server.ts';

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

const rowsOnAPage = 100;

/** Serves the entries, latest first. `entries` may change while it runs. */
export async function openLedger(entries: readonly Entry[], { accounts = ['GREENLEAF'] } = {}) {
  const server = await serve((reply, _, { url, headers }) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname.endsWith('/accounts')) {
      reply.end(JSON.stringify({ accountData: accounts.map((nickName) => ({ nickName })) }));
      return;
    }
    const found = entries.filter((entry) => isAsked(entry, searchParams));
    const page = Number(headers.page ?? 1);
    const rows = found.slice((page - 1) * rowsOnAPage, page * rowsOnAPage).map(rowOf);
    reply.writeHead(page * rowsOnAPage < found.length ? 206 : 200);
    reply.end(JSON.stringify(rows.length === 0 ? null : { orderData: rows }));
  });
  const lists = () => server.asked.filter(({ url }) => url.includes('/orders2/list'));
  return { ...server, lists };
}

function isAsked({ time, role = 'VENDOR' }: Entry, asked: URLSearchParams): boolean {
  const day = pacificDay(Date.parse(time) / 1000);
  const wanted = asked.get('role');
  return (
    day >= (asked.get('startDate') ?? '') &&
    day <= (asked.get('endDate') ?? '9999') &&
    (wanted === null || wanted === role)
  );
}

function rowOf(entry: Entry, index: number) {
  const { time, type = 'SALE', amount = '10.00', vendor = 'GREENLEAF', role = 'VENDOR' } = entry;
  const nil = { '@nil': 'true' };
  const { affiliate = null, trackingId = null, sku = 'SKU-1', title = 'A book' } = entry;
  return {
    transactionTime: time,
    receipt: entry.receipt ?? `R${index}${time.replaceAll(/\D/g, '').slice(0, 14)}`,
    transactionType: type,
    totalOrderAmount: '37.00',
    ...{ vendor, role, currency: entry.currency ?? 'USD', country: entry.country ?? 'US' },
    affiliate: affiliate ?? nil,
    trackingId: trackingId ?? nil,
    lineItemData: { itemNo: sku, productTitle: title, accountAmount: amount ?? nil },
  };
}
