/** One action of the queue is logged before it is sent, and sent once; the order of the queue; reading ahead. */
import { expect, test } from 'vitest';
import type { Client } from '../../../../src/client/client.ts';
import {
  distance,
  outlookOf,
  whyNot,
} from '../../../../src/features/tickets/queue/possible-actions.ts';
import {
  type ActionSender,
  openActions,
  resolveAction,
  sendAction,
} from '../../../../src/features/tickets/queue/send-action.ts';
import {
  openPrefetch,
  readDetails,
  readOthers,
  readQueue,
  type TicketDetails,
} from '../../../../src/features/tickets/queue/ticket-details.ts';
import { applyLine, type Entry, type Line } from '../../../../src/ledger/entry.ts';
import { type Ledger, LedgerError } from '../../../../src/ledger/ledger.ts';
import { tickets } from '../../../../src/operations/tickets.ts';
import type { Ticket } from '../../../../src/safe-write/reads.ts';
import { sendingLine } from '../../../../src/safe-write/recording.ts';
import { sandboxClient } from '../../../support/client.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

const about = {
  ...{ ticketId: '1001', receipt: 'TICKET01', email: '', action: 'close' },
  ...{ amount: '', currency: '' },
};

const close = { operation: tickets.close, args: { id: '1001' }, about };

/** `room` is the number of lines for which the disk has room. */
async function world(room = 100) {
  const { client, writes, sandbox } = await sandboxClient();
  const lines: Line[] = [];
  const entries = new Map<string, Entry>();
  const seen: number[] = [];
  const file = { path: '/l', noun: 'ledger' } as const;
  const ledger: Pick<Ledger, 'record' | 'read' | 'change'> = {
    change: (work) => work({ entries, add: ledger.record, close: async () => undefined }),
    async record(line) {
      if (lines.length >= room) throw new LedgerError('unwritable', file, "can't be written");
      if (!('state' in line)) throw new Error('This is no action.');
      lines.push(line);
      entries.set(line.id, applyLine(entries.get(line.id), line));
      seen.push(writes().length);
      return true;
    },
    read: async () => ({ entries, imports: new Map() }),
  };
  const now = () => new Date('2026-03-18T18:30:00Z');
  const sender: ActionSender = {
    ...{ client, ledger: ledger as Ledger, now },
    sender: { origin: 'queue', account: { baseUrl: 'sandbox', key: 'k' }, now },
    verification: { wait: 1000, clock: virtualClock() },
    known: new Set(),
  };
  return { sender, lines, seen, writes, sandbox };
}

test('logs a request before it is sent and its outcome after that, also one that is refused', async () => {
  const { sender, lines, seen, writes } = await world();
  const { record } = await sendAction(sender, close);
  expect(record).toMatchObject({ outcome: 'done', ticketId: '1001' });
  expect(seen).toEqual([0, 1]);
  expect(lines.map(({ state }) => state)).toEqual(['sending', 'done']);
  expect(lines[0]).toMatchObject({ operation: 'tickets close', args: { id: '1001' } });
  expect(writes()).toHaveLength(1);
  const again = await sendAction(sender, close);
  const detail = expect.stringMatching(/already/);
  expect(again.record).toMatchObject({ outcome: 'not done', detail });
  expect(lines.at(-1)).toMatchObject({ state: 'not done' });
});

test('sends nothing if the request can not be logged, and says so if only its outcome can not', async () => {
  const full = await world(0);
  await expect(sendAction(full.sender, close)).rejects.toThrow("can't be written");
  expect(full.writes()).toEqual([]);
  const { sender, lines } = await world(1);
  const { record, problem } = await sendAction(sender, close);
  expect(record.outcome).toBe('done');
  expect(problem).toMatchObject({ problem: 'unwritable' });
  expect(lines.map(({ state }) => state)).toEqual(['sending']);
});

test('sends nothing and logs nothing if an equal ticket is open', async () => {
  const { sender, lines, writes } = await world();
  const args = { receipt: 'TICKET01', type: 'rfnd', refundType: 'FULL' } as const;
  const reason = 'ticket.type.refund.2';
  const action = { operation: tickets.create, args: { ...args, reason }, about };
  const { record, isUnsent } = await sendAction(sender, action);
  expect(isUnsent).toBe(true);
  expect(record.detail).toMatch(/^Not sent: TICKET01 already has an open REFUND ticket/);
  expect([lines, writes()]).toEqual([[], []]);
});

