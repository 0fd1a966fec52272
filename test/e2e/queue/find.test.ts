/** Many tickets: finding one by its number, receipt or customer, and showing a part of the queue. */
import { expect, test } from 'vitest';
import { oneLine, script, servedQueue, waitingTickets } from '../../support/queue.ts';

const forty = { orders: 300, least: 40 };

/** The heads of the tickets on the screens, in order. */
function headsIn(shown: string): string[] {
  return [...shown.matchAll(/(\d+ of \d+)(?: \([^)]*\))? +Ticket (\d+)/g)].map(
    ([, place, id]) => `${place} ${id}`,
  );
}

test('goes to a ticket of forty by number, receipt or customer, and shows a part of them', async () => {
  const at = await servedQueue(forty);
  const waiting = await waitingTickets(at.client);
  expect(waiting).toHaveLength(40);
  const shownAfter = async (...keys: readonly string[]) => {
    const ran = await at.work(script(...keys), { args: '--dry-run' });
    expect(ran.code).toBe(0);
    return oneLine(ran.err);
  };
  const last = waiting.at(-1);
  const id = String(last?.ticketid);
  for (const text of [id, String(last?.receipt).toLowerCase()]) {
    expect(headsIn(await shownAfter('/', text, 'q')).at(-1)).toMatch(new RegExp(` ${id}$`));
  }
  const customer = await shownAfter('/', 'ada sample', '1003', 'q');
  expect(headsIn(customer).at(-1)).toMatch(/ 1003$/);
  expect(await shownAfter('/', 'nobody', 'q')).toContain("No ticket of the queue has 'nobody'.");
  const left = headsIn(await shownAfter('/', '<', 'q'));
  expect(left.at(-1)).toBe(left[0]);

  const refunds = waiting.filter(({ type }) => type === 'REFUND');
  const part = await shownAfter('v', 'Refunds', 's', 'v', 'All tickets', 'q');
  expect(part).toContain(`1 of ${refunds.length} (refunds)`);
  expect(headsIn(part).at(-1)).toMatch(/ of 40 /);
  const toTheEnd = script('v', 'Refunds', ...refunds.map(() => 's'), 'v', '<', 'q');
  await at.work(toTheEnd, { args: '--dry-run' });
  const [end] = toTheEnd.answers.filter(({ question }) => question.startsWith('This was'));
  expect(end?.question).toBe('This was the last ticket (refunds).');
  const help = await shownAfter('?', 's', '?', 'escape', '?', 'q');
  expect(headsIn(help).at(-1)).toMatch(/^2 of 40/);
});

test('refunds a customer of forty with at most six keys beside the receipt and leaving', async () => {
  const at = await servedQueue(forty);
  const person = script('/', 'DIGITAL1', 'f', 'f', '1', 'y', 'q');
  const ran = await at.work(person, { args: '-o json --no-color' });
  expect(JSON.parse(ran.out)).toMatchObject([
    { action: 'refund', receipt: 'DIGITAL1', outcome: 'done' },
  ]);
  expect(person.pressed() - 'DIGITAL1q'.length).toBeLessThanOrEqual(6);
});
