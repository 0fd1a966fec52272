/** Rows of one receipt: their order and verification. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { RowHistory } from '../../../src/features/import/journal.ts';
import { sendRows, statesBefore } from '../../../src/features/import/send-rows.ts';
import type { Entry } from '../../../src/ledger/entry.ts';
import type { OpenLedger } from '../../../src/ledger/ledger.ts';
import { notices3 } from '../../../src/operations/shipping.ts';
import { tickets } from '../../../src/operations/tickets.ts';
import { type Response, servedClient } from '../../support/client.ts';

const row = (line: number, tracking?: string, carrier = 'USPS') => ({
  ...{ line, key: 'A1' },
  args: { receipt: 'A1', carrier, date: '2026-03-18', ...(tracking && { tracking }) },
});

const equalRows = [row(2, 'T1'), row(3, 'T1')];
const otherRows = [row(2, 'T1'), row(3, 'T2')];

interface World {
  /** The response to the nth write, and whether it is done. */
  readonly writes: readonly { readonly answer?: Response; readonly done: boolean }[];
  /** Milliseconds by which reads lag behind. */
  readonly lag?: number;
  readonly rows: readonly ReturnType<typeof row>[];
  readonly history?: RowHistory;
}

async function run({ writes, lag = 0, rows, history = new Map() }: World) {
  const entries: Entry[] = [];
  const recorded: unknown[] = [];
  const done: { notice: object; at: number }[] = [];
  let sent = 0;
  const { client, clock, asked } = await servedClient((method, url, at) => {
    if (method === 'POST') {
      recorded.push(entries.at(-1)?.state);
      const fate = writes[sent++];
      const { searchParams } = new URL(url, 'http://x');
      const [carrier, trackingId] = [searchParams.get('carrier'), searchParams.get('tracking')];
      if (fate?.done) done.push({ notice: { receipt: 'A1', carrier, trackingId }, at });
      return fate?.answer;
    }
    const seen = done.filter((one) => one.at <= at - lag);
    const list = seen.map(({ notice }) => notice);
    return { status: 200, body: JSON.stringify({ shippingNoticeData: list }) };
  });
  const journal: Pick<OpenLedger, 'add'> = {
    // Slower than a request.
    async add(line) {
      await sleep(20);
      return entries.push(line as Entry) > 0;
    },
  };
  const states = statesBefore(history);
  const stopped = await sendRows({
    ...{ client, operation: notices3.add, journal, rows, history, states },
    ...{ verification: { wait: 10_000, clock }, signal: new AbortController().signal },
    ...{ concurrency: 2, allowDuplicate: true, retryUnknown: false },
  }).catch((error) => {
    if (error.kind !== 'rate-limit') throw error;
    return error;
  });
  const outcomes = rows.map(({ line }) => states.get(line)?.state);
  return { outcomes, sent, entries, recorded, clock, asked, states, stopped };
}

/** Long ago. */
const long = '2026-01-01T00:00:00.000Z';

const good = { answer: { status: 200, body: '{"receipt":"A1"}' }, done: true };

test('sends no row before its line in the journal is on the disk', async () => {
  const { recorded } = await run({ writes: [good, good], rows: otherRows });
  expect(recorded).toEqual(['sending', 'sending']);
});

test('does not mistake a delayed notice of an equal earlier row for a row whose response is lost', async () => {
  const lost = { answer: { status: 502 }, done: false };
  const { outcomes, sent } = await run({ writes: [good, lost], lag: 3000, rows: equalRows });
  expect(outcomes).toEqual(['done', 'unknown']);
  expect(sent).toBe(2);
});

test('does not mistake the delayed notice of an equal row before the previous one', async () => {
  const rows = [row(2), row(3, undefined, 'UPS'), row(4)];
  const lost = { answer: { status: 502 }, done: false };
  const { outcomes } = await run({ writes: [good, good, lost], lag: 3000, rows });
  expect(outcomes).toEqual(['done', 'done', 'unknown']);
});

test('does not wait for rows that cannot be confused', async () => {
  const { outcomes, clock } = await run({ writes: [good, good], lag: 3000, rows: otherRows });
  expect(outcomes).toEqual(['done', 'done']);
  expect(clock.waited).toBe(0);
});

test('waits for a row that an earlier run finished recently', async () => {
  const at = new Date(Date.parse('2026-03-18T18:30:00Z') - 4000).toISOString();
  const history = new Map([[2, { id: '2', at, state: 'done', before: 0, sentAt: at } as const]]);
  const { outcomes, clock } = await run({ writes: [good], rows: equalRows, history });
  // The notice of line 2 never appears, so line 3 waits for the rest of the 10 s.
  expect(outcomes).toEqual(['done', 'done']);
  expect(clock.waited).toBe(6000);
});

test('records the amount of a refund that a later run finds', async () => {
  const ticket = { ticketid: '7', receipt: 'A1', type: 'REFUND', refundAmount: '37.00' };
  const { client, clock } = await servedClient(() => ({
    ...{ status: 200, body: JSON.stringify({ ticketData: [ticket] }) },
  }));
  const lines: unknown[] = [];
  const history = new Map([[2, { id: '2', at: long, state: 'sending', before: [] } as const]]);
  await sendRows({
    ...{ client, operation: tickets.create, history, states: statesBefore(history) },
    journal: { add: async (line) => lines.push(line) > 0 },
    rows: [{ line: 2, key: 'A1', args: { receipt: 'A1', type: 'rfnd', refundType: 'FULL' } }],
    ...{ verification: { wait: 0, clock }, signal: new AbortController().signal },
    ...{ concurrency: 1, allowDuplicate: false, retryUnknown: false },
  });
  expect(lines).toMatchObject([{ state: 'done', amount: '37.00' }]);
});

test('sends nothing for a receipt while a later row of it has an unknown outcome', async () => {
  const last = { id: '3', at: long, state: 'unknown', why: 'lost', before: 0 } as const;
  const history = new Map([[3, last]]);
  const { outcomes, sent, states } = await run({ writes: [good, good], rows: otherRows, history });
  expect(outcomes).toEqual(['not done', 'unknown']);
  expect(states.get(2)).toMatchObject({ why: expect.stringContaining('line 3 is unknown') });
  expect(sent).toBe(0);
});

test('sends nothing more for a receipt after a row whose outcome is unknown', async () => {
  for (const status of [500, 502, 504]) {
    const lost = { answer: { status }, done: false };
    const { outcomes, sent } = await run({ writes: [lost, good], rows: otherRows });
    expect([status, outcomes, sent]).toEqual([status, ['unknown', 'not done'], 1]);
  }
});

test('retries a row after 429 up to six times, recorded as not done in between, and then stops', async () => {
  const limited = { answer: { status: 429 }, done: false };
  const twice = await run({ writes: [limited, limited, good], rows: [row(2, 'T1')] });
  expect(twice.outcomes).toEqual(['done']);
  expect(twice.entries.map(({ state }) => state)).toEqual([
    ...['sending', 'not done', 'sending', 'not done', 'sending', 'done'],
  ]);
  const always = await run({ writes: Array(9).fill(limited), rows: [row(2, 'T1')] });
  expect(always.outcomes).toEqual(['not done']);
  expect(always.sent).toBe(6);
  expect(always.stopped).toMatchObject({ kind: 'rate-limit' });
});

test('asks nothing about a row that was there already', async () => {
  const there = { id: '2', at: long, state: 'not done', isThere: true } as const;
  const { asked } = await run({ writes: [], rows: [row(2, 'T1')], history: new Map([[2, there]]) });
  expect(asked).toEqual([]);
});
