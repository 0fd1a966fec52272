import { expect, test } from 'vitest';
import { addDecimals } from '../../../src/decimals/decimals.ts';
import { sandboxHome } from '../../support/cb.ts';
import { jsonLines, linesOf } from '../../support/lines.ts';
import { servedHome } from '../../support/served-home.ts';

const quiet = { NO_COLOR: '1', LANG: 'C' };

const serving = (body: object) => servedHome((reply) => reply.end(JSON.stringify(body)));

/** The computed fields of the rows that a service sends. */
async function fieldsOf(line: string, fields: string, body: object) {
  const { cb } = await serving(body);
  const { code, out, err } = await cb(`${line} --fields ${fields} -o ndjson`);
  expect({ line, code, err }).toEqual({ line, code: 0, err: '' });
  return jsonLines(out);
}

/** The table of these rows on a terminal. */
async function tableOf(line: string, body: object): Promise<string> {
  const { cb, env } = await serving(body);
  return (await cb(line, { columns: 80, env: { ...env, ...quiet } })).out;
}

const orders = 'orders list --period today';
const item = { itemNo: 'A', productTitle: 'Guide', accountAmount: '1.10' };

test('shows what orders earn, the exact sum of their items, and what customers paid unless they are fees', async () => {
  const lineItemData = [item, { ...item, accountAmount: '2.20' }, { itemNo: 'B' }];
  const rows = [
    { totalOrderAmount: '10.00', currency: 'EUR', lineItemData },
    { receipt: 'A' },
    { totalOrderAmount: '5.00' },
    { lineItemData: [{}] },
    { transactionType: 'FEE', totalOrderAmount: '-15.00', currency: 'USD' },
  ];
  const fields = 'receipt,customerPaid,youEarn,product';
  expect(await fieldsOf(orders, fields, { orderData: rows })).toEqual([
    { customerPaid: '10.00 EUR', youEarn: 3.3, product: 'Guide +2' },
    { receipt: 'A' },
    { customerPaid: '5.00' },
    {},
    { product: 'Fee -15.00 USD' },
  ]);
});

test('counts once what customers paid for orders in which you have two roles', async () => {
  const row = {
    ...{ receipt: 'A', transactionType: 'SALE', transactionTime: '2026-03-18T10:00:00-07:00' },
    ...{ totalOrderAmount: '10.00', currency: 'EUR', lineItemData: [item] },
  };
  const rows = ['VENDOR', 'JV_PARTNER'].map((role) => ({ ...row, role }));
  expect(await tableOf(orders, { orderData: rows })).toMatch(
    /\n2 orders; you earn 2\.20 USD; customers paid 10\.00 EUR \(currencies disputed\)\n$/,
  );
});

const comment = (date: string, commentRole: string, text: string | null) => ({
  ...{ commentId: '1', action: 'COMMENTED', comment: text },
  ...{ date: `2026-03-${date}T10:00:00-07:00`, commentRole },
});

test('shows the latest message of tickets with text, and who wrote it', async () => {
  const comments = [
    comment('17', 'VENDOR', 'Please try again.'),
    comment('16', 'CUSTOMER', 'It does not open.'),
    comment('18', 'CBSYSTEM', null),
  ];
  const rows = [{ comments }, { comments: comments.slice(1) }, { comments: [] }];
  expect(await fieldsOf('tickets list', 'lastMessage', { ticketData: rows })).toEqual([
    { lastMessage: 'You: Please try again.' },
    { lastMessage: 'It does not open.' },
    {},
  ]);
});

test('shows the email address of a customer without a name in tickets', async () => {
  const rows = [
    { customerFirstName: 'Ada', customerLastName: 'Sample', email: 'a@example.com' },
    { customerFirstName: null, customerLastName: '', email: 'b@example.com' },
  ];
  expect(await fieldsOf('tickets list', 'customer', { ticketData: rows })).toEqual([
    { customer: 'Ada Sample' },
    { customer: 'b@example.com' },
  ]);
});

test('shows when tickets expire only while they are open', async () => {
  const at = (status: string, expirationDate: string | null) => ({ status, expirationDate });
  const rows = [
    at('OPEN', '2099-03-20T10:00:00-07:00'),
    at('REOPENED', '2020-03-20T10:00:00-07:00'),
    at('CLOSED', '2099-03-20T10:00:00-07:00'),
    at('OPEN', null),
  ];
  const found = await fieldsOf('tickets list', 'status,expiresIn', { ticketData: rows });
  expect(found[0].expiresIn).toMatch(/^in \d+ d$/);
  expect(found.slice(1)).toEqual([
    { status: 'REOPENED', expiresIn: 'expired' },
    { status: 'CLOSED' },
    { status: 'OPEN' },
  ]);
});

