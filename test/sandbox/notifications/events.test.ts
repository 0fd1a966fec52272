/** Each event of the sandbox is one notification, whether a request, the clock or a new sale causes it. */
import { expect, test } from 'vitest';
import { DAY, type Json, linesIn, listAll, NOON, ordersOf } from '../raw.ts';
import { rowsIn, storeFile } from '../store/store-file.ts';
import { CANCEL, FULL } from '../tickets/ticket-raw.ts';
import { brief, change, eventsOf, logOf, type Notification, told } from './receiver.ts';

const CHANGE = 'orders2/MONTHLY1/changeProduct?oldSku=CLUB-M&newSku=CLUB-PLUS-M';

test.each<[what: string, path: string, ...events: string[]]>([
  ['a cancellation', `tickets/MONTHLY1?${CANCEL}`, 'CANCEL-REBILL MONTHLY1'],
  ['a reinstatement', 'orders2/CANCEL01/reinstate', 'UNCANCEL-REBILL CANCEL01'],
  ['a change of product', `${CHANGE}&applyProratedRefund=false`, 'SUBSCRIPTION-CHG MONTHLY1'],
  ['a change of product with a refund', CHANGE, 'RFND', 'SUBSCRIPTION-CHG MONTHLY1'],
  ['a refund of a returned parcel', 'tickets/1004/returned', 'RFND'],
  ['nothing for a refund that is only requested', `tickets/DIGITAL1?${FULL}`],
  ['a refund that ends a subscription', `tickets/MONTHLY1-B004?${FULL}`, 'CANCEL-REBILL MONTHLY1'],
  ['nothing for a pause', 'orders2/MONTHLY1/pause?restartDate=2026-05-10'],
  ['nothing for another date', 'orders2/MONTHLY1/changeDate?changeDate=2026-05-10'],
])('tells of %s by request', async (_, path, ...expected) => {
  const world = await told();
  await change(world.sandbox, path);
  const events = await eventsOf(world);
  expect(events.map(brief)).toEqual(expected.map((text) => expect.stringContaining(text)));
});

test('sends no notification for a refused request', async () => {
  const world = await told();
  await expect(change(world.sandbox, 'orders2/MONTHLY1/reinstate')).rejects.toThrow();
  expect(await eventsOf(world)).toEqual([]);
});

test('uses separate notification types for test orders', async () => {
  const world = await told({ seed: { orders: 1500 } });
  const { sandbox } = world;
  const tests = await listAll(sandbox, 'type=TEST_SALE');
  const isRunning = (order: object) => /"status":"ACTIVE"/.test(JSON.stringify(order));
  const { receipt } = tests.find(isRunning) ?? {};
  await change(sandbox, `tickets/${receipt}?${CANCEL}`);
  await change(sandbox, `orders2/${receipt}/reinstate`);
  await change(sandbox, `tickets/TESTSL01?${FULL}`);
  await sandbox.advance(2 * DAY);
  const events = (await eventsOf(world)).map(brief);
  expect(events.filter((event) => event.includes('TEST-REBILL'))).toEqual([
    `CANCEL-TEST-REBILL ${receipt}`,
    `UNCANCEL-TEST-REBILL ${receipt}`,
  ]);
  expect(events).toContain('TEST_RFND TESTSL01');
});

/** `2026-02-18T15:11:38-08:00` as `20260218T151138-0800`. */
const compact = (time: unknown) =>
  String(time).replace(/^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)(.\d+):/, '$1$2$3T$4$5$6$7');

const isMoney = ({ transactionType }: Notification) =>
  /^(TEST_)?(SALE|BILL|RFND|CGBK|INSF)$/.test(transactionType);

