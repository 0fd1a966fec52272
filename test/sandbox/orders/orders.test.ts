/** Lists of orders with their filters, period, order and pages, their count, one receipt with all that belongs to it, and changes of subscriptions. */
import { expect } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { details, statistics } from '../analytics/analytics-raw.ts';
import {
  cents,
  countOf,
  DAY,
  dayOf,
  daysAfter,
  expectAnswers,
  getJson,
  isNil,
  type Json,
  keyed,
  lineOf,
  linesIn,
  listAll,
  NOON,
  openSandbox,
  ordersOf,
  pagesOf,
  rowsIn,
  TODAY,
  test,
} from '../raw.ts';
import {
  bodyOf,
  CANCEL,
  expectTickets,
  FULL,
  open,
  partial,
  stateOf,
  TECH,
} from '../tickets/ticket-raw.ts';

const LIST = '/rest/1.3/orders2/list';
const COUNT = '/rest/1.3/orders2/count';

const has = (field: string, pattern: RegExp) => (row: Json) => pattern.test(String(row[field]));
const isUnreferred = (row: Json) => isNil(row.affiliate) && !isNil(row.transactionType);
const hasKit = (row: Json) => linesIn(row).some((line) => line.itemNo === 'KIT-02');

/** list and count find exactly the rows that match the filter. */
test.for<[title: string, query: string, picks: (row: Json) => boolean]>([
  ['type finds that kind of transaction', 'type=BILL', has('transactionType', /^BILL$/)],
  ['vendor knows wildcards', 'vendor=FIT%25', has('vendor', /^FITLAB24$/)],
  ['affiliate finds one nickname', 'affiliate=TOPAFF1', has('affiliate', /^TOPAFF1$/)],
  ['affiliate none finds what came without an affiliate', 'affiliate=none', isUnreferred],
  ['lastName knows wildcards at both ends', 'lastName=%25amp%25', has('lastName', /amp/)],
  ['postalCode knows wildcards', 'postalCode=837%25', has('postalCode', /^837/)],
  ['tid finds tracking ids', 'tid=spring', has('trackingId', /^spring$/)],
  ['matches wildcards in email', 'email=%25@example.com', has('email', /@example\.com$/)],
  ['item finds orders, also in a cart', 'item=KIT-02', hasKit],
  ['role filters by that of the account', 'role=AFFILIATE', has('affiliate', /^TOPAFF1$/)],
])('%s', async ([, query, picks], { seeded, orders }) => {
  const expected = orders.filter(picks).map(({ receipt }) => receipt);
  expect(expected.length).toBeGreaterThan(0);
  expect((await listAll(seeded, query)).map(({ receipt }) => receipt)).toEqual(expected);
  expect(await countOf(seeded, query)).toBe(expected.length);
});

test('finds a row of nulls by its period only', async ({ sandbox }) => {
  const isBare = (row: Json) => isNil(row.transactionType);
  sandbox.setFaults('null-row=on');
  expect((await listAll(sandbox, '')).filter(isBare)).toHaveLength(1);
  for (const query of ['type=TEST_FEE', 'vendor=GREENLEAF', 'affiliate=none', 'amount=-22.00']) {
    const rows = await listAll(sandbox, query);
    expect([query, rows.length > 0, rows.filter(isBare)]).toEqual([query, true, []]);
  }
  expect(await countOf(sandbox, 'type=TEST_FEE')).toBe(1);
});

test('finds nothing for an invalid type or role or an underscore', async ({ sandbox }) => {
  expect((await getJson(sandbox, `${LIST}?type=GIFT`)).text).toBe('null');
  for (const query of ['type=GIFT', 'role=BUYER', 'email=ada_sample@example.com']) {
    expect([query, await countOf(sandbox, query)]).toEqual([query, 0]);
  }
  expect(await countOf(sandbox, 'role=VENDOR')).toBe(60);
  expect(await countOf(sandbox, 'email=ada.sample@example.com')).toBeGreaterThan(0);
});