test('counts the pieces of all items to ship, and names a reason not to send one', async () => {
  const item = { itemNo: 'BOX', productTitle: 'Box', quantity: '2' };
  const rows = [
    { lineItemShipData: [item, { ...item, quantity: '3' }] },
    { lineItemShipData: [item, { ...item, isRefundPending: 'true' }] },
    { lineItemShipData: [{ ...item, hasBeenRefunded: 'true' }] },
    { lineItemShipData: [{ ...item, hasBeenChargebacked: 'true', hasBeenRefunded: 'true' }] },
  ];
  const body = { orderShipData2: rows };
  expect(await fieldsOf('ship list --days 9', 'item,quantity,hold', body)).toEqual([
    { item: 'Box +1', quantity: 5 },
    { item: 'Box +1', quantity: 4, hold: 'refund pending' },
    { item: 'Box', quantity: 2, hold: 'refunded' },
    { item: 'Box', quantity: 2, hold: 'charged back' },
  ]);
});

test('shows the same fields of orders to ship in the first generation of the service', async () => {
  const row = {
    ...{ displayName: 'Box', productNo: 'BOX', firstname: 'Ada', lastname: 'Sample' },
    hasBeenRefunded: 'true',
  };
  const line = 'ship list --days 9 --generation 1';
  expect(await fieldsOf(line, 'item,customer,hold', { orderShipData: [row] })).toEqual([
    { item: 'Box', customer: 'Ada Sample', hold: 'refunded' },
  ]);
});

test.each([
  [{ frequency: 'MONTHLY', duration: '999' }, '9.00 USD monthly'],
  [{ frequency: 'BI_WEEKLY', duration: '6' }, '9.00 USD every 2 weeks × 6'],
  [{ frequency: 'DAYS', frequencyValue: '10' }, '9.00 USD every 10 days'],
])('shows that products with %j are charged %s', async (terms, rebill) => {
  const price = (amount: string) => ({ price: { native_price: amount } });
  const pricing = [
    { '@currency': 'USD', standard: price('5.00'), recurring: { ...price('9.00'), ...terms } },
    { '@currency': 'EUR', standard: price('4.00') },
  ];
  const product = { '@sku': 'A', pricings: { pricing } };
  const body = { products: { product: [product] } };
  const [found] = await fieldsOf('products list --site GREENLEAF', 'price,rebill', body);
  expect(found).toEqual({ price: '5.00 USD +1', rebill });
});

test('shows quickstats of a day without figures as zero, no control characters of a name, and refunds that are sent as negative amounts subtracted', async () => {
  const day = (n: number, sale: string, refund = '0.00') => ({
    ...{ quickStatDate: `2026-03-0${n}T00:00:00-08:00`, sale },
    ...{ refund, chargeback: '0.00' },
  });
  const accountData = [
    { nickName: 'ALPHA', quickStats: [day(1, '10.00', '-4.00'), day(3, '5.00')] },
    { nickName: '\u001b[2J\u202eEVIL\nX', quickStats: [day(1, '1.00')] },
  ];
  const out = await tableOf('quickstats list', { accountData });
  expect(out).toMatch(/^Net by day +ALPHA +EVIL X +TOTAL +Sale +Refund/m);
  expect(out).toMatch(/^2026-03-01 +6\.00 +1\.00 +7\.00 +11\.00 +4\.00 +0\.00$/m);
  expect(out).toMatch(/^2026-03-02( +0\.00){6}$/m);
  expect(out).toMatch(/^ALPHA +15\.00 +4\.00 +0\.00 +11\.00$/m);
  expect(out).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
});

test('shows quickstats with a row for each day and account if fields or an order are chosen', async () => {
  const { cb } = await sandboxHome();
  const line = '--sandbox quickstats list --period last-7-days';
  const person = { columns: 100, env: quiet };
  const chosen = await cb(`${line} --fields quickStatDate,nickName,sale`, person);
  expect(chosen.out).toMatch(/^Day +Nickname +Sale\n2026-03-1\d +GREENLEAF +\d/m);
  const sorted = await cb(`${line} --sort sale:desc`, person);
  const sales = linesOf(sorted.out)
    .filter((one) => one.startsWith('2026-'))
    .map((one) => Number(one.split(/ {2,}/)[2]));
  expect(sales).toEqual([...sales].sort((one, other) => other - one));
  expect(addDecimals(sales.map((sale) => sale.toFixed(2)))).toBe(
    sorted.out.match(/TOTAL +(\S+)/)?.[1],
  );
});
