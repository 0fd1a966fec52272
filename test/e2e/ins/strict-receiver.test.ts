/** A receiver with strict types accepts what cb and the sandbox send, in each version. */
import { expect, test } from 'vitest';
import { eventTypeNames } from '../../../src/features/ins/event-types.ts';
import { change, eventsOf, SECRET, told } from '../../sandbox/notifications/receiver.ts';
import { DAY } from '../../sandbox/raw.ts';
import { CANCEL } from '../../sandbox/tickets/ticket-raw.ts';
import { home, sandboxHome } from '../../support/cb.ts';
import { receiveStrictly } from '../../support/strict-receiver.ts';
import { tier } from '../../support/tier.ts';

const env = { CB_INS_SECRET: SECRET };

test.each([6, 7, 8])(
  'takes each of the 19 types from cb ins trigger in version %i',
  async (version) => {
    const { cb } = home();
    const to = await receiveStrictly(version);
    for (const type of eventTypeNames) {
      const line = `ins trigger ${type} --event-version ${version} --to ${to.url}`;
      const { code } = await cb(line, { env });
      expect([type, code, to.refused]).toEqual([type, 0, []]);
    }
    expect(to.bodies).toHaveLength(19);
    for (const text of to.texts()) expect(text).toContain(`"version":${version}.0,`);
  },
);

test.each(tier([8], [6, 7, 8]))(
  'takes the events of 40 days of the sandbox in version %i',
  async (version) => {
    const to = await receiveStrictly(version);
    const world = await told({ seed: { orders: 600 }, version, to });
    await change(world.sandbox, `tickets/MONTHLY1?${CANCEL}`);
    await change(world.sandbox, 'orders2/MONTHLY1/reinstate');
    await world.sandbox.advance(40 * DAY);
    const events = await eventsOf(world);
    expect(to.refused).toEqual([]);
    const types = new Set(events.map(({ transactionType }) => transactionType));
    for (const type of ['SALE', 'BILL', 'RFND', 'CANCEL-REBILL', 'UNCANCEL-REBILL']) {
      expect(types).toContain(type);
    }
    for (const text of to.texts()) expect(text).toContain(`"version":${version}.0,`);
  },
);

test('makes an event of an order with nicknames in lower case, and an ordinary item as ORIGINAL', async () => {
  const shop = await sandboxHome();
  const { out } = await shop.cb(
    '--sandbox ins trigger SALE --from-order DIGITAL1 --event-version 6 --plain',
  );
  const event = JSON.parse(out);
  expect(event).toMatchObject({ vendor: 'greenleaf', affiliate: 'topaff1' });
  expect(event.transactionTime).toMatch(/T12:00:00-0[78]:00$/);
  expect(event.lineItems[0]).toMatchObject({ itemNo: 'GUIDE-01', lineItemType: 'ORIGINAL' });
  expect(event.lineItems[0]).not.toHaveProperty('productPrice');
});