test('finds a write of an earlier run, says so if it cannot look, and leaves one of another account alone', async () => {
  const { sender, lines, sandbox } = await world();
  sandbox.setFaults('503=#1,only=PUT');
  const { open } = await sendAction(sender, close);
  expect(await openActions(sender)).toEqual([open]);
  const other = { ...sender.sender, account: { baseUrl: 'sandbox', key: 'other' } };
  expect(await openActions({ ...sender, sender: other })).toEqual([]);
  const action = { ...(open as Entry), state: 'sending' } as const;
  for (const [faults, error] of [
    ['cut-before=100%,only=GET', { name: 'ApiError' }],
    ['404=100%,only=GET', { kind: 'refused' }],
  ] as const) {
    sandbox.setFaults(faults);
    await expect(resolveAction(sender, action)).rejects.toMatchObject(error);
  }
  sandbox.setFaults(undefined);
  expect(await resolveAction(sender, open as Entry)).toBe('unknown');
  expect(lines).toHaveLength(2);
  // The request arrives late.
  await sender.client.call(tickets.close, { id: '1001' });
  expect(await resolveAction(sender, open as Entry)).toBe('done');
  expect(lines.map(({ state }) => state)).toEqual(['sending', 'unknown', 'done']);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(1);
});

test('finds actions without an outcome, of equal ones only the last, and none of last week', async () => {
  const { sender } = await world();
  const { account } = sendingLine(sender.sender, { ...{ id: '', before: null }, ...close });
  const at = '2026-03-18T18:00:00.000Z';
  const facts = { at, origin: 'queue', account: account ?? '', ticket: '1001' } as const;
  const refund = { ...facts, action: 'refund', about: 'A', state: 'sending' } as const;
  for (const line of [
    { ...refund, id: 'a' },
    { ...refund, id: 'b' },
    { ...refund, id: 'c', action: 'close' },
    { ...refund, id: 'c', action: 'close', state: 'done' },
    { ...refund, id: 'd', about: 'B' },
    { ...refund, id: 'd', about: 'B', state: 'not done' },
    { ...refund, id: 'e', about: 'C' },
    { ...refund, id: 'f', about: 'C', state: 'done' },
    { ...refund, id: 'g', about: 'D', at: '2026-03-10T18:00:00.000Z' },
    { ...refund, id: 'h', about: 'E', origin: 'command' },
  ] as const) {
    await sender.ledger.record(line);
  }
  expect((await openActions(sender)).map(({ id }) => id)).toEqual(['b']);
});

const hour = 3_600_000;

test('holds the tickets that wait, by expiration, those without one last by age', async () => {
  const { client, sandbox } = await sandboxClient();
  const create = { receipt: 'MONTHLY1', type: 'cncl', reason: 'ticket.type.cancel.5' } as const;
  await client.call(tickets.create, create);
  const queue = await readQueue(client, {});
  const ids = queue.map(({ id }) => id);
  expect(ids).toContain('1005');
  expect(ids).not.toContain('1002');
  const closed = await readQueue(client, { status: ['closed'] } as never);
  expect(closed.map(({ id }) => id)).toContain('1002');
  const expiring = queue.filter(({ expires }) => expires !== undefined);
  expect(expiring.length).toBeGreaterThan(1);
  expect(queue.slice(0, expiring.length)).toEqual(expiring);
  const times = expiring.map(({ expires = 0 }) => expires);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const others = queue.slice(expiring.length).map(({ opened = 0 }) => opened);
  expect(others).toEqual(others.toSorted((a, b) => a - b));
  // The first refund settles after a day; the next one that is opened then is the most urgent.
  await sandbox.advance(2 * 86_400);
  const refund = { receipt: 'DIGITAL1', type: 'rfnd', refundType: 'FULL' } as const;
  const opened = await client.call(tickets.create, { ...refund, reason: 'ticket.type.refund.2' });
  await sandbox.advance(3600);
  const after = (await readQueue(client, {})).map(({ id }) => id);
  expect(after).not.toContain(ids[0]);
  expect(after[0]).toBe(String(opened.ticketid));
});

async function outlook(client: Awaited<ReturnType<typeof sandboxClient>>['client'], id: string) {
  const { receipt } = await client.call(tickets.get, { id });
  const details = await readDetails(client, { id, receipt: receipt ?? '' }, () => 0);
  const expires = Date.parse(details.ticket.expirationDate ?? '');
  const at = (now: number) => outlookOf(details, now, (time) => time.slice(0, 10));
  return {
    ...at(Number.isNaN(expires) ? 0 : expires - 2.5 * hour),
    ...{ due: at(expires).sentence, late: at(expires + 3 * hour).sentence },
  };
}

