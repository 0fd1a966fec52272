/** The report page: what it compares and counts, and how it fits screens and paper. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { browser, expectToScale, hasBrowser } from '../../support/browser.ts';
import { type Home, sandboxHome } from '../../support/cb.ts';
import { expectExit } from '../../support/refusal.ts';
import { sandboxJson } from '../../support/sandbox.ts';
import { servedHome } from '../../support/served-home.ts';
import { tier } from '../../support/tier.ts';
import { addUp, cents, dollars, partOf, type Sold } from '../earnings/answers.ts';
import { sharesOf } from '../earnings/shops.ts';
import { tableIn } from '../earnings/ways.ts';

const opened = browser();

async function reportFile(at: Home, flags = '--period last-30-days'): Promise<string> {
  const ran = await at.cb(`--sandbox quickstats report ${flags} --out report.html`);
  expect(ran).toMatchObject({ code: 0 });
  return join(at.folder, 'report.html');
}

/** The texts of a card: figure, change and count. */
function card(html: string, name: string): string[] {
  const [, inner = ''] = new RegExp(`<dt>${name}</dt>(.*?)</div>`, 's').exec(html) ?? [];
  return [...inner.matchAll(/<dd[^>]*>(.*?)<\/dd>/g)].map(([, text = '']) => text);
}

async function htmlOf(at: Home, flags: string): Promise<string> {
  const { code, out } = await at.cb(`--sandbox quickstats report ${flags} --out -`);
  expect(code).toBe(0);
  return out;
}

/** All shares of the key, added up by a program of its own. */
async function figuresOf(at: Home, days: string) {
  const orders = await sharesOf<Sold>((line) => sandboxJson(at, line), days);
  const added = addUp(orders.map((one) => partOf(one)));
  const payments = added.sales + added.rebills;
  return { orders, ...added, payments, refundRate: (100 * added.refunds) / payments };
}

// That counts, products and affiliates add up to the figures of other commands is checked in earnings/one-answer.
test('counts each transaction once, in rates, products and affiliates', async () => {
  const at = await sandboxHome(900);
  const html = await htmlOf(at, '--period last-90-days');
  const { orders, payments, refunds, chargebacks } = await figuresOf(at, '--period last-90-days');
  for (const [name, count] of [
    ['Refund', refunds],
    ['Chargeback', chargebacks],
  ] as const) {
    expect(count).toBeGreaterThan(0);
    const rate = card(html, `${name} rate`);
    expect(rate[0]).toBe(`${((100 * count) / payments).toFixed(2)}%`);
    expect(rate.at(-1)).toBe(`${count} of ${payments.toLocaleString('en-US')} payments`);
  }
  const [, top = []] = tableIn(html, 'products');
  const [, sku = '', vendor = ''] = /<small>(\S+), (\S+)<\/small>/.exec(top[0] ?? '') ?? [];
  const sold = orders
    .filter((one) => one.vendor === vendor)
    .map(({ lineItemData, ...one }) => ({
      ...one,
      lineItemData: lineItemData.filter(({ itemNo }) => itemNo === sku),
    }));
  expect(dollars(top.at(-1) ?? '')).toBe(addUp(sold.map((one) => partOf(one))).net);
  const [, , second = []] = tableIn(html, 'affiliates');
  const shared = orders.filter(({ affiliate }) => affiliate === second[0]);
  const referred = addUp(shared.map((one) => partOf(one)));
  expect(second.slice(1, 3)).toEqual([
    String(referred.sales + referred.rebills),
    String(referred.refunds + referred.chargebacks),
  ]);
  expect(dollars(second[3] ?? '')).toBe(referred.net);
});

