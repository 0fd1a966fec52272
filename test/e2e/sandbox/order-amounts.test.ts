/** The currency in which the sandbox sends the amounts of orders. */
import { expect, test } from 'vitest';
import { home } from '../../support/cb.ts';
import { sandboxJson } from '../../support/sandbox.ts';

test('stores with --order-amounts in which currency orders are, and keeps it when the sandbox is reset', async () => {
  const at = home();
  const amountsOf = async () => (await sandboxJson(at, 'sandbox status')).orderAmounts;
  await at.cb('sandbox seed --orders 60');
  expect(await amountsOf()).toBe('dollars');
  await at.cb('sandbox seed --orders 60 --order-amounts customer');
  expect(await amountsOf()).toBe('customer');
  await at.cb('sandbox reset');
  expect(await amountsOf()).toBe('customer');
  const wrong = await at.cb('sandbox seed --order-amounts yen');
  expect(wrong).toMatchObject({
    code: 2,
    err: "cb: Invalid --order-amounts 'yen'.\n    Use dollars or customer.\n",
  });
});
