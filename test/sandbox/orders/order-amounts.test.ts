/** The currency of the amounts of orders. */
import { expect, onTestFinished, test } from 'vitest';
import { type OrderAmounts, startSandbox } from '../../../src/sandbox/http/server.ts';
import { ask, listAll, NOON } from '../raw.ts';

async function yenSaleIn(seed: { readonly orderAmounts?: OrderAmounts }) {
  const sandbox = await startSandbox({
    ...{ file: ':memory:', now: () => NOON, seed: { orders: 300, ...seed } },
  });
  onTestFinished(() => sandbox.close());
  expect(sandbox.status().orderAmounts).toBe(seed.orderAmounts ?? 'dollars');
  const sale = (await listAll(sandbox, 'type=SALE')).find(({ currency }) => currency === 'JPY');
  const period = 'startDate=2025-01-01&endDate=2027-12-31';
  const amount = Number(sale?.totalOrderAmount);
  const path = `/rest/1.3/orders2/count?${period}&amount=${amount}`;
  const found = Number((await ask(sandbox, 'GET', path)).text.replaceAll(/\D/g, ''));
  return { receipt: sale?.receipt, amount, found };
}

test('sends amounts in US dollars by default, and in the currency of the customer if the seed says so', async () => {
  const dollars = await yenSaleIn({});
  const customer = await yenSaleIn({ orderAmounts: 'customer' });
  expect(dollars.receipt).toBe(customer.receipt);
  expect(customer.amount).toBeGreaterThan(1000);
  expect(dollars.amount).toBeCloseTo(customer.amount / 150, 2);
  expect(dollars.found).toBeGreaterThan(0);
  expect(customer.found).toBeGreaterThan(0);
});
