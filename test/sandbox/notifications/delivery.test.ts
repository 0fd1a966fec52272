/** URLs, attempts, retries on the sandbox's clock, loss, the independence of requests from receivers, and faults on demand. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { cb as binary } from '../../support/binary.ts';
import { home } from '../../support/cb.ts';
import { cert } from '../../support/certificate.ts';
import { listen, serveSecurely } from '../../support/server.ts';
import { DAY, getJson, openSandbox } from '../raw.ts';
import { rowsIn, storeFile } from '../store/store-file.ts';
import { CANCEL } from '../tickets/ticket-raw.ts';
import {
  answering,
  brief,
  CHANGE,
  change,
  countOpen,
  decrypted,
  eventsOf,
  HOUR,
  logOf,
  REINSTATE,
  receive,
  SECRET,
  told,
} from './receiver.ts';

const PATH = `tickets/MONTHLY1?${CANCEL}`;

test('sends to two URLs independently, each with its own key', async () => {
  const bad = await receive(answering(500));
  const { sandbox, to } = await told();
  sandbox.notifications.add({ url: bad.url, secret: 'SECOND', version: 6 });
  await change(sandbox, PATH);
  await eventsOf({ sandbox, to });
  expect(to.events().map(brief)).toEqual(['CANCEL-REBILL MONTHLY1', 'TEST ********']);
  expect(bad.bodies).toHaveLength(2);
  const states = logOf(sandbox).map(({ url, type, state }) => `${url === to.url} ${type} ${state}`);
  expect(states).toEqual([
    ...['false TEST lost', 'true TEST delivered'],
    ...['false CANCEL-REBILL pending', 'true CANCEL-REBILL delivered'],
  ]);
});

test('forgets what was not delivered when its URL is removed', async () => {
  const { sandbox, to } = await told({ to: await receive(answering(500)) });
  await change(sandbox, PATH);
  await to.until(1);
  expect(sandbox.notifications.remove(to.url)).toBe(true);
  expect(sandbox.notifications.remove(to.url)).toBe(false);
  await sandbox.advance(DAY);
  expect(to.bodies).toHaveLength(1);
  expect(logOf(sandbox)).toEqual([]);
});

test('forgets an attempt whose URL is removed meanwhile', async () => {
  let end = () => {};
  const to = await receive((_, response) => {
    end = () => response.end();
  });
  const { sandbox } = await told({ to });
  const sent = sandbox.notifications.test();
  await to.until(1);
  sandbox.notifications.remove(to.url);
  end();
  expect(await sent).toEqual([]);
});

test.each([
  ...[200, 201, 204, 299].map((status) => [status, 'delivered', 'delivered'] as const),
  ...[101, 301, 302, 400, 404, 500].map((status) => [status, 'lost', 'pending'] as const),
])('counts a test with status %i as %s, and an event as %s', async (status, ofTest, ofEvent) => {
  const answer = answering(status);
  const to = await receive((request, response, body) => {
    if (status >= 300) response.setHeader('Location', '/elsewhere');
    // Node then ends the request without a response and without an error.
    if (status < 200) response.writeHead(status, { connection: 'upgrade', upgrade: 'x' }).end();
    else answer(request, response, body);
  });
  const { sandbox } = await told({ to });
  await change(sandbox, REINSTATE);
  await sandbox.notifications.test();
  expect(to.bodies).toHaveLength(2);
  expect(logOf(sandbox)).toMatchObject([
    { type: 'TEST', state: ofTest, status: status < 200 ? null : status, nextAttempt: null },
    { type: 'UNCANCEL-REBILL', state: ofEvent },
  ]);
});

test.each([
  ['one step after the other', [0, 4 * HOUR - 1, 1, 4 * HOUR, 4 * HOUR, 4 * HOUR, 2 * DAY]],
  ['one long step', [DAY]],
])(
  'tries again every 4 hours of the sandbox clock, five times in all, and then loses it, in %s',
  async (_, steps) => {
    const { sandbox, to } = await told({ to: await receive(answering(500)) });
    await change(sandbox, REINSTATE);
    await to.until(1);
    const received = [];
    for (const seconds of steps) {
      await sandbox.advance(seconds);
      received.push(to.events().filter(({ receipt }) => receipt === 'CANCEL01').length);
    }
    expect(received).toEqual(steps.length > 1 ? [1, 1, 2, 3, 4, 5, 5] : [5]);
    const own = to.events().filter(({ receipt }) => receipt === 'CANCEL01');
    expect(own.map(({ attemptCount }) => attemptCount)).toEqual([1, 2, 3, 4, 5]);
    const entry = logOf(sandbox).find(({ receipt }) => receipt === 'CANCEL01');
    expect(entry).toMatchObject({ state: 'lost', attemptCount: 5, status: 500, nextAttempt: null });
    const start = Date.parse(entry?.time ?? '');
    expect(entry?.attempts.map(({ time }) => (Date.parse(time) - start) / 3_600_000)).toEqual([
      ...[0, 4, 8, 12, 16],
    ]);
  },
);

test('needs only the status within 3 seconds, not the end of the response', async () => {
  const to = await receive((_, response) => {
    if (to.bodies.length > 1) return;
    response.flushHeaders();
    response.write('x'.repeat(200_000));
  });
  const { sandbox } = await told({ to });
  for (const _ of [1, 2]) await sandbox.notifications.test();
  expect(logOf(sandbox)).toMatchObject([
    { state: 'lost', status: null, error: 'no response within 3 seconds' },
    { state: 'delivered', status: 200 },
  ]);
});

test('sends notifications as time passes, without a request, at most eight at a time, and answers requests while a receiver does not', async () => {
  const held: (() => void)[] = [];
  const { counting, most } = countOpen((end) => held.push(end));
  const to = await receive(counting);
  let days = 0;
  const now = () => new Date(Date.UTC(2026, 2, 18 + days, 19));
  const { sandbox } = await told({ to, seed: { orders: 600 }, now });
  days = 5;
  await to.until(8);
  for (let count = 0; count < 10; count += 1) {
    expect((await getJson(sandbox, '/rest/1.3/orders2/MONTHLY1')).status).toBe(200);
  }
  const answers = setInterval(() => {
    for (const end of held.splice(0)) end();
  }, 5);
  onTestFinished(() => clearInterval(answers));
  await sandbox.notifications.test();
  expect(to.events().length).toBeGreaterThan(20);
  expect(most()).toBe(8);
});

test('sends the events of one order one after the other', async () => {
  const { counting, most } = countOpen((end) => setTimeout(end, 5));
  const { sandbox, to } = await told({ to: await receive(counting) });
  const pair = ['CANCEL-REBILL', 'UNCANCEL-REBILL'];
  await change(sandbox, REINSTATE);
  for (let count = 0; count < 3; count += 1) {
    await change(sandbox, `tickets/CANCEL01?${CANCEL}`);
    await change(sandbox, REINSTATE);
  }
  const events = (await eventsOf({ sandbox, to })).map(({ transactionType }) => transactionType);
  expect(events).toEqual(['UNCANCEL-REBILL', ...pair, ...pair, ...pair]);
  // The test notification belongs to no order.
  expect(most()).toBeLessThanOrEqual(2);
});

test('sends what is due before the sandbox closes', async () => {
  const { sandbox, to } = await told({ file: storeFile() });
  await change(sandbox, PATH);
  await sandbox.close();
  expect(to.events().map(brief)).toEqual(['CANCEL-REBILL MONTHLY1']);
});

test('keeps what a closed sandbox could not send for the next one', async () => {
  const file = storeFile();
  let isAnswering = false;
  const to = await receive((_, response) => {
    if (isAnswering) response.end();
  });
  const { sandbox } = await told({ file, to });
  await change(sandbox, PATH);
  await change(sandbox, REINSTATE);
  await to.until(2);
  await sandbox.close();
  isAnswering = true;
  const asked = to.bodies.length;
  const next = await openSandbox({ file });
  await next.advance(4 * HOUR);
  const events = to.events().slice(asked);
  expect(events.map(brief).sort()).toEqual(['CANCEL-REBILL MONTHLY1', 'UNCANCEL-REBILL CANCEL01']);
});

test('delivers notifications that become due at once to two URLs, each exactly once, also when two sandboxes serve one store', async () => {
  const file = storeFile();
  const { counting, most } = countOpen((end) => setImmediate(end));
  const receivers = [await receive(counting), await receive()];
  const sandbox = await openSandbox({ file, seed: { orders: 500 } });
  for (const { url } of receivers) {
    sandbox.notifications.add({ url, secret: SECRET, version: 8 });
  }
  sandbox.notifications.setFaults('delay=100%:6d');
  await sandbox.advance(5 * DAY);
  expect(receivers.map(({ bodies }) => bodies.length)).toEqual([0, 0]);
  const recorded = logOf(sandbox).length / 2;
  expect(recorded).toBeGreaterThan(20);
  sandbox.notifications.setFaults(undefined);
  const other = await openSandbox({ file });
  await Promise.all([sandbox.advance(3 * DAY), other.advance(3 * DAY)]);
  await sandbox.notifications.test();
  for (const { events } of receivers) {
    const keys = events().map((event) => `${brief(event)} ${event.transactionTime}`);
    expect(keys.length).toBeGreaterThan(recorded);
    expect(keys.length).toBe(new Set(keys).size);
  }
  // Eight of each sandbox.
  expect(most()).toBeLessThanOrEqual(16);
  expect(logOf(sandbox).filter(({ state }) => state !== 'delivered')).toEqual([]);
});

test('keeps the last 20,000 events in the log', async () => {
  const file = storeFile();
  const { sandbox } = await told({ file });
  await sandbox.notifications.test();
  await rowsIn(
    file,
    `INSERT INTO notification (time, type, receipt, body)
     SELECT 1, 'SALE', 'OLD', '' FROM (WITH RECURSIVE n(i) AS (
       SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000) SELECT i FROM n) RETURNING id`,
  );
  await sandbox.notifications.test();
  const kept = await rowsIn(file, 'SELECT id FROM notification WHERE id IN (5002, 5003)');
  expect(kept).toEqual([{ id: 5003 }]);
});

test('survives a receiver that closes, resets or answers with garbage', async () => {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    if (count % 3 === 0) socket.resetAndDestroy();
    else if (count % 3 === 1) socket.destroy();
    else socket.end('\u0001\u0002 not HTTP\n');
  });
  const port = await listen(server);
  const sandbox = await openSandbox();
  sandbox.notifications.add({ url: `http://127.0.0.1:${port}/`, secret: SECRET, version: 8 });
  await change(sandbox, PATH);
  await sandbox.advance(2 * DAY);
  expect(logOf(sandbox).at(-1)).toMatchObject({ state: 'lost', attemptCount: 5, status: null });
  expect((await getJson(sandbox, '/rest/1.3/orders2/MONTHLY1')).status).toBe(200);
});

test('sends only to a receiver whose certificate is trusted, as with NODE_EXTRA_CA_CERTS, even if Node verifies none', async () => {
  const bodies: string[] = [];
  const { url } = await serveSecurely(async (request, response) => {
    bodies.push(await text(request));
    response.end();
  });
  const { cb, folder } = home();
  const options = { now: () => new Date() };
  await cb('sandbox seed --orders 60', options);
  await cb(`sandbox ins add ${url} --secret ${SECRET}`, options);
  const sent = (env = {}) => binary(['sandbox', 'ins', 'test'], { home: folder, env }).ended();
  for (const env of [{}, { NODE_TLS_REJECT_UNAUTHORIZED: '0' }]) {
    const err = expect.stringContaining('not delivered (DEPTH_ZERO_SELF_SIGNED_CERT)');
    expect(await sent(env)).toMatchObject({ code: 6, err });
  }
  expect(bodies).toEqual([]);
  const file = join(folder, 'ca.pem');
  writeFileSync(file, cert);
  expect((await sent({ NODE_EXTRA_CA_CERTS: file })).code).toBe(0);
  expect(JSON.parse(decrypted(bodies[0] ?? ''))).toMatchObject({ transactionType: 'TEST' });
});

const FIRST = 'UNCANCEL-REBILL CANCEL01';
const SECOND = 'SUBSCRIPTION-CHG MONTHLY1';

async function with2(faults: string) {
  const world = await told();
  world.sandbox.notifications.setFaults(faults);
  await change(world.sandbox, REINSTATE);
  await change(world.sandbox, CHANGE);
  const events = await eventsOf(world);
  return { ...world, events: events.map(brief), log: logOf(world.sandbox).reverse() };
}

test('sends a reordered notification after a later one, or alone if there is none', async () => {
  expect((await with2('reorder=#1')).events).toEqual([SECOND, FIRST]);
  const world = await told();
  world.sandbox.notifications.setFaults('reorder=100%');
  await change(world.sandbox, REINSTATE);
  await world.sandbox.advance(4 * HOUR);
  expect(world.to.events().map(brief)).toContain(FIRST);
});

/** Of two events, with the attempts of the first that have arrived after 4 hours, and its log before that. */
test.each([
  ['duplicate=#1', 'sends an event twice', [SECOND, FIRST, FIRST], [1, 1], 'delivered', null],
  ['delay=#1:4h', 'sends an event later, once', [SECOND], [1], 'pending', null],
  ['cut=#1', 'cuts a request, and tries again', [SECOND], [2], 'pending', 'by a fault'],
  ['timeout=#1', 'ignores an answer', [SECOND, FIRST], [1, 2], 'pending', 'within 3 seconds'],
  ['drop=#1', 'never sends an event', [SECOND], [], 'lost', 'never sent, by a fault'],
])('with the fault %s, %s', async (fault, _, atOnce, attempts, state, error) => {
  const { sandbox, to, events, log } = await with2(fault);
  expect(events.sort()).toEqual(atOnce);
  const tried = fault.startsWith('delay') ? [] : [{ fault: fault.split('=')[0] }];
  expect(log[0]).toMatchObject({ state, attempts: tried });
  expect(log[0]?.error ?? null).toEqual(error && expect.stringContaining(error));
  const received = () => to.bodies.filter((body) => decrypted(body).includes('CANCEL01'));
  await sandbox.advance(4 * HOUR - 1);
  expect(received()).toHaveLength(atOnce.filter((event) => event === FIRST).length);
  await sandbox.advance(1);
  const counts = received().map((body) => JSON.parse(decrypted(body)).attemptCount);
  expect(counts).toEqual(attempts);
  // A duplicate is exact.
  expect(new Set(received()).size).toBe(new Set(attempts).size);
});