test('finds the total by amount in any notation, in list only', async ({ sandbox }) => {
  for (const amount of ['55.9', '55.90', '+55.900']) {
    const rows = await listAll(sandbox, `amount=${encodeURIComponent(amount)}`);
    expect(rows.map((row) => row.receipt)).toContain('CART0003');
  }
  expect(await listAll(sandbox, 'amount=55.901')).toEqual([]);
  expect(await countOf(sandbox, 'amount=55.90')).toBe(60);
});

test('shows a key what its accounts sold or referred, in that role', async ({ seeded }) => {
  const sold = await listAll(seeded, '', keyed(seeded, 'vendor'));
  const vendors = sold.map((row) => row.vendor).filter((nickname) => !isNil(nickname));
  expect(new Set(vendors)).toEqual(new Set(['GREENLEAF']));
  const referred = await listAll(seeded, '', keyed(seeded, 'affiliate'));
  const seen = referred.map(({ affiliate, role }) => `${affiliate} ${role}`);
  expect(new Set(seen)).toEqual(new Set(['TOPAFF1 AFFILIATE']));
  expect(await countOf(seeded, '')).toBe(1500);
});

test('requires both dates or none in list, and a page from 1', async ({ sandbox }) => {
  await expectAnswers(sandbox)`
    GET orders2/list?startDate=2026-03-01 400
    GET orders2/list?endDate=2026-03-01 400
    GET orders2/count?startDate=2026-03-01 200
    GET orders2/count?endDate=2026-03-01 200
    GET orders2/count?startDate=0001-01-01&endDate=9999-12-31 200 60`;
  for (const Page of ['0', '-1', 'two', '1.5']) {
    await expectAnswers(sandbox, { Page })`GET orders2/list 400`;
  }
});

test('covers yesterday and today in list and count without dates', async ({ seeded }) => {
  const bare = await getJson(seeded, LIST);
  const dated = await getJson(seeded, `${LIST}?startDate=2026-03-17&endDate=${TODAY}`);
  expect(bare.text).toBe(dated.text);
  const days = new Set(rowsIn(bare).map(({ transactionTime }) => dayOf(transactionTime)));
  expect(days).toEqual(new Set([TODAY, '2026-03-17']));
  expect((await getJson(seeded, COUNT)).text).toBe(String(rowsIn(bare).length));
});

test('uses inclusive Pacific days', async ({ seeded, orders }) => {
  for (const day of ['2026-03-08', '2026-03-15', '2025-11-02']) {
    const response = await getJson(seeded, `${LIST}?startDate=${day}&endDate=${day}`);
    const expected = orders.filter(({ transactionTime }) => dayOf(transactionTime) === day);
    expect(rowsIn(response), day).toEqual(expected);
  }
});

test('returns rows newest first, 100 a page, with 206 until the last page', async ({ seeded }) => {
  const pages = await pagesOf(seeded, 'orders2/list?startDate=2025-01-01&endDate=2026-12-31');
  expect(pages.map((page) => page.status)).toEqual([...Array(14).fill(206), 200]);
  expect(pages.map((page) => rowsIn(page).length)).toEqual(Array(15).fill(100));
  const times = pages.flatMap(rowsIn).map((row) => Date.parse(String(row.transactionTime)));
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});

/** Affiliates see only country and state of a customer. */
const CUSTOMER = ['firstName', 'lastName', 'fullName', 'email', 'postalCode'];

