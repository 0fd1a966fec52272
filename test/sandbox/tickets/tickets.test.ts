/** Tickets: how they are created, what they refund and end, how they are changed, and which of them a list finds. */
import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import {
  cents,
  countAt,
  DAY,
  dayOf,
  daysAfter,
  getJson,
  type Json,
  keyed,
  lineOf,
  linesIn,
  listAll,
  NOON,
  openSandbox,
  ordersOf,
  pagesOf,
  post,
  rowsAt,
  rowsIn,
  TODAY,
  test,
} from '../raw.ts';
import { rowsIn as storedRows, storeFile } from '../store/store-file.ts';
import {
  bodyOf,
  CANCEL,
  expectTickets,
  FULL,
  logOf,
  moneyOf,
  open,
  partial,
  put,
  stateOf,
  TECH,
  TICKETS,
  ticketOf,
} from './ticket-raw.ts';

test('returns a created ticket with the values of responses', async ({ sandbox }) => {
  const made = bodyOf(await open(sandbox, `DIGITAL1?${FULL}&comment=No%20thanks`));
  expect(made).toMatchObject({
    ...{ receipt: 'DIGITAL1', type: 'REFUND', status: 'OPEN', source: 'API' },
    ...{ refundType: 'FULL', refundAmount: '37.00', productItemNo: 'GUIDE-01' },
    ...{ customerFirstName: 'Ada', email: 'ada.sample@example.com' },
    openedDate: '2026-03-18T12:00:00-07:00',
    closedDate: { '@nil': 'true' },
    comments: { action: 'OPENED', commentRole: 'VENDOR', comment: 'No thanks' },
  });
});

test.for([
  ['type=tech&reason=ticket.type.refund.2', 'reason'],
  ['type=tech&reason=ticket.type.tech_support.99', 'reason'],
  ['type=rfnd&reason=ticket.type.refund.2', 'refundType'],
  ['type=rfnd&reason=ticket.type.refund.2&refundType=full', 'refundType'],
  ['type=rfnd&reason=ticket.type.refund.2&refundType=PARTIAL_PERCENT', 'refundAmount'],
  ['type=rfnd&reason=ticket.type.refund.2&refundType=PARTIAL_AMOUNT', 'refundAmount'],
  [partial('PERCENT', '0.99'), '1 to 80'],
  [partial('PERCENT', '80.01'), '1 to 80'],
  [partial('PERCENT', '10.125'), 'two decimal digits'],
  [partial('AMOUNT', '0'), 'above 0'],
  [partial('AMOUNT', '-1'), 'above 0'],
  [partial('AMOUNT', '1.005'), 'digits'],
  [partial('AMOUNT', '37.01'), '37.00 USD'],
  [`${FULL}&sku=OTHER`, 'GUIDE-01'],
])('returns 400 with a message for %s', async ([query, says], { seeded }) => {
  await expectTickets(seeded)`DIGITAL1?${query} 400 ${says}`;
  expect(await stateOf(seeded, 'DIGITAL1')).toBe('REFUNDABLE');
});

test('allows one open refund of a receipt, and none of an unpaid one', async ({ sandbox }) => {
  await expectTickets(sandbox)`
    DIGITAL1?${CANCEL} 200
    DIGITAL1?${FULL} 400 Refund ticket already open
    DIGITAL1?${CANCEL} 400 Refund ticket already open
    DIGITAL1?${partial('AMOUNT', '1')} 400 Refund ticket already open
    DIGITAL1?${TECH} 200
    REFUND01?${FULL} 400 refunded
    CHARGE01?${FULL} 400 charged back
    TESTFEE1?${FULL} 400 paid
    REFUND01?${TECH} 200`;
});

