/**
 * A service of one account with exactly 1,000 orders a day, 5 % of them with a ticket and 10 % with a parcel. Rows are
 * made when they are asked for.
 */
import { daysFrom } from '../../src/dates/day.ts';
import { type Asked, serve } from './server.ts';
import { pageOf } from './shop.ts';

export const rowsADay = { orders: 1000, tickets: 50, shipments: 100 };

/** Serves until the test ends. `now` is the time that its responses tell. */
export async function bigShop(now: () => Date) {
  const { env, asked } = await serve((reply, _, one) => {
    const { status, body } = answerTo(one);
    reply.sendDate = false;
    reply.writeHead(status, { date: now().toUTCString() }).end(body);
  });
  return { env, asked };
}

interface Row {
  readonly day: string;
  /** Within its day. */
  readonly number: number;
}

function answerTo(asked: Asked): { readonly status: number; readonly body: string } {
  const { pathname: path, searchParams } = new URL(asked.url, 'http://127.0.0.1');
  const day = (...names: string[]) =>
    names.map((name) => searchParams.get(name)).find((value) => value !== null) ?? '';
  const first = day('startDate', 'createDateFrom', 'updateDateFrom');
  const days = daysFrom(first, day('endDate', 'createDateTo', 'updateDateTo'));
  const list = (name: string, perDay: number, make: (row: Row) => object) => {
    const numbers = Array.from({ length: perDay }, (_, number) => number);
    const all = days.toReversed().flatMap((day) => numbers.map((number) => ({ day, number })));
    const { status, rows } = pageOf(all, asked);
    return { status, body: JSON.stringify({ [name]: rows.map(make) }) };
  };
  const others = path.includes('shipping') ? 'shipments' : 'tickets';
  const kind = path.includes('orders2') ? 'orders' : others;
  if (path.endsWith('/count')) return { status: 200, body: `${days.length * rowsADay[kind]}` };
  if (kind === 'orders') return list('orderData', rowsADay.orders, orderRow);
  if (kind === 'shipments') return list('orderShipData2', rowsADay.shipments, shipmentRow);
  if (path.includes('/tickets/')) return list('ticketData', rowsADay.tickets, ticketRow);
  return { status: 200, body: JSON.stringify(otherRows(path, days)) };
}

/** Accounts, quickstats, products and analytics. */
function otherRows(path: string, days: readonly string[]): object {
  const nickName = 'GREENLEAF';
  if (path.endsWith('/accounts')) return { accountData: { nickName } };
  if (path.includes('/quickstats/')) {
    const amounts = { sale: '9000.00', refund: '300.00', chargeback: '0.00' };
    const quickStats = days.map((day) => ({ quickStatDate: `${day}T00:00:00-08:00`, ...amounts }));
    return { accountData: { nickName, quickStats } };
  }
  if (path.includes('/products/')) {
    const product = { '@sku': 'BOOK', id: '1', site: nickName, status: 'ACTIVE', title: 'Book' };
    return { products: { product }, total_record_count: '1' };
  }
  if (path.includes('/subscription/')) {
    const row = { receipt: 'MONTHLY1', itemNo: 'BOOK', status: 'ACTIVE' };
    return { totalCount: '1', data: { row: { ...row, businessDate: days.at(-1) } } };
  }
  const data = { attribute: 'HOP_COUNT', value: { '@type': 'xs:long', $: '31' } };
  return { rows: { row: { dimensionValue: 'Not Set', accountNickName: nickName, data } } };
}

function orderRow({ day, number }: Row) {
  return {
    receipt: `O${day.replaceAll('-', '')}${number}`,
    ...{ transactionType: 'SALE', role: 'VENDOR', vendor: 'GREENLEAF', currency: 'USD' },
    ...{ transactionTime: `${day}T12:00:00-08:00`, totalOrderAmount: '37.00' },
    lineItemData: { itemNo: 'BOOK', accountAmount: '30.10', quantity: '1' },
  };
}

function ticketRow({ day, number }: Row) {
  return {
    ticketid: Number(`${day.slice(2).replaceAll('-', '')}${String(number).padStart(3, '0')}`),
    ...{ receipt: `T${number}`, status: 'OPEN', type: 'TECH_SUPPORT' },
    ...{ description: 'It does not open.', openedDate: `${day}T12:00:00-08:00` },
  };
}

function shipmentRow({ day, number }: Row) {
  return {
    receipt: `P${day.replaceAll('-', '')}${number}`,
    transactionTime: `${day}T12:00:00-08:00`,
    lineItemShipData: { itemNo: 'BOOK', quantity: '1' },
  };
}
