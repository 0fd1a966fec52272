/** `cb check`: exit code 9 and rows if a rate reaches its limit; otherwise silence. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { home } from '../../support/cb.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { type Entry, openLedger } from '../../support/shop.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const time = '2026-03-17T12:00:00-07:00';

function sold(sales: number, refunds: number, facts: Partial<Entry> = {}): Entry[] {
  return Array.from({ length: sales + refunds }, (_, i) => ({
    time,
    type: i < sales ? 'SALE' : 'RFND',
    amount: i < sales ? '10.00' : '-10.00',
    ...facts,
    receipt: `${Object.values(facts).join('')}${i}`,
  }));
}

async function check(entries: readonly Entry[], options = '', columns?: number) {
  const { env } = await openLedger(entries);
  const at = home();
  return { ...(await at.cb(`check ${options}`, { env, ...(columns && { columns }) })), ...at };
}

/** The rows that are found. */
async function found(entries: readonly Entry[], options = '') {
  const { code, out } = await check(entries, `${options} --json`);
  expect(code).toBe(9);
  return JSON.parse(out);
}

/** 1 of 667 is 0.1499%. */
const rounded = [...sold(667, 0), { ...sold(0, 1, { type: 'CGBK' })[0], time }] as Entry[];

test.each([
  ['just below the limit', sold(100, 14), '', 0],
  ['just below a limit with decimals', rounded, '--chargeback-rate 0.15%', 0],
  ['just above it', rounded, '--chargeback-rate 0.149%', 9],
  ['fewer sales than --min-sales', sold(99, 50), '', 0],
  ['as many', sold(99, 50), '--min-sales 99', 9],
  ['none', sold(0, 5), '--min-sales 1', 0],
])('%s: ends quietly, or with 9', async (_, entries, options, code) => {
  const ran = await check(entries, options);
  expect(ran).toMatchObject({ code, err: '', ...(code === 0 && { out: '' }) });
});

test('ends with 9 at the limit, and names who', async () => {
  const { code, out, err } = await check(sold(100, 15), '-o csv');
  expect({ code, err }).toEqual({ code: 9, err: '' });
  expect(out.trim().split('\n')).toEqual([
    'scope,name,title,exceeds,sales,rebills,refunds,refundRatePercent,refundLimitPercent,chargebacks,chargebackRatePercent,chargebackLimitPercent,startDate,endDate',
    'account,GREENLEAF,,refund rate,100,0,15,15.00,15,0,0.00,1,2026-03-05,2026-03-18',
  ]);
});

test('counts rebills as sales, and neither fees, test orders nor unknown types', async () => {
  const entries = [
    ...sold(50, 10),
    ...sold(50, 0, { type: 'BILL' }),
    ...sold(40, 0, { type: 'TEST_SALE' }),
    ...sold(30, 0, { type: 'FEE', amount: null }),
    ...sold(20, 0, { type: 'NEWTYPE' }),
  ];
  expect(await found(entries, '--refund-rate 10%')).toMatchObject([
    { sales: 50, rebills: 50, refunds: 10, refundRatePercent: 10 },
  ]);
});

test('names the affiliates and the products that reach a limit', async () => {
  const entries = [
    ...sold(300, 3, { affiliate: 'GOODAFF', sku: 'BOOK' }),
    ...sold(30, 12, { affiliate: 'BADAFF', sku: 'COURSE', title: 'A course' }),
    ...sold(5, 5, { affiliate: 'NEWAFF', sku: 'BOOK' }),
  ];
  const options = '--min-sales 30 --fields scope,name,title,exceeds,refundRatePercent';
  const reached = { exceeds: 'refund rate', refundRatePercent: 40 };
  expect(await found(entries, `--by affiliate ${options}`)).toEqual([
    { scope: 'affiliate', name: 'BADAFF', title: null, ...reached },
  ]);
  expect(await found(entries, `--by product ${options}`)).toEqual([
    { scope: 'product', name: 'COURSE', title: 'A course', ...reached },
  ]);
});

test('names both limits that are reached', async () => {
  expect(await found([...sold(100, 20), ...sold(0, 2, { type: 'CGBK' })])).toMatchObject([
    { exceeds: 'refund rate, chargeback rate', chargebacks: 2, chargebackRatePercent: 2 },
  ]);
});

