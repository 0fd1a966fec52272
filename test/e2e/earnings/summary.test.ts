/** What `cb summary` prints: a screen, one object, rows in every format. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { home, sandboxHome } from '../../support/cb.ts';
import { expectHarmless, hostile } from '../../support/hostile.ts';
import { expectExit } from '../../support/refusal.ts';
import { sandboxJson, serveSandbox } from '../../support/sandbox.ts';
import { servedHome } from '../../support/served-home.ts';
import { serve } from '../../support/server.ts';
import { type Entry, openLedger } from '../../support/shop.ts';

const noon = (day: string) => `${day}T12:00:00-07:00`;

const someSales: readonly Entry[] = [
  { time: noon('2026-03-17'), amount: '20.00', affiliate: 'TOPAFF1', trackingId: 'mail' },
  { time: noon('2026-03-16'), amount: '10.00', type: 'BILL', sku: 'CLUB', title: 'A club' },
  { time: noon('2026-03-15'), amount: '-5.00', type: 'RFND' },
  { time: noon('2026-03-14'), amount: '-2.50', type: 'CGBK' },
  { time: noon('2026-03-14'), amount: null, type: 'FEE' },
  { time: noon('2026-03-13'), amount: '99.00', type: 'TEST_SALE' },
  { time: noon('2026-03-13'), amount: '99.00', type: 'INSF' },
  { time: noon('2026-03-08'), amount: '8.00' },
];

const week = 'summary --since 2026-03-11 --until 2026-03-17';

async function summary(options = '', entries = someSales, columns?: number) {
  const { env, lists } = await openLedger(entries);
  const at = home();
  const utf = { ...env, LANG: 'C.UTF-8', NO_COLOR: '1' };
  const ran = await at.cb(`${week} ${options}`, { env: utf, ...(columns && { columns }) });
  expect({ code: ran.code, err: columns ? '' : ran.err }).toEqual({ code: 0, err: '' });
  return { ...ran, ...at, lists: lists() };
}

test('shows figures, the comparison, the trend and the best on one screen', async () => {
  expect((await summary('', someSales, 80)).out.split('\n')).toEqual([
    'Earnings Mar 11 to Mar 17, 2026 (7 days)',
    'Account GREENLEAF',
    'US dollars                 Total     Before      Change',
    'Earned                     30.00       8.00     +275.0%',
    'Refunded                    5.00       0.00           -',
    'Charged back                2.50       0.00           -',
    'Net                        22.50       8.00     +181.3%',
    'You earn per payment       15.00       8.00      +87.5%',
    'Sales                          1          1        0.0%',
    'Rebills                        1          0           -',
    'Refunds (rate)        1 (50.00%)  0 (0.00%)  +50.00 pts',
    'Chargebacks (rate)    1 (50.00%)  0 (0.00%)  +50.00 pts',
    'Changes compare Mar 11 to Mar 17, 2026 with Mar 4 to Mar 10, 2026.',
    '',
    'Earned by day  ▁▁▁▁▁▅█  0.00 to 20.00 a day',
    '',
    'Top products                    Earned   Top affiliates                  Earned',
    'A book                           20.00   TOPAFF1                          20.00',
    'A club                           10.00   (none)                           10.00',
    'Not counted: 1 fee (in USD: 37.00), 1 test order, 1 of other types.',
    '',
  ]);
});

test('colors changes by what they mean, and always shows their sign', async () => {
  const { env } = await openLedger(someSales);
  const { out } = await home().cb(week, { env: { ...env, FORCE_COLOR: '1' }, columns: 80 });
  expect(out).toContain('\u001b[32m+275.0%\u001b[39m');
  expect(out).toContain('\u001b[31m+50.00 pts\u001b[39m');
  expect(out).not.toContain('m0.0%');
});

const wide = '本日の特別な商品です'.repeat(3);

test.each([
  ...[60, 80, 100, 160].map((columns) => ['the sandbox', columns] as const),
  ...[40, 60, 80, 160].map((columns) => ['hostile names', columns] as const),
])('fits a screen of 24 lines with %s at %i columns', async (what, columns) => {
  const names = [wide, hostile, 'x'.repeat(300), '👍🏽'.repeat(40), '=cmd()', 'last'];
  const entries = names.flatMap((name, i): Entry[] =>
    ['2026-03-18', '2026-03-17', '2026-03-11'].map((day) => ({
      ...{ time: noon(day), amount: `${i + 1}234567.89`, receipt: `R${i}${day}` },
      ...{ title: name, sku: `SKU${i}`, affiliate: name, trackingId: name },
    })),
  );
  const LANG = 'C.UTF-8';
  const { env } = await openLedger([...entries, ...someSales]);
  const { out } =
    what === 'the sandbox'
      ? await (await sandboxHome()).cb('--sandbox summary', { columns, env: { LANG } })
      : await home().cb('summary --period last-7-days', { columns, env: { ...env, LANG } });
  const lines = out.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(15);
  expect(lines.length).toBeLessThanOrEqual(24);
  const shown = lines.map(stripVTControlCharacters);
  expect(shown.filter((line) => stringWidth(line) > columns)).toEqual([]);
  expectHarmless(out);
});

test('says in a sentence that there is nothing', async () => {
  expect((await summary('', [], 80)).out.split('\n')).toEqual([
    'Earnings Mar 11 to Mar 17, 2026 (7 days)',
    'Account GREENLEAF',
    'No sales, rebills, refunds or chargebacks in these days or from Mar 4 to Mar 10,',
    '2026.',
    '',
  ]);
  const { out } = await summary('-o json', []);
  expect(JSON.parse(out)).toMatchObject({
    totals: { earned: 0, sales: 0, refundRatePercent: null, averageEarned: null },
    changePercent: { earned: null },
    topProducts: [],
  });
});

test('prints one object as json, with digits, units and everything that was read', async () => {
  const { out } = await summary('-o json');
  expect(out).toContain('"earned": 30.00');
  expect(JSON.parse(out)).toMatchObject({
    currency: 'USD',
    accounts: ['GREENLEAF'],
    period: { first: '2026-03-11', last: '2026-03-17', days: 7 },
    unfinishedDay: null,
    totals: { earned: 30, net: 22.5, refundRatePercent: 50, chargebackRatePercent: 50 },
    previous: { earned: 8 },
    change: { earned: 22 },
    changePercent: { earned: 275, refunded: null },
    notCounted: { fees: 1, feeAmount: 37, tests: 1, otherTypes: 1, undated: 0 },
    topProducts: [
      { product: 'SKU-1', title: 'A book', vendor: 'GREENLEAF', earned: 20 },
      { product: 'CLUB', title: 'A club', earned: 10 },
    ],
    topAffiliates: [{ affiliate: 'TOPAFF1' }, { affiliate: null }],
    topTrackingIds: [{ trackingId: 'mail' }, { trackingId: null }],
  });
  for (const format of ['json', 'ndjson', 'csv', 'tsv', 'table']) {
    expect((await summary(`-o ${format} --query totals.net`)).out).toBe('22.50\n');
  }
  expect(JSON.parse((await summary('-o json --fields totals.net,currency')).out)).toEqual({
    totals: { net: 22.5 },
    currency: 'USD',
  });
});

test('prints a row for each metric in the formats of rows', async () => {
  const { out } = await summary('-o csv');
  expect(out.split('\n').slice(0, 3)).toEqual([
    'metric,value,unit,compared,previous,change,changePercent',
    'earned,30.00,USD,30.00,8.00,22.00,275.0',
    'refunded,5.00,USD,5.00,0.00,5.00,',
  ]);
  expect(out).toContain('\nsales,1,count,1,1,0,0.0\n');
  expect(out).toContain('\nrefundRatePercent,50.00,percent,50.00,0.00,50.00,\n');
  expect((await summary('')).out.split('\n')[0]?.split('\t')).toHaveLength(7);
  const lines = (await summary('-o ndjson --fields metric,value')).out.trim().split('\n');
  expect(lines).toHaveLength(11);
  expect(lines[0]).toBe('{"metric":"earned","value":30.00}');
});

test('prints a row for each group with --by, in every format', async () => {
  const { out } = await summary('--by product -o csv --fields product,title,earned,currency');
  expect(out).toBe(
    'product,title,earned,currency\nSKU-1,A book,20.00,USD\nCLUB,A club,10.00,USD\n',
  );
  const { out: days } = await summary('--by day -o json --fields day,isFinished,earned');
  expect(JSON.parse(days)).toHaveLength(7);
  const { out: table } = await summary('--by affiliate -o table --limit 1');
  expect(table.split('\n').map((line) => line.split(/\s+/)[0])).toEqual([
    ...['Affiliate', 'TOPAFF1', 'TOTAL', ''],
  ]);
  expect((await summary('--by country -o ndjson --fields country,sales')).out).toBe(
    '{"country":"US","sales":1}\n',
  );
});

test('writes files by their extension, and the screen to a text file', async () => {
  const written = async (options: string, name: string) => {
    const { folder, out } = await summary(`${options} --out ${name}`);
    expect(out).toBe('');
    return readFileSync(join(folder, name), 'utf8');
  };
  expect(await written('', 'metrics.csv')).toMatch(/^metric,value,unit/);
  expect(await written('-o table', 'screen.txt')).toContain('Earned   ');
});

// The next day has begun in UTC.
test('compares today with the same hours of the same weekday last week', async () => {
  const at = (amount: string, ...times: readonly string[]): Entry[] =>
    times.map((time) => ({ time, amount }));
  const { env } = await openLedger([
    ...at('5.00', '2026-03-18T19:29:00-07:00', '2026-03-18T00:00:00-07:00'),
    ...at('7.00', '2026-03-11T19:30:00-07:00', '2026-03-11T19:30:01-07:00'),
    ...at('9.00', '2026-03-10T10:00:00-07:00'),
  ]);
  const now = () => new Date('2026-03-18T19:30:00-07:00');
  expect(JSON.parse((await home().cb('today -o json', { env, now })).out)).toMatchObject({
    period: { first: '2026-03-18', last: '2026-03-18', days: 1 },
    unfinishedDay: '2026-03-18',
    comparison: { with: 'week-before', until: '19:30:00' },
    totals: { earned: 10, sales: 2 },
    previous: { earned: 7, sales: 1 },
    changePercent: { earned: 42.9 },
  });
});

test('reads each page once: days that touch in one list', async () => {
  const many = Array.from({ length: 250 }, (_, i): Entry => {
    return { time: noon(i < 150 ? '2026-03-14' : '2026-03-08'), receipt: `R${i}` };
  });
  const { lists, out } = await summary('-o json', many);
  expect(JSON.parse(out)).toMatchObject({ totals: { sales: 150 }, previous: { sales: 100 } });
  const pages = lists.map(({ headers }) => headers.page);
  expect(new Set(pages).size).toBe(pages.length);
  expect(pages.filter((page) => Number(page) <= 3)).toEqual(['1', '2', '3']);
});

test('counts an account that several keys may read once, and names the profile that failed', async () => {
  const { sandbox, keyOf } = await serveSandbox({ orders: 500 });
  const { cb } = home();
  for (const name of ['full', 'vendor', 'affiliate', 'no-orders']) {
    const login = `login --profile ${name} --with-key --base-url ${sandbox.url}`;
    await cb(login, { stdin: keyOf(name) });
  }
  const earned = async (profiles: string) => {
    const ran = await cb(`summary --profile ${profiles} -o json`);
    return { ...ran, ...JSON.parse(ran.out) };
  };
  const full = await earned('full');
  expect((await earned('full,vendor,affiliate')).totals).toEqual(full.totals);
  expect((await earned('affiliate,vendor,full')).totals).toEqual(full.totals);
  const referred = await earned('full --role AFFILIATE');
  expect((await earned('full,affiliate --role AFFILIATE')).totals).toEqual(referred.totals);
  const two = await earned('vendor,affiliate');
  expect(two.accounts).toEqual(['GREENLEAF', 'TOPAFF1']);
  const [vendor, affiliate] = [await earned('vendor'), await earned('affiliate')];
  expect(two.totals.earned).toBeCloseTo(vendor.totals.earned + affiliate.totals.earned, 2);
  const broken = await earned('vendor,no-orders');
  expectExit(broken, 8, 'Profile no-orders:');
  expect(broken.totals).toEqual(vendor.totals);
});

test('names only the accounts whose transactions were read', async () => {
  const { env } = await serve((reply, _, { url, headers }) => {
    const nickName = headers.authorization === 'API-TWO' ? 'SHOPTWO' : 'SHOPONE';
    if (url.includes('accounts')) reply.end(JSON.stringify({ accountData: { nickName } }));
    else reply.writeHead(nickName === 'SHOPTWO' ? 400 : 200).end('null');
  });
  const { cb } = home();
  for (const name of ['ONE', 'TWO']) {
    await cb(`login --profile ${name} --with-key --no-check`, { env, stdin: `API-${name}` });
  }
  const ran = await cb('summary --all-profiles -o json --query accounts');
  expectExit(ran, 8, 'Profile TWO:');
  expect(JSON.parse(ran.out)).toEqual(['SHOPONE']);
});

test('filters by role and by account, and names the role in the title, and as many accounts as fit', async () => {
  const at = await sandboxHome(500);
  const figures = (options: string) => sandboxJson(at, `summary ${options}`);
  const all = await figures('');
  const sold = await figures('--role VENDOR');
  const referred = await figures('--role affiliate');
  expect(sold.totals.earned + referred.totals.earned).toBeCloseTo(all.totals.earned, 2);
  expect(referred.accounts).toEqual(['TOPAFF1']);
  expect((await figures('--account topaff1')).totals).toEqual(referred.totals);
  const compared = async (words: string) =>
    (await figures(`--period last-month --compare ${words}`)).comparison;
  expect(await compared('last-month')).toEqual(await compared('month-before'));
  const title = async (flags: string) =>
    (await at.cb(`--sandbox summary ${flags}`, { columns: 60 })).out.split('\n').slice(0, 2);
  expect(await title('--period 2026-03')).toEqual([
    'Earnings Mar 1 to Mar 18, 2026 (18 days, today so far)',
    'Accounts GREENLEAF, FITLAB24, COOKWELL and 3 more',
  ]);
  expect((await title('--role affiliate --by product'))[1]).toBe('Account TOPAFF1 as affiliate');
  const line = 'summary --profile sandbox:affiliate';
  const { out } = await at.cb(line, { columns: 80, env: { NO_COLOR: '1' } });
  expect(out).toMatch(/^Account TOPAFF1\n[\s\S]*^Top products +Earned/m);
  expect(out).not.toContain('Top affiliates');
});

test('rejects an account that the key can not read', async () => {
  const { env, lists } = await openLedger(someSales);
  const ran = await home().cb('summary --account GREENLEEF', { env });
  const says = "cb: The key can't read the account 'GREENLEEF'. Did you mean GREENLEAF?";
  expectExit(ran, 2, says, '');
  expect(lists()).toEqual([]);
});

test.each([
  ['exit code 8 if a list breaks off', 2, 8, /No figures: the list stopped after 1 transactions?/],
  ['the exit code of its first page otherwise', 1, 5, /ClickBank/],
])('prints no figures, and ends with %s', async (_, broken, expected, message) => {
  const row = { receipt: 'A1', transactionType: 'SALE', transactionTime: noon('2026-03-16') };
  const { cb } = await servedHome((reply, _number, { url, headers }) => {
    if (url.includes('/accounts')) reply.end('{"accountData":{"nickName":"GREENLEAF"}}');
    else if (Number(headers.page) >= broken) reply.writeHead(500).end('broken');
    else reply.writeHead(206).end(JSON.stringify({ orderData: row }));
  });
  expectExit(await cb(`${week} -o csv --max-wait 0`), expected, message, '');
});
