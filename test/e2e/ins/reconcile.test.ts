/** `cb ins reconcile` and `cb ins resend`: events that never arrived are found, reconstructed and delivered. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventText } from '../../../src/features/ins/event-text.ts';
import { journaledEvent, openJournal } from '../../../src/features/ins/journal/journal.ts';
import { decryptNotification } from '../../../src/features/ins/notification.ts';
import { eventOf } from '../../../src/features/ins/sample-event.ts';
import { emptyHome, cb as program } from '../../support/binary.ts';
import { type Home, home, now, sandboxHome } from '../../support/cb.ts';
import { insEnv, insSecret, receiveForwards } from '../../support/ins-listener.ts';
import { expectExit } from '../../support/refusal.ts';
import { sandboxJson } from '../../support/sandbox.ts';
import { servedHome } from '../../support/served-home.ts';
import { serve } from '../../support/server.ts';

const days = '--start-date 2026-03-04 --end-date 2026-03-05';

interface Transaction {
  readonly receipt: string;
  readonly transactionType: string;
  readonly totalOrderAmount: number;
  readonly currency: string;
}

const key = ({ receipt, transactionType }: Transaction) => `${transactionType} ${receipt}`;

async function transactions(shop: Home): Promise<readonly Transaction[]> {
  const rows: Transaction[] = await sandboxJson(shop, `orders list ${days} --role VENDOR`);
  return rows.filter(({ transactionType }) => !transactionType.endsWith('FEE'));
}

const journalOf = ({ folder }: Pick<Home, 'folder'>) =>
  openJournal(join(folder, '.local/share/clickbank-cli/notifications.sqlite'));

async function accept(shop: Pick<Home, 'folder'>, events: readonly ReturnType<typeof eventOf>[]) {
  const journal = await journalOf(shop);
  for (const exact of events) {
    const source = { exact, text: eventText(exact), body: null, isReconstructed: false };
    await journal.accept(journaledEvent({ ...source, receivedAt: now.getTime() }), { kinds: [] });
  }
  journal.close();
}

async function change(shop: Home, sql: string, values: readonly (string | number)[] = []) {
  const journal = await journalOf(shop);
  journal.database.run(sql, values);
  journal.close();
}

/** The receiver to which events are sent again. */
const listen = ({ cb }: Home, to: string) =>
  cb(`ins listen --port 0 --limit 0 --forward-to ${to}`, { env: insEnv });

/** A shop whose receiver got the events of two days, all of them reconstructed. */
async function replayedShop() {
  const shop = await sandboxHome(5000);
  const receiver = await receiveForwards();
  const line = `--sandbox ins reconcile ${days} --replay-missing --forward-to ${receiver.url}`;
  const ran = await shop.cb(line, { env: insEnv });
  await listen(shop, receiver.url);
  return { shop, receiver, ran };
}