test('hides customer data of orders and of their upsells from affiliates', async ({ large }) => {
  const key = keyed(large, 'affiliate');
  const own = await listAll(large, '', key);
  const [one] = rowsIn(await getJson(large, '/rest/1.3/orders2/MONTHLY1', key));
  const upsells = [];
  for (const row of own) {
    if (!linesIn(row).some(({ lineItemType }) => lineItemType === 'ORIGINAL')) continue;
    const found = await getJson(large, `/rest/1.3/orders2/${row.receipt}/upsells`, key);
    if (found.status === 200) upsells.push(...rowsIn(found));
  }
  expect([own.length > 20, upsells.length > 0]).toEqual([true, true]);
  for (const row of [...own, ...upsells, one]) {
    expect(CUSTOMER.filter((name) => !isNil(row?.[name]))).toEqual([]);
    expect(row).not.toHaveProperty('customerContactInfo');
  }
  expect(one).toMatchObject({ role: 'AFFILIATE', country: 'US', state: 'ID' });
  const [sold] = await ordersOf(large, 'MONTHLY1');
  expect(sold).toMatchObject({ role: 'VENDOR', fullName: 'Ada Sample', postalCode: '83702' });
});

test('finds no order by a customer field for an affiliate', async ({ seeded }) => {
  const key = keyed(seeded, 'affiliate');
  for (const filter of ['email=ada%25', 'email=%25', 'lastName=Sample', 'postalCode=83702']) {
    expect((await listAll(seeded, filter)).length).toBeGreaterThan(0);
    // This also applies to referred sales of a key with both accounts.
    const queries = { [filter]: key, [`${filter}&role=AFFILIATE`]: {} };
    for (const [query, headers] of Object.entries(queries)) {
      expect([query, await listAll(seeded, query, headers)]).toEqual([query, []]);
      expect([query, await countOf(seeded, query, headers)]).toEqual([query, 0]);
    }
  }
});

test('returns rebills alone, upsells under their parent, and whole carts', async ({ sandbox }) => {
  const found = async (path: string) =>
    (await ordersOf(sandbox, path)).map((row) => `${row.receipt} ${row.transactionType}`);
  expect(await found('MONTHLY1-B003')).toEqual(['MONTHLY1-B003 BILL']);
  expect(await found('UPSELL01/upsells')).toEqual(['UPSELL02 SALE', 'UPSELL03 SALE']);
  const [cart] = await ordersOf(sandbox, 'CART0003?sku=KIT-03');
  expect(linesIn(cart).map((line) => line.itemNo)).toEqual(['KIT-01', 'KIT-02', 'KIT-03']);
  await expectAnswers(sandbox)`
    affiliate: GET orders2/PARCEL01 403
    affiliate: GET orders2/MONTHLY1 200
    GET orders2/DIGITAL1/upsells 403
    GET orders2/CART0003?sku=OTHER 200 null`;
});

test('returns totals that equal items, shipping, and tax to the cent', async ({ seeded }) => {
  const paid = (await listAll(seeded, '')).filter((row) =>
    /SALE|BILL|RFND/.test(String(row.transactionType)),
  );
  expect(paid.length).toBeGreaterThan(50);
  for (const row of paid) {
    const items = linesIn(row).reduce((sum, line) => sum + cents(line.customerAmount), 0);
    const rest = cents(row.totalShippingAmount) + cents(row.totalTaxAmount);
    expect(items + rest).toBe(cents(row.totalOrderAmount));
  }
});

const heads = (status: number, ...receipts: string[]) =>
  receipts.map((path) => `HEAD orders2/${path} ${status}`).join('\n');

test('returns 204 to HEAD for what is active, and 403 otherwise', async ({ sandbox }) => {
  await expectAnswers(sandbox)`
    ${heads(204, 'MONTHLY1', 'LIMITED1', 'SHIPBOX1', 'DIGITAL1', 'CART0003?sku=KIT-02')}
    ${heads(403, 'CANCEL01', 'REFUND01', 'CHARGE01', 'CART0003?sku=OTHER')}
    ${heads(204, 'CANCEL01-B002')}
    ${heads(403, 'CANCEL01-B009')}`;
  for (const query of [`${FULL}&sku=KIT-02`, `${partial('PERCENT', '50')}&sku=KIT-01`]) {
    await expectTickets(sandbox)`CART0003?${query} 200`;
    await sandbox.advance(3 * DAY);
  }
  // A partly refunded line is still active.
  await expectAnswers(sandbox)`
    ${heads(403, 'CART0003?sku=KIT-02')}
    ${heads(204, 'CART0003', 'CART0003?sku=KIT-01', 'CART0003?sku=KIT-03')}`;
});

