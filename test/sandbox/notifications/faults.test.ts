/** Faults of notifications on demand. */
import { expect, test } from 'vitest';
import { DAY } from '../raw.ts';
import {
  brief,
  CHANGE,
  change,
  decrypted,
  eventsOf,
  HOUR,
  logOf,
  REINSTATE,
  told,
} from './receiver.ts';

const FIRST = 'UNCANCEL-REBILL CANCEL01';
const SECOND = 'SUBSCRIPTION-CHG MONTHLY1';

async function with2(faults: string) {
  const world = await told();
  world.sandbox.notifications.setFaults(faults);
  await change(world.sandbox, REINSTATE);
  await change(world.sandbox, CHANGE);
  const events = await eventsOf(world);
  return { ...world, events: events.map(brief), log: logOf(world.sandbox).reverse() };
}

test('sends an exact duplicate', async () => {
  const { events, to, log } = await with2('duplicate=#1');
  expect(events.sort()).toEqual([SECOND, FIRST, FIRST]);
  const [first, ...others] = to.bodies.filter((body) => decrypted(body).includes('CANCEL01'));
  expect(others).toEqual([first]);
  expect(log[0]).toMatchObject({
    state: 'delivered',
    attemptCount: 1,
    attempts: [{ fault: 'duplicate' }],
  });
});

test('sends a reordered notification after a later one', async () => {
  const { events } = await with2('reorder=#1');
  expect(events).toEqual([SECOND, FIRST]);
});

test('sends a single reordered notification in the end', async () => {
  const world = await told();
  world.sandbox.notifications.setFaults('reorder=100%');
  await change(world.sandbox, REINSTATE);
  await world.sandbox.advance(4 * HOUR);
  expect(world.to.events().map(brief)).toContain(FIRST);
});

test('delays a notification on the sandbox clock, once', async () => {
  const { sandbox, to, events } = await with2('delay=#1:2h');
  expect(events).toEqual([SECOND]);
  await sandbox.advance(2 * HOUR - 1);
  expect(to.events().map(brief)).not.toContain(FIRST);
  await sandbox.advance(1);
  expect(to.events().find((event) => brief(event) === FIRST)?.attemptCount).toBe(1);
});

test('cuts the connection in the middle of the request, and tries again', async () => {
  const { sandbox, to, events, log } = await with2('cut=#1');
  expect(events).toEqual([SECOND]);
  expect(log[0]).toMatchObject({ state: 'pending', status: null, attempts: [{ fault: 'cut' }] });
  await sandbox.advance(4 * HOUR);
  expect(to.events().find((event) => brief(event) === FIRST)?.attemptCount).toBe(2);
});

test('ignores an answer as if it had come too late, so the receiver gets it twice', async () => {
  const { sandbox, to, log } = await with2('timeout=#1');
  expect(log[0]).toMatchObject({ state: 'pending', error: 'no response within 3 seconds' });
  await sandbox.advance(4 * HOUR);
  const counts = to
    .events()
    .filter((event) => brief(event) === FIRST)
    .map(({ attemptCount }) => attemptCount);
  expect(counts).toEqual([1, 2]);
});

test('encrypts with another key', async () => {
  const world = await told();
  world.sandbox.notifications.setFaults('wrong-key=#1');
  await change(world.sandbox, REINSTATE);
  await world.sandbox.notifications.test();
  const [body = ''] = world.to.bodies;
  expect(() => JSON.parse(decrypted(body))).toThrow();
  expect(logOf(world.sandbox)[1]).toMatchObject({ sent: body, attempts: [{ fault: 'wrong-key' }] });
});

test('never sends a dropped notification', async () => {
  const { events, log } = await with2('drop=#1');
  expect(events).toEqual([SECOND]);
  expect(log[0]).toMatchObject({ state: 'lost', error: 'never sent, by a fault' });
});

test('applies faults only to the named types, counts them, and stops', async () => {
  const { sandbox, events } = await with2('drop=100%, only=subscription-chg');
  expect(events).toEqual([FIRST]);
  expect(sandbox.notifications.faults()).toEqual({
    faults: 'drop=100%,only=subscription-chg',
    took: [{ fault: 'drop=100%', times: 1 }],
  });
  sandbox.notifications.setFaults(undefined);
  expect(sandbox.notifications.faults()).toEqual({ faults: null, took: [] });
});

test('affects about the given share, and the same notifications for the same seed', async () => {
  const droppedWith = async (faults: string) => {
    const { sandbox } = await told({ seed: { orders: 600 } });
    sandbox.notifications.setFaults(faults);
    await sandbox.advance(8 * DAY);
    const log = logOf(sandbox);
    return {
      all: log.length,
      ids: log.filter(({ state }) => state === 'lost').map(({ id }) => id),
    };
  };
  const { all, ids } = await droppedWith('drop=20%');
  expect(ids.length / all).toBeGreaterThan(0.1);
  expect(ids.length / all).toBeLessThan(0.3);
  expect((await droppedWith('drop=20%')).ids).toEqual(ids);
  expect((await droppedWith('drop=20%,seed=2')).ids).not.toEqual(ids);
});

test('loses no event under duplicates, reordering, cuts and timeouts', async () => {
  const { sandbox, to } = await told({ seed: { orders: 600 } });
  sandbox.notifications.setFaults('duplicate=20%,reorder=20%,delay=10%:3h,cut=10%,timeout=10%');
  await sandbox.advance(6 * DAY);
  sandbox.notifications.setFaults(undefined);
  await sandbox.advance(2 * DAY);
  const body = (text: string) => text.replace(/"attemptCount":\d+/, '');
  const received = new Set(to.texts().map(body));
  const log = logOf(sandbox);
  expect(log.length).toBeGreaterThan(30);
  expect(log.filter(({ state }) => state !== 'delivered')).toEqual([]);
  expect(log.filter((entry) => !received.has(body(entry.body)))).toEqual([]);
  expect(to.bodies.length).toBeGreaterThan(log.length);
});

test.each([
  ['nothing', "'nothing' is not a fault. Use one of duplicate, reorder,"],
  [
    'duplicate=often',
    "'duplicate=often' has an invalid frequency. Use 10% or #3 (the next three).",
  ],
  ['delay=10%:soon', "'delay=10%:soon' has an invalid time."],
  ['only=RFND', "'only=RFND' contains no fault."],
  ['drop=#1,seed=x', "'seed=x' must be a whole number"],
])('refuses %s', async (list, says) => {
  const { sandbox } = await told();
  expect(() => sandbox.notifications.setFaults(list)).toThrow(says);
});
