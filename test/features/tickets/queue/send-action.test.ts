/** One action: logged before it is sent, sent once, and never sent without its log. */
import { expect, test } from 'vitest';
import {
  type ActionSender,
  openActions,
  resolveAction,
  sendAction,
} from '../../../../src/features/tickets/queue/send-action.ts';
import { applyLine, type Entry, type Line } from '../../../../src/ledger/entry.ts';
import { type Ledger, LedgerError } from '../../../../src/ledger/ledger.ts';
import { tickets } from '../../../../src/operations/tickets.ts';
import { sendingLine } from '../../../../src/safe-write/recording.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';
import { sandboxClient } from '../../clients.ts';

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
  expect(again.record).toMatchObject({
    outcome: 'not done',
    detail: expect.stringMatching(/already/),
  });
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

test('finds a write of an earlier run, and leaves one of another account alone', async () => {
  const { sender, lines, sandbox } = await world();
  sandbox.setFaults('503=#1,only=PUT');
  const { open } = await sendAction(sender, close);
  expect(await openActions(sender)).toEqual([open]);
  const other = { ...sender.sender, account: { baseUrl: 'sandbox', key: 'other' } };
  expect(await openActions({ ...sender, sender: other })).toEqual([]);
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

test.each([
  ['could not look', 'cut-before=100%,only=GET', { name: 'ApiError' }],
  ['was refused the look', '404=100%,only=GET', { kind: 'refused' }],
])('does not say that it found nothing if it %s', async (_, faults, error) => {
  const { sender, lines, sandbox } = await world();
  sandbox.setFaults('503=#1,only=PUT');
  const { open } = await sendAction(sender, close);
  const action = { ...(open as Entry), state: 'sending' } as const;
  sandbox.setFaults(faults);
  await expect(resolveAction(sender, action)).rejects.toMatchObject(error);
  expect(lines).toHaveLength(2);
});
