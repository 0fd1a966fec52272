/** Receivers in other languages, with their own libraries, decrypt what the sandbox sends. So does our own library. */
import { expect, test } from 'vitest';
import { decryptNotification } from '../../../src/features/ins/index.ts';
import { receivers } from '../../support/receivers.ts';
import { CANCEL, DAY } from '../tickets/ticket-raw.ts';
import { change, eventsOf, SECRET, told } from './receiver.ts';

const missing = receivers.flatMap((one) => one.missing ?? []);

test(`receivers in other languages decrypt two months of notifications${missing.map((why) => ` (${why})`).join('')}`, async () => {
  const world = await told({ seed: { orders: 1200 } });
  await change(world.sandbox, `tickets/MONTHLY1?${CANCEL}`);
  await change(world.sandbox, 'orders2/MONTHLY1/reinstate');
  const product = 'changeProduct?oldSku=CLUB-M&newSku=CLUB-PLUS-M';
  await change(world.sandbox, `orders2/MONTHLY1/${product}`);
  await world.sandbox.advance(60 * DAY);
  await eventsOf(world);
  const { bodies } = world.to;
  const texts = world.to.texts();
  expect(texts.length).toBeGreaterThan(200);
  expect(texts.join()).toMatch(/[À-ž]/);
  expect(texts.join()).toMatch(/"total\w+Amount":-?\d+\.\d0[,}]/);
  for (const receiver of receivers.filter((one) => !one.missing)) {
    expect([receiver.name, ...receiver.decrypt(bodies, SECRET)]).toEqual([receiver.name, ...texts]);
  }
  const typed = bodies.map((body) => decryptNotification(body, SECRET).totalOrderAmount);
  expect(typed).toEqual(texts.map((text) => /"totalOrderAmount":(-?[\d.]+)/.exec(text)?.[1]));
});
