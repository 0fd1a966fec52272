/** What a vendor and his customers do by requests: some of it each night, repeatable. */
import type { Client } from '../../../../src/client/client.ts';
import { ApiError } from '../../../../src/client/errors.ts';
import { addDays, type Day } from '../../../../src/dates/day.ts';
import { analytics } from '../../../../src/operations/analytics.ts';
import { orders } from '../../../../src/operations/orders.ts';
import { products } from '../../../../src/operations/products.ts';
import { notices3, shipping3 } from '../../../../src/operations/shipping.ts';
import { tickets } from '../../../../src/operations/tickets.ts';
import { listed } from '../../../support/client.ts';

interface Scene {
  readonly client: Client;
  readonly today: Day;
  readonly night: number;
}

type Event = (scene: Scene) => Promise<unknown>;

/** Another one each night; throws if there is none. */
function pick<Row>(rows: readonly Row[], { night }: Pick<Scene, 'night'>): Row {
  const row = rows[(night * 7) % Math.max(1, rows.length)];
  if (row === undefined) throw new ApiError('refused', 'nothing to choose from');
  return row;
}

interface Chosen {
  readonly receipt: string;
  readonly sku: string;
}

/** Changes a subscription with this status, of a product whose SKU matches. */
function onSubscription(
  change: (scene: Scene, subscription: Chosen) => Promise<unknown>,
  status: 'ACTIVE' | 'CANCELED' = 'ACTIVE',
  among = /./,
): Event {
  return async (scene) => {
    const all = [];
    for (const account of ['GREENLEAF', 'FITLAB24', 'COOKWELL', 'YOGAHOME']) {
      const asked = { account, role: 'VENDOR', status } as const;
      all.push(...(await listed(scene.client.pages(analytics.byStatus, asked))));
    }
    const wanted = all.filter(({ itemNo }) => among.test(itemNo ?? ''));
    const { receipt, itemNo } = pick(wanted, scene);
    return change(scene, { receipt: String(receipt), sku: String(itemNo) });
  };
}

async function refundable(scene: Scene, oldest: number, latest: number) {
  const { client, today } = scene;
  const args = { startDate: addDays(today, -oldest), endDate: addDays(today, -latest) };
  const found = await listed(client.pages(orders.list, args));
  const chosen = pick(
    found.filter((row) => row.customerRefundableState === 'REFUNDABLE' && row.role === 'VENDOR'),
    scene,
  );
  return { receipt: String(chosen.receipt), sku: String(chosen.lineItemData?.[0]?.itemNo) };
}

/** A refund of a payment that is some weeks old changes its state on a day that has long been copied. */
const refund =
  (oldest: number, latest: number): Event =>
  async (scene) => {
    const { receipt, sku } = await refundable(scene, oldest, latest);
    const reason = 'ticket.type.refund.8';
    const args = { receipt, sku, type: 'rfnd', reason, refundType: 'FULL' } as const;
    await scene.client.call(tickets.create, args);
  };

const cancel = onSubscription(({ client }, { receipt, sku }) => {
  const args = { receipt, sku, type: 'cncl', reason: 'ticket.type.cancel.7' } as const;
  return client.call(tickets.create, args);
});

const ask: Event = async (scene) => {
  const { receipt, sku } = await refundable(scene, 50, 0);
  const args = { receipt, sku, type: 'tech', reason: 'ticket.type.tech_support.9' } as const;
  await scene.client.call(tickets.create, args);
};

/** Closes or reopens a technical ticket that has this status, or adds a comment to it. */
const onTicket =
  (action: 'close' | 'reopen' | 'comment', status: string, comment: string): Event =>
  async ({ client, ...scene }) => {
    const filter = { type: 'tech', status } as never;
    const { ticketid } = pick(await listed(client.pages(tickets.list, filter)), scene);
    await client.call(tickets[action] as never, { id: String(ticketid), comment } as never);
  };

const pause = onSubscription(({ client, today }, { receipt, sku }) =>
  client.call(orders.pause, { receipt, sku, restartDate: addDays(today, 58) }),
);

