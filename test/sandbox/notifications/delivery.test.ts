/** Attempts, retries on the sandbox's clock, loss, and the independence of requests from receivers. */
import type { ServerResponse } from 'node:http';
import { connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { getJson, openSandbox } from '../raw.ts';
import { storeFile } from '../store/store-file.ts';
import { CANCEL, DAY } from '../tickets/ticket-raw.ts';
import {
  answering,
  brief,
  change,
  eventsOf,
  HOUR,
  logOf,
  receive,
  SECRET,
  told,
} from './receiver.ts';

const PATH = `tickets/MONTHLY1?${CANCEL}`;
const REINSTATE = 'orders2/CANCEL01/reinstate';

/** The hours between the event and each attempt, in the log. */
const hoursOf = (entry: { time: string; attempts: readonly { time: string }[] } | undefined) =>
  entry?.attempts.map(({ time }) => (Date.parse(time) - Date.parse(entry.time)) / 3_600_000);

test.each([200, 201, 204, 299])('counts status %i as delivered', async (status) => {
  const { sandbox } = await told({ to: await receive(answering(status)) });
  await sandbox.notifications.test();
  expect(logOf(sandbox)).toMatchObject([{ state: 'delivered', status, nextAttempt: null }]);
});

test.each([100, 301, 302, 400, 404, 500])('counts status %i as failed', async (status) => {
  const answer = answering(status);
  const to = await receive((request, response, body) => {
    if (status >= 300) response.setHeader('Location', '/elsewhere');
    if (status < 200) request.socket.destroy();
    else answer(request, response, body);
  });
  const { sandbox } = await told({ to });
  await change(sandbox, REINSTATE);
  await sandbox.notifications.test();
  expect(to.bodies).toHaveLength(2);
  expect(logOf(sandbox).map(({ type, state }) => `${type} ${state}`)).toEqual([
    'TEST lost',
    'UNCANCEL-REBILL pending',
  ]);
});

test('tries again every 4 hours of the sandbox clock, five times in all, and then loses it', async () => {
  const to = await receive(answering(500));
  const { sandbox } = await told({ to });
  await change(sandbox, REINSTATE);
  await to.until(1);
  for (let attempts = 2; attempts <= 5; attempts += 1) {
    await sandbox.advance(4 * HOUR - 1);
    expect(to.bodies).toHaveLength(attempts - 1);
    await sandbox.advance(1);
    expect(to.bodies).toHaveLength(attempts);
  }
  await sandbox.advance(2 * DAY);
  const own = to.events().filter(({ receipt }) => receipt === 'CANCEL01');
  expect(own.map(({ attemptCount }) => attemptCount)).toEqual([1, 2, 3, 4, 5]);
  const entry = logOf(sandbox).find(({ receipt }) => receipt === 'CANCEL01');
  expect(entry).toMatchObject({ state: 'lost', attemptCount: 5, status: 500, nextAttempt: null });
  expect(hoursOf(entry)).toEqual([0, 4, 8, 12, 16]);
});

test('makes all attempts of a longer time that the clock advances by at once', async () => {
  const to = await receive(answering(503));
  const { sandbox } = await told({ to });
  await change(sandbox, REINSTATE);
  await sandbox.advance(DAY);
  const entry = logOf(sandbox).find(({ receipt }) => receipt === 'CANCEL01');
  expect(hoursOf(entry)).toHaveLength(5);
  expect(entry?.state).toBe('lost');
});

test('delivers a later attempt of the same event with attemptCount 3', async () => {
  let answered = 0;
  const to = await receive((_, response) => {
    answered += 1;
    response.statusCode = answered > 2 ? 200 : 500;
    response.end();
  });
  const { sandbox } = await told({ to });
  await change(sandbox, REINSTATE);
  await sandbox.advance(8 * HOUR);
  const [first, , third] = to.texts();
  expect(third).toBe(first?.replace('"attemptCount":1', '"attemptCount":3'));
  expect(logOf(sandbox).at(-1)).toMatchObject({ state: 'delivered', attemptCount: 3 });
});

test('gives a receiver 3 seconds to answer', async () => {
  const to = await receive(() => undefined);
  const { sandbox } = await told({ to });
  await sandbox.notifications.test();
  expect(logOf(sandbox)).toMatchObject([
    { state: 'lost', status: null, error: 'no response within 3 seconds' },
  ]);
});

test('needs only the status, not the end of the response', async () => {
  const to = await receive((_, response) => {
    response.flushHeaders();
    response.write('x'.repeat(200_000));
  });
  const { sandbox } = await told({ to });
  await sandbox.notifications.test();
  expect(logOf(sandbox)).toMatchObject([{ state: 'delivered', status: 200 }]);
});

test('says why there is no response', async () => {
  const to = await receive();
  const { sandbox } = await told({ to });
  await to.close();
  await sandbox.notifications.test();
  expect(logOf(sandbox)).toMatchObject([{ state: 'lost', status: null, error: 'ECONNREFUSED' }]);
});

test('answers requests while a receiver does not, and sends at most eight notifications at a time', async () => {
  let open = 0;
  let most = 0;
  const held = new Set<ServerResponse>();
  const to = await receive((_, response) => {
    open += 1;
    most = Math.max(most, open);
    held.add(response);
    response.on('close', () => {
      open -= 1;
    });
  });
  let days = 0;
  const now = () => new Date(Date.UTC(2026, 2, 18 + days, 19));
  const { sandbox } = await told({ to, seed: { orders: 1000 }, now });
  days = 5;
  await to.until(8);
  for (let count = 0; count < 50; count += 1) {
    expect((await getJson(sandbox, '/rest/1.3/orders2/MONTHLY1')).status).toBe(200);
  }
  const answers = setInterval(() => {
    for (const response of held) response.end();
    held.clear();
  }, 5);
  onTestFinished(() => clearInterval(answers));
  await sandbox.notifications.test();
  expect(to.events().length).toBeGreaterThan(20);
  expect(most).toBe(8);
});

test('sends the events of one order one after the other', async () => {
  let open = 0;
  let most = 0;
  const to = await receive((_, response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      response.end();
    }, 5);
  });
  const { sandbox } = await told({ to });
  await change(sandbox, REINSTATE);
  for (let count = 0; count < 5; count += 1) {
    await change(sandbox, `tickets/CANCEL01?${CANCEL}`);
    await change(sandbox, REINSTATE);
  }
  const events = (await eventsOf({ sandbox, to })).map(({ transactionType }) => transactionType);
  const pair = ['CANCEL-REBILL', 'UNCANCEL-REBILL'];
  expect(events).toEqual(['UNCANCEL-REBILL', ...pair, ...pair, ...pair, ...pair, ...pair]);
  // The test notification belongs to no order.
  expect(most).toBeLessThanOrEqual(2);
});