test('compares the whole days with the same weekdays before them, never today, and all of a period that is over', async () => {
  const at = await sandboxHome();
  const html = await htmlOf(at, '--period last-30-days');
  expect(html.replaceAll(/<[^>]+>/g, '')).toContain(
    'Changes compare Feb 17 to Mar 17, 2026 with Jan 13 to Feb 10, 2026. Today is not over: totals include it, changes do not.',
  );
  const sums = async (days: string) => {
    const counts: { sale: number }[] = await sandboxJson(at, `quickstats count ${days}`);
    return counts.reduce((sum, { sale }) => sum + cents(sale), 0);
  };
  const now = await sums('--since 2026-02-17 --until 2026-03-17');
  const before = await sums('--since 2026-01-13 --until 2026-02-10');
  const [, change = ''] = card(html, 'Sales');
  const [, amount = '', percent] =
    /([-+]?\$[\d,.]+|-\$[\d,.]+) \(([-+][\d.]+)%\)$/.exec(change) ?? [];
  expect(dollars(amount.replace('+', ''))).toBe(now - before);
  expect(Number(percent)).toBeCloseTo((100 * (now - before)) / before, 1);
  const { refundRate } = await figuresOf(at, '--since 2026-01-13 --until 2026-02-10');
  expect(card(html, 'Refund rate')[1]).toMatch(new RegExp(`from ${refundRate.toFixed(2)}%$`));
  const today = await htmlOf(at, '--period today');
  expect(today).toContain('Today is not over, so it is not compared.');
  expect(card(today, 'Sales')).toHaveLength(2);
  expect(tableIn(today, 'figures')[1]?.[0]).toBe('March 18, 2026 <em>unfinished</em>');
  const week = await htmlOf(at, '--since 2026-03-02 --until 2026-03-08');
  expect(week.replaceAll(/<[^>]+>/g, '')).toContain(
    'Changes compare Mar 2 to Mar 8, 2026 with Feb 23 to Mar 1, 2026.',
  );
  expect(week).not.toMatch(/<em>unfinished|not over/);
});

test("shows an affiliate's own shares, without a list of affiliates", async () => {
  const { cb } = await sandboxHome();
  const { code, out } = await cb('--profile sandbox:affiliate quickstats report');
  expect(code).toBe(0);
  expect(tableIn(out, 'products').length).toBeGreaterThan(3);
  expect(out).not.toContain('id="affiliates"');
  expect(card(out, 'Refund rate')[0]).toMatch(/^\d+\.\d\d%$/);
});

/** A service with one account, and as many transactions as the counts say. */
async function service(count: string, status = 200) {
  const day = { quickStatDate: '2026-03-01T00:00:00-08:00', sale: '5.00' };
  const { cb, asked } = await servedHome((reply, _, { url }) => {
    if (url.includes('orders2/')) reply.statusCode = status;
    if (status !== 200 && url.includes('orders2/')) reply.end('No permission');
    else if (url.includes('orders2/count')) reply.end(count);
    else if (url.includes('orders2/list')) reply.end('null');
    else reply.end(JSON.stringify({ accountData: { nickName: 'SHOP', quickStats: day } }));
  });
  const march = 'quickstats report --since 2026-03-01 --until 2026-03-10';
  return {
    report: (flags = '') => cb(`${march} ${flags}`),
    lists: () => asked.map(({ url }) => url).filter((url) => url.includes('orders2/list')),
  };
}

test('reads no more than 10,000 transactions unless --orders is given, and none of the days before if both periods have too many, and says what is missing', async () => {
  const many = await service('10001');
  const gap =
    'Counts, rates, products and affiliates are missing, because the period has 10,001 transactions. Use --orders to read them.';
  expect(await many.report()).toEqual({
    ...{ code: 0, err: `note: ${gap}\n`, out: expect.stringContaining(gap) },
  });
  expect(many.lists()).toEqual([]);
  expect(await many.report('--orders')).toMatchObject({ code: 0, err: '' });
  expect(many.lists().toSorted()).toEqual([
    expect.stringContaining('startDate=2026-02-15&endDate=2026-02-24'),
    expect.stringContaining('startDate=2026-03-01&endDate=2026-03-10'),
  ]);
  const at = await service('6000');
  expectExit(await at.report(), 0, 'too many transactions to compare rates');
  expect(at.lists()).toEqual([expect.stringContaining('startDate=2026-03-01&endDate=2026-03-10')]);
});

test('shows the amounts if the key may not read orders, and reads none with --no-orders', async () => {
  const refused = await (await service('0', 403)).report();
  expectExit(refused, 0, 'this key may not read orders');
  expect(card(refused.out, 'Sales')[0]).toBe('$5.00');
  const none = await service('0');
  expect(await none.report('--no-orders')).toMatchObject({ code: 0, err: '' });
  expect(none.lists()).toEqual([]);
});

