/** `cb orders get` on a terminal names the open tickets of the order. */
import { expect, test } from 'vitest';
import { home } from '../../support/cb.ts';
import { serveSandbox } from '../../support/sandbox.ts';

test('names the open tickets of an order on a terminal, and reads none elsewhere', async () => {
  const { env, sandbox } = await serveSandbox();
  const { cb } = home();
  const { err } = await cb('orders get MONTHLY1', { env, columns: 80 });
  expect(err).toMatch(/^Open since \d{4}-\d\d-\d\d: technical support\. See cb tickets get 1003$/m);
  expect((await cb('orders get DIGITAL1', { env, columns: 80 })).err).not.toContain('Open since');
  const tried = await cb('orders get MONTHLY1 --sandbox', { columns: 80 });
  expect(tried.err).toMatch(/^Open since .* See cb tickets get 1003 --sandbox$/m);
  const tickets = () => sandbox.requests.filter(({ path }) => path.includes('tickets')).length;
  const before = tickets();
  await cb('orders get MONTHLY1 -o json', { env, columns: 80 });
  await cb('orders get MONTHLY1', { env });
  expect(tickets()).toBe(before);
});