test.each([
  ['are read', 'a@example.com', []],
  ['are unknown, without an address', undefined, []],
  ["can't be read", 'a@example.com', ['problem']],
])('finds the other tickets of the order if the other orders %s', async (_, email, problem) => {
  const [ticket, other] = ([1, 2] as const).map((ticketid) => ({ ticketid, email })) as Ticket[];
  const client = {
    async *pages() {
      if (problem.length > 0) throw new Error('no answer');
      yield { rows: [] };
    },
  } as unknown as Client;
  const sale = { receipt: 'R1', transactions: [], tickets: [ticket, other] };
  const details = { ticket, payment: undefined, readAt: 0, sale } as TicketDetails;
  const found = await readOthers(client, details, { first: '2026-03-01', last: '2026-03-18' });
  expect(found.tickets).toEqual([other]);
  expect(Object.keys(found).filter((key) => key === 'problem')).toEqual(problem);
});

test('says what happens if nobody acts, and when', async () => {
  const { client } = await sandboxClient();
  expect(await outlook(client, '1001')).toEqual({
    sentence: 'Expires in 2 hours (2026-03-19): ClickBank refunds 37.00 USD automatically',
    isAutomatic: true,
    due: 'Expired less than a minute ago (2026-03-19); not closed yet',
    late: 'Expired 3 hours ago (2026-03-19); not closed yet',
  });
  expect(await outlook(client, '1003')).toMatchObject({
    sentence: 'No expiration date: the ticket stays open',
    isAutomatic: false,
  });
  expect(await outlook(client, '1004')).toMatchObject({
    sentence: 'No expiration date: 52.40 USD is refunded when you acknowledge the return',
    isAutomatic: false,
  });
  expect((await outlook(client, '1002')).sentence).toMatch(/^Closed on 2026-/);
});

test('says that a cancellation of a subscription refunds nothing, and that of a sale does', async () => {
  const { client } = await sandboxClient();
  const reason = 'ticket.type.cancel.5';
  const ended = await client.call(tickets.create, { receipt: 'MONTHLY1', type: 'cncl', reason });
  expect((await outlook(client, String(ended.ticketid))).sentence).toMatch(
    /: nothing is refunded, and the subscription has already ended$/,
  );
  // ClickBank may not have ended it yet.
  const details = await readDetails(client, { id: '1001', receipt: 'MONTHLY1' }, () => 0);
  const running = {
    ticket: { ...details.ticket, type: 'CANCEL' },
    payment: { lineItemData: [{ recurring: true, status: 'ACTIVE' }] },
  };
  expect(outlookOf({ ...details, ...running } as TicketDetails, 0, String).sentence).toMatch(
    /: future billing ends, and nothing is refunded$/,
  );
  const payment = { totalOrderAmount: '40.70', currency: 'JPY' };
  const unsaid = { ticket: { type: 'REFUND' }, payment };
  expect(outlookOf(unsaid as TicketDetails, 0, String).sentence).toMatch(
    /ClickBank refunds the payment automatically$/,
  );
  const sale = await client.call(tickets.create, { receipt: 'DIGITAL1', type: 'cncl', reason });
  expect((await outlook(client, String(sale.ticketid))).sentence).toMatch(
    /ClickBank refunds 37.00 USD automatically$/,
  );
});

test.each([
  ['REFUND', 'You have already refunded or canceled MONTHLY1 in this session.'],
  ['TECH_SUPPORT', undefined],
])('reopens a closed %s ticket of an order that was refunded just now, or not', (type, why) => {
  const ticket: Ticket = { receipt: 'MONTHLY1', type, status: 'CLOSED' };
  const details = { ticket } as unknown as TicketDetails;
  expect(whyNot.reopen(details, new Set(['MONTHLY1']))).toBe(why);
});

test('writes times in the largest whole unit', () => {
  expect([30_000, 60_000, 59 * 60_000, hour, 25 * hour, 49 * hour].map(distance)).toEqual([
    ...['less than a minute', '1 minute', '59 minutes', '1 hour', '1 day', '2 days'],
  ]);
});

test('keeps only what is near, and reads again what failed or was dropped', async () => {
  const reads: string[] = [];
  const prefetch = openPrefetch(async (key) => {
    reads.push(key);
    const times = reads.filter((one) => one === key).length;
    if (key === 'x' && times === 1) throw new Error('x failed');
    return `${key}${times}`;
  });
  for (let i = 0; i < 100; i++) prefetch.keep([`${i}`, `${i + 1}`]);
  expect(reads).toHaveLength(101);
  expect([await prefetch.get('100'), await prefetch.get('3')]).toEqual(['1001', '32']);
  prefetch.keep(['x', 'y']);
  await expect(prefetch.get('x')).rejects.toThrow('x failed');
  expect([await prefetch.get('x'), await prefetch.get('y')]).toEqual(['x2', 'y1']);
  prefetch.drop('y');
  expect(await prefetch.get('y')).toBe('y2');
});