const PAGES = 'thankYouPage=https://a.example/t&pitchPage=https://a.example/p';
const GUIDE = 'price=37&digital=true';
const CLUB =
  'price=29&digitalRecurring=true&rebillPrice=29&frequency=MONTHLY&duration=999&trialPeriod=0';

/** Saves the product again with other limits. */
function limit(sandbox: Sandbox, sku: string, product: string, limits: string) {
  const usual = `site=GREENLEAF&currency=USD&language=EN&title=x&categories=EBOOK&${PAGES}`;
  return expectAnswers(sandbox)`PUT products/${sku}?${usual}&${product}&${limits} 200`;
}

test('limits refunds of a sale by saleRefundDaysLimit', async ({ sandbox }) => {
  // Both are sales of GUIDE-01, nine and three days old.
  expect(await stateOf(sandbox, 'UPSELL01')).toBe('REFUNDABLE');
  await limit(sandbox, 'GUIDE-01', GUIDE, 'saleRefundDaysLimit=8');
  expect(await stateOf(sandbox, 'UPSELL01')).toBe('TOO_OLD');
  expect(await stateOf(sandbox, 'DIGITAL1')).toBe('REFUNDABLE');
  await expectTickets(sandbox)`
    UPSELL01?${FULL} 400 too old
    UPSELL01?${partial('PERCENT', '10')} 400 too old
    UPSELL01?${CANCEL} 400 too old
    UPSELL01?${TECH} 200
    DIGITAL1?${FULL} 200`;
});

test('limits refunds of rebills only by rebillRefundDaysLimit', async ({ sandbox }) => {
  await limit(sandbox, 'CLUB-M', CLUB, 'saleRefundDaysLimit=200&rebillRefundDaysLimit=25');
  const states = (await ordersOf(sandbox, 'MONTHLY1')).map((row) => row.customerRefundableState);
  // 112, 81, 50 and 20 days old.
  expect(states).toEqual(['REFUNDABLE', 'TOO_OLD', 'TOO_OLD', 'REFUNDABLE']);
  await expectTickets(sandbox)`
    MONTHLY1-B003?${FULL} 400 too old
    MONTHLY1-B004?${FULL} 200`;
});

test('limits refunds to 60 days by default', async ({ sandbox }) => {
  await limit(sandbox, 'GUIDE-01', GUIDE, '');
  await sandbox.advance(51 * DAY);
  expect(await stateOf(sandbox, 'UPSELL01')).toBe('REFUNDABLE');
  await sandbox.advance(DAY);
  expect(await stateOf(sandbox, 'UPSELL01')).toBe('TOO_OLD');
});

test('treats a cart as too old only if all of its items are', async ({ sandbox }) => {
  await limit(sandbox, 'KIT-02', GUIDE, 'saleRefundDaysLimit=2');
  expect(await stateOf(sandbox, 'CART0003')).toBe('REFUNDABLE');
  await expectTickets(sandbox)`
    CART0003?sku=KIT-02&${FULL} 400 too old
    CART0003?sku=KIT-01&${FULL} 200`;
});

test('rejects a refund ticket for an order with blocked refunds', async ({ seeded }) => {
  const blocked = (await listAll(seeded, 'type=SALE')).filter(
    (row) => row.customerRefundableState === 'REFUND_BLOCKED',
  );
  expect(blocked.length).toBeGreaterThan(0);
  for (const row of blocked) {
    const path = `${row.receipt}?sku=${linesIn(row)[0]?.itemNo}&${FULL}`;
    await expectTickets(seeded)`${path} 400 Refunds of this order are blocked.`;
  }
});

