/** Values that were shown are stored for completion: in a private file, without personal data, and not if turned off. */
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordRecent } from '../../../src/cli/endpoint/recent.ts';
import { contextFor } from '../../../src/cli/runtime/command-context.ts';
import { withApi } from '../../../src/cli/session/session.ts';
import { orders } from '../../../src/operations/orders.ts';
import { products } from '../../../src/operations/products.ts';
import { quickstats } from '../../../src/operations/quickstats.ts';
import { tickets } from '../../../src/operations/tickets.ts';
import { home, sandboxHome, world } from '../../support/cb.ts';
import { write } from '../../support/doctor.ts';
import { recorded } from '../../support/recorded.ts';

const state = '.local/state/clickbank-cli';
const sandbox = { sandbox: true };

type Home = ReturnType<typeof home>;

/** Lines that end where a value of each kind is expected. */
const places = {
  receipt: 'orders get',
  ticket: 'tickets get',
  sku: 'products get',
  account: 'orders list --vendor',
};

/** The values of this kind that completion offers. */
async function asked({ cb }: Home, kind: keyof typeof places, flags = '--sandbox', options = {}) {
  const { code, out, err } = await cb(`__complete -- ${flags} ${places[kind]} ''`, options);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out.split('\n').filter((line) => line !== '');
}

async function withProfiles(...names: string[]): Promise<Home> {
  const made = home();
  for (const name of names) {
    await made.cb(`login --with-key --no-check --profile ${name}`, { stdin: 'API-ONE' });
  }
  return made;
}

test('offers receipts, tickets, SKUs and accounts again, typed ones first, then the latest', async () => {
  const made = home();
  const rows = [
    { receipt: 'AAAA0001', vendor: 'GREENLEAF', lineItemData: [{ itemNo: 'CLUB-M' }] },
    { receipt: 'AAAA0002', vendor: 'GREENLEAF', lineItemData: null },
  ];
  await recorded(made.folder, sandbox, orders.list, {}, rows);
  await recorded(made.folder, sandbox, orders.get, { receipt: 'BBBB0001' }, []);
  await recorded(made.folder, sandbox, tickets.list, {}, [{ ticketid: 1001, receipt: 'AAAA0002' }]);
  await recorded(made.folder, sandbox, products.get, { sku: 'KIT-03', site: 'BLUELEAF' }, []);
  await recorded(made.folder, sandbox, quickstats.accounts, {}, [{ nickName: 'REDLEAF' }]);
  expect(await asked(made, 'receipt')).toEqual(['BBBB0001', 'AAAA0002', 'AAAA0001']);
  expect(await asked(made, 'ticket')).toEqual(['1001']);
  expect(await asked(made, 'sku')).toEqual(['KIT-03', 'CLUB-M']);
  expect(await asked(made, 'account')).toEqual(['BLUELEAF', 'REDLEAF', 'GREENLEAF']);
});

test('keeps typed receipts when lists show many others', async () => {
  const made = home();
  await recorded(made.folder, sandbox, orders.get, { receipt: 'TYPED001' }, []);
  await recorded(made.folder, sandbox, orders.get, { receipt: 'TYPED002' }, []);
  const rows = Array.from({ length: 200 }, (_, i) => ({ receipt: `LIST${1000 + i}` }));
  await recorded(made.folder, sandbox, orders.list, {}, rows);
  const offered = await asked(made, 'receipt');
  expect(offered).toHaveLength(50);
  expect(offered.slice(0, 3)).toEqual(['TYPED002', 'TYPED001', 'LIST1000']);
});

test('stores values of real responses, including IDs that are numbers', async () => {
  const made = await sandboxHome(300);
  const { context } = world(made.folder, {});
  const shell = contextFor({ context, code: 0 }, sandbox);
  await withApi(shell, {}, async (api) => {
    const ticket = await api.call(tickets.get, { id: '1001' });
    await recordRecent(shell, tickets.get, { id: '1002' }, [ticket]);
    const sales = await api.call(orders.get, { receipt: 'CART0003' });
    await recordRecent(shell, orders.get, { receipt: 'CART0003' }, sales);
  });
  expect(await asked(made, 'ticket')).toEqual(['1002', '1001']);
  expect(await asked(made, 'receipt')).toContain('CART0003');
  expect((await asked(made, 'sku')).length).toBeGreaterThan(1);
});

test('stores nothing from rows of several accounts', async () => {
  const made = await withProfiles('shop', 'work');
  const row = [{ receipt: 'BOTH0001' }];
  await recorded(made.folder, { allProfiles: true }, orders.list, {}, row);
  await recorded(made.folder, { profile: 'shop,work' }, orders.list, {}, row);
  expect(await asked(made, 'receipt', '')).toEqual([]);
  expect(await asked(made, 'receipt', '--profile shop,work')).toEqual([]);
});