test('completes a refund after one day', async ({ sandbox }) => {
  const { ticketid } = bodyOf(await open(sandbox, `DIGITAL1?${FULL}`));
  expect(await stateOf(sandbox, 'DIGITAL1')).toBe('HAS_OPEN_REFUND');
  await sandbox.advance(DAY - 1);
  expect(await moneyOf(sandbox, 'DIGITAL1')).toEqual(['SALE 37.00']);
  await sandbox.advance(1);
  const [, refund] = await ordersOf(sandbox, 'DIGITAL1');
  const time = '2026-03-19T12:00:00-07:00';
  expect(refund).toMatchObject({
    ...{ transactionType: 'RFND', totalOrderAmount: '-37.00', transactionTime: time },
  });
  expect(linesIn(refund)).toMatchObject([{ customerAmount: '-37.00', accountAmount: '-16.61' }]);
  expect(await stateOf(sandbox, 'DIGITAL1')).toBe('ALREADY_REFUNDED');
  const closed = await ticketOf(sandbox, ticketid);
  expect(closed).toMatchObject({ status: 'CLOSED', closedDate: time });
  expect(closed.comments).toMatchObject([{}, { action: 'CLOSED', commentRole: 'CBSYSTEM' }]);
});

test('refunds a sale with cncl, and a test sale with a test refund', async ({ sandbox }) => {
  const made = bodyOf(await open(sandbox, `TESTSL01?${CANCEL}`));
  expect(made).toMatchObject({ type: 'CANCEL', refundType: 'FULL', refundAmount: '37.00' });
  await sandbox.advance(DAY);
  expect(await moneyOf(sandbox, 'TESTSL01')).toEqual(['TEST_SALE 37.00', 'TEST_RFND -37.00']);
});

test('refunds a rebill with rfnd and ends future billing', async ({ sandbox }) => {
  await open(sandbox, `MONTHLY1-B003?${FULL}`);
  const [sale] = await ordersOf(sandbox, 'MONTHLY1');
  expect(linesIn(sale)[0]).toMatchObject({
    ...{ status: 'CANCELED', nextPaymentDate: { '@nil': 'true' } },
  });
  await sandbox.advance(60 * DAY);
  const bills = ['BILL 29.00', 'BILL 29.00', 'BILL 29.00'];
  expect(await moneyOf(sandbox, 'MONTHLY1')).toEqual(['SALE 29.00', ...bills, 'RFND -29.00']);
  expect(await moneyOf(sandbox, 'MONTHLY1-B003')).toEqual(['BILL 29.00', 'RFND -29.00']);
});

test('continues billing after rfnd with retainSubscription', async ({ sandbox }) => {
  await open(sandbox, `MONTHLY1-B004?${FULL}&retainSubscription=true`);
  await sandbox.advance(10 * DAY);
  const money = await moneyOf(sandbox, 'MONTHLY1');
  expect(money.slice(4)).toEqual(['RFND -29.00', 'BILL 29.00']);
});

test('ends future billing without a refund with cncl on a subscription', async ({ sandbox }) => {
  const made = bodyOf(await open(sandbox, `MONTHLY1?${CANCEL}`));
  expect(made).toMatchObject({ type: 'CANCEL', refundType: { '@nil': 'true' } });
  await expectTickets(sandbox)`
    MONTHLY1?${CANCEL} 400 Subscription already canceled
    CANCEL01?${CANCEL} 400`;
  await sandbox.advance(90 * DAY);
  expect(await moneyOf(sandbox, 'MONTHLY1')).toHaveLength(4);
  expect((await ticketOf(sandbox, made.ticketid)).status).toBe('CLOSED');
});

test('keeps a sale refundable until partial refunds reach its payment', async ({ sandbox }) => {
  await open(sandbox, `DIGITAL1?${partial('PERCENT', '33.33')}`);
  await sandbox.advance(DAY);
  expect(await moneyOf(sandbox, 'DIGITAL1')).toEqual(['SALE 37.00', 'RFND -12.33']);
  expect(await stateOf(sandbox, 'DIGITAL1')).toBe('REFUNDABLE');
  await expectTickets(sandbox)`
    DIGITAL1?${partial('PERCENT', '80')} 400
    DIGITAL1?${partial('AMOUNT', '24.68')} 400
    DIGITAL1?${partial('AMOUNT', '4.67')} 200`;
  await sandbox.advance(DAY);
  const rest = bodyOf(await open(sandbox, `DIGITAL1?${FULL}`));
  expect(rest.refundAmount).toBe('20.00');
  await sandbox.advance(DAY);
  const rows = await ordersOf(sandbox, 'DIGITAL1');
  const sum = (amounts: unknown[]) => amounts.reduce<number>((all, one) => all + cents(one), 0);
  expect(sum(rows.map((row) => row.totalOrderAmount))).toBe(0);
  expect(sum(rows.flatMap(linesIn).map((line) => line.accountAmount))).toBe(0);
  expect(rows[0]?.customerRefundableState).toBe('ALREADY_REFUNDED');
});