test('rejects reopening a refund ticket once the order is too old', async ({ sandbox }) => {
  const { ticketid } = bodyOf(await open(sandbox, `DIGITAL1?${FULL}`));
  await expectAnswers(sandbox)`PUT tickets/${ticketid}?action=close 200`;
  await sandbox.advance(70 * DAY);
  const reopen = `PUT tickets/${ticketid}?action=reopen&comment=again`;
  await expectAnswers(sandbox)`${reopen} 400 The order is too old for a refund.`;
});

const next = async (sandbox: Sandbox) => (await lineOf(sandbox, 'MONTHLY1')).nextPaymentDate;
const remaining = async (sandbox: Sandbox, receipt: string) =>
  (await lineOf(sandbox, receipt)).futurePayments;

test('moves the next payment to a future day with changeDate', async ({ sandbox }) => {
  await expectAnswers(sandbox)`
    POST orders2/MONTHLY1/changeDate?changeDate=2026-04-09 204
    POST orders2/MONTHLY1/changeDate?changeDate=${TODAY} 400
    POST orders2/MONTHLY1/changeDate?changeDate=2026-03-01 400
    POST orders2/CANCEL01/changeDate?changeDate=2026-04-09 400
    affiliate: POST orders2/MONTHLY1/changeDate?changeDate=2026-04-10 403`;
  expect(await next(sandbox)).toBe('2026-04-09T12:00:00-07:00');
});

test('adds rebill periods with extend, but to no unlimited subscription', async ({ sandbox }) => {
  expect(await remaining(sandbox, 'LIMITED1')).toBe('4');
  await expectAnswers(sandbox)`
    POST orders2/LIMITED1/extend?numPeriods=3 204
    POST orders2/MONTHLY1/extend?numPeriods=3 204
    POST orders2/MONTHLY1/extend?numPeriods=1&sku=OTHER 400
    POST orders2/MONTHLY1/extend?numPeriods=1&sku=CLUB-M 204
    POST orders2/CART0003/extend?numPeriods=1 400 sku
    POST orders2/CART0003/extend?numPeriods=1&sku=KIT-01 400
    POST orders2/DIGITAL1/extend?numPeriods=1 400
    POST orders2/CANCEL01/extend?numPeriods=1 400`;
  const lines = (await ordersOf(sandbox, 'LIMITED1')).flatMap(linesIn);
  expect(lines.map(({ futurePayments }) => futurePayments)).toEqual(['7', '7', '7']);
  expect(await remaining(sandbox, 'MONTHLY1')).toBe('999');
});

test('accepts a restart date from the next payment to 60 days ahead', async ({ sandbox }) => {
  const due = String(await next(sandbox)).slice(0, 10);
  await expectAnswers(sandbox)`
    POST orders2/MONTHLY1/pause?restartDate=${daysAfter(due, -1)} 400
    POST orders2/MONTHLY1/pause?restartDate=${daysAfter(TODAY, 61)} 400
    POST orders2/MONTHLY1/pause?restartDate=${due} 204
    POST orders2/MONTHLY1/pause?restartDate=${daysAfter(TODAY, 60)} 204`;
  expect(await next(sandbox)).toBe(`${daysAfter(TODAY, 60)}T12:00:00-07:00`);
});

test('reinstates a canceled subscription with a future payment', async ({ sandbox }) => {
  expect(await lineOf(sandbox, 'CANCEL01')).toMatchObject({
    status: 'CANCELED',
    nextPaymentDate: { '@nil': 'true' },
  });
  await expectAnswers(sandbox)`
    POST orders2/CANCEL01/reinstate 204
    HEAD orders2/CANCEL01 204
    POST orders2/CANCEL01/reinstate 400
    POST orders2/MONTHLY1/reinstate 400`;
  const line = await lineOf(sandbox, 'CANCEL01');
  expect([line.status, String(line.nextPaymentDate) > TODAY]).toEqual(['ACTIVE', true]);
});