/** The lowest contrast of a text to its background, by WCAG 2, with the text. */
const lowestContrast = `(() => {
  const light = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).map(Number).map((v) => v / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paper = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (!/, 0\\)$|transparent/.test(color)) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  const texts = [...document.body.querySelectorAll('*')].filter((one) =>
    [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '') && !one.closest('svg'));
  return Math.min(...texts.map((one) => {
    const [a, b] = [light(getComputedStyle(one).color), light(paper(one))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }));
})()`;

test.skipIf(!hasBrowser).each(tier([320, 1440], [320, 768, 1440]))(
  'fits a screen of %i pixels: nothing is wider, cut, hidden or hard to read (needs chromium)',
  async (width) => {
    const file = await reportFile(await sandboxHome());
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await opened(file, { width, colorScheme });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await page.evaluate(lowestContrast)).toBeGreaterThanOrEqual(4.5);
      const scrollers = await page
        .locator('body *')
        .evaluateAll((all) =>
          all
            .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1)
            .map(({ tagName, className }) => `${tagName} ${className}`),
        );
      expect(scrollers.filter((name) => /figure|table|section|body|plot|tr\b/i.test(name))).toEqual(
        [],
      );
      for (const cell of await page.locator('#figures tbody tr').first().locator('th, td').all()) {
        expect(await cell.isVisible()).toBe(true);
        const box = await cell.boundingBox();
        expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= width).toBe(true);
      }
    }
  },
);

test('shows on a phone both charts and the newest day, marked as unfinished, a label beside each amount, and bars to one scale', async (own) => {
  own.skip(!hasBrowser, 'needs chromium');
  const at = await sandboxHome();
  const { page } = await opened(await reportFile(at), { width: 375 });
  const newest = page.locator('#figures tbody tr').first();
  expect(await newest.textContent()).toMatch(/^March 18, 2026 unfinished/);
  const bar = page.locator('#sales rect.unfinished');
  expect(await bar.count()).toBe(1);
  expect(await bar.locator('title').textContent()).toMatch(/^March 18, 2026 \(unfinished\)/);
  for (const place of [await newest.boundingBox(), await bar.boundingBox()]) {
    expect((place?.x ?? 0) + (place?.width ?? 1000)).toBeLessThanOrEqual(375);
    expect((place?.y ?? 0) + (place?.height ?? 1000)).toBeLessThanOrEqual(812);
  }
  const top = async (id: string) => (await page.locator(id).boundingBox())?.y ?? 0;
  const tops = [await top('#sales'), await top('#given-back'), await top('#figures')];
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  const labels = await page.evaluate<string[]>(
    "[...document.querySelectorAll('td, .bars .amount')].map((one) => getComputedStyle(one, '::before').content)",
  );
  expect(labels.length).toBeGreaterThan(150);
  const names = ['Sales', 'Refunds', 'Chargebacks', 'Net'];
  const counted = ['Sales and rebills', 'Refunds and chargebacks'];
  expect(new Set(labels)).toEqual(new Set([...names, ...counted].map((name) => `"${name} "`)));
  const html = await htmlOf(at, '--period last-30-days');
  const accounts = tableIn(html, 'account-figures').slice(1, -1);
  const sales = accounts.map(([, sale = '']) => dollars(sale));
  await expectToScale(page, '#accounts .bar.sale', 'width', sales);
});

test('prints a month on few pages, in light colors and with table rows as rows', async (own) => {
  own.skip(!hasBrowser, 'needs chromium');
  const file = await reportFile(await sandboxHome());
  const { page, faults } = await opened(file, { colorScheme: 'dark' });
  const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  expect(await paper()).toBe('rgb(20, 23, 26)');
  const pdf = await page.pdf({ format: 'A4' });
  const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  expect(pages).toBeGreaterThanOrEqual(2);
  expect(pages).toBeLessThanOrEqual(6);
  await page.emulateMedia({ media: 'print' });
  expect(await paper()).toBe('rgb(255, 255, 255)');
  const display = await page.evaluate(
    "getComputedStyle(document.querySelector('#figures tbody tr')).display",
  );
  expect(display).toBe('table-row');
  expect(faults).toEqual([]);
});