test('refunds shipping and tax in proportion, to the cent, in every currency', async () => {
  const sandbox = await openSandbox({ seed: { orders: 1500 } });
  const taxed = (await listAll(sandbox, 'type=SALE')).filter(
    (row) =>
      row.vendor !== 'YOGAHOME' &&
      row.customerRefundableState === 'REFUNDABLE' &&
      linesIn(row).length === 1 &&
      Number(row.totalTaxAmount) > 0,
  );
  const chosen = new Map(taxed.map((row) => [String(row.currency), String(row.receipt)]));
  expect(chosen.size).toBeGreaterThan(4);
  for (const receipt of chosen.values()) {
    const made = bodyOf(await open(sandbox, `${receipt}?${partial('PERCENT', '37.5')}`));
    // A shipped item is refunded only after its return.
    await post(sandbox, `${TICKETS}/${made.ticketid}/returned`);
  }
  await sandbox.advance(DAY);
  for (const [currency, receipt] of chosen) {
    const rows = await ordersOf(sandbox, receipt);
    const back = rows.find((row) => row.transactionType === 'RFND');
    expect(back, currency).toBeDefined();
    const items = linesIn(back).reduce((total, line) => total + cents(line.customerAmount), 0);
    const rest = cents(back?.totalShippingAmount) + cents(back?.totalTaxAmount);
    expect(items + rest, currency).toBe(cents(back?.totalOrderAmount));
    expect(cents(back?.totalTaxAmount), currency).toBeLessThan(0);
    if (currency === 'JPY') expect(back?.totalOrderAmount).toMatch(/\.00$/);
  }
});

test('refunds one item of a cart at a time, named by sku', async ({ sandbox }) => {
  await expectTickets(sandbox)`
    CART0003?${FULL} 400 sku
    CART0003?${CANCEL} 400 sku
    CART0003?${TECH} 200`;
  const items = { 'KIT-02': '-24.00', 'KIT-01': '-19.00', 'KIT-03': '-12.90' };
  for (const [sku, amount] of Object.entries(items)) {
    expect(await stateOf(sandbox, 'CART0003')).toBe('REFUNDABLE');
    await expectTickets(sandbox)`CART0003?${FULL}&sku=${sku} 200`;
    await sandbox.advance(DAY);
    const back = (await ordersOf(sandbox, 'CART0003')).at(-1);
    expect(back).toMatchObject({ transactionType: 'RFND', totalOrderAmount: amount });
    expect(linesIn(back)).toMatchObject([{ itemNo: sku, customerAmount: amount }]);
    await expectTickets(sandbox)`CART0003?${FULL}&sku=${sku} 400`;
  }
  expect(await stateOf(sandbox, 'CART0003')).toBe('ALREADY_REFUNDED');
});

const AMOUNTS = `${TICKETS}/refundAmounts`;

test('returns the refund in all currencies from refundAmounts', async ({ seeded }) => {
  const path = `${AMOUNTS}/MONTHLY1?refundType=PARTIAL_PERCENT&refundAmount=50`;
  expect(bodyOf(await getJson(seeded, path))).toEqual({
    ...{ usdAmount: '14.50', customerAmount: '14.50', productAmount: '14.50' },
    ...{ customerCurrency: 'USD', productCurrency: 'USD' },
  });
  const [sale] = (await listAll(seeded, 'type=SALE&vendor=COOKWELL')).filter(
    (row) => row.currency === 'CAD' && linesIn(row).length === 1,
  );
  const full = bodyOf(await getJson(seeded, `${AMOUNTS}/${sale?.receipt}?refundType=FULL`));
  expect(full).toMatchObject({ customerCurrency: 'CAD', productCurrency: 'EUR' });
  expect(full.customerAmount).toBe(sale?.totalOrderAmount);
  const inDollars = (cents(full.customerAmount) * 1000) / 1360;
  expect(cents(full.usdAmount)).toBe(Math.round(inDollars));
  expect(cents(full.productAmount)).toBe(Math.round(inDollars * 0.92));
});