test.each<[number, string, object?]>([
  [9, 'GREENLEAF: at 0.90%, each chargeback costs 22 USD.'],
  [12, 'GREENLEAF: at 1.20%, each chargeback costs 29 USD, and ClickBank may close the account.'],
  [15, 'GREENLEAF: at 1.50%, each chargeback costs 49 USD, and ClickBank may close the account.'],
  [16, '1 of 1 reach a limit, Mar 5 to Mar 18, 2026.', { role: 'JV_PARTNER' }],
])('says on a terminal what %i chargebacks of 1,000 sales cost', async (chargebacks, says, row) => {
  const entries = [...sold(1000, 0, row), ...sold(0, chargebacks, { ...row, type: 'CGBK' })];
  const { code, err } = await check(entries, '--chargeback-rate 0.9%', 120);
  expect(code).toBe(9);
  expect(stripVTControlCharacters(err)).toMatch(new RegExp(`${says}\\n$`));
});

test('says on a terminal that all is well, and what was skipped', async () => {
  const entries = [...sold(200, 2, { affiliate: 'GOODAFF' }), ...sold(5, 5, { affiliate: 'NEW' })];
  const { code, out, err } = await check(entries, '--by affiliate', 200);
  expect({ code, out }).toEqual({ code: 0, out: '' });
  expect(err).toBe(
    'All rates are below the limits (refunds 15%, chargebacks 1%): 1 account and 1 affiliate, Mar 5 to Mar 18, 2026. Skipped: 1 affiliate with fewer than 100 sales and rebills.\n',
  );
});

test('writes complete documents if nothing is found', async () => {
  expect((await check(sold(200, 1), '-o json')).out).toBe('[]\n');
  expect((await check(sold(200, 1), '-o ndjson')).out).toBe('');
  const { folder, code } = await check(sold(200, 1), '--out found.json');
  expect(code).toBe(0);
  expect(readFileSync(join(folder, 'found.json'), 'utf8')).toBe('[]\n');
});

test('takes limits from the settings of the profile, and options before them', async () => {
  const { env, url } = await openLedger(sold(50, 5));
  const { cb } = home();
  const login = { env: { CB_BASE_URL: url }, stdin: env.CB_API_KEY };
  expect((await cb('login --profile shop --with-key', login)).code).toBe(0);
  expect((await cb('check')).code).toBe(0);
  for (const setting of ['refund-rate 10%', 'chargeback-rate 0.9%', 'min-sales 50']) {
    expect((await cb(`config set ${setting}`)).code).toBe(0);
  }
  expect((await cb('config get refund-rate')).out).toBe('10%\n');
  const { code, out } = await cb('check --json');
  expect(code).toBe(9);
  expect(JSON.parse(out)).toMatchObject([
    { refundRatePercent: 10, refundLimitPercent: 10, chargebackLimitPercent: 0.9 },
  ]);
  expect((await cb('check --refund-rate 11')).code).toBe(0);
  expect((await cb('config unset min-sales')).code).toBe(0);
  expect((await cb('check')).code).toBe(0);
});

test('judges each profile by its own limits, and an account of two keys only once', async () => {
  const shop = await openLedger(sold(200, 24));
  const other = sold(200, 24, { vendor: 'COOKWELL' });
  const kitchen = await openLedger(other, { accounts: ['COOKWELL'] });
  const { cb } = home();
  for (const [name, { url }] of Object.entries({ shop, same: shop, kitchen })) {
    const login = `login --profile ${name} --with-key --base-url ${url}`;
    await cb(login, { stdin: `API-${name.toUpperCase()}` });
  }
  await cb('config set refund-rate 10% --profile shop');
  const { code, out } = await cb('check --profile shop,same,kitchen --json');
  expect(code).toBe(9);
  expect(JSON.parse(out)).toMatchObject([{ profile: 'shop', name: 'GREENLEAF', sales: 200 }]);
  expect((await cb('check --profile kitchen,same')).code).toBe(0);
});

test('is silent in cron if a failure is over after a retry, but not if ClickBank can not be read', async () => {
  const { sandbox, env } = await serveSandbox();
  const line = 'check --min-sales 10 --refund-rate 100% --chargeback-rate 100%';
  sandbox.setFaults('503=#2');
  const clock = virtualClock();
  expect(await home().cb(line, { env, clock })).toEqual({ code: 0, out: '', err: '' });
  expect(clock.waited).toBeGreaterThan(0);
  const gone = { ...env, CB_BASE_URL: 'http://127.0.0.1:9' };
  const { code, out, err } = await home().cb('check --max-wait 0', { env: gone });
  expect({ code, out }).toEqual({ code: 6, out: '' });
  expect(err).not.toBe('');
});