const extend = onSubscription(({ client }, { receipt }) =>
  client.call(orders.extend, { receipt, numPeriods: 2 }),
);

const changeDate = onSubscription(({ client, today }, { receipt }) =>
  client.call(orders.changeDate, { receipt, changeDate: addDays(today, 5) }),
);

const changeProduct = onSubscription(
  ({ client }, { receipt, sku: oldSku }) =>
    client.call(orders.changeProduct, { receipt, oldSku, newSku: 'CLUB-PLUS-M' }),
  'ACTIVE',
  /^CLUB-M$/,
);

const reinstate = onSubscription(
  ({ client }, { receipt }) => client.call(orders.reinstate, { receipt }),
  'CANCELED',
);

const changeAddress = onSubscription(
  ({ client, night }, { receipt }) => {
    const address = { address1: `${night} Main St`, city: 'Boise', countryCode: 'US' };
    const name = { firstName: 'Zoë', lastName: `Night ${night}` };
    return client.call(orders.changeAddress, { receipt, ...name, ...address });
  },
  'ACTIVE',
  /BOX/,
);

const ship: Event = async (scene) => {
  const { client, today } = scene;
  const args = { status: 'notshipped', startDate: addDays(today, -40), endDate: today } as const;
  const parcels = await listed(client.pages(shipping3.list, args));
  const { receipt, lineItemShipData } = pick(parcels, scene);
  await client.call(notices3.add, {
    ...{ receipt: String(receipt), date: today, carrier: 'USPS', comments: 'By mail' },
    ...{ item: String(lineItemShipData?.[0]?.itemNo), tracking: `9400${scene.night}` },
  });
};

const deleteProduct: Event = async (scene) => {
  const site = 'GREENLEAF';
  const { sku } = pick(await listed(scene.client.pages(products.list, { site })), scene);
  await scene.client.call(products.delete, { site, sku: String(sku) });
};

const saveProduct: Event = async ({ client, night }) => {
  const pages = { thankYouPage: 'https://example.com/t', pitchPage: 'https://example.com/p' };
  await client.call(products.save, {
    ...{ ...pages, sku: `NIGHT-${night}`, title: `Night ${night}`, site: 'GREENLEAF' },
    ...{ currency: 'USD', price: '19.90', language: 'EN', digital: true, categories: ['EBOOK'] },
  });
};

/** Each event with the nights on which it happens: the remainder of the division by its period. */
const calendar = {
  'late refund': [3, 0, refund(58, 30)],
  'early refund': [4, 1, refund(20, 0)],
  cancel: [5, 2, cancel],
  ask: [6, 0, ask],
  close: [6, 2, onTicket('close', 'open', 'Solved')],
  reopen: [12, 4, onTicket('reopen', 'closed', 'Not solved')],
  comment: [12, 5, onTicket('comment', 'reopened', 'It is\tsolved \u{1f600} now')],
  pause: [7, 1, pause],
  extend: [7, 3, extend],
  changeDate: [7, 5, changeDate],
  changeProduct: [15, 6, changeProduct],
  reinstate: [9, 7, reinstate],
  changeAddress: [20, 8, changeAddress],
  ship: [3, 2, ship],
  deleteProduct: [25, 9, deleteProduct],
  saveProduct: [25, 12, saveProduct],
} as const satisfies Readonly<Record<string, readonly [number, number, Event]>>;

export const eventNames = Object.keys(calendar);

/** Carries out the events of a night; returns the names of those that the service accepted. */
export async function happenings(scene: Scene): Promise<readonly string[]> {
  const done: string[] = [];
  for (const [name, [period, remainder, happen]] of Object.entries(calendar)) {
    if (scene.night % period !== remainder) continue;
    try {
      await happen(scene);
      done.push(name);
    } catch (error) {
      // The service refuses what its state does not allow, such as a second refund.
      if (!(error instanceof ApiError)) throw error;
    }
  }
  return done;
}