test('encrypts with another key', async () => {
  const world = await told();
  world.sandbox.notifications.setFaults('wrong-key=#1');
  await change(world.sandbox, REINSTATE);
  await world.sandbox.notifications.test();
  const [body = ''] = world.to.bodies;
  expect(() => JSON.parse(decrypted(body))).toThrow();
  expect(logOf(world.sandbox)[1]).toMatchObject({ sent: body, attempts: [{ fault: 'wrong-key' }] });
});

test('applies faults only to the named types, counts them, and stops', async () => {
  const { sandbox, events } = await with2('drop=100%, only=subscription-chg');
  expect(events).toEqual([FIRST]);
  expect(sandbox.notifications.faults()).toEqual({
    faults: 'drop=100%,only=subscription-chg',
    took: [{ fault: 'drop=100%', times: 1 }],
  });
  sandbox.notifications.setFaults(undefined);
  expect(sandbox.notifications.faults()).toEqual({ faults: null, took: [] });
});

test('affects about the given share, and the same notifications for the same seed', async () => {
  const droppedWith = async (faults: string) => {
    const { sandbox } = await told({ seed: { orders: 600 } });
    sandbox.notifications.setFaults(faults);
    await sandbox.advance(8 * DAY);
    const log = logOf(sandbox);
    const lost = log.filter(({ state }) => state === 'lost');
    return { all: log.length, ids: lost.map(({ id }) => id) };
  };
  const { all, ids } = await droppedWith('drop=20%');
  expect(ids.length / all).toBeGreaterThan(0.1);
  expect(ids.length / all).toBeLessThan(0.3);
  expect((await droppedWith('drop=20%')).ids).toEqual(ids);
  expect((await droppedWith('drop=20%,seed=2')).ids).not.toEqual(ids);
});