test('applies the refund rules in refundAmounts', async ({ seeded }) => {
  const amounts = (receipt: string, percent: string) =>
    `GET refundAmounts/${receipt}?refundType=PARTIAL_PERCENT&refundAmount=${percent}`;
  await expectTickets(seeded)`
    ${amounts('MONTHLY1', '80.5')} 400
    ${amounts('MONTHLY1', '0.5')} 400
    ${amounts('MONTHLY1', '5.125')} 400
    ${amounts('MONTHLY1', '80')} 200
    ${amounts('CART0003', '1')} 400
    ${amounts('CART0003', '1')}&sku=KIT-03 200 "customerAmount":"0.13"`;
});

test('returns 403 for partial refunds if the vendor is not enabled for them', async () => {
  const sandbox = await openSandbox({ seed: { orders: 800 } });
  const [sale] = (await listAll(sandbox, 'type=SALE&vendor=YOGAHOME')).filter(
    (row) => row.customerRefundableState === 'REFUNDABLE' && linesIn(row).length === 1,
  );
  const [percent, amount] = [partial('PERCENT', '10'), partial('AMOUNT', '1')];
  const receipt = sale?.receipt;
  await expectTickets(sandbox)`
    GET refundAmounts/${receipt}?${percent} 403
    GET refundAmounts/${receipt}?${amount} 403
    ${receipt}?${percent} 403
    ${receipt}?${amount} 403
    GET refundAmounts/${receipt}?refundType=FULL 200
    ${receipt}?${FULL} 200`;
});

test('seeds the fixed tickets as described in the examples', async () => {
  for (const day of ['2026-03-18T07:00:01Z', '2026-07-01T19:00:00Z', '2026-11-02T07:30:00Z']) {
    const sandbox = await openSandbox({ now: () => new Date(day) });
    const shown = [];
    for (const id of [1001, 1002, 1003, 1004, 1005]) {
      const ticket = await ticketOf(sandbox, id);
      const { type, receipt, status } = ticket;
      shown.push(`${id} ${type} ${receipt} ${status}: ${logOf(ticket).join(', ')}`);
    }
    expect(shown, day).toEqual([
      '1001 REFUND TICKET01 OPEN: OPENED',
      '1002 TECH_SUPPORT DIGITAL1 CLOSED: OPENED, CLOSED',
      '1003 TECH_SUPPORT MONTHLY1 OPEN: OPENED',
      '1004 REFUND RETURN01 OPEN: OPENED',
      '1005 TECH_SUPPORT UPSELL01 REOPENED: OPENED, CLOSED, REOPENED',
    ]);
    for (const receipt of ['DIGITAL1', 'PARCEL01']) {
      expect(await stateOf(sandbox, receipt)).toBe('REFUNDABLE');
    }
    expect((await lineOf(sandbox, 'MONTHLY1')).status).toBe('ACTIVE');
  }
});

test('refuses unknown tickets, types and actions, and other accounts', async ({ sandbox }) => {
  const [other] = await listAll(sandbox, 'type=SALE&vendor=FITLAB24');
  const unknown = ['999', '99999999', 'abc', '1001.0', '0x3e9', '9'.repeat(30)];
  const changes = ['action=close', 'action=reopen&comment=x', 'action=change&type=tech'];
  await expectTickets(sandbox)`
    ${unknown.map((id) => `GET ${id} 403`).join('\n')}
    affiliate: MONTHLY1?${TECH} 403
    vendor: ${other?.receipt}?${TECH} 403
    affiliate: GET 1001 403
    affiliate: GET refundAmounts/MONTHLY1?refundType=FULL&refundAmount=1 403
    ${changes.map((query) => `PUT 999?${query} 403\naffiliate: PUT 1002?${query} 403`).join('\n')}
    PUT 999?comment=x 403
    PUT 999 403
    affiliate: POST 1004/returned 403
    PUT 1001?action=change 400
    PUT 1001?action=change&type=REFUND 400
    PUT 1001?action=eat 400`;
  expect(await stateOf(sandbox, 'RETURN01')).toBe('HAS_OPEN_REFUND');
});