test('sends exactly the rows that appear in the orders list over a month of clock, in time order', async () => {
  const file = storeFile();
  const world = await told({ file, seed: { orders: 700 } });
  const { sandbox } = world;
  const key = (row: object) => JSON.stringify(row);
  // Chargebacks are rare, and returned checks are rarer.
  await rowsIn(
    file,
    "UPDATE purchase SET payment_method = 'CHECK' WHERE receipt = 'UPSELL02' RETURNING id",
  );
  const back = `SELECT ${NOON.getTime() / 1000 + DAY}, 'CHARGEBACK', id FROM purchase WHERE receipt LIKE 'UPSELL0%'`;
  await rowsIn(file, `INSERT INTO customer_event (at, kind, purchase_id) ${back} RETURNING id`);
  const before = new Set((await listAll(sandbox, '')).map((row) => key(factsOf(row))));
  await change(sandbox, `tickets/DIGITAL1?${FULL}`);
  await change(sandbox, CHANGE);
  await change(sandbox, `tickets/TESTSL01?${FULL}`);
  await sandbox.advance(30 * DAY);
  const rows = (await listAll(sandbox, ''))
    .filter(({ transactionType }) => !String(transactionType).endsWith('FEE'))
    .map(factsOf)
    .filter((row) => !before.has(key(row)));
  const events = await eventsOf(world);
  expect([...new Set(events.map(({ transactionType }) => transactionType))].sort()).toEqual([
    ...['BILL', 'CANCEL-REBILL', 'CGBK', 'CUSTOMER_AUTH_FAILURE', 'INSF', 'RFND', 'SALE'],
    ...['SUBSCRIPTION-CHG', 'TEST_BILL', 'TEST_RFND', 'TEST_SALE'],
  ]);
  const found = events.filter(isMoney).map(({ receipt, transactionType, ...event }) => ({
    receipt,
    type: transactionType === 'INSF' ? 'CGBK' : transactionType,
    time: event.transactionTime,
    total: Number(event.totalOrderAmount).toFixed(2),
    items: (event.lineItems as { itemNo: string }[]).map(({ itemNo }) => itemNo).join(),
  }));
  expect(rows.length).toBeGreaterThan(100);
  expect(found.map(key).sort()).toEqual(rows.map(key).sort());
  for (const { transactionType: type, paymentMethod, totalOrderAmount, ...event } of events) {
    if (type === 'INSF')
      expect([paymentMethod, Number(totalOrderAmount) < 0]).toEqual(['CHECK', true]);
    if (type === 'CGBK') expect(paymentMethod).not.toBe('CHECK');
    // No money moves when a payment is declined.
    const money = [totalOrderAmount, event.totalAccountAmount];
    if (type === 'CUSTOMER_AUTH_FAILURE') expect(money).toEqual([0, 0]);
  }
  // Several requests are on their way at a time, and each purchase keeps its order.
  const times = (of: readonly Notification[]) => of.map((event) => event.transactionTime);
  for (const receipt of new Set(events.map((event) => event.receipt.slice(0, 8)))) {
    const own = times(events.filter((event) => event.receipt.startsWith(receipt)));
    expect(own).toEqual([...own].sort());
  }
  const logged = logOf(sandbox).map(({ time }) => Date.parse(time));
  expect(logged).toEqual([...logged].sort((a, b) => b - a));
});

function factsOf(row: Json) {
  return {
    receipt: row.receipt,
    type: row.transactionType,
    time: compact(row.transactionTime),
    total: row.totalOrderAmount,
    items: linesIn(row)
      .map(({ itemNo }) => itemNo)
      .join(),
  };
}

test('records nothing without a URL, and nothing of the time before a URL is added', async () => {
  const world = await told({ seed: { orders: 300 } });
  const { sandbox, to } = world;
  sandbox.notifications.remove(to.url);
  await sandbox.advance(10 * DAY);
  expect((await ordersOf(sandbox, 'MONTHLY1')).length).toBeGreaterThan(4);
  sandbox.notifications.add({ url: to.url, version: 6 });
  expect(logOf(sandbox)).toEqual([]);
  expect(to.bodies).toEqual([]);
});

test('sends notifications of new sales as time passes, without a request', async () => {
  let hours = 0;
  const now = () => new Date(Date.UTC(2026, 2, 18, 19 + hours));
  const { to } = await told({ seed: { orders: 1500 }, now });
  hours = 6;
  await to.until(1);
  expect(to.events()[0]?.transactionType).toMatch(
    /SALE|BILL|RFND|CANCEL-REBILL|CUSTOMER_AUTH_FAILURE|INSF/,
  );
});
