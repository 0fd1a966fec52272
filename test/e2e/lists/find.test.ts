/** `cb find`: one search over orders and tickets. */
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { home, sandboxHome } from '../../support/cb.ts';
import { jsonLines } from '../../support/lines.ts';
import { sandboxJson, serveSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';

interface Found {
  readonly orders: readonly Readonly<Record<string, unknown>>[];
  readonly tickets: readonly Readonly<Record<string, unknown>>[];
}

const receiptsOf = ({ orders }: Found) => orders.map(({ receipt }) => receipt);
const idsOf = ({ tickets }: Found) => tickets.map(({ ticketid }) => ticketid);

test('finds the same orders and tickets by name and email in any case, and by a pattern', async () => {
  const at = await sandboxHome();
  const byName: Found = await sandboxJson(at, 'find ada sample');
  expect(byName.orders.every(({ email }) => email === 'ada.sample@example.com')).toBe(true);
  for (const words of ['SAMPLE Ada', 'ADA.SAMPLE@example.com', 'ada.sample', "'samp%'"]) {
    expect({ words, found: await sandboxJson(at, `find ${words}`) }).toEqual({
      words,
      found: byName,
    });
  }
});

test('finds all that the lists of orders and tickets have of a customer, newest first, each once', async () => {
  const at = await sandboxHome();
  const found: Found = await sandboxJson(at, 'find sample');
  const period = '--since 89d';
  const orders = await sandboxJson(at, `orders list --last-name sample ${period}`);
  expect(found.orders).toEqual(orders);
  const tickets: Found['tickets'] = await sandboxJson(
    at,
    'tickets list --create-period last-90-days',
  );
  const own = tickets.filter(({ email }) => email === 'ada.sample@example.com');
  expect(own.length).toBeGreaterThan(3);
  const ids = idsOf(found);
  expect(ids).toEqual(expect.arrayContaining(own.map(({ ticketid }) => ticketid)));
  expect(new Set(ids).size).toBe(ids.length);
  const times = found.tickets.map(({ openedDate }) => Date.parse(String(openedDate)));
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});

test('finds a receipt with its rebills and tickets, and a ticket with its order, whatever their date', async () => {
  const at = await sandboxHome();
  const byReceipt: Found = await sandboxJson(at, 'find monthly1 --period today');
  expect(receiptsOf(byReceipt)).toEqual([
    ...['MONTHLY1-B004', 'MONTHLY1-B003', 'MONTHLY1-B002', 'MONTHLY1'],
  ]);
  expect(byReceipt.tickets.every(({ receipt }) => /^MONTHLY1/.test(String(receipt)))).toBe(true);
  const byId: Found = await sandboxJson(at, 'find 1001 --period today');
  expect({ receipts: receiptsOf(byId), ids: idsOf(byId) }).toEqual({
    receipts: ['TICKET01'],
    ids: [1001],
  });
});

test('calls a fee what you pay, not what the customer paid', async () => {
  const { cb } = await sandboxHome();
  const { out } = await cb('--sandbox find charge01 -o csv');
  expect(out).toMatch(/,CHARGE01,,SALE,.*,37\.00,USD,16\.61\n/);
  expect(out).toMatch(/,CHARGE01,,FEE,.*,,USD,\n/);
  const { out: screen } = await cb('--sandbox find charge01', { columns: 120 });
  expect(screen).toMatch(/fee of \d+\.\d\d [A-Z]{3}: /);
  expect(screen).not.toMatch(/fee.*-\d/);
});

test('writes one list with a column kind as csv, tsv and ndjson', async () => {
  const { cb } = await sandboxHome();
  const { out: csv } = await cb('--sandbox find monthly1 -o csv');
  const [header, ...lines] = csv.trim().split('\n');
  expect(header).toBe(
    'kind,time,receipt,ticketid,type,status,product,customer,email,customerPaid,currency,youEarn',
  );
  expect(lines[0]).toMatch(
    /^order,.*,MONTHLY1-B004,,BILL,,"Garden Club, monthly",Ada Sample,ada\.sample@example\.com,29\.00,USD,12\.91$/,
  );
  expect(lines.at(-1)).toMatch(/^ticket,.*,MONTHLY1,1003,TECH_SUPPORT,OPEN,CLUB-M,Ada Sample,/);
  const { out } = await cb('--sandbox find monthly1 -o ndjson');
  const rows = jsonLines(out);
  expect(rows.map(({ kind }) => kind)).toEqual(['order', 'order', 'order', 'order', 'ticket']);
  expect(rows[0]).toMatchObject({ receipt: 'MONTHLY1-B004', customerPaid: 29, youEarn: 12.91 });
});

test('shows two tables and the next commands on a terminal, which run as they are', async () => {
  const { cb } = await sandboxHome();
  const { code, out, err } = await cb('--sandbox find ADA.SAMPLE@EXAMPLE.COM', { columns: 80 });
  expect(code).toBe(0);
  expect(out).toMatch(/^Orders \(the newest 20 of \d+\)\n/);
  expect(out).toMatch(/\n\nTickets \(\d+\)\n/);
  const lines = stripVTControlCharacters(out).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  const next = [...err.matchAll(/^ {2}cb (.*)$/gm)].map(([, line = '']) => line);
  expect(next.map((line) => line.replace(/ \S+ --sandbox$/, ''))).toEqual([
    'orders get',
    'tickets get',
  ]);
  for (const line of next) {
    expect({ line, ...(await cb(line)) }).toMatchObject({ line, code: 0 });
  }
});

test.each([
  [80, /Receipt +What +Status +Paid/, /Ticket +What +Status +Product +Amount/],
  [60, /Receipt +What +Status +Paid/, /Ticket +What +Status +Product +Amount/],
  [40, /Receipt +What +Paid/, /Ticket +What +Status +Amount/],
])(
  'shows the product, the status and the amount of each hit at %i columns',
  async (columns, order, ticket) => {
    const { cb } = await sandboxHome();
    const { out } = await cb('--sandbox find ada.sample@example.com', { columns });
    expect(out).toMatch(order);
    expect(out).toMatch(ticket);
    if (columns < 60) return;
    expect(out).toMatch(/DIGITAL1 +The "No-.* +refundable +37\.00 USD/);
    expect(out).toMatch(/TICKET01 +The "No-.* +refund req.* +37\.00 USD/);
    expect(out).toMatch(/REFUND01 +refund: .* {2}-37\.00 USD/);
    expect(out).toMatch(/1001 +refund: .* +open +GUIDE-01 +37\.00/);
  },
);

test('offers a refund only for the one payment of one customer that can be refunded', async () => {
  const { cb } = await sandboxHome();
  const isOffered = async (words: string) =>
    (await cb(`--sandbox find ${words}`, { columns: 80 })).err.includes('cb tickets refund');
  expect(await isOffered('DIGITAL1')).toBe(true);
  expect(await isOffered('ada.sample@example.com')).toBe(false);
  expect(await isOffered("'%@example.com' --period last-7-days")).toBe(false);
});

test('offers no refund of a payment whose refund is open', async () => {
  const { cb } = await sandboxHome();
  const { err } = await cb('--sandbox find TICKET01', { columns: 80 });
  expect(err).toContain('cb tickets get 1001');
  expect(err).not.toContain('cb tickets refund');
});

test('says where it looked and how to look further if nothing is found, with exit code 0', async () => {
  const { cb } = await sandboxHome();
  const none = await cb('--sandbox find nobody');
  expect(none).toMatchObject({ code: 0 });
  expect(none.err).toContain(
    "Nothing matches 'nobody' among the orders and tickets from 2025-12-19 to 2026-03-18.",
  );
  expect(none.err).toContain('add --period last-12-months');
  expect(none.err).toContain('cb find nobody%');
  expect(none.err).toContain('add the last name');
  expect((await cb('--sandbox find refunds')).err).toContain('use cb orders list --type RFND.');
  const json = await cb('--sandbox find nobody@example.com --since 2026-03-01 -o json');
  expect(JSON.parse(json.out)).toEqual({ orders: [], tickets: [] });
  expect(json.err).toContain('from 2026-03-01 to 2026-03-18');
  const receipt = await cb('--sandbox find nosuch99');
  expect(receipt).toMatchObject({ code: 0 });
  expect(receipt.err).toContain('Nothing has the receipt NOSUCH99.');
});

test('tells an affiliate, who sees no customers, that only receipts can be found', async () => {
  const { cb } = await sandboxHome();
  const { code, err } = await cb('--profile sandbox:affiliate find sample');
  expect(code).toBe(0);
  expect(err).toContain('As an affiliate, search for a receipt');
  const { out } = await cb('--profile sandbox:affiliate find monthly1 -o csv');
  expect(out).toContain(',MONTHLY1,');
});

test('reports a key without permission instead of an empty result', async () => {
  const { cb } = await sandboxHome();
  for (const words of ['monthly1', 'sample']) {
    const { code, err } = await cb(`--profile sandbox:no-orders find ${words}`);
    expect({ words, code }).toEqual({ words, code: 4 });
    expect(err).toContain('403');
  }
});

test('plans its requests: two for a receipt, and one for each 7 days of tickets of a customer', async () => {
  const { env, sandbox } = await serveSandbox();
  const { cb } = home();
  const sent = async (words: string) => {
    const before = sandbox.requests.length;
    expect(await cb(`find ${words}`, { env })).toMatchObject({ code: 0 });
    return sandbox.requests.slice(before).map(({ path }) => path);
  };
  const apart = (paths: readonly string[]) => paths.filter((path) => !path.includes('/debug'));
  expect(apart(await sent('MONTHLY1'))).toHaveLength(2);
  const byEmail = await sent('nobody@example.com');
  const windows = byEmail.filter((path) => path.includes('tickets/list?createDateFrom'));
  expect(windows).toHaveLength(13);
});

test('finds customers of a service whose filters distinguish case, and drops rows that do not match', async () => {
  const row = (lastName: string, receipt: string) => ({
    ...{ receipt, transactionType: 'SALE', transactionTime: '2026-03-01T10:00:00-08:00' },
    ...{ totalOrderAmount: '10.00', currency: 'USD', role: 'VENDOR', firstName: 'Jane', lastName },
  });
  const { env } = await serve((reply, _, { url: path = '' }) => {
    const name = new URL(path, 'http://localhost').searchParams.get('lastName');
    const all = [row('Doe', 'AAAAAAA1'), row('DOE', 'AAAAAAA2')];
    const orderData = all.filter(({ lastName }) => lastName === name);
    const isOrders = path.includes('orders2/list');
    reply.end(
      JSON.stringify(isOrders ? { orderData: [...orderData, row('Roe', 'BAD00001')] } : null),
    );
  });
  const { code, out } = await home().cb('find jane doe -o json', { env });
  expect(code).toBe(0);
  expect(receiptsOf(JSON.parse(out)).toSorted()).toEqual(['AAAAAAA1', 'AAAAAAA2']);
});

test('finds the tickets of a day in a time zone, to the second', async () => {
  const ticketData = ['2026-03-10T07:59:59-07:00', '2026-03-10T08:00:00-07:00'].map(
    (openedDate, at) => ({ ticketid: at + 1, openedDate, email: 'ada@example.com' }),
  );
  const { env } = await serve((reply, _, { url }) => {
    reply.end(JSON.stringify(url.includes('tickets/list') ? { ticketData } : null));
  });
  const line = 'find ada@example.com --period 2026-03-11 --tz Asia/Tokyo -o json';
  expect(idsOf(JSON.parse((await home().cb(line, { env })).out))).toEqual([2]);
});