test('sends what is due before the sandbox closes', async () => {
  const file = storeFile();
  const { sandbox, to } = await told({ file });
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

test('sends each notification once when two sandboxes serve one store', async () => {
  const file = storeFile();
  const { sandbox, to } = await told({ file, seed: { orders: 1000 } });
  const other = await openSandbox({ file });
  await Promise.all([sandbox.advance(4 * DAY), other.advance(4 * DAY)]);
  await sandbox.notifications.test();
  const keys = to
    .events()
    .map(({ receipt, transactionType, transactionTime }) =>
      [receipt, transactionType, transactionTime].join(),
    );
  expect(keys.length).toBeGreaterThan(20);
  expect(keys.length).toBe(new Set(keys).size);
  expect(logOf(sandbox).filter(({ state }) => state !== 'delivered')).toEqual([]);
});

test('survives a receiver that closes, resets or answers with garbage', async () => {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.on('error', () => undefined);
    if (count % 3 === 0) socket.resetAndDestroy();
    else if (count % 3 === 1) socket.destroy();
    else socket.end('\u0001\u0002 not HTTP\n');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  connect(port, '127.0.0.1').destroy();
  const sandbox = await openSandbox();
  sandbox.notifications.add({ url: `http://127.0.0.1:${port}/`, secret: SECRET, version: 8 });
  await change(sandbox, PATH);
  await sandbox.advance(2 * DAY);
  expect(logOf(sandbox).at(-1)).toMatchObject({ state: 'lost', attemptCount: 5, status: null });
  expect((await getJson(sandbox, '/rest/1.3/orders2/MONTHLY1')).status).toBe(200);
});
