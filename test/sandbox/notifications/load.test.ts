/** Thousands of notifications at once: each arrives exactly once, and memory does not grow with their number. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openSandbox } from '../raw.ts';
import { rowsIn, storeFile } from '../store/store-file.ts';
import { DAY } from '../tickets/ticket-raw.ts';
import { decrypted, SECRET } from './receiver.ts';

/** Counts the events, without keeping their requests. */
async function count() {
  const times = new Map<string, number>();
  let most = 0;
  let open = 0;
  const server = createServer((request, response) => {
    open += 1;
    most = Math.max(most, open);
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      open -= 1;
      const event = JSON.parse(decrypted(body));
      const key = `${event.transactionType} ${event.receipt} ${event.transactionTime}`;
      times.set(key, (times.get(key) ?? 0) + 1);
      response.end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, times, most: () => most };
}

test('delivers thousands of notifications that become due at once to two URLs, each exactly once', async () => {
  const sandbox = await openSandbox({ seed: { orders: 20_000 } });
  const receivers = [await count(), await count()];
  for (const { url } of receivers) {
    sandbox.notifications.add({ url, secret: SECRET, version: 8 });
  }
  sandbox.notifications.setFaults('delay=100%:30d');
  await sandbox.advance(10 * DAY);
  expect(receivers.map(({ times }) => times.size)).toEqual([0, 0]);
  const recorded = [...sandbox.notifications.log()].flat().length / 2;
  sandbox.notifications.setFaults(undefined);
  await sandbox.advance(30 * DAY);
  for (const { times, most } of receivers) {
    expect(times.size).toBeGreaterThan(recorded);
    expect([...times.values()].filter((each) => each !== 1)).toEqual([]);
    expect(most()).toBeLessThanOrEqual(8);
  }
  expect(recorded).toBeGreaterThan(1500);
});

test('keeps the last 20,000 events in the log', async () => {
  const file = storeFile();
  const sandbox = await openSandbox({ file, seed: { orders: 60 } });
  const { url } = await count();
  sandbox.notifications.add({ url, secret: SECRET, version: 8 });
  await sandbox.notifications.test();
  await rowsIn(
    file,
    `INSERT INTO notification (time, type, receipt, body)
     SELECT 1, 'SALE', 'OLD', '' FROM (WITH RECURSIVE n(i) AS (
       SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25000) SELECT i FROM n) RETURNING id`,
  );
  await sandbox.notifications.test();
  const [gone] = await rowsIn(file, 'SELECT count(*) n FROM notification WHERE id = 5002');
  const [next] = await rowsIn(file, 'SELECT count(*) n FROM notification WHERE id = 5003');
  expect([gone?.n, next?.n]).toEqual([0, 1]);
});
