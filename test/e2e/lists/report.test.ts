/** `cb quickstats report`: one self-contained page, checked in a real browser. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browser, expectToScale, hasBrowser } from '../../support/browser.ts';
import { home, sandboxHome } from '../../support/cb.ts';
import { expectExit } from '../../support/refusal.ts';
import { sandboxJson } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';
import { cents } from '../earnings/answers.ts';

const opened = browser();

/** The texts of a table, row by row, without thousands separators. */
async function rowsOf(page: Page, id: string): Promise<string[][]> {
  const rows = await page.locator(`#${id} tr`).all();
  const texts = await Promise.all(rows.map((row) => row.locator('th, td').allTextContents()));
  return texts.map((row) => row.map((text) => text.replaceAll(',', '')));
}

/** A row of quickstats as JSON. */
type Stat = Readonly<Record<'quickStatDate' | 'nickName', string>> &
  Readonly<Record<'sale' | 'refund' | 'chargeback', number>>;

const names = ['sale', 'refund', 'chargeback'] as const;

const amountOf = (sum: number) => `$${(sum / 100).toFixed(2)}`.replace('$-', '-$');

function sumsOf(stats: readonly Stat[]): string[] {
  const [sale = 0, refund = 0, chargeback = 0] = names.map((name) =>
    stats.reduce((sum, stat) => sum + cents(stat[name]), 0),
  );
  return [sale, refund, chargeback, sale - refund - chargeback].map(amountOf);
}

const period = '--period last-30-days';

test('shows the sums of the service, and a bar for each amount to scale, in a report', async (own) => {
  own.skip(!hasBrowser, 'needs chromium');
  const at = await sandboxHome();
  const ran = await at.cb(`--sandbox quickstats report ${period} --out report.html`);
  expect(ran).toEqual({ code: 0, out: '', err: '' });
  const stats: Stat[] = await sandboxJson(at, `quickstats list ${period}`);
  const counts: Stat[] = await sandboxJson(at, `quickstats count ${period}`);
  const { page, faults } = await opened(join(at.folder, 'report.html'));
  expect(await page.title()).toBe('Earnings, February 17, 2026 to March 18, 2026');

  const totals = await page.locator('.totals .figure').allTextContents();
  expect(totals.slice(0, 4).map((text) => text.replaceAll(',', ''))).toEqual(sumsOf(counts));
  const accounts = await rowsOf(page, 'account-figures');
  expect(accounts.slice(1, -1)).toEqual(
    [...new Set(stats.map(({ nickName }) => nickName))].map((name) => [
      name,
      ...sumsOf(counts.filter(({ nickName }) => nickName === name)),
    ]),
  );
  const days = await rowsOf(page, 'figures');
  expect(days).toHaveLength(32);
  expect(days.at(-1)).toEqual(['Total', ...sumsOf(counts)]);
  const onDay = (day: string) => stats.filter((stat) => stat.quickStatDate.startsWith(day));
  expect(days[1]).toEqual(['March 18 2026 unfinished', ...sumsOf(onDay('2026-03-18'))]);
  expect(days[2]).toEqual(['March 17 2026', ...sumsOf(onDay('2026-03-17'))]);
  expect(days[30]).toEqual(['February 17 2026', ...sumsOf(onDay('2026-02-17'))]);

  const dates = [...new Set(stats.map(({ quickStatDate }) => quickStatDate))];
  const bars = (name: (typeof names)[number]) =>
    dates.filter((date) => stats.some((stat) => stat.quickStatDate === date && stat[name] !== 0));
  const sales = days.slice(1, -1).map(([, sale = '']) => Number(sale.replace('$', '')));
  const sold = sales.toReversed().filter((sale) => sale > 0);
  expect(sold).toHaveLength(bars('sale').length);
  await expectToScale(page, '#sales rect', 'height', sold);
  const title = page.locator('#sales rect title').first();
  expect(await title.textContent()).toMatch(/^February 17, 2026: Sales \$[\d,]+\.\d\d$/);
  const givenBack = bars('refund').length + bars('chargeback').length;
  expect(await page.locator('#given-back rect').count()).toBe(givenBack);
  const all = counts.flatMap((count) => names.map((name) => count[name]));
  const shown = all.filter((sum) => sum !== 0);
  expect(await page.locator('#accounts .bar').count()).toBe(shown.length);
  const ofAccounts = counts.map(({ sale }) => sale).filter((sale) => sale > 0);
  await expectToScale(page, '#accounts .bar.sale', 'width', ofAccounts);
  expect(await page.locator('.course').count()).toBe(accounts.length - 2);
  expect(faults).toEqual([]);
});

