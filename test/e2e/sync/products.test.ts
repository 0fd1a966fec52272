/** Products that ClickBank lists without an ID. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home, now } from '../../support/cb.ts';
import { rowsOf } from '../../support/copy.ts';
import { startGateway } from '../../support/gateway.ts';
import { serveSandbox } from '../../support/sandbox.ts';

/** Removes the IDs of products wherever they are in a body. */
function withoutIds(body: string): string {
  return JSON.stringify(JSON.parse(body), (_key, value) => {
    if (typeof value !== 'object' || value === null || !('@sku' in value)) return value;
    const { id: _id, ...rest } = value;
    return rest;
  });
}

test('copies products without an ID under their site and SKU, with their prices, and again the next day', async () => {
  const { sandbox, env } = await serveSandbox({ orders: 60 });
  let changed = 0;
  const gateway = await startGateway(sandbox.url, now, ({ path, body }) => {
    if (!/\/products\/list/.test(path)) return undefined;
    const sent = withoutIds(body);
    if (sent.length < body.length) changed += 1;
    return sent;
  });
  const at = home();
  const file = (name: string) => join(at.folder, name);
  const query = `SELECT site, sku, count(*) AS prices FROM product_prices GROUP BY site, sku ORDER BY 1, 2`;
  await at.cb('sync right.db --tables products', { env });
  const broken = { ...env, CB_BASE_URL: gateway.url };
  const sync = (days: number) =>
    at.cb('sync copy.db --tables products', {
      env: broken,
      now: () => new Date(now.getTime() + days * 86_400_000),
    });
  expect(await sync(0)).toMatchObject({ code: 0 });
  expect(changed).toBeGreaterThan(0);
  const ids = "SELECT count(*) AS count FROM products WHERE product_id = site || '.' || sku";
  const [{ count } = {}] = await rowsOf(file('right.db'), 'SELECT count(*) AS count FROM products');
  expect(Number(count)).toBeGreaterThan(10);
  expect(await rowsOf(file('copy.db'), ids)).toEqual([{ count }]);
  expect(await rowsOf(file('copy.db'), query)).toEqual(await rowsOf(file('right.db'), query));
  expect(await sync(2)).toMatchObject({ code: 0 });
  expect(await rowsOf(file('copy.db'), ids)).toEqual([{ count }]);
});