test('reconstructs every event that never arrived, and resends events by ID and those that failed', async () => {
  const { shop, receiver, ran } = await replayedShop();
  expect(ran.code).toBe(0);
  const listed = await transactions(shop);
  expect(listed.length).toBeGreaterThan(20);
  const received: Transaction[] = receiver.bodies.map((body) => JSON.parse(body));
  expect(received.map(key).toSorted()).toEqual(listed.map(key).toSorted());
  const amounts = new Map(listed.map((row) => [key(row), row.totalOrderAmount]));
  for (const one of received) expect(one.totalOrderAmount).toBe(amounts.get(key(one)));
  const again = await shop.cb(`--sandbox ins reconcile ${days} --replay-missing`);
  expect(again).toMatchObject({ code: 0, err: expect.stringContaining('No differences.') });
  const { length } = receiver.bodies;
  expect(length).toBe(listed.length);

  const list = async (options: string) =>
    JSON.parse((await shop.cb(`ins list -o json ${options}`)).out);
  const csv = await shop.cb('ins list -o csv');
  expect(csv.out.split('\n')[0]).toBe(
    'receivedAt,id,type,receipt,amount,currency,vendor,role,state,result,transactionTime,copies,isReconstructed,duplicateOf',
  );
  const replayed = { isReconstructed: true, state: 'delivered' };
  expect(await list('--limit 3')).toMatchObject(Array(3).fill(replayed));
  const types = 'sale,BILL,rfnd,CGBK,test-sale,TEST_BILL,TEST_RFND';
  for (const all of [`--type ${types}`, '--since today', '--since 2h']) {
    expect(await list(all)).toHaveLength(length);
  }
  expect((await list('--type SALE')).length).toBeLessThan(length);
  const refunds = await list('--type RFND');
  expect(refunds[0]).toMatchObject({ type: 'RFND' });
  expect(await list('--type refund')).toEqual(refunds);
  expect(await list('--type bogus')).toEqual([]);
  for (const none of ['--type SALE --receipt NOSUCH01', '--since tomorrow', '--failed']) {
    expect(await list(none)).toEqual([]);
  }

  const sent = await shop.cb('ins resend 2 1 3 --limit 2 -o ndjson');
  expectExit(sent, 0, 'Sent 2 events; 2 arrived.');
  expect(receiver.bodies.slice(length)).toEqual([receiver.bodies[1], receiver.bodies[0]]);
  // A running listener leaves the event to the command for a minute.
  const due: unknown[] = [];
  const broken = await receiveForwards(async (reply) => {
    const journal = await journalOf(shop);
    due.push(...journal.due('forward', now.getTime() + 59_000, 10));
    journal.close();
    reply.writeHead(500).end();
  });
  const failed = await shop.cb(`ins resend 3 --forward-to ${broken.url} -o ndjson`);
  expect(failed.code).toBe(8);
  expect(JSON.parse(failed.out)).toMatchObject({ id: 3, result: 'HTTP 500' });
  expect(due).toEqual([]);
  const stop = new AbortController();
  const silent = await receiveForwards(() => stop.abort(130));
  const stopped = `ins resend 3 --forward-to ${silent.url}`;
  expect((await shop.cb(stopped, { signal: stop.signal })).code).toBe(130);
  // The receiver has both; the next sync reads the first.
  await change(shop, "INSERT INTO delivery VALUES (1, 'sync', 'failed', 1, 0, 0, 'late')");
  await change(shop, "INSERT INTO delivery VALUES (2, 'exec', 'failed', 1, 0, 0, 'exit code 1')");
  const repaired = await shop.cb('ins resend --undelivered -o ndjson');
  expect(repaired).toMatchObject({ code: 0, err: expect.stringContaining('Sent 1 event; 1') });
  expect(receiver.bodies.at(-1)).toBe(receiver.bodies[2]);
  await shop.cb(`ins resend 1 --forward as-received --forward-to ${receiver.url}`);
  const event = decryptNotification(receiver.bodies.at(-1) ?? '', insSecret);
  expect(event.receipt).toBe(JSON.parse(receiver.bodies[0] ?? '').receipt);
});

