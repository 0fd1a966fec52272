/** The URLs that receive notifications. */
import { expect, test } from 'vitest';
import { CANCEL, DAY } from '../tickets/ticket-raw.ts';
import { answering, brief, change, eventsOf, logOf, receive, told } from './receiver.ts';

const PATH = `tickets/MONTHLY1?${CANCEL}`;

test('sends to two URLs independently, each with its own key', async () => {
  const bad = await receive(answering(500));
  const { sandbox, to } = await told();
  sandbox.notifications.add({ url: bad.url, secret: 'SECOND', version: 6 });
  await change(sandbox, PATH);
  await eventsOf({ sandbox, to });
  expect(to.events().map(brief)).toEqual(['CANCEL-REBILL MONTHLY1', 'TEST ********']);
  expect(bad.bodies).toHaveLength(2);
  const states = logOf(sandbox).map(({ url, type, state }) => [url === to.url, type, state]);
  expect(states).toEqual([
    [false, 'TEST', 'lost'],
    [true, 'TEST', 'delivered'],
    [false, 'CANCEL-REBILL', 'pending'],
    [true, 'CANCEL-REBILL', 'delivered'],
  ]);
});

test('refuses a third URL and the same URL twice', async () => {
  const { sandbox } = await told();
  const add = (url: string) => () => sandbox.notifications.add({ url, version: 8 });
  const [{ url = '' } = {}] = sandbox.notifications.urls();
  expect(add(url)).toThrow('already sends');
  expect(add('http://localhost:1/')()).toMatch(/^[A-Z0-9]{16}$/);
  expect(add('http://localhost:2/')).toThrow('two URLs at most');
});

test('forgets what was not delivered when its URL is removed', async () => {
  const to = await receive(answering(500));
  const { sandbox } = await told({ to });
  await change(sandbox, PATH);
  await to.until(1);
  expect(sandbox.notifications.remove(to.url)).toBe(true);
  expect(sandbox.notifications.remove(to.url)).toBe(false);
  await sandbox.advance(DAY);
  expect(to.bodies).toHaveLength(1);
  expect(logOf(sandbox)).toEqual([]);
});
