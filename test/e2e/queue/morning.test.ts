/** A support agent works through forty tickets in one session. */
import { expect, test } from 'vitest';
import { tickets } from '../../../src/operations/tickets.ts';
import {
  agent,
  isTicketScreen,
  listed,
  script,
  servedQueue,
  waitingTickets,
  worker,
} from '../../support/queue.ts';

interface Row {
  readonly action: string;
  readonly outcome: string;
  readonly ticketId: string;
  readonly receipt: string;
}

/** What the agent does with each fifth ticket. */
const plans: readonly (readonly string[])[] = [['f'], ['r', 'x'], ['x', 'u'], ['c'], []];

test('works through forty tickets in one session, and the log agrees with the sandbox', async () => {
  const at = await servedQueue({ orders: 300, least: 40 });
  expect(await waitingTickets(at.client)).toHaveLength(40);
  await at.cb("replies add hello 'Dear {fullName}, about {product}: {ticketId}.'");
  const person = worker((position) => plans[position % plans.length] ?? []);
  const ran = await at.work(person, { args: '-o json --no-color' });
  expect(ran).toMatchObject({ code: 0 });
  expect(person.answers.filter(({ answer }) => answer === 's')).toHaveLength(40);
  const rows: Row[] = JSON.parse(ran.out);
  expect(rows.map(({ outcome }) => outcome)).toEqual(rows.map(() => 'done'));
  const count = (wanted: string) => rows.filter(({ action }) => action === wanted).length;
  expect(count('refund')).toBeGreaterThanOrEqual(4);
  expect(count('reply')).toBe(8);
  expect(count('close')).toBe(16);
  expect(count('reopen')).toBe(8);
  const log = at.log();
  expect(log.map(({ state, ticket, action, about }) => [state, ticket, action, about])).toEqual(
    rows.map(({ ticketId, action, receipt }) => ['done', ticketId, action, receipt]),
  );
  expect(at.csv().map(briefly)).toEqual(rows.map(briefly));
  expect(at.sent().map(({ status }) => status)).toEqual(rows.map(() => 200));
  for (const { action, receipt } of rows) {
    if (action !== 'refund') continue;
    expect(await listed(at.client.list(tickets.list, { receipt, type: 'rfnd' }))).toHaveLength(1);
  }
  // The closed tickets are no longer in the queue, and the refunds wait for ClickBank.
  const waiting = (await waitingTickets(at.client)).map(({ ticketid }) => String(ticketid));
  const closed = rows.filter(
    ({ action }, i) => action === 'close' && rows[i + 1]?.action !== 'reopen',
  );
  expect(closed).toHaveLength(8);
  for (const { ticketId } of closed) expect(waiting).not.toContain(ticketId);
});

function briefly({ ticketId, action, receipt }: Partial<Row>) {
  return [ticketId, action, receipt];
}

test('refunds in full with at most 6 keys from the screen of the ticket, and not with Enter', async () => {
  const at = await servedQueue({ least: 12 });
  let isRefunded = false;
  const person = agent((asked) => {
    const { question, shown } = asked;
    if (!isTicketScreen(asked)) {
      if (question.startsWith('Which payment')) return '1';
      if (question.startsWith('How much')) return 'f';
      if (/subscription\?$/.test(question)) return 'e';
      return question.startsWith('What is the reason') ? '2' : 'y';
    }
    if (isRefunded) return 'q';
    if (shown.refund === undefined) return 's';
    isRefunded = true;
    return 'f';
  });
  expect((await at.work(person)).code).toBe(0);
  const start = person.answers.findIndex(({ answer }) => answer === 'f');
  const keys = person.answers.slice(start, -1).map(({ answer }) => answer);
  expect(keys.length).toBeLessThanOrEqual(6);
  expect(keys.slice(-2)).toEqual(['2', 'y']);
  expect(at.sent()).toMatchObject([{ method: 'POST', status: 200 }]);
});

test('refunds the newest payment of a subscription with 6 keys', async () => {
  const at = await servedQueue();
  const person = script('f', '1', 'f', 'e', '2', 'y', 'q');
  const ran = await at.work(person, { args: '--receipt MONTHLY1' });
  expect(ran.code).toBe(0);
  expect(at.log().at(-1)).toMatchObject({
    ...{ ticket: '1003', about: 'MONTHLY1-B004', action: 'refund', state: 'done' },
  });
  expect(at.sent()).toMatchObject([{ path: expect.stringContaining('/MONTHLY1-B004?') }]);
});
