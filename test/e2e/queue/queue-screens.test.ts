/** What the queue shows, finds, refuses and survives. */
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { tickets } from '../../../src/operations/tickets.ts';
import { displayWidth } from '../../../src/output/table/display-width.ts';
import { evilCell, expectHarmless, hostile } from '../../support/hostile.ts';
import {
  agent,
  oneLine,
  oneTicket,
  script,
  servedQueue,
  waitingTickets,
  worker,
} from '../../support/queue.ts';
import { expectExit } from '../../support/refusal.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

test('refuses to work without a terminal, and names the commands for scripts', async () => {
  const at = await servedQueue();
  const before = at.sandbox.requests.length;
  for (const [flag, options] of [
    ['', {}],
    ['--no-input', { columns: 80 }],
    ['', { columns: 80, env: { ...at.env, CI: 'true' } }],
  ] as const) {
    const ran = await at.cb(`tickets work ${flag}`, { env: at.env, ...options });
    for (const name of ['list --status open', 'create', 'comment', 'close']) {
      expectExit(ran, 2, `cb tickets ${name}`, '');
    }
  }
  expect(at.sandbox.requests).toHaveLength(before);
});

test('fits 80 and 40 columns', async () => {
  const at = await servedQueue({ least: 14 });
  for (const columns of [80, 40]) {
    const skips = worker(() => []);
    const { err } = await at.work(skips, { columns });
    const lines = stripVTControlCharacters(err.replaceAll('\u001b[K', '\n')).split('\n');
    for (const line of lines) expect(displayWidth(line)).toBeLessThan(columns);
    expect(lines.join('\n')).toMatch(/^1 of \d+ {3}Ticket \d+ {3}/m);
  }
});

test('shows when a ticket expires and what happens then, says why an action is not possible, or that the queue is empty, and sends nothing, also with --dry-run', async () => {
  const at = await servedQueue();
  const ran = await at.work(script('f', 'o', 'a', 'u', 'l', 'q'), { args: '--receipt TICKET01' });
  const said = oneLine(ran.err);
  expect(said).toContain('1 of 1 Ticket 1001 refund, open');
  expect(said).toMatch(/Expires in \d+ hours \([\d: -]+\): ClickBank refunds 37.00 USD automatic/);
  expect(said).toContain('Paid 37.00 USD, you earn 16.61 USD');
  expect(said).toContain('customer opened: It is not what I had in mind.');
  expect(said).toContain('This ticket already requests a refund. To refund only a part, close it');
  expect(said).toContain('This ticket is not closed.');
  expect(said).toContain("The product isn't shipped, so there is nothing to return.");
  expect(said).toContain('There is nothing to undo here');
  expect(said).toContain('No write about this order has an unknown outcome.');
  const dry = await at.work(script('x', 'y', 'q'), { args: '--receipt TICKET01 --dry-run' });
  expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('dry run') });
  const empty = await at.work(script(), { args: '--receipt DIGITAL1' });
  expect(empty).toMatchObject({ code: 0, err: 'No ticket waits for you.\n' });
  expect(at.sent()).toEqual([]);
});

test('asks again for the refund that a cancellation of a one-time sale makes', async () => {
  const at = await oneTicket();
  const declined = await at.work(script('c', '2', 'y', 'n', 'q'), at);
  expect(oneLine(declined.err)).toContain('Canceling DIGITAL1 refunds the sale (37.00 USD)');
  expect(at.sent()).toEqual([]);
  const args = `${at.args} -o json --no-color`;
  const { out } = await at.work(script('c', '2', 'y', 'y', 'q'), { args });
  expect(at.sent()).toHaveLength(1);
  expect(JSON.parse(out)).toMatchObject([{ amount: '37.00', currency: 'USD' }]);
  expect(at.log().at(-1)).toMatchObject({ action: 'cancel', amount: '37.00', currency: 'USD' });
});

test('marks the reason that the ticket gives', async () => {
  const at = await oneTicket({ reason: 'ticket.type.tech_support.10' });
  const { err } = await at.work(script('f', 'f', 'escape', 'escape', 'q'), at);
  expect(oneLine(err)).toContain(
    '1 product never received (as the ticket says) 2 not satisfied, or did not meet expectations 3 ',
  );
});

test('keeps the amount of a refund that a return completes, and none for a reply', async () => {
  const at = await servedQueue();
  await at.work(script('r', 'On it', 'y', 'q'), { args: '--receipt RETURN01' });
  expect(at.log().at(-1)).toMatchObject({ action: 'reply', state: 'done' });
  expect(at.log().at(-1)).not.toHaveProperty('amount');
  await at.work(script('a', 'y', 'q'), { args: '--receipt RETURN01' });
  expect(at.log().at(-1)).toMatchObject({ action: 'return', amount: '52.40', currency: 'USD' });
});

test('asks which item of an order with several is refunded', async () => {
  const at = await oneTicket({ receipt: 'CART0003' });
  const ran = await at.work(script('f', '2', 'f', '2', 'y', 'q'), at);
  expect(oneLine(ran.err)).toMatch(/1 KIT-01 [^?]* 2 KIT-02 /);
  expect(at.log().at(-1)).toMatchObject({ action: 'refund', state: 'done' });
  expect(at.sent().at(-1)?.path).toContain('sku=KIT-02');
});

