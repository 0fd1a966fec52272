/** The listener answers only what it has journaled, within its limits. */
import { request } from 'node:http';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { realClock } from '../../../../src/client/clock.ts';
import { eventText } from '../../../../src/features/ins/event-text.ts';
import {
  type Journal,
  journaledEvent,
  openJournal,
} from '../../../../src/features/ins/journal/journal.ts';
import { eventIds, eventPages } from '../../../../src/features/ins/journal/journal-queries.ts';
import {
  type ListenerOptions,
  rateLimiter,
  startListener,
} from '../../../../src/features/ins/listener.ts';
import { encryptNotification } from '../../../../src/features/ins/notification.ts';
import { eventOf } from '../../../../src/features/ins/sample-event.ts';
import { sendBytes } from '../../../sandbox/raw.ts';
import { emptyHome } from '../../../support/binary.ts';
import { now } from '../../../support/cb.ts';
import { insSecret, post, saleBody } from '../../../support/ins-listener.ts';

let file: string;
let journal: Journal;
let port: number;
let refusals: string[];
let failures: unknown[];

beforeEach(async () => {
  refusals = [];
  failures = [];
  file = join(emptyHome(), 'notifications.sqlite');
  journal = await openJournal(file);
  onTestFinished(() => journal.close());
  port = await listen({});
});

/** Returns the port of a listener for the journal of the test. */
async function listen(options: Partial<ListenerOptions>): Promise<number> {
  const listener = await startListener({
    onReceived: () => undefined,
    clock: realClock,
    ...options,
    port: 0,
    secrets: ['OTHERSECRET', insSecret],
    now: () => now.getTime(),
    accept: (event) => journal.accept(event, { kinds: ['forward'] }),
    onRefused: (reason) => refusals.push(reason),
    onNotJournaled: (error) => failures.push(error),
  });
  onTestFinished(() => listener.close());
  return listener.port;
}

function journaled() {
  return [...eventPages(journal.database, {})].flat();
}

test('journals a notification before it answers 200, whatever the path and the host', async () => {
  expect(await post(port, saleBody('SALE0001'), '/any/path?token=1')).toBe(200);
  expect(journaled()).toMatchObject([{ receipt: 'SALE0001', type: 'SALE', copies: 1 }]);
  const headers = { host: 'shop.example', origin: 'https://x.example' };
  const status = await new Promise((done) =>
    request({ port, method: 'POST', headers })
      .on('response', (response) => done(response.resume().statusCode))
      .end(saleBody('SALE0002')),
  );
  expect(status).toBe(200);
  expect(journal.due('forward', now.getTime(), 10)).toHaveLength(2);
});

test('counts an exact duplicate, also with another attempt count, and accepts it once', async () => {
  const event = eventOf('SALE', { now, receipt: 'TWICE001' });
  for (const attemptCount of [1, 1, 2]) {
    const body = encryptNotification({ ...event, attemptCount }, insSecret);
    expect(await post(port, body)).toBe(200);
  }
  expect(journaled()).toMatchObject([{ receipt: 'TWICE001', copies: 3 }]);
  expect(journal.due('forward', now.getTime(), 10)).toHaveLength(1);
});

test('takes a reconstructed event and its late notification for the same, whichever is first', async () => {
  const orders = { EARLY001: [true, false], LATER001: [false, true] };
  for (const [receipt, order] of Object.entries(orders)) {
    const accepted = [];
    for (const isReconstructed of order) {
      const exact = { ...eventOf('SALE', { now, receipt }), role: String(isReconstructed) };
      const source = { exact, text: eventText(exact), body: null, receivedAt: 0, isReconstructed };
      accepted.push(await journal.accept(journaledEvent(source), { kinds: [] }));
    }
    expect(accepted).toMatchObject([{ isDuplicate: false }, { isDuplicate: true }]);
  }
});

/** Changes the first block of the text of a notification, as anybody can without the secret. */
function withChangedIv(body: string, position: number): string {
  const { notification, iv } = JSON.parse(body);
  const bytes = Buffer.from(iv, 'base64');
  bytes[position] = (bytes[position] ?? 0) ^ 1;
  return JSON.stringify({ notification, iv: bytes.toString('base64') });
}

test.each([6, 7, 8] as const)('counts a copy with another IV once, version %i', async (version) => {
  const event = eventOf('SALE', { now, version, receipt: 'COPIED01' });
  const body = encryptNotification(event, insSecret);
  const copies = Array.from({ length: 14 }, (_, index) => withChangedIv(body, index + 2));
  for (const one of [body, ...copies]) expect(await post(port, one)).toBe(200);
  expect(journaled()).toMatchObject([{ receipt: 'COPIED01', copies: 15 }]);
  expect(journal.due('forward', now.getTime(), 10)).toHaveLength(1);
});

test('delivers a small event that differs from another only in its first block', async () => {
  for (const receipt of ['A', 'B', 'ABCD0001', 'EFGH0001']) {
    await post(port, encryptNotification({ receipt }, insSecret));
  }
  // Two events of one receipt stay apart.
  for (const type of ['SALE', 'RFND'] as const) {
    await post(port, encryptNotification(eventOf(type, { now, receipt: 'SAME0001' }), insSecret));
  }
  expect(journaled()).toHaveLength(6);
});