interface Account {
  readonly nickName: string;
  readonly quickStats: object | readonly object[];
}

/** A service that returns these accounts by API key. */
async function service(accounts: Readonly<Record<string, readonly Account[]>>, order?: object) {
  const { url, asked } = await serve((reply, _, { url: path, headers }) => {
    const found = accounts[headers.authorization ?? ''];
    if (!found) reply.writeHead(400).end('broken');
    else if (path.includes('orders2/count')) reply.end(order ? '1' : '0');
    else if (path.includes('orders2/list'))
      reply.end(JSON.stringify(order ? { orderData: order } : null));
    else reply.end(JSON.stringify({ accountData: found }));
  });
  const stats = () => asked.filter(({ url: path }) => path.includes('quickstats/list'));
  return { url, stats, env: { CB_API_KEY: 'API-A', CB_BASE_URL: url } };
}

function day(date: string, sale: string, refund = '0', chargeback = '0') {
  return { quickStatDate: `${date}T00:00:00-08:00`, sale, refund, chargeback };
}

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(2)>',
  '</title></style></svg><iframe src="http://127.0.0.1/">',
  "' onload='alert(3)",
  '\u202eEVIL\u0000\u001b[2J&amp;',
];

test('shows hostile names as text in a report, and neither runs nor requests anything', async (own) => {
  own.skip(!hasBrowser, 'needs chromium');
  const at = home();
  const accounts = hostile.map((nickName) => ({
    nickName,
    quickStats: [day('2026-03-01', '10.00', '1.00'), day('2026-03-02', '5.00', '0', '2.00')],
  }));
  const evil = '</td><script>alert(1)</script><img src=x onerror=alert(2)>\u202eEVIL';
  const order = {
    ...{ receipt: 'A', transactionType: 'SALE', transactionTime: '2026-03-01T10:00:00-08:00' },
    ...{ totalOrderAmount: '5.00', role: 'VENDOR', vendor: hostile[0], affiliate: evil },
    lineItemData: { itemNo: "' onload='x", productTitle: evil, accountAmount: '5.00' },
  };
  const { env } = await service({ 'API-A': accounts }, order);
  const line = 'quickstats report --period 2026-03 --out report.html';
  expect(await at.cb(line, { env })).toMatchObject({ code: 0 });
  const { page, faults } = await opened(join(at.folder, 'report.html'));
  const shown = (await rowsOf(page, 'account-figures')).slice(1, -1).map(([name]) => name);
  expect(shown).toEqual([...hostile.slice(0, 4), 'EVIL&amp;']);
  const name = evil.replace('\u202e', '');
  expect(await page.locator('#affiliates tbody th').textContent()).toBe(name);
  expect(await page.locator('#products tbody th').textContent()).toBe(
    `${name} ' onload='x, ${hostile[0]}`,
  );
  expect(await page.locator('script, iframe, img, link, object').count()).toBe(0);
  await page.locator('svg').first().hover();
  expect(faults).toEqual([]);
});

/** The texts of all table cells of a page, in order. */
function cells(html: string): string[] {
  return [...html.matchAll(/<t[hd][^>]*>([^<]*)/g)].map(([, text = '']) => text.trim());
}