test('rejects a reinstatement 61 days after the cancellation', async () => {
  let now = NOON;
  const sandbox = await openSandbox({ now: () => now });
  now = new Date('2026-04-28T19:00:00Z');
  await expectAnswers(sandbox)`POST orders2/CANCEL01/reinstate 400`;
  now = new Date('2026-04-27T19:00:00Z');
  await expectAnswers(sandbox)`POST orders2/CANCEL01/reinstate 204`;
});

const CHANGE = 'orders2/MONTHLY1/changeProduct?oldSku=CLUB-M&newSku=CLUB-PLUS-M';

test('refunds the unused part and bills from tomorrow with changeProduct', async ({ sandbox }) => {
  await expectAnswers(sandbox)`POST ${CHANGE} 204`;
  const refund = (await ordersOf(sandbox, 'MONTHLY1')).at(-1);
  // Paid on 26 February, due on 26 March: eight of 28 days less the hour that the clocks skipped.
  expect(refund).toMatchObject({
    ...{ transactionType: 'RFND', receipt: 'MONTHLY1-B004', totalOrderAmount: '-8.30' },
    lineItemData: { itemNo: 'CLUB-M', customerAmount: '-8.30' },
  });
  expect(await lineOf(sandbox, 'MONTHLY1')).toMatchObject({
    ...{ itemNo: 'CLUB-M', rebillAmount: '49.00', status: 'ACTIVE' },
    nextPaymentDate: '2026-03-19T12:00:00-07:00',
  });
  await expectAnswers(sandbox)`HEAD orders2/MONTHLY1 204`;
});

test('refunds no more with changeProduct than is left of a payment, its tax and its shares', async () => {
  const sandbox = await openSandbox({ seed: { orders: 1500 } });
  const newest = await listAll(
    sandbox,
    'startDate=2026-03-01&endDate=2026-03-18&type=SALE&item=CLUB-M',
  );
  const isActive = (row: Json) => linesIn(row).every(({ status }) => status === 'ACTIVE');
  const sale = newest.find((row) => cents(row.totalTaxAmount) > 0 && isActive(row));
  const receipt = String(sale?.receipt);
  const refund = 'type=rfnd&reason=ticket.type.refund.2&refundType=PARTIAL_PERCENT&refundAmount=80';
  await expectAnswers(sandbox)`POST tickets/${receipt}?${refund}&retainSubscription=true 200`;
  await sandbox.advance(DAY);
  await expectAnswers(sandbox)`POST ${CHANGE.replace('MONTHLY1', receipt)} 204`;
  const rows = await ordersOf(sandbox, receipt);
  expect(rows[0]).toMatchObject({ customerRefundableState: 'ALREADY_REFUNDED' });
  const sum = (amounts: readonly unknown[]) => amounts.map(cents).reduce((all, one) => all + one);
  expect(sum(rows.map((row) => row.totalOrderAmount))).toBe(0);
  expect(sum(rows.map((row) => row.totalTaxAmount))).toBe(0);
  expect(sum(rows.flatMap(linesIn).map((line) => line.accountAmount))).toBe(0);
});

test('changes only to another digital recurring product of the currency', async ({ sandbox }) => {
  const refused = ['CLUB-M', 'NOSUCH', 'GUIDE-01', 'FIT-M', 'CLUB-BOX-M'];
  await expectAnswers(sandbox)`
    POST orders2/MONTHLY1/changeProduct?oldSku=CLUB-PLUS-M&newSku=CLUB-M 400
    POST ${CHANGE}&nextRebillDate=${TODAY} 400
    ${refused.map((sku) => `POST ${CHANGE.replace('CLUB-PLUS-M', sku)} 400`).join('\n')}`;
  expect(await ordersOf(sandbox, 'MONTHLY1')).toHaveLength(4);
  const later = `${CHANGE}&applyProratedRefund=FALSE&nextRebillDate=2026-04-01`;
  await expectAnswers(sandbox)`POST ${later} 204`;
  expect(await ordersOf(sandbox, 'MONTHLY1')).toHaveLength(4);
  expect(await next(sandbox)).toBe('2026-04-01T12:00:00-07:00');
});