test('names lost, undelivered, doubled, changed and unknown events, and ends with 8', async () => {
  const { shop, receiver } = await replayedShop();
  const reconcile = (options = '') => shop.cb(`--sandbox ins reconcile ${days} ${options}`);
  const sales = (await transactions(shop)).filter((row) => row.transactionType === 'SALE');
  const foreign = sales.find(({ currency }) => currency !== 'USD')?.receipt ?? '';
  // The event has the amount of the customer, and the order perhaps US dollars.
  await change(shop, "UPDATE event SET amount = '8.69' WHERE receipt = ?", [foreign]);
  await change(shop, "INSERT INTO delivery VALUES (3, 'sync', 'pending', 0, 0, NULL, NULL)");
  expectExit(await reconcile(), 0, 'No differences.');

  // As an earlier version recorded it.
  await change(shop, 'DELETE FROM delivery WHERE event_id = 2');
  expectExit(await reconcile(), 8, '1 not delivered.');
  expect((await reconcile('--replay-missing')).code).toBe(0);
  expect(receiver.bodies.at(-1)).toBe(receiver.bodies[1]);
  expect((await reconcile()).code).toBe(0);

  const inDollars = sales.filter(({ currency }) => currency === 'USD');
  const [lost = '', changed = '', doubled = '', unknown = ''] = inDollars.map((row) => row.receipt);
  await change(shop, 'DELETE FROM event WHERE receipt = ?', [lost]);
  await change(shop, "UPDATE event SET amount = '1.23' WHERE receipt = ?", [changed]);
  const copied = `INSERT INTO event (received_at, type, receipt, event_time, event_day, amount, vendor, text,
    fingerprint, reconstructed) SELECT received_at, type, ?, event_time, event_day, amount, vendor, text, 'x', 0
    FROM event WHERE receipt = ? AND type = 'SALE'`;
  // As `--duplicates` records an exact duplicate.
  await change(shop, copied, [changed, changed]);
  await change(shop, "UPDATE event SET duplicate_of = 1 WHERE fingerprint = 'x'");
  await change(shop, copied, [doubled, doubled]);
  await change(shop, copied, ['UNKNOWN1', unknown]);
  const { code, out, err } = await reconcile('-o json');
  expect(code).toBe(8);
  const found: readonly { problem: string; receipt: string }[] = JSON.parse(out);
  expect(found.map(({ problem, receipt }) => `${problem}: ${receipt}`).toSorted()).toEqual([
    `amount: ${changed}`,
    `double: ${doubled}`,
    `missing: ${lost}`,
    'no order: UNKNOWN1',
  ]);
  expect(err).toContain('1 missing, 1 with another amount, 1 double, 1 without an order.');
});

test('finds events of version 6, whose times are ISO 8601, but none about products of others', async () => {
  const shop = await sandboxHome();
  const time = { transactionTime: '2026-03-04T10:10:10-08:00' };
  const sample = (receipt: string) => ({
    ...eventOf('SALE', { now, version: 6, receipt }),
    ...time,
  });
  const ofOthers = { ...sample('OTHERS01'), role: 'AFFILIATE' };
  await accept(shop, [{ ...sample('FAKEISO1'), role: 'VENDOR' }, ofOthers]);
  const line = `--sandbox ins reconcile ${days} --vendor`;
  const { code, out } = await shop.cb(`${line} GreenLeaf -o csv --fields problem,receipt,time`);
  expect(code).toBe(8);
  expect(out).toContain('no order,FAKEISO1,2026-03-04T10:10:10-0800\n');
  expect(out).not.toContain('OTHERS01');
  const none = await shop.cb(`${line} nosuch`);
  expect(none.err).toContain('note: The period has no order and no event of nosuch.');
  const fields = 'receipt,vendor,transactionTime';
  const listed = await shop.cb(`ins list --receipt fakeiso1 -o csv --fields ${fields}`);
  expect(listed.out).toBe(`${fields}\nFAKEISO1,greenleaf,2026-03-04T10:10:10-0800\n`);
});

test.each([
  [['VENDOR', 'AFFILIATE'], 0, 'No differences.'],
  [['AFFILIATE'], 8, '1 missing.'],
])(
  'compares an own referral with the event of its vendor alone, of %j',
  async (roles, code, says) => {
    const row = { receipt: 'OWNAFF01', transactionType: 'SALE', vendor: 'GREENLEAF' };
    const orderData = [{ ...row, transactionTime: '2026-03-04T10:00:00-08:00' }];
    const shop = await servedHome((reply) => reply.end(JSON.stringify({ orderData })));
    const event = eventOf('SALE', { now, receipt: row.receipt });
    await accept(
      shop,
      roles.map((role) => ({ ...event, role })),
    );
    expectExit(await shop.cb(`ins reconcile ${days}`), code, says);
  },
);

test('takes the event of a returned check for the chargeback in the list', async () => {
  const orderData = [
    {
      ...{ receipt: 'CHECK001', transactionType: 'CGBK', paytmentMethod: 'CHECK' },
      ...{ totalOrderAmount: -19.9, currency: 'USD', vendor: 'GREENLEAF' },
      transactionTime: '2026-03-04T10:00:00-08:00',
    },
  ];
  const shop = await servedHome((reply) => reply.end(JSON.stringify({ orderData })));
  const receiver = await receiveForwards();
  const env = { ...shop.env, ...insEnv };
  const line = `ins reconcile ${days} --replay-missing --forward-to ${receiver.url}`;
  expect((await shop.cb(line, { env })).code).toBe(0);
  expect(receiver.bodies.map((body) => JSON.parse(body))).toMatchObject([
    {
      ...{ transactionType: 'INSF', receipt: 'CHECK001', paymentMethod: 'CHECK' },
      ...{ totalOrderAmount: -19.9, transactionTime: '20260304T100000-0800' },
    },
  ]);
  expectExit(await shop.cb(`ins reconcile ${days}`, { env }), 0, 'No differences.');
});