test('stores a private file without personal data and keys', async () => {
  const made = await withProfiles('shop');
  const row = {
    ...{ receipt: 'AAAA0001', firstName: 'Olena', lastName: 'Kelly', fullName: 'Olena Kelly' },
    ...{ email: 'olena@example.com', postalCode: '83702', affiliate: 'none' },
  };
  const args = { email: 'olena@example.com', lastName: 'Kelly' };
  await recorded(made.folder, { profile: 'shop' }, orders.list, args, [row]);
  const file = join(made.folder, state, 'recent.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ shop: { receipt: ['AAAA0001'] } });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(made.folder, state)).mode & 0o777).toBe(0o700);
});

test('stores 50 values of each kind', async () => {
  const made = home();
  for (const start of [0, 40]) {
    const rows = Array.from({ length: 40 }, (_, i) => ({ receipt: `R${1000 + start + i}` }));
    await recorded(made.folder, sandbox, orders.list, {}, rows);
  }
  const kept = await asked(made, 'receipt');
  expect(kept.length).toBe(50);
  expect(kept.slice(0, 2)).toEqual(['R1040', 'R1041']);
});

test('stores no values that a shell could read as more than a word', async () => {
  const made = home();
  const hostile = [
    'x\u001b[2J',
    '$(touch gone)',
    '`id`',
    '-rf',
    'A B',
    'A;B',
    "A'B",
    'A\nB',
    '',
    'X'.repeat(80),
  ];
  const rows = [...hostile, 'GOOD-1'].map((receipt) => ({ receipt }));
  await recorded(made.folder, sandbox, orders.list, { vendor: 'GREEN%' }, rows);
  expect(await asked(made, 'receipt')).toEqual(['GOOD-1']);
  expect(await asked(made, 'account')).toEqual([]);
});

test('stores values by profile, and those of all sandbox keys together', async () => {
  const made = await withProfiles('shop', 'work');
  const row = (receipt: string) => [{ receipt }];
  await recorded(made.folder, { profile: 'shop' }, orders.list, {}, row('SHOP0001'));
  await recorded(made.folder, { profile: 'work' }, orders.list, {}, row('WORK0001'));
  await recorded(made.folder, { profile: 'sandbox:read-only' }, orders.list, {}, row('SAND0001'));
  expect(await asked(made, 'receipt', '')).toEqual(['SHOP0001']);
  expect(await asked(made, 'receipt', '--profile work')).toEqual(['WORK0001']);
  expect(await asked(made, 'receipt', '--profile=work')).toEqual(['WORK0001']);
  expect(await asked(made, 'receipt', '--sandbox')).toEqual(['SAND0001']);
  expect(await asked(made, 'receipt', '', { env: { CB_API_KEY: 'API-TWO' } })).toEqual([]);
  expect(await asked(made, 'receipt', '', { env: { CB_PROFILE: 'work' } })).toEqual(['WORK0001']);
});

test('stores nothing with cb config set history off, or with CB_NO_HISTORY', async () => {
  const made = await withProfiles('shop');
  const shop = { profile: 'shop' };
  await made.cb('config set history off');
  await recorded(made.folder, shop, orders.get, { receipt: 'AAAA0001' }, []);
  expect(await asked(made, 'receipt', '')).toEqual([]);
  await made.cb('config set history on');
  const env = { CB_NO_HISTORY: '1' };
  await recorded(made.folder, shop, orders.get, { receipt: 'AAAA0002' }, [], { env });
  expect(await asked(made, 'receipt', '')).toEqual([]);
  await recorded(made.folder, shop, orders.get, { receipt: 'AAAA0003' }, []);
  expect(await asked(made, 'receipt', '')).toEqual(['AAAA0003']);
});

test.each(['orders get MONTHLY1', 'orders list --period last-7-days --limit 3'])(
  'offers again what cb %s shows on a terminal, and not what it prints to a pipe',
  async (line) => {
    const made = await sandboxHome(300);
    expect((await made.cb(`${line} --sandbox -o csv`)).code).toBe(0);
    expect(await asked(made, 'receipt')).toEqual([]);
    const { code, out } = await made.cb(`${line} --sandbox -o csv`, { columns: 100 });
    expect(code).toBe(0);
    const offered = await asked(made, 'receipt');
    expect(offered.length).toBeGreaterThan(0);
    for (const receipt of offered) expect(out).toContain(receipt);
  },
);

test('offers a receipt again that was typed for a write', async () => {
  const made = await sandboxHome(300);
  const yes = { columns: 100 };
  expect((await made.cb('orders reinstate CANCEL01 --yes --sandbox', yes)).code).toBe(0);
  expect(await asked(made, 'receipt')).toEqual(['CANCEL01']);
});

test('cb completion forget deletes all stored values', async () => {
  const made = home();
  await recorded(made.folder, sandbox, orders.get, { receipt: 'AAAA0001' }, []);
  expect((await made.cb('completion forget')).code).toBe(0);
  expect(await asked(made, 'receipt')).toEqual([]);
  expect((await made.cb('completion forget')).code).toBe(0);
});

test('reports no error if the file cannot be written or read', async () => {
  const made = home();
  mkdirSync(join(made.folder, '.local'), { recursive: true });
  writeFileSync(join(made.folder, '.local/state'), 'a file where a folder belongs');
  await recorded(made.folder, sandbox, orders.get, { receipt: 'AAAA0001' }, []);
  expect(await asked(made, 'receipt')).toEqual([]);
});

test.each(['', '{', '[1]', '{"sandbox":{"receipt":["$(id)"]}}', '{"sandbox":{"receipt":"x"}}'])(
  'offers nothing from a damaged file (%s), and replaces it with the next values',
  async (text) => {
    const made = home();
    mkdirSync(join(made.folder, state), { recursive: true });
    writeFileSync(join(made.folder, state, 'recent.json'), text);
    chmodSync(join(made.folder, state), 0o755);
    expect(await asked(made, 'receipt')).toEqual([]);
    await recorded(made.folder, sandbox, orders.get, { receipt: 'AAAA0001' }, []);
    expect(await asked(made, 'receipt')).toEqual(['AAAA0001']);
    expect(statSync(join(made.folder, state)).mode & 0o777).toBe(0o700);
  },
);

test('prints nothing for a completion script when the configuration is damaged', async () => {
  const made = home();
  write(made, '{ broken');
  expect(await made.cb("__complete -- --profile ''")).toEqual({ code: 0, out: '', err: '' });
  expect(await asked(made, 'receipt', '')).toEqual([]);
});