test('cancels the refund when closing an open refund ticket', async ({ sandbox }) => {
  const closed = bodyOf(await put(sandbox, '1001?action=close&comment=Solved'));
  expect(closed).toMatchObject({ status: 'CLOSED', closedDate: '2026-03-18T12:00:00-07:00' });
  expect(closed.comments).toMatchObject([
    { action: 'OPENED', commentRole: 'CUSTOMER' },
    { action: 'CLOSED', commentRole: 'VENDOR', comment: 'Solved' },
  ]);
  expect(await stateOf(sandbox, 'TICKET01')).toBe('REFUNDABLE');
  await sandbox.advance(30 * DAY);
  expect(await moneyOf(sandbox, 'TICKET01')).toEqual(['SALE 37.00']);
  await expectTickets(sandbox)`PUT 1001?action=close 400\nTICKET01?${FULL} 200`;
});

test('reopens a closed ticket with a comment while no refund is open', async ({ sandbox }) => {
  await expectTickets(sandbox)`PUT 1002?action=reopen 400`;
  const reopened = bodyOf(await put(sandbox, '1002?action=reopen&comment=Again'));
  expect(reopened).toMatchObject({ status: 'REOPENED', closedDate: { '@nil': 'true' } });
  expect(logOf(reopened)).toEqual(['OPENED', 'CLOSED', 'REOPENED']);
  const ids = [1001, 1002, 1003];
  await expectTickets(sandbox)`
    ${ids.map((id) => `PUT ${id}?action=reopen&comment=x 400`).join('\n')}
    PUT 1001?action=close 200
    TICKET01?${FULL} 200
    PUT 1001?action=reopen&comment=x 400 Refund ticket already open`;
  expect((await ticketOf(sandbox, 1001)).status).toBe('CLOSED');
});

test('makes a reopened refund pending for a day, and never refunds twice', async ({ sandbox }) => {
  const refunded = ['SALE 37.00', 'RFND -37.00'];
  await put(sandbox, '1001?action=close');
  await sandbox.advance(10 * DAY);
  await put(sandbox, '1001?action=reopen&comment=Please');
  expect(await stateOf(sandbox, 'TICKET01')).toBe('HAS_OPEN_REFUND');
  await sandbox.advance(DAY - 1);
  expect(await moneyOf(sandbox, 'TICKET01')).toEqual(['SALE 37.00']);
  await sandbox.advance(1);
  expect(await moneyOf(sandbox, 'TICKET01')).toEqual(refunded);
  for (const _ of [1, 2]) {
    const reopened = bodyOf(await put(sandbox, '1001?action=reopen&comment=Where%20is%20it'));
    expect(reopened.status).toBe('REOPENED');
    await expectTickets(sandbox)`PUT 1001?action=change&type=rfnd 200`;
    await sandbox.advance(3 * DAY);
    await put(sandbox, '1001?action=close');
  }
  expect(await moneyOf(sandbox, 'TICKET01')).toEqual(refunded);
});

test('does not repeat a partial refund when its ticket is reopened', async ({ sandbox }) => {
  const { ticketid } = bodyOf(await open(sandbox, `DIGITAL1?${partial('PERCENT', '50')}`));
  await sandbox.advance(DAY);
  await expectTickets(sandbox)`PUT ${ticketid}?action=reopen&comment=More 200`;
  await sandbox.advance(3 * DAY);
  expect(await moneyOf(sandbox, 'DIGITAL1')).toEqual(['SALE 37.00', 'RFND -18.50']);
});