test('names and delivers the events of a run that was killed, and none twice', async () => {
  const receipts = ['KILLED01', 'KILLED02', 'KILLED03', 'KILLED04'];
  const orderData = receipts.toReversed().map((receipt, i) => ({
    ...{ receipt, transactionType: 'SALE', totalOrderAmount: 19.9, vendor: 'GREENLEAF' },
    transactionTime: `2026-03-04T10:00:0${9 - i}-08:00`,
  }));
  const service = await serve((reply) => reply.end(JSON.stringify({ orderData })));
  const receiver = await receiveForwards((reply, number) => number !== 3 && reply.end());
  const folder = emptyHome();
  const env = { ...service.env, ...insEnv };
  const reconcile = (options: string) =>
    home(folder).cb(`ins reconcile ${days} ${options}`, { env });
  const replay = `--replay-missing --forward-to ${receiver.url}`;
  const line = ['ins', 'reconcile', ...`${days} ${replay}`.split(' ')];
  const killed = program(line, { home: folder, env });
  await receiver.until(3);
  killed.child.kill('SIGKILL');
  await killed.ended();
  const named = await reconcile('-o csv --fields problem,receipt,eventId');
  expect(named).toMatchObject({
    code: 8,
    out: 'problem,receipt,eventId\nundelivered,KILLED03,3\nmissing,KILLED04,\n',
    err: expect.stringContaining('1 missing, 1 not delivered.'),
  });
  expect((await reconcile(replay)).code).toBe(0);
  const [one, two, three, four] = receipts;
  expect(receiver.receipts()).toEqual([one, two, three, three, four]);
  expect((await reconcile('-o csv')).code).toBe(0);
});

test('records no event without its delivery', async () => {
  const shop = await sandboxHome();
  const receiver = await receiveForwards();
  await change(
    shop,
    `CREATE TRIGGER broken BEFORE INSERT ON delivery WHEN NEW.event_id = 3
     BEGIN SELECT RAISE(ABORT, 'broken'); END`,
  );
  const line = `--sandbox ins reconcile ${days} --replay-missing --forward-to ${receiver.url}`;
  expect((await shop.cb(line, { env: insEnv })).code).not.toBe(0);
  expect(receiver.bodies).toHaveLength(2);
  expect(JSON.parse((await shop.cb('ins list -o json')).out)).toHaveLength(2);
});

test('does not reconstruct what ClickBank may still send', async () => {
  const shop = await sandboxHome();
  const receiver = await receiveForwards();
  const line = `--sandbox ins reconcile --period today --replay-missing --forward-to ${receiver.url}`;
  expectExit(await shop.cb(`${line} -o json`), 0, /: \d+ late|journal\. \d+ late/);
  expect(receiver.bodies).toEqual([]);
});

test('remembers the consent to one other machine, asks again for another one, and never sends plain events without TLS', async () => {
  const { cb } = home();
  const resend = 'ins resend --undelivered';
  const encrypted = '--forward-to http://shop.example/ins --forward as-received --yes';
  for (const [line, code] of [
    [`${resend} --forward-to https://shop.example/ins --yes`, 0],
    [`${resend} --forward-to https://shop.example/other`, 0],
    [`${resend} --forward-to https://other.example/ins`, 10],
    [`${resend} ${encrypted}`, 0],
    [resend, 2],
    [`ins listen --port 0 --limit 0 ${encrypted}`, 0],
    [resend, 0],
    [`${resend} --forward plain`, 2],
  ] as const) {
    expect({ line, ...(await cb(line, { env: insEnv })) }).toMatchObject({ line, code });
  }
});
