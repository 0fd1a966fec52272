/** cb doctor --online: checks each key with its service. */
import { expect, test } from 'vitest';
import { canary } from '../../support/canary.ts';
import { sandboxHome } from '../../support/cb.ts';
import { answering, doctor, doctorWith, shop } from '../../support/doctor.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';

test('sends nothing without --online', async () => {
  const { url, asked } = await answering('api_order_read');
  const { code, find } = await doctorWith(shop(url));
  expect({ code, asked }).toEqual({ code: 0, asked: [] });
  expect(find('reach shop')).toBeUndefined();
});

test('checks connection, key, permissions, and clock of each profile with --online', async () => {
  const { url } = await answering(`api_order_read\n${canary}\n`);
  const { code, find } = await doctorWith(shop(url), '--online');
  expect(code).toBe(0);
  expect(find('reach shop')?.found).toMatch(/responded in \d+ ms/);
  expect(find('key shop')?.status).toBe('ok');
  expect(find('permissions shop')?.found).toBe('Permissions of the key: api_order_read.');
  expect(find('clock')?.status).toBe('ok');
});

test.each([
  [-12, "The clock of this machine is 12 minutes ahead of the service's clock."],
  [12, "The clock of this machine is 12 minutes behind the service's clock."],
])('reports an error if the clocks differ by %i minutes', async (minutes, found) => {
  const { url } = await answering('api_order_read', minutes);
  const { code, find } = await doctorWith(shop(url), '--online');
  expect(code).toBe(3);
  expect(find('clock')).toMatchObject({ status: 'error', found });
});

test('says how to replace a key that the service rejects', async () => {
  const { sandbox } = await serveSandbox();
  const { code, find } = await doctorWith(shop(sandbox.url), '--online');
  expect(code).toBe(3);
  expect(find('reach shop')?.status).toBe('ok');
  expect(find('key shop')).toMatchObject({ status: 'error', fix: 'cb login --profile shop' });
});

test('ends with exit code 6 for an unreachable service, or 3 if a key is invalid too', async () => {
  const away = shop('http://127.0.0.1:1');
  const alone = await doctorWith(away, '--online');
  expect(alone.code).toBe(6);
  expect(alone.find('reach shop')).toMatchObject({
    status: 'error',
    found: expect.stringContaining('127.0.0.1:1'),
    fix: expect.any(String),
  });
  expect((await doctorWith(away, '--online', { env: { CB_API_KEY: ' ' } })).code).toBe(3);
});

test('does not treat a web page as an accepted key', async () => {
  const { url } = await answering('<!DOCTYPE html><html>Sign in</html>');
  const { code, find } = await doctorWith(shop(url), '--online');
  expect({ code, key: find('key shop') }).toEqual({ code: 5, key: undefined });
  expect(find('reach shop')).toMatchObject({
    status: 'error',
    found: 'The response is a web page.',
  });
});

test.each([400, 500])(
  'does not show a key that the service quotes with status %i',
  async (status) => {
    const { url } = await serve((reply) => reply.writeHead(status).end(`no: ${canary}`));
    const { code } = await doctorWith(shop(url), '--online');
    if (status >= 500) expect(code).toBe(5);
  },
);

test('checks only the profiles that --profile names', async () => {
  const { url } = await answering('api_order_read');
  const away = { baseUrl: 'http://127.0.0.1:1', key: canary };
  const stored = { current: 'away', profiles: { away, shop: { ...away, baseUrl: url } } };
  const { code, find } = await doctorWith(stored, '--online --profile shop');
  expect({ code, away: find('reach away') }).toEqual({ code: 0, away: undefined });
  const gone = await doctorWith(stored, '--online --profile gone');
  expect(gone.find('key gone')).toMatchObject({ status: 'error' });
});

test('checks the sandbox too', async () => {
  const { find } = await doctor(await sandboxHome(60), '--sandbox --online');
  expect(find('key sandbox')?.status).toBe('ok');
  expect(find('permissions sandbox')?.found).toContain('api_order_write');
});

test.each([
  [
    'dollars',
    /^in US dollars: order \w+ has totalOrderAmount [\d.]+, currency (?:JPY|INR), and you earn [\d.]+ USD$/,
  ],
  ['customer', /^in the customer's currency: order \w+ has /],
] as const)(
  'says that the amounts of orders are in %s, from an order in a small currency',
  async (orderAmounts, found) => {
    const { env } = await serveSandbox({ orders: 600, orderAmounts });
    const { find } = await doctorWith(shop(env.CB_BASE_URL, env.CB_API_KEY), '--online');
    expect(find('order amounts shop')).toMatchObject({
      status: 'ok',
      found: expect.stringMatching(found),
    });
  },
);

/** What doctor finds out from these sales: currency, what the customer paid, and what the account earns. */
async function amountsOf(sales: readonly (readonly [string, string, string])[]) {
  const orderData = sales.map(([currency, totalOrderAmount, accountAmount], at) => ({
    ...{ receipt: `SALE000${at}`, transactionType: 'SALE', currency, totalOrderAmount },
    transactionTime: '2026-03-17T10:00:00-07:00',
    lineItemData: [{ accountAmount }],
  }));
  const { url } = await serve((reply, _, { url: path }) =>
    path.includes('/orders2/list')
      ? reply.end(JSON.stringify({ orderData }))
      : reply.writeHead(200, { 'content-type': 'text/plain' }).end('api_order_read'),
  );
  return (await doctorWith(shop(url), '--online')).find('order amounts shop');
}

test.each([
  ['there is none', []],
  [
    'all are in other currencies',
    [
      ['USD', '47.00', '21.23'],
      ['EUR', '10.58', '8.25'],
    ],
  ],
  ['such an order earned nothing', [['PHP', '11.94', '0.00']]],
] as const)('says that it can not tell the currency of orders if %s', async (_, sales) => {
  expect(await amountsOf(sales)).toMatchObject({
    status: 'ok',
    found: expect.stringMatching(/^unknown: none of the latest orders shows/),
  });
});

test('recognizes the recorded order of 2019 as one in US dollars, after one with a tiny share', async () => {
  const sales = [
    ['JPY', '900.00', '4.00'],
    ['PHP', '11.94', '9.06'],
  ] as const;
  expect((await amountsOf(sales))?.found).toBe(
    'in US dollars: order SALE0001 has totalOrderAmount 11.94, currency PHP, and you earn 9.06 USD',
  );
});

test('names the reason if the orders can not be read', async () => {
  const { url } = await answering('api_order_read');
  const { code, find } = await doctorWith(shop(url), '--online');
  expect({ code, found: find('order amounts shop')?.found }).toMatchObject({
    code: 0,
    found: expect.stringMatching(/^unknown: (?!none of the latest)/),
  });
});
