/** Deliveries go on until they succeed, whatever the receiver and the journal do. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  type Destination,
  receiverAt,
  startDeliverer,
} from '../../../../src/features/ins/deliverer.ts';
import {
  type Journal,
  journaledEvent,
  openJournal,
} from '../../../../src/features/ins/journal/journal.ts';
import { deliveriesOf, eventIds } from '../../../../src/features/ins/journal/journal-queries.ts';
import { emptyHome } from '../../../support/binary.ts';
import { receiveForwards } from '../../../support/ins-listener.ts';
import { serveSecurely } from '../../../support/server.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

async function journalOf(receipts: readonly string[]): Promise<Journal> {
  const journal = await openJournal(join(emptyHome(), 'notifications.sqlite'));
  onTestFinished(() => journal.close());
  for (const receipt of receipts) {
    const exact = { receipt, transactionType: 'SALE' };
    const source = { exact, text: JSON.stringify(exact), body: 'body', isReconstructed: false };
    await journal.accept(journaledEvent({ ...source, receivedAt: 0 }), { kinds: ['forward'] });
  }
  return journal;
}

function deliver(journal: Journal, destination: Destination) {
  const clock = virtualClock(0);
  const unrecorded: unknown[] = [];
  const deliverer = startDeliverer({
    ...{ journal, destination, clock, kind: 'forward', most: 4 },
    now: clock.wall,
    onAttempt: () => undefined,
    onUnrecorded: (error) => unrecorded.push(error),
  });
  return { clock, deliverer, unrecorded };
}

/** Waits until nothing is to be delivered, and stops. */
async function settle(journal: Journal, deliverer: ReturnType<typeof startDeliverer>) {
  while (journal.pending('forward') > 0) await sleep(5);
  await deliverer.stop();
}

test('retries an event until the receiver accepts it', async () => {
  const receiver = await receiveForwards((reply, number) => {
    // Node then ends the request without a response and without an error.
    if (number === 1) reply.writeHead(101, { connection: 'upgrade', upgrade: 'x' }).end();
    else reply.writeHead(number < 8 ? 500 : 204).end();
  });
  const journal = await journalOf(['RETRY001']);
  const { clock, deliverer } = deliver(journal, receiverAt(new URL(receiver.url), 'plain'));
  await settle(journal, deliverer);
  expect(receiver.receipts()).toEqual(Array(8).fill('RETRY001'));
  expect(deliveriesOf(journal.database, 1)).toMatchObject([
    { kind: 'forward', state: 'done', attempts: 8, result: 'HTTP 204' },
  ]);
  // 1s, 5s, 30s, 2m, 10m, 30m and an hour.
  expect(clock.waited).toBeGreaterThanOrEqual(6_156_000);
});

test('gives up after three days, and keeps the event', async () => {
  const journal = await journalOf(['LOST0001']);
  // The 78th attempt is the last one: an hour passes before each of the last three.
  journal.database.run('UPDATE delivery SET attempts = 74');
  const { clock, deliverer } = deliver(journal, async () => ({ isDone: false, text: 'HTTP 500' }));
  await settle(journal, deliverer);
  expect(deliveriesOf(journal.database, 1)).toMatchObject([{ state: 'failed', attempts: 78 }]);
  expect(eventIds(journal.database, { isFailed: true })).toEqual([1]);
  expect(clock.waited).toBeGreaterThanOrEqual(3 * 3_600_000);
});

test('delivers other events while some deliveries hang, four at a time', async () => {
  const receipts = Array.from({ length: 50 }, (_, index) => `E${index}`);
  const journal = await journalOf(receipts);
  const done: string[] = [];
  let [running, most] = [0, 0];
  const { deliverer } = deliver(journal, async ({ text }, signal) => {
    const { receipt } = JSON.parse(text);
    running += 1;
    most = Math.max(most, running);
    await sleep(1);
    if (receipt === 'E3' || receipt === 'E7') {
      await new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)));
    }
    running -= 1;
    done.push(receipt);
    return { isDone: true, text: 'HTTP 200' };
  });
  while (done.length < 48) await sleep(5);
  await deliverer.stop();
  expect(most).toBe(4);
  expect(journal.due('forward', Date.now(), 10).map(({ id }) => id)).toEqual([4, 8]);
});

test('repeats a delivery later if its result cannot be recorded', async () => {
  const journal = await journalOf(['DISK0001']);
  let failures = 0;
  const brokenAtFirst: Journal = {
    ...journal,
    record: async (...args) => {
      failures += 1;
      if (failures === 1) throw new Error('the disk is full');
      await journal.record(...args);
    },
  };
  const receiver = await receiveForwards();
  const to = receiverAt(new URL(receiver.url), 'plain');
  const { clock, deliverer, unrecorded } = deliver(brokenAtFirst, to);
  await settle(journal, deliverer);
  expect(receiver.receipts()).toEqual(['DISK0001', 'DISK0001']);
  expect(clock.waits).toContain(10_000);
  expect(unrecorded).toEqual([new Error('the disk is full')]);
});

test('sends nothing to a receiver whose certificate is not trusted, also if Node is told to trust all', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
  const requests: unknown[] = [];
  const { url } = await serveSecurely((request, response) => {
    requests.push(request.url);
    response.end();
  });
  const send = receiverAt(new URL(url), 'plain');
  const event = { text: '{}', body: null, receivedAt: 0 };
  const answer = await send(event, new AbortController().signal);
  expect(answer).toEqual({ isDone: false, text: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  expect(requests).toEqual([]);
});
