/** One action: logged before it is sent, sent once, and never sent without its log. */
import { expect, test } from 'vitest';
import { tickets } from '../../../src/operations/tickets.ts';
import { WorkflowError } from '../../../src/workflows/errors.ts';
import type { LogLine, OpenAction } from '../../../src/workflows/queue/action-log.ts';
import {
  type ActionSender,
  resolveAction,
  sendAction,
} from '../../../src/workflows/queue/send-action.ts';
import { virtualClock } from '../../support/virtual-clock.ts';
import { sandboxClient } from '../clients.ts';

const about = {
  ...{ ticketId: '1001', receipt: 'TICKET01', email: '', action: 'close' },
  ...{ amount: '', currency: '' },
};

const close = { operation: tickets.close, args: { id: '1001' }, about };

/** `room` is the number of lines for which the disk has room. */
async function world(room = 100) {
  const { client, writes, sandbox } = await sandboxClient();
  const lines: LogLine[] = [];
  const seen: number[] = [];
  const log = {
    async add(line: LogLine) {
      if (lines.length >= room) throw new WorkflowError('not-saved', 'The disk is full.');
      lines.push(line);
      seen.push(writes().length);
    },
    close: async () => undefined,
  };
  const sender: ActionSender = {
    ...{ client, log, account: { baseUrl: 'sandbox', key: 'k' } },
    verification: { wait: 1000, clock: virtualClock() },
    now: () => new Date('2026-03-18T18:30:00Z'),
  };
  return { sender, lines, seen, writes, sandbox };
}

test('has logged the request before it is sent, and its outcome after that', async () => {
  const { sender, lines, seen, writes } = await world();
  const { record } = await sendAction(sender, close);
  expect(record).toMatchObject({ outcome: 'done', ticketId: '1001' });
  expect(seen).toEqual([0, 1]);
  expect(lines.map(({ outcome }) => outcome)).toEqual(['sent, outcome unknown', 'done']);
  expect(lines[0]?.request).toMatchObject({ command: 'tickets close', args: { id: '1001' } });
  expect(writes()).toHaveLength(1);
});

test('sends nothing if the request can not be logged', async () => {
  const { sender, writes } = await world(0);
  await expect(sendAction(sender, close)).rejects.toThrow('The disk is full.');
  expect(writes()).toEqual([]);
});

test('returns the outcome even if it can not be logged, and says so', async () => {
  const { sender, lines } = await world(1);
  const { record, logProblem } = await sendAction(sender, close);
  expect(record.outcome).toBe('done');
  expect(logProblem).toMatchObject({ message: 'The disk is full.' });
  expect(lines.map(({ outcome }) => outcome)).toEqual(['sent, outcome unknown']);
});

test('logs a refused write as not done', async () => {
  const { sender, lines } = await world();
  await sendAction(sender, close);
  const { record } = await sendAction(sender, close);
  expect(record).toMatchObject({ outcome: 'not done', detail: expect.stringMatching(/already/) });
  expect(lines.at(-1)).toMatchObject({ outcome: 'not done' });
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
  expect(open).toBeDefined();
  const action = open as OpenAction;
  expect(await resolveAction(sender, action)).toMatchObject({ state: 'unknown' });
  const other = { ...sender, account: { baseUrl: 'sandbox', key: 'other' } };
  expect(await resolveAction(other, action)).toMatchObject({ state: 'other account' });
  expect(lines).toHaveLength(2);
  // The request arrives late.
  await sender.client.call(tickets.close, { id: '1001' });
  expect(await resolveAction(sender, action)).toMatchObject({ state: 'done' });
  expect(lines.map(({ outcome }) => outcome)).toEqual([
    ...['sent, outcome unknown', 'unknown', 'done'],
  ]);
  expect(new Set(lines.map(({ actionId }) => actionId)).size).toBe(1);
});

test('does not say that it found nothing if it could not look', async () => {
  const { sender, lines, sandbox } = await world();
  sandbox.setFaults('503=#1,only=PUT');
  const { open } = await sendAction(sender, close);
  const action = { ...(open as OpenAction), outcome: 'sent, outcome unknown' } as const;
  sandbox.setFaults('cut-before=100%,only=GET');
  await expect(resolveAction(sender, action)).rejects.toMatchObject({ name: 'ApiError' });
  expect(lines).toHaveLength(2);
});

test('does not say that it found nothing if the service refuses the look', async () => {
  const { sender, lines, sandbox } = await world();
  sandbox.setFaults('503=#1,only=PUT');
  const { open } = await sendAction(sender, close);
  const action = { ...(open as OpenAction), outcome: 'sent, outcome unknown' } as const;
  sandbox.setFaults('404=100%,only=GET');
  await expect(resolveAction(sender, action)).rejects.toMatchObject({ kind: 'refused' });
  expect(lines).toHaveLength(2);
});
