/**
 * A service of one account with exactly 1,000 orders a day, 5 % of them with a ticket and 10 % with a parcel. Rows are
 * made when they are asked for.
 */
import { daysFrom } from '../../src/dates/day.ts';
import { type Asked, serve } from './server.ts';

const rowsOnAPage = 100;

export const rowsADay = { orders: 1000, tickets: 50, shipments: 100 };

interface Question {
  readonly path: string;
  readonly first: string;
  readonly last: string;
  /** From 1. */
  readonly page: number;
}

interface Answer {
  readonly body: string;
  readonly more?: boolean;
}

/** Serves until the test ends. `now` is the time that its responses tell. */
export async function bigShop(now: () => Date) {
  const { env, asked } = await serve((reply, _, one) => {
    const { body, more } = answerTo(questionOf(one));
    reply.sendDate = false;
    reply.writeHead(more ? 206 : 200, { date: now().toUTCString() }).end(body);
  });
  return { env, asked };
}

function questionOf({ url, headers }: Asked): Question {
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  const day = (...names: string[]) =>
    names.map((name) => searchParams.get(name)).find((value) => value !== null) ?? '';
  return {
    path: pathname,
    first: day('startDate', 'createDateFrom', 'updateDateFrom'),
    last: day('endDate', 'createDateTo', 'updateDateTo'),
    page: Number(headers.page),
  };
}

function answerTo({ path, first, last, page }: Question): Answer {
  const days = daysFrom(first, last);
  const kind = path.includes('orders2')
    ? 'orders'
    : path.includes('shipping')
      ? 'shipments'
      : 'tickets';
  if (path.endsWith('/accounts')) return { body: '{"accountData":{"nickName":"GREENLEAF"}}' };
  if (path.endsWith('/count')) return { body: String(days.length * rowsADay[kind]) };
  if (kind === 'orders') return listed('orderData', days, page, orderOf);
  if (kind === 'shipments') return listed('orderShipData2', days, page, shipmentOf);
  if (path.includes('/tickets/')) return listed('ticketData', days, page, ticketOf);
  return { body: otherBody(path, days) };
}

/** Quickstats, products and analytics: one body each. */
function otherBody(path: string, days: readonly string[]): string {
  if (path.includes('/quickstats/')) {
    const quickStats = days.map((day) => ({
      ...{
        quickStatDate: `${day}T00:00:00-08:00`,
        sale: '9000.00',
        refund: '300.00',
        chargeback: '0.00',
      },
    }));
    return JSON.stringify({ accountData: { nickName: 'GREENLEAF', quickStats } });
  }
  if (path.includes('/products/')) {
    const product = { '@sku': 'BOOK', id: '1', site: 'GREENLEAF', status: 'ACTIVE', title: 'Book' };
    return JSON.stringify({ products: { product }, total_record_count: '1' });
  }
  if (path.includes('/subscription/')) {
    const row = {
      receipt: 'MONTHLY1',
      itemNo: 'BOOK',
      status: 'ACTIVE',
      businessDate: days.at(-1),
    };
    return JSON.stringify({ totalCount: '1', data: { row } });
  }
  const data = { attribute: 'HOP_COUNT', value: { '@type': 'xs:long', $: '31' } };
  const row = { dimensionValue: 'Not Set', accountNickName: 'GREENLEAF', data };
  return JSON.stringify({ rows: { row } });
}

const perDayOf = {
  orderData: rowsADay.orders,
  orderShipData2: rowsADay.shipments,
  ticketData: rowsADay.tickets,
};

function listed(
  name: keyof typeof perDayOf,
  days: readonly string[],
  page: number,
  rowOf: (day: string, number: number) => object,
): Answer {
  const perDay = perDayOf[name];
  const all = days.length * perDay;
  const from = (page - 1) * rowsOnAPage;
  const numbers = Array.from(
    { length: Math.max(0, Math.min(rowsOnAPage, all - from)) },
    (_, i) => from + i,
  );
  const rows = numbers.map((at) =>
    rowOf(days[days.length - 1 - Math.floor(at / perDay)] ?? '', at % perDay),
  );
  return { body: JSON.stringify({ [name]: rows }), more: from + rowsOnAPage < all };
}

function orderOf(day: string, number: number) {
  return {
    receipt: `O${day.replaceAll('-', '')}${number}`,
    ...{ transactionType: 'SALE', role: 'VENDOR', vendor: 'GREENLEAF', currency: 'USD' },
    ...{ transactionTime: `${day}T12:00:00-08:00`, totalOrderAmount: '37.00' },
    lineItemData: { itemNo: 'BOOK', accountAmount: '30.10', quantity: '1' },
  };
}

function ticketOf(day: string, number: number) {
  return {
    ticketid: Number(`${day.slice(2).replaceAll('-', '')}${String(number).padStart(3, '0')}`),
    ...{
      receipt: `T${number}`,
      status: 'OPEN',
      type: 'TECH_SUPPORT',
      description: 'It does not open.',
    },
    openedDate: `${day}T12:00:00-08:00`,
  };
}

function shipmentOf(day: string, number: number) {
  return {
    receipt: `P${day.replaceAll('-', '')}${number}`,
    transactionTime: `${day}T12:00:00-08:00`,
    lineItemShipData: { itemNo: 'BOOK', quantity: '1' },
  };
}