test('accepts the original sku in changeDate after changeProduct', async ({ sandbox }) => {
  const date = 'orders2/MONTHLY1/changeDate?changeDate=2026-04-09';
  await expectAnswers(sandbox)`
    POST ${CHANGE} 204
    POST ${date}&sku=CLUB-PLUS-M 400 CLUB-M
    POST ${date}&sku=CLUB-M 204
    POST ${CHANGE} 400
    POST orders2/MONTHLY1/changeProduct?oldSku=CLUB-PLUS-M&newSku=CLUB-M 204`;
  expect((await lineOf(sandbox, 'MONTHLY1')).rebillAmount).toBe('29.00');
});

test('keeps past payments unchanged with changeProduct', async ({ sandbox }) => {
  const kept = (rows: readonly Json[]) =>
    rows.map((row) => {
      const { itemNo, productTitle, customerAmount, accountAmount } = linesIn(row)[0] ?? {};
      const { receipt, totalOrderAmount } = row;
      return { receipt, totalOrderAmount, itemNo, productTitle, customerAmount, accountAmount };
    });
  const before = kept(await ordersOf(sandbox, 'MONTHLY1'));
  const bySku = `VENDOR/PRODUCT_SKU?account=GREENLEAF&startDate=2025-03-01&endDate=${TODAY}`;
  const figures = await statistics(sandbox, bySku);
  await expectAnswers(sandbox)`POST ${CHANGE}&applyProratedRefund=FALSE 204`;
  expect(kept(await ordersOf(sandbox, 'MONTHLY1'))).toEqual(before);
  expect(await statistics(sandbox, bySku)).toEqual(figures);
  const search = async (item: string) =>
    (await listAll(sandbox, `item=${item}`)).map(({ receipt }) => receipt);
  expect(await search('CLUB-M')).toContain('MONTHLY1');
  expect(await search('CLUB-PLUS-M')).not.toContain('MONTHLY1');
  await sandbox.advance(2 * DAY);
  const after = await ordersOf(sandbox, 'MONTHLY1');
  expect(kept(after).slice(0, -1)).toEqual(before);
  expect(linesIn(after.at(-1))[0]).toMatchObject({
    itemNo: 'CLUB-PLUS-M',
    customerAmount: '49.00',
  });
  expect(await search('CLUB-PLUS-M')).toContain('MONTHLY1-B005');
  const rows = await details(sandbox, 'VENDOR/subscription/details?account=GREENLEAF');
  expect(rows.find(({ receipt }) => receipt === 'MONTHLY1')?.itemNo).toBe('CLUB-PLUS-M');
});

const ADDRESS = 'address1=1%20Main%20St&city=Reno&province=NV&countryCode=us&postalCode=89501';

test('stores the new address of a physical subscription only', async ({ sandbox }) => {
  await expectAnswers(sandbox)`
    POST orders2/SHIPBOX1/changeAddress?${ADDRESS}&firstName=Zo%C3%AB 204
    POST orders2/MONTHLY1/changeAddress?${ADDRESS} 400
    POST orders2/PARCEL01/changeAddress?${ADDRESS} 400
    POST orders2/DIGITAL1/changeAddress?${ADDRESS} 400
    POST orders2/SHIPBOX1/changeAddress?address1=x&city=y&countryCode=USA 400`;
  for (const row of await ordersOf(sandbox, 'SHIPBOX1')) {
    expect(row).toMatchObject({ state: 'NV', country: 'US', postalCode: '89501' });
    expect(row).toMatchObject({ firstName: 'Zoë', lastName: 'Sample', fullName: 'Zoë Sample' });
  }
});