test('reads the time of an event in both forms, and any offset as Pacific time', async () => {
  const times = [
    ...['20260318T113000-0700', '2026-03-18T11:30:00-07:00', '2026-03-18T18:30:00.250Z'],
    ...['now', '20261318T151138-0800', '2026-02-18'],
  ];
  for (const [index, transactionTime] of times.entries()) {
    const event = { transactionTime, receipt: `TIME000${index}` };
    await post(port, encryptNotification(event, insSecret));
  }
  const pacific = '2026-03-18T11:30:00-0700';
  const found = journaled().map(({ eventTime }) => eventTime);
  expect(found).toEqual(['', '', '', pacific, pacific, pacific]);
});

describe('what cannot be decrypted', () => {
  const [notification, iv] = [64, 16].map((size) => Buffer.alloc(size, 1).toString('base64'));
  const bodies: readonly (readonly [what: string, body: string])[] = [
    ['an empty body', ''],
    ['base64 with a space', '{"notification":"aGVs G8=!","iv":"MDEyMw=="}'],
    ['a wrong padding', JSON.stringify({ notification, iv })],
    ['another secret', saleBody('STRANGER', 'UNKNOWNSECRET')],
    ['half of a body', saleBody('HALF0001').replace(/"notification":".{40}/, '"notification":"')],
  ];

  test.each(bodies)('gets the one answer for all failures: %s', async (_, body) => {
    const begin = performance.now();
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body });
    expect(response.status).toBe(400);
    // Not at once, so that the time does not tell how far decryption came.
    expect(performance.now() - begin).toBeGreaterThan(45);
    expect(await response.text()).toBe('');
    const headers = [...response.headers.keys()].filter((name) => name !== 'keep-alive');
    expect(headers).toEqual(['connection', 'content-length', 'date']);
    expect(journaled()).toEqual([]);
    expect(refusals).toHaveLength(1);
    expect(refusals.join()).not.toContain(insSecret);
  });
});

test('refuses a body of more than 1 MB without reading it', async () => {
  const chunk = Buffer.alloc(1_000_000, 'a');
  const sent = await new Promise<number>((done) => {
    let bytes = 0;
    const out = request({ port, method: 'POST' });
    const more = () => {
      bytes += chunk.length;
      if (bytes > 100_000_000) out.end();
      else out.write(chunk, (error) => (error ? done(bytes) : more()));
    };
    out.on('error', () => done(bytes));
    out.on('close', () => done(bytes));
    more();
  });
  expect(sent).toBeLessThan(100_000_000);
  expect(refusals).toEqual(['The body is too long.']);
  expect(await post(port, saleBody('AFTER001'))).toBe(200);
});

test('refuses more than 32 MB of bodies at a time, and accepts others when they are gone', async () => {
  const headers = { 'content-length': 1_000_000 };
  const sent = Array.from({ length: 33 }, () => {
    const out = request({ port, method: 'POST', headers }).on('error', () => undefined);
    out.write(Buffer.alloc(990_000, 'a'));
    return out;
  });
  const answers = sent.map(
    (out) => new Promise((done) => out.on('response', (response) => done(response.statusCode))),
  );
  expect(await Promise.race(answers)).toBe(503);
  expect(refusals).toContain('Too many notifications at a time.');
  for (const out of sent) out.destroy();
  await vi.waitFor(async () => expect(await post(port, saleBody('AFTER001'))).toBe(200));
});

test('answers others while a body arrives slowly, and closes its connection at last', async () => {
  const own = await listen({ requestTime: 1000 });
  const head = 'POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 1000\r\n\r\n';
  const slow = sendBytes({ url: `http://127.0.0.1:${own}` }, `${head}{"notif`);
  expect(await post(own, saleBody('QUICK001'))).toBe(200);
  expect(await slow).toMatch(/^HTTP\/1.1 408 /);
  expect(eventIds(journal.database, {})).toHaveLength(1);
});

test('answers 503 to what exceeds 2,000 notifications at once', async () => {
  const clock = { ...realClock, now: () => 0, sleep: async () => undefined };
  const url = `http://127.0.0.1:${await listen({ clock })}`;
  const empty = 'POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 0\r\n\r\n';
  const answers = (await sendBytes({ url }, empty.repeat(2001))).match(/(?<=HTTP\/1.1 )\d+/g);
  expect(answers).toEqual([...Array(2000).fill('400'), '503']);
});

test('keeps listening if an accepted event cannot be displayed', async () => {
  const at = await listen({
    onReceived() {
      throw new Error('broken');
    },
  });
  expect(await post(at, saleBody('SALE0001'))).toBe(200);
  expect(await post(at, saleBody('SALE0002'))).toBe(200);
  expect(journaled()).toHaveLength(2);
});

test('answers other methods than POST with 405', async () => {
  const response = await fetch(`http://127.0.0.1:${port}/../../etc/passwd`);
  expect(response.status).toBe(405);
  expect(await response.text()).toBe('');
});

test('answers 503 while another process holds the journal, so that the service sends it again', async () => {
  const other = await openJournal(file);
  other.database.execute('BEGIN IMMEDIATE');
  expect(await post(port, saleBody('LOCKED01'))).toBe(503);
  expect(failures).toHaveLength(1);
  other.database.execute('ROLLBACK');
  other.close();
  expect(await post(port, saleBody('LOCKED01'))).toBe(200);
  expect(journaled()).toMatchObject([{ receipt: 'LOCKED01', copies: 1 }]);
});

test('accepts a thousand requests a second on average, and more after a pause', () => {
  const mayAccept = rateLimiter({ perSecond: 1000, burst: 2000 });
  const accepted = (now: number, requests: number) =>
    Array.from({ length: requests }, () => mayAccept(now)).filter(Boolean).length;
  expect(accepted(0, 5000)).toBe(2000);
  expect(accepted(500, 5000)).toBe(500);
  expect(accepted(10_000, 5000)).toBe(2000);
});