test('loses no event under duplicates, reordering, cuts and timeouts', async () => {
  const { sandbox, to } = await told({ seed: { orders: 600 } });
  sandbox.notifications.setFaults('duplicate=20%,reorder=20%,delay=10%:3h,cut=10%,timeout=10%');
  await sandbox.advance(6 * DAY);
  sandbox.notifications.setFaults(undefined);
  await sandbox.advance(2 * DAY);
  const body = (text: string) => text.replace(/"attemptCount":\d+/, '');
  const received = new Set(to.texts().map(body));
  const log = logOf(sandbox);
  expect(log.length).toBeGreaterThan(30);
  expect(log.filter(({ state }) => state !== 'delivered')).toEqual([]);
  expect(log.filter((entry) => !received.has(body(entry.body)))).toEqual([]);
  expect(to.bodies.length).toBeGreaterThan(log.length);
});

test.each([
  ['nothing', 'is not a fault. Use one of duplicate, reorder,'],
  ['duplicate=often', 'has an invalid frequency. Use 10% or #3 (the next three).'],
  ['delay=10%:soon', 'has an invalid time.'],
  ['only=RFND', 'contains no fault.'],
  ['drop=#1,seed=x', 'must be a whole number'],
  ['drop=#1,only=REFUND', 'is not a type. Use SALE, BILL, RFND, CGBK, TEST_SALE,'],
])('refuses %s', async (list, says) => {
  const { sandbox } = await told();
  const wrong = list.split(',').at(-1);
  expect(() => sandbox.notifications.setFaults(list)).toThrow(`'${wrong}' ${says}`);
});
