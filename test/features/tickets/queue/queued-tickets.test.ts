/** The order of the queue, and what happens to a ticket if nobody acts. */
import { expect, test } from 'vitest';
import { distance, outlookOf } from '../../../../src/features/tickets/queue/possible-actions.ts';
import { readDetails, readQueue } from '../../../../src/features/tickets/queue/ticket-details.ts';
import { tickets } from '../../../../src/operations/tickets.ts';
import { sandboxClient } from '../../clients.ts';

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
  const now = Number.isNaN(expires) ? 0 : expires - 2.5 * hour;
  return {
    ...outlookOf(details, now, (time) => time.slice(0, 10)),
    late: outlookOf(details, expires + 3 * hour, (time) => time.slice(0, 10)).sentence,
  };
}

test('says what happens if nobody acts, and when', async () => {
  const { client } = await sandboxClient();
  expect(await outlook(client, '1001')).toEqual({
    sentence: 'Expires in 2 hours (2026-03-19): ClickBank refunds 37.00 USD automatically',
    isAutomatic: true,
    late: 'Expired 3 hours ago (2026-03-19); not closed yet',
  });
  expect(await outlook(client, '1003')).toMatchObject({
    sentence: 'No expiration date: the ticket stays open',
    isAutomatic: false,
  });
  expect(await outlook(client, '1004')).toMatchObject({
    sentence: 'No expiration date: 52.40 USD is paid when you acknowledge the return',
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
  const sale = await client.call(tickets.create, { receipt: 'DIGITAL1', type: 'cncl', reason });
  expect((await outlook(client, String(sale.ticketid))).sentence).toMatch(
    /ClickBank refunds 37.00 USD automatically$/,
  );
});

test('writes times in the largest whole unit', () => {
  expect([30_000, 60_000, 59 * 60_000, hour, 25 * hour, 49 * hour].map(distance)).toEqual([
    ...['less than a minute', '1 minute', '59 minutes', '1 hour', '1 day', '2 days'],
  ]);
});