test('writes the report to stdout in a pipe or with --out -, with exact amounts', async () => {
  const quickStats = [day('2026-03-01', '1234567.10', '0.3'), day('2026-03-02', '0.20', '0.125')];
  const { env } = await service({ 'API-A': [{ nickName: 'SHOP', quickStats }] });
  const { code, out, err } = await home().cb('quickstats report --period 2026-03', { env });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^<!doctype html>\n/);
  expect(cells(out).slice(-10)).toEqual([
    ...['SHOP', '$1,234,567.30', '$0.425', '$0.00', '$1,234,566.875'],
    ...['Total', '$1,234,567.30', '$0.425', '$0.00', '$1,234,566.875'],
  ]);
  const again = await home().cb('quickstats report --period 2026-03 --out -', { columns: 80, env });
  expect(again).toMatchObject({ code: 0, out });
});

test('requests the period that the report names, and omits future days', async () => {
  const { env, stats } = await service({ 'API-A': [] });
  const title = async (flags: string) => {
    const { out } = await home().cb(`quickstats report ${flags}`, { env });
    expect(out).toContain('No account has figures');
    return /<title>(.*)<\/title>/.exec(out)?.[1];
  };
  expect(await title('')).toBe('Earnings, February 1, 2026 to March 18, 2026');
  const days = () => stats().map(({ url }) => url.replace(/^.*\?/, ''));
  expect(days().toSorted()).toEqual([
    'startDate=2025-12-14&endDate=2026-01-27',
    'startDate=2026-02-01&endDate=2026-03-18',
  ]);
  expect(await title('--period 2026-03 --account SHOP')).toBe(
    'Earnings, March 1, 2026 to March 18, 2026',
  );
  expect(days()).toContain('startDate=2026-03-01&endDate=2026-03-31&account=SHOP');
  expect(days()).toContain('startDate=2026-02-01&endDate=2026-02-17&account=SHOP');
  expect(await title('--period yesterday')).toBe('Earnings, March 17, 2026');
});

test('shows longer periods by month', async () => {
  const { cb } = await sandboxHome();
  const { out } = await cb('--sandbox quickstats report --period 2025');
  const rows = cells(out).filter((text) => / 2025$/.test(text));
  expect(rows).toHaveLength(12);
  expect(rows[0]).toBe('December 2025');
  expect(out.match(/<rect class="sale"[^>]*><title>\w+ 2025: Sales/g)?.length).toBeGreaterThan(8);
});

test('subtracts refunds and chargebacks whether ClickBank sends them with a minus sign or not', async () => {
  for (const sign of ['', '-']) {
    const quickStats = [day('2026-03-01', '100.00', `${sign}30.00`, `${sign}5.00`)];
    const { env } = await service({ 'API-A': [{ nickName: 'SHOP', quickStats }] });
    const { out } = await home().cb('quickstats report --period 2026-03', { env });
    expect(cells(out).slice(-5)).toEqual(['Total', '$100.00', '$30.00', '$5.00', '$65.00']);
  }
});

test('combines several profiles: counts a shared account once, and names a profile that failed', async () => {
  const at = home();
  const shop = { nickName: 'SHOP', quickStats: [day('2026-03-01', '10.00')] };
  const other = { nickName: 'OTHER', quickStats: day('2026-03-02', '5.00') };
  const { url } = await service({ 'API-A': [shop], 'API-B': [shop, other] });
  for (const name of ['A', 'B', 'C']) {
    const options = { env: { CB_BASE_URL: url }, stdin: `API-${name}` };
    expect(await at.cb(`login --profile ${name} --with-key`, options)).toMatchObject({ code: 0 });
  }
  const ran = await at.cb('quickstats report --period 2026-03 --all-profiles');
  expectExit(ran, 8, 'Profile C: ', expect.stringContaining('could not be read: C<'));
  expect(cells(ran.out).slice(-15)).toEqual([
    ...['SHOP', '$10.00', '$0.00', '$0.00', '$10.00'],
    ...['OTHER', '$5.00', '$0.00', '$0.00', '$5.00'],
    ...['Total', '$15.00', '$0.00', '$0.00', '$15.00'],
  ]);
});
