/** `cb find`, one search over orders and tickets, and `cb orders get` on a terminal: a line for each transaction of a receipt. */
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { sandboxHome } from '../../support/cb.ts';
import { jsonLines, linesOf } from '../../support/lines.ts';
import { expectExit } from '../../support/refusal.ts';
import { sandboxJson, servedShop } from '../../support/sandbox.ts';
import { servedHome } from '../../support/served-home.ts';
import { readWorkbook } from '../../support/workbook.ts';

interface Found {
  readonly orders: readonly Readonly<Record<string, unknown>>[];
  readonly tickets: readonly Readonly<Record<string, unknown>>[];
}

const receiptsOf = ({ orders }: Found) => orders.map(({ receipt }) => receipt);
const idsOf = ({ tickets }: Found) => tickets.map(({ ticketid }) => ticketid);

test('finds the same orders and tickets by name and email in any case, and by a pattern: all that the lists have of a customer, newest first, each once', async () => {
  const at = await sandboxHome();
  const byName: Found = await sandboxJson(at, 'find ada sample');
  expect(byName.orders.every(({ email }) => email === 'ada.sample@example.com')).toBe(true);
  for (const words of ['SAMPLE Ada', 'ADA.SAMPLE@example.com', 'ada.sample', "'samp%'"]) {
    expect({ words, found: await sandboxJson(at, `find ${words}`) }).toEqual({
      words,
      found: byName,
    });
  }
  const found: Found = await sandboxJson(at, 'find sample');
  const list = 'orders list --last-name sample --since 89d';
  expect(found.orders).toEqual(await sandboxJson(at, list));
  const listed = 'tickets list --create-period last-90-days';
  const tickets: Found['tickets'] = await sandboxJson(at, listed);
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

test.each([40, 60, 80])(
  'shows what each hit is, and its amount, at %i columns',
  async (columns) => {
    const { cb } = await sandboxHome();
    const { out } = await cb('--sandbox find ada.sample@example.com', { columns });
    const patterns =
      columns < 60
        ? [/Receipt +What +Paid/, /Ticket +What +Status +Amount/]
        : [
            /Receipt +What +Status +Paid/,
            /Ticket +What +Status +Product +Amount/,
            /DIGITAL1 +The "No-.* +refundable +37\.00 USD/,
            /TICKET01 +The "No-.* +refund req.* +37\.00 USD/,
            /REFUND01 +refund: .* {2}-37\.00 USD/,
            /1001 +refund: .* +open +GUIDE-01 +37\.00/,
          ];
    for (const pattern of patterns) expect(out).toMatch(pattern);
  },
);

test('offers a refund only for the one payment of one customer that can be refunded', async () => {
  const { cb } = await sandboxHome();
  const isOffered = async (words: string) =>
    (await cb(`--sandbox find ${words}`, { columns: 80 })).err.includes('cb tickets refund');
  expect(await isOffered('DIGITAL1')).toBe(true);
  expect(await isOffered('ada.sample@example.com')).toBe(false);
  expect(await isOffered("'%@example.com' --period last-7-days")).toBe(false);
  // Its refund is open.
  expect(await isOffered('TICKET01')).toBe(false);
});

test('says where it looked and how to look further if nothing is found, with exit code 0', async () => {
  const { cb } = await sandboxHome();
  const none = await cb('--sandbox find nobody');
  expect(none).toMatchObject({ code: 0 });
  expect(none.err).toContain(
    "Nothing matches 'nobody' among the orders and tickets from 2025-12-19 to 2026-03-18.",
  );
  expect(none.err).toContain('add --period last-12-months');
  expect(none.err).toContain('use %, as in nobody%');
  expect(none.err).toContain('add the last name');
  expect((await cb('--sandbox find refunds')).err).toContain('use cb orders list --type RFND.');
  const json = await cb('--sandbox find nobody@example.com --since 2026-03-01 -o json');
  expect(JSON.parse(json.out)).toEqual({ orders: [], tickets: [] });
  expect(json.err).toContain('from 2026-03-01 to 2026-03-18');
  const receipt = await cb('--sandbox find nosuch99');
  expect(receipt).toMatchObject({ code: 0 });
  expect(receipt.err).toContain('Nothing has the receipt NOSUCH99.');
});

test('says what a key cannot find: customers of an affiliate, and anything without permission', async () => {
  const { cb } = await sandboxHome();
  const ran = await cb('--profile sandbox:affiliate find sample');
  expectExit(ran, 0, 'As an affiliate, search for a receipt');
  const { out } = await cb('--profile sandbox:affiliate find monthly1 -o csv');
  expect(out).toContain(',MONTHLY1,');
  for (const words of ['monthly1', 'sample']) {
    expectExit(await cb(`--profile sandbox:no-orders find ${words}`), 4, '403');
  }
});

test('plans its requests: two for a receipt, and one for each 7 days of tickets of a customer', async () => {
  const { cb, sandbox } = await servedShop();
  const sent = async (words: string) => {
    const before = sandbox.requests.length;
    expect(await cb(`find ${words}`)).toMatchObject({ code: 0 });
    return sandbox.requests.slice(before).map(({ path }) => path);
  };
  const byReceipt = await sent('MONTHLY1');
  expect(byReceipt.filter((path) => !path.includes('/debug'))).toHaveLength(2);
  const byEmail = await sent('nobody@example.com');
  const windows = byEmail.filter((path) => path.includes('tickets/list?createDateFrom'));
  expect(windows).toHaveLength(13);
});

test('finds customers of a service whose filters distinguish case, and drops rows that do not match', async () => {
  const row = (lastName: string, receipt: string) => ({
    ...{ receipt, transactionType: 'SALE', transactionTime: '2026-03-01T10:00:00-08:00' },
    ...{ totalOrderAmount: '10.00', currency: 'USD', role: 'VENDOR', firstName: 'Jane', lastName },
  });
  const { cb } = await servedHome((reply, _, { url: path }) => {
    const name = new URL(path, 'http://localhost').searchParams.get('lastName');
    const all = [row('Doe', 'AAAAAAA1'), row('DOE', 'AAAAAAA2')];
    const found = [...all.filter(({ lastName }) => lastName === name), row('Roe', 'BAD00001')];
    reply.end(JSON.stringify(path.includes('orders2/list') ? { orderData: found } : null));
  });
  const { code, out } = await cb('find jane doe -o json');
  expect(code).toBe(0);
  expect(receiptsOf(JSON.parse(out)).toSorted()).toEqual(['AAAAAAA1', 'AAAAAAA2']);
});

const person = { columns: 80, env: { NO_COLOR: '1' } };

/** A home whose service has these transactions of a receipt. */
const shop = (orderData: readonly object[]) =>
  servedHome((reply) => reply.end(JSON.stringify({ orderData })));

/** What a person sees of the receipt. */
async function screenOf(rows: readonly object[]): Promise<string> {
  const { cb, env } = await shop(rows);
  return (await cb('orders get AAAA1111', { columns: 80, env: { ...env, NO_COLOR: '1' } })).out;
}

/** The payments of a monthly subscription, in the order in which ClickBank sends them. */
function subscription(rebills: number) {
  return Array.from({ length: rebills + 1 }, (_, i) => ({
    receipt: i === 0 ? 'AAAA1111' : `AAAA1111-B${String(i + 1).padStart(3, '0')}`,
    transactionType: i === 0 ? 'SALE' : 'BILL',
    transactionTime: `${2025 + Math.floor((i + 2) / 12)}-${String(((i + 2) % 12) + 1).padStart(2, '0')}-05T10:00:00-08:00`,
    ...{ totalOrderAmount: '29.00', currency: 'USD', role: 'VENDOR', fullName: 'Ada Sample' },
    lineItemData: [
      {
        ...{ itemNo: 'CLUB-M', productTitle: 'Garden Club', recurring: 'true', status: 'ACTIVE' },
        ...{ accountAmount: '12.91', processedPayments: '13', futurePayments: '999' },
        nextPaymentDate: '2026-04-05T10:00:00-07:00',
      },
    ],
  }));
}

test('fits a subscription with twelve rebills on a screen of 24 lines, in chronological order, whatever order they were sent in', async () => {
  const sent = subscription(12);
  const out = await screenOf(sent);
  const lines = linesOf(out);
  expect(lines.length).toBeLessThanOrEqual(23);
  expect(lines.filter((line) => / 29\.00 USD +12\.91/.test(line))).toHaveLength(13);
  expect(out).toContain('Subscription  active, next payment 2026-04-05, 13 payments made');
  expect(lines.at(-1)).toBe('13 transactions; you earn 167.83 USD; customer paid 377.00 USD');
  expect(await screenOf(sent.toReversed())).toBe(out);
  expect(out).toMatch(/AAAA1111-B002.*AAAA1111-B003/s);
});

test('shows a payment with only part of it refunded', async () => {
  const [sale] = subscription(0);
  const refund = { ...sale, transactionType: 'RFND', totalOrderAmount: '-5.00' };
  expect(await screenOf([sale ?? {}, refund])).toMatch(/Sale .* partly refunded\n/);
});

test('names the open tickets of an order on a terminal, and reads none elsewhere', async () => {
  const { cb, sandbox } = await servedShop();
  const { err } = await cb('orders get MONTHLY1', { columns: 80 });
  expect(err).toMatch(/^Open since \d{4}-\d\d-\d\d: technical support\. See cb tickets get 1003$/m);
  expect((await cb('orders get DIGITAL1', { columns: 80 })).err).not.toContain('Open since');
  const tried = await cb('orders get MONTHLY1 --sandbox', { columns: 80 });
  expect(tried.err).toMatch(/^Open since .* See cb tickets get 1003 --sandbox$/m);
  const tickets = () => sandbox.requests.filter(({ path }) => path.includes('tickets')).length;
  const before = tickets();
  await cb('orders get MONTHLY1 -o json', { columns: 80 });
  await cb('orders get MONTHLY1');
  expect(tickets()).toBe(before);
});

test('never adds amounts of different currencies', async () => {
  const [sale, rebill] = subscription(1);
  const out = await screenOf([sale ?? {}, { ...rebill, currency: 'EUR' }]);
  expect(linesOf(out).slice(-2).join(' ')).toBe(
    '2 transactions; you earn 25.82 USD; customer paid 29.00 USD, 29.00 EUR (currencies disputed)',
  );
});

test('shows all fields with --full, for a rebill by its own receipt, and beside chosen fields, and keeps the rows of other formats', async () => {
  const { cb } = await sandboxHome(60);
  const full = await cb('--sandbox orders get MONTHLY1 --full', person);
  expect(full.out.match(/^Payment method +VISA$/gm)).toHaveLength(4);
  expect(full.out).toMatch(/^Customer paid +29\.00 USD\nYou earn +12\.91 USD$/m);
  const rebill = await cb('--sandbox orders get MONTHLY1-B002', person);
  expect(rebill.out).toMatch(/^Receipt +MONTHLY1-B002$/m);
  expect(rebill.out).toMatch(/^Payment method +VISA$/m);
  const chosen = await cb('--sandbox orders get MONTHLY1 --fields receipt,youEarn', person);
  expect(chosen.out).toMatch(/^Receipt +MONTHLY1\nYou earn +12\.91\n\nReceipt/);
  for (const format of ['json', 'ndjson', 'csv', 'tsv']) {
    const plain = await cb(`--sandbox orders get MONTHLY1 -o ${format}`);
    const full = await cb(`--sandbox orders get MONTHLY1 --full -o ${format}`);
    expect(plain.out).toBe(full.out);
    expect(plain.out).not.toContain('youEarn');
  }
});

test('says what the sums of a workbook leave out and subtract, and which are disputed', async () => {
  const types = ['FEE', 'TEST_SALE', 'SALE'];
  const [sale] = subscription(0);
  const rows = types.map((transactionType) => ({ ...sale, transactionType }));
  const back = { transactionType: 'RFND', totalOrderAmount: -29, currency: 'EUR' };
  const { cb, folder } = await shop([...rows, { ...sale, ...back, lineItemData: null }]);
  expect((await cb('find AAAA1111 --out found.xlsx')).code).toBe(0);
  const sheets = readWorkbook(join(folder, 'found.xlsx'));
  expect(sheets.get('Totals')?.map(({ total, note }) => total || note)).toEqual([
    ...['29.00', '-29', '12.91', 'The totals are without 1 fee and 1 test transaction.'],
    ...['The totals are less 1 refund.', expect.stringMatching(/is disputed\.$/)],
  ]);
});