test('shortens a long conversation to its latest entries, and shows all of it on request', async () => {
  const at = await servedQueue();
  for (let i = 1; i <= 9; i++) {
    await at.client.call(tickets.comment, { id: '1001', comment: `${i} ${'word '.repeat(40)}.` });
  }
  const short = await at.work(script('q'), { args: '--receipt TICKET01' });
  const screen = stripVTControlCharacters(short.err);
  expect(screen).toMatch(/… \d earlier, press m for all/);
  expect(screen).toContain('you: 9 word');
  expect(screen).not.toContain('you: 1 word');
  expect(screen.split('\n').length).toBeLessThanOrEqual(24);
  const person = agent(({ keys }) => (keys?.includes('space') ? 'space' : (next.shift() ?? 'q')));
  const next = ['m', 'q'];
  const whole = await at.work(person, { args: '--receipt TICKET01' });
  for (let i = 1; i <= 9; i++) expect(whole.err).toContain(`you: ${i} word`);
});

test('shows a ticket again that somebody else answered in the meantime', async () => {
  const at = await servedQueue();
  const clock = virtualClock();
  const keys = ['x', 'y', 'q'];
  const person = agent(async ({ question }) => {
    if (question.startsWith('Send it')) {
      await at.client.call(tickets.comment, { id: '1001', comment: 'I am on it.' });
      await clock.sleep(5000);
    }
    return keys.shift() ?? 'q';
  });
  const ran = await at.work(person, { clock, args: '--receipt TICKET01' });
  expect(oneLine(ran.err)).toContain('The ticket has changed since it was read. Nothing was sent.');
  expect(oneLine(ran.err)).toContain('you: I am on it.');
  expect(at.sent()).toHaveLength(1);
  expect(await at.client.call(tickets.get, { id: '1001' })).toMatchObject({ status: 'OPEN' });
});

test('stays on the ticket when the network fails, and reads it again on request', async () => {
  const at = await servedQueue({ least: 16 });
  let failures = 0;
  let screens = 0;
  const person = agent(({ shown }) => {
    if (shown['try again'] !== undefined) {
      failures += 1;
      if (failures === 2) at.sandbox.setFaults(undefined);
      return 't';
    }
    screens += 1;
    // Some of the next tickets have been read in the background.
    if (screens === 1) at.sandbox.setFaults('cut-before=100%');
    return failures === 2 ? 'q' : 's';
  });
  const ran = await at.work(person, { args: '--type tech' });
  expect(failures).toBe(2);
  expectExit(ran, 0, "The ticket can't be read:");
  expect(at.sent()).toEqual([]);
});

test('keeps the ticket when a read before a write fails, and sends it after another try', async () => {
  const at = await servedQueue();
  const keys = ['x', 'x', 'y', 'q'];
  const person = agent(() => {
    at.sandbox.setFaults(keys.length === 4 ? 'cut-before=100%' : undefined);
    return keys.shift() ?? 'q';
  });
  const ran = await at.work(person, { args: '--receipt TICKET01' });
  expect(oneLine(ran.err)).toContain('Press the key again to retry.');
  expect(at.log().map(({ state }) => state)).toEqual(['done']);
});

test('never lets the text of a customer control the terminal', async () => {
  const at = await servedQueue();
  const long = `${hostile}${'wide 漢字 '.repeat(1250)}`;
  const evil = (text: string) => JSON.stringify(text).slice(1, -1);
  const env = await at.altered((body) =>
    body
      .replaceAll('It is not what I had in mind.', evil(long))
      .replaceAll('"Ada', `"${evil(evilCell)}`),
  );
  const keys = ['m', ...Array.from({ length: 20 }, () => 'space'), 'd', 'space', 'x', 'n', 'q'];
  const person = agent(({ keys: known }) => {
    while (keys[0] === 'space' && !known?.includes('space')) keys.shift();
    return keys.shift() ?? 'q';
  });
  const ran = await at.work(person, { env, args: '--receipt TICKET01' });
  expect(ran.code).toBe(0);
  // The screen is cleared, and the line of a status is replaced.
  const shown = ran.err.replaceAll('\u001b[H\u001b[2J', '').replaceAll('\r\u001b[K', '');
  expect(shown).toContain('漢字');
  expectHarmless(shown);
});

test('shows a ticket whose order cannot be read', async () => {
  const at = await servedQueue();
  const env = await at.altered((body, url) => (url.includes('/orders2/') ? undefined : body));
  const ran = await at.work(script('d', 'space', 'q'), { env, args: '--receipt TICKET01' });
  expectExit(ran, 0, 'The order of this ticket could not be read.');
});

/** The heads of the tickets on the screens, in order. */
function headsIn(shown: string): string[] {
  return [...shown.matchAll(/(\d+ of \d+)(?: \([^)]*\))? +Ticket (\d+)/g)].map(
    ([, place, id]) => `${place} ${id}`,
  );
}

test('goes to a ticket of forty by number, receipt or customer, shows a part of them, and refunds one with six keys', async () => {
  const at = await servedQueue({ orders: 300, least: 40 });
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
  expect(toTheEnd.asked).toContain('This was the last ticket (refunds).');
  const help = await shownAfter('?', 's', '?', 'escape', '?', 'q');
  expect(headsIn(help).at(-1)).toMatch(/^2 of 40/);

  // Six keys with Enter, beside the receipt and leaving.
  const refund = script('/', 'DIGITAL1', 'f', 'f', '1', 'y', 'q');
  const { out } = await at.work(refund, { args: '-o json --no-color' });
  const done = { action: 'refund', receipt: 'DIGITAL1', outcome: 'done' };
  expect(JSON.parse(out)).toMatchObject([done]);
});
