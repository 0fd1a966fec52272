/** A support agent works through many tickets in one session: forty in the long tier. */
import { expect, test } from 'vitest';
import { tickets } from '../../../src/operations/tickets.ts';
import { listed, script, servedQueue, waitingTickets, worker } from '../../support/queue.ts';
import { tier } from '../../support/tier.ts';

interface Row {
  readonly action: string;
  readonly outcome: string;
  readonly ticketId: string;
  readonly receipt: string;
}

/** What the agent does with each fifth ticket. */
const plans: readonly (readonly string[])[] = [['f'], ['r', 'x'], ['x', 'u'], ['c'], []];

test('works through all tickets in one session, and the log agrees with the sandbox', async () => {
  const many = tier(15, 40);
  const at = await servedQueue({ orders: tier(120, 300), least: many });
  expect(await waitingTickets(at.client)).toHaveLength(many);
  await at.cb("replies add hello 'Dear {fullName}, about {product}: {ticketId}.'");
  const person = worker((position) => plans[position % plans.length] ?? []);
  const ran = await at.work(person, { args: '-o json --no-color' });
  expect(ran).toMatchObject({ code: 0 });
  expect(person.answers.filter(({ answer }) => answer === 's')).toHaveLength(many);
  const rows: Row[] = JSON.parse(ran.out);
  expect(rows.map(({ outcome }) => outcome)).toEqual(rows.map(() => 'done'));
  const count = (wanted: string) => rows.filter(({ action }) => action === wanted).length;
  expect(count('refund')).toBeGreaterThanOrEqual(many / 10);
  expect(count('reply')).toBe(many / 5);
  expect(count('close')).toBe((2 * many) / 5);
  expect(count('reopen')).toBe(many / 5);
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
  expect(closed).toHaveLength(many / 5);
  for (const { ticketId } of closed) expect(waiting).not.toContain(ticketId);
});

function briefly({ ticketId, action, receipt }: Partial<Row>) {
  return [ticketId, action, receipt];
}

test('refunds the newest payment of a subscription with 6 keys', async () => {
  const at = await servedQueue();
  const person = script('f', '1', 'f', 'e', '2', 'y', 'q');
  const chosen: (string | undefined)[] = [];
  const key: typeof person.key = async (question, choices, options) => {
    const pressed = await person.key(question, choices, options);
    chosen.push(choices.find((one) => one.key === pressed)?.short);
    return pressed;
  };
  const ran = await at.work({ ...person, key }, { args: '--receipt MONTHLY1' });
  expect(ran.code).toBe(0);
  // A longer answer would not fit on the line of its question.
  expect(chosen).toContain('MONTHLY1-B004');
  expect(at.log().at(-1)).toMatchObject({
    ...{ ticket: '1003', about: 'MONTHLY1-B004', action: 'refund', state: 'done' },
  });
  expect(at.sent()).toMatchObject([{ path: expect.stringContaining('/MONTHLY1-B004?') }]);
});