test('requests a full refund when changing any ticket to rfnd', async ({ sandbox }) => {
  const half = bodyOf(await open(sandbox, `UPSELL01?${partial('PERCENT', '50')}`));
  expect(half.refundAmount).toBe('18.50');
  expect(bodyOf(await put(sandbox, `${half.ticketid}?action=change&type=rfnd`))).toMatchObject({
    ...{ refundType: 'FULL', refundAmount: '37.00' },
  });
  const { ticketid } = bodyOf(await open(sandbox, `DIGITAL1?${TECH}`));
  const changed = bodyOf(await put(sandbox, `${ticketid}?action=change&type=rfnd`));
  expect(changed).toMatchObject({ type: 'REFUND', refundType: 'FULL', refundAmount: '37.00' });
  expect(logOf(changed)).toEqual(['OPENED', 'CHANGED']);
  expect(await stateOf(sandbox, 'DIGITAL1')).toBe('HAS_OPEN_REFUND');
  const back = bodyOf(await put(sandbox, `${ticketid}?action=change&type=tech`));
  expect(back).toMatchObject({ type: 'TECH_SUPPORT', refundType: { '@nil': 'true' } });
  await sandbox.advance(30 * DAY);
  expect(await moneyOf(sandbox, 'DIGITAL1')).toEqual(['SALE 37.00']);
  expect((await ticketOf(sandbox, ticketid)).status).toBe('OPEN');
  await put(sandbox, `${ticketid}?action=change&type=rfnd`);
  await sandbox.advance(DAY);
  expect(await moneyOf(sandbox, 'DIGITAL1')).toEqual(['SALE 37.00', 'RFND -37.00']);
});

test('ends the subscription when changing a ticket to cncl', async ({ sandbox }) => {
  const changed = bodyOf(await put(sandbox, '1003?action=change&type=cncl&comment=Done'));
  expect(changed).toMatchObject({ type: 'CANCEL', status: 'OPEN' });
  expect((await lineOf(sandbox, 'MONTHLY1')).status).toBe('CANCELED');
  await expectTickets(sandbox)`MONTHLY1?type=cncl&reason=ticket.type.cancel.1 400`;
  await sandbox.advance(40 * DAY);
  expect(await moneyOf(sandbox, 'MONTHLY1')).toHaveLength(4);
});

test('adds a comment for a PUT without an action, and nothing else', async ({ sandbox }) => {
  const before = await ticketOf(sandbox, 1001);
  for (const query of ['', 'comment=', 'type=cncl']) {
    expect([query, bodyOf(await put(sandbox, `1001?${query}`))]).toEqual([query, before]);
  }
  const commented = bodyOf(await put(sandbox, '1001?comment=We%20%3Care%3E%20on%20it%20%E2%98%95'));
  expect(commented).toMatchObject({ status: 'OPEN', updateTime: '2026-03-18T12:00:00-07:00' });
  expect(commented.comments).toMatchObject([
    {},
    { action: 'COMMENTED', commentRole: 'VENDOR', comment: 'We <are> on it ☕' },
  ]);
  await sandbox.advance(DAY);
  expect(await moneyOf(sandbox, 'TICKET01')).toHaveLength(2);
});

test('holds a physical refund until its return', async ({ sandbox }) => {
  await sandbox.advance(20 * DAY);
  expect(await stateOf(sandbox, 'RETURN01')).toBe('HAS_OPEN_REFUND');
  await expectTickets(sandbox)`POST 1004/returned 204`;
  const [, back] = await ordersOf(sandbox, 'RETURN01');
  expect(back).toMatchObject({
    ...{ transactionType: 'RFND', totalOrderAmount: '-52.40', totalShippingAmount: '-7.90' },
    transactionTime: '2026-04-07T12:00:00-07:00',
  });
  expect(linesIn(back)[0]).toMatchObject({ customerAmount: '-44.50' });
  const closed = await ticketOf(sandbox, 1004);
  expect([closed.status, logOf(closed)]).toEqual(['CLOSED', ['OPENED', 'REFUND_ACKED', 'CLOSED']]);
  const { ticketid } = bodyOf(await open(sandbox, `PARCEL01?${TECH}`));
  const others = ['1004', '999', 'abc', '1001', '1003', ticketid];
  const answers = others.map((id) => `POST ${id}/returned 400`);
  await expectTickets(sandbox)`${answers.join('\n')}`;
});

