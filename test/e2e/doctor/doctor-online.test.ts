/** cb doctor --online: what the services say of each key. */
import { expect, test } from 'vitest';
import { canary } from '../../support/canary.ts';
import { home, sandboxHome } from '../../support/cb.ts';
import { answering, doctor, shop, write } from '../../support/doctor.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';

test('Nothing is sent without --online', async () => {
  const made = home();
  const { url, asked } = await answering('api_order_read');
  write(made, shop(url));
  const { code, find } = await doctor(made);
  expect({ code, reach: find('reach shop'), asked }).toEqual({
    code: 0,
    reach: undefined,
    asked: [],
  });
});

test('With --online each profile is asked about: reached, accepted, permitted, on time', async () => {
  const made = home();
  const { url } = await answering(`api_order_read\n${canary}\n`);
  write(made, shop(url));
  const { code, find } = await doctor(made, '--online');
  expect(code).toBe(0);
  expect(find('reach shop')?.found).toMatch(/answered in \d+ ms/);
  expect(find('key shop')?.status).toBe('ok');
  expect(find('permissions shop')?.found).toBe('the key may: api_order_read');
  expect(find('clock')?.status).toBe('ok');
});

test.each([
  [-12, 'this machine is 12 minutes ahead of the service'],
  [12, 'this machine is 12 minutes behind the service'],
])('A service whose clock is off by %i minutes makes a fault', async (minutes, found) => {
  const made = home();
  write(made, shop((await answering('api_order_read', minutes)).url));
  const { code, find } = await doctor(made, '--online');
  expect(code).toBe(3);
  expect(find('clock')).toMatchObject({ status: 'fault', found });
});

test('A key that the service does not know is a fault that cb login mends', async () => {
  const made = home();
  const { sandbox } = await serveSandbox();
  write(made, shop(sandbox.url));
  const { code, find } = await doctor(made, '--online');
  expect(code).toBe(3);
  expect(find('reach shop')?.status).toBe('ok');
  expect(find('key shop')).toMatchObject({ status: 'fault', fix: 'cb login --profile shop' });
});

test('A service that is not reached is 6, and 3 where a key is at fault too', async () => {
  const made = home();
  write(made, shop('http://127.0.0.1:1'));
  const alone = await doctor(made, '--online');
  expect(alone.code).toBe(6);
  expect(alone.find('reach shop')).toMatchObject({
    status: 'fault',
    found: expect.stringContaining('127.0.0.1:1'),
    fix: expect.any(String),
  });
  const both = await doctor(made, '--online', { env: { CB_API_KEY: '' } });
  expect(both.code).toBe(3);
});

test('A web page in place of the service is no accepted key', async () => {
  const made = home();
  write(made, shop((await answering('<!DOCTYPE html><html>Sign in</html>')).url));
  const { code, find } = await doctor(made, '--online');
  expect({ code, key: find('key shop') }).toEqual({ code: 5, key: undefined });
  expect(find('reach shop')).toMatchObject({ status: 'fault', found: 'a web page came back' });
});

test.each([400, 401, 403, 404, 500])(
  'A service that quotes the key with %i does not show it',
  async (status) => {
    const made = home();
    const { url } = await serve((reply) => reply.writeHead(status).end(`no: ${canary}`));
    write(made, shop(url));
    await doctor(made, '--online');
  },
);

test('A service that fails is 5', async () => {
  const made = home();
  const { url } = await serve((reply) => reply.writeHead(503).end());
  write(made, shop(url));
  expect((await doctor(made, '--online')).code).toBe(5);
});

test('--profile asks about the named ones only', async () => {
  const made = home();
  const { url } = await answering('api_order_read');
  const profiles = {
    shop: { baseUrl: url, key: canary },
    away: { baseUrl: 'http://127.0.0.1:1', key: canary },
  };
  write(made, { current: 'away', profiles });
  const { code, find } = await doctor(made, '--online --profile shop');
  expect({ code, away: find('reach away') }).toEqual({ code: 0, away: undefined });
  const gone = await doctor(made, '--online --profile gone');
  expect(gone.find('key gone')).toMatchObject({ status: 'fault' });
});

test('The sandbox can be asked too', async () => {
  const { find } = await doctor(await sandboxHome(60), '--sandbox --online');
  expect(find('key sandbox')?.status).toBe('ok');
  expect(find('permissions sandbox')?.found).toContain('api_order_write');
});