test('opens only one of two concurrent refunds', async ({ sandbox }) => {
  const responses = await Promise.all([1, 2, 3].map(() => open(sandbox, `DIGITAL1?${FULL}`)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
});

test('closes a ticket without a refund if a chargeback came first', async () => {
  const file = storeFile();
  const sandbox = await openSandbox({ file });
  const { ticketid } = bodyOf(await open(sandbox, `DIGITAL1?${FULL}`));
  const back = `SELECT ${NOON.getTime() / 1000}, 'CHARGEBACK', id FROM purchase WHERE receipt = 'DIGITAL1'`;
  await storedRows(file, `INSERT INTO customer_event (at, kind, purchase_id) ${back} RETURNING id`);
  await sandbox.advance(2 * DAY);
  const ticket = await ticketOf(sandbox, Number(ticketid));
  expect(ticket).toMatchObject({ status: 'CLOSED', refundAmount: '0.00' });
  expect(JSON.stringify(ticket.comments)).toContain('Nothing left to refund');
});

const all = (sandbox: Sandbox, query = '', headers = {}) =>
  rowsAt(sandbox, `tickets/list?${query}`, headers);

const count = (sandbox: Sandbox, query: string, headers = {}) =>
  countAt(sandbox, `tickets/count?${query}`, headers);

const idsOf = (rows: readonly Json[]) => rows.map((row) => Number(row.ticketid));

test('returns tickets newest first, 100 a page, with 206 until the last', async ({ large }) => {
  const pages = await pagesOf(large, 'tickets/list');
  expect([pages[0]?.status, rowsIn(pages[0] as never).length]).toEqual([206, 100]);
  const rows = pages.flatMap(rowsIn);
  expect(new Set(idsOf(rows)).size).toBe(rows.length);
  expect(await count(large, '')).toBe(rows.length);
  const opened = rows.map((row) => Date.parse(String(row.openedDate)));
  expect(opened).toEqual(opened.toSorted((a, b) => b - a));
  const lately = rows.filter((row) => String(row.openedDate) > daysAfter(TODAY, -60));
  expect(lately.length).toBeGreaterThan(100);
  const updated = rows.map((row) => Date.parse(String(row.updateTime)));
  expect(Math.max(...updated)).toBeLessThanOrEqual(large.now().getTime());
  // The locale is the language with the country.
  const locales = new Set(rows.map(({ locale }) => locale));
  expect([...locales]).toEqual(expect.arrayContaining(['en_US', 'de_DE']));
  for (const locale of locales) expect(locale).toMatch(/^[a-z]{2}_[A-Z]{2}$/);
});

test('seeds a closed ticket for every refund', async ({ large }) => {
  const refunds = [
    ...(await listAll(large, 'type=RFND')),
    ...(await listAll(large, 'type=TEST_RFND')),
  ].map((row) => `${row.receipt} ${row.transactionTime} ${row.totalOrderAmount}`);
  const tickets = (await all(large, 'type=rfnd&status=closed')).map(
    (row) => `${row.receipt} ${row.closedDate} -${row.refundAmount}`,
  );
  expect(tickets.sort()).toEqual(refunds.sort());
  expect(tickets.length).toBeGreaterThan(20);
});

test('accepts the request values of type and status', async () => {
  const sandbox = await openSandbox({ seed: { orders: 2000 } });
  await put(sandbox, '1002?action=reopen&comment=x');
  const every = await all(sandbox);
  const types = { rfnd: 'REFUND', cncl: 'CANCEL', tech: 'TECH_SUPPORT' };
  for (const [type, answered] of Object.entries(types)) {
    for (const status of ['open', 'reopened', 'closed']) {
      const query = `type=${type}&status=${status}`;
      const found = await all(sandbox, query);
      const expected = every.filter(
        (row) => row.type === answered && row.status === status.toUpperCase(),
      );
      expect(idsOf(found), query).toEqual(idsOf(expected));
      expect(await count(sandbox, query)).toBe(found.length);
    }
  }
  expect(idsOf(await all(sandbox, 'status=reopened'))).toEqual([1002, 1005]);
  await expectTickets(sandbox)`GET list?type=REFUND 400\nGET list?status=OPEN 400`;
});

test('finds the tickets of rebills by the receipt of the subscription', async ({ sandbox }) => {
  const rebill = bodyOf(await open(sandbox, `MONTHLY1-B003?${TECH}`));
  const id = Number(rebill.ticketid);
  for (const [receipt, ids] of [
    ['MONTHLY1', [id, 1003]],
    ['MONTHLY1-B003', [id]],
    ['MON%25LY%25', [id, 1003]],
    ['MONTHLY_', []],
  ] as const) {
    expect(idsOf(await all(sandbox, `receipt=${receipt}`)), receipt).toEqual(ids);
    expect(await count(sandbox, `receipt=${receipt}`)).toBe(ids.length);
  }
});

test('requires four characters of a receipt that does not start with %', async ({ sandbox }) => {
  await expectTickets(sandbox)`
    GET list?receipt=MON%25 400
    GET list?receipt=MON 400
    GET list?receipt=%25ONTHLY1 400
    GET list?receipt=M%25O%25N 400
    GET list?receipt=%25%25%25%25%25 400
    GET list?receipt=MO%25NT 200`;
});

test('uses inclusive Pacific days for create, update, and close dates', async ({ large }) => {
  const every = await all(large);
  const [from, to] = [daysAfter(TODAY, -16), daysAfter(TODAY, -10)];
  const fields = { create: 'openedDate', update: 'updateTime', close: 'closedDate' };
  for (const [name, field] of Object.entries(fields)) {
    const found = await all(large, `${name}DateFrom=${from}&${name}DateTo=${to}`);
    const inside = every.filter((row) => dayOf(row[field]) >= from && dayOf(row[field]) <= to);
    expect(idsOf(found), name).toEqual(idsOf(inside));
    expect(found.length, name).toBeGreaterThan(3);
  }
});

test('requires periods with both dates, in order, and at most seven days', async ({ sandbox }) => {
  for (const name of ['create', 'update', 'close']) {
    const list = `GET list?${name}Date`;
    const period = (from: string, to: string) => `${list}From=${from}&${name}DateTo=${to}`;
    await expectTickets(sandbox)`
      ${period('2026-03-12', '2026-03-18')} 200
      ${period('2026-03-11', '2026-03-18')} 400
      ${period('2026-03-05', '2026-03-11')} 200
      ${period('2026-03-18', '2026-03-17')} 400
      ${list}From=2026-03-12 400
      ${list}To=2026-03-12 400
      ${period('2026-02-29', '2026-03-02')} 400
      ${period('12.03.2026', '2026-03-18')} 400`;
  }
});

test('shows tickets only to their vendors', async () => {
  const sandbox = await openSandbox({ seed: { orders: 1000 } });
  const [sale] = await listAll(sandbox, 'type=SALE&vendor=FITLAB24');
  const made = bodyOf(await open(sandbox, `${sale?.receipt}?${TECH}`));
  const key = (name: string) => keyed(sandbox, name);
  const own = idsOf(await all(sandbox, '', key('vendor')));
  expect(own).toContain(1001);
  expect(own).not.toContain(Number(made.ticketid));
  expect(await count(sandbox, '', key('vendor'))).toBe(own.length);
  expect(await all(sandbox, '', key('affiliate'))).toEqual([]);
  expect(await count(sandbox, '', key('read-only'))).toBe(await count(sandbox, ''));
  await expectTickets(sandbox)`vendor: GET ${made.ticketid} 403`;
});

test('sorts tickets newest first, also within one second', async ({ sandbox }) => {
  const made = [];
  for (const path of [`DIGITAL1?${FULL}`, `MONTHLY1?${CANCEL}`, `PARCEL01?${TECH}`]) {
    made.push(Number(bodyOf(await open(sandbox, path)).ticketid));
  }
  expect(idsOf(await all(sandbox)).slice(0, 3)).toEqual(made.reverse());
});

test.each([
  ['language', { '@nil': 'true' }],
  ['country', 'en'],
])('sends what is known of the locale of a ticket without the %s', async (column, locale) => {
  const file = storeFile();
  const sandbox = await openSandbox({ file });
  const change = `UPDATE purchase SET ${column} = NULL WHERE receipt = 'TICKET01' RETURNING id`;
  expect(await storedRows(file, change)).toHaveLength(1);
  expect(await ticketOf(sandbox, 1001)).toMatchObject({ receipt: 'TICKET01', locale });
});
