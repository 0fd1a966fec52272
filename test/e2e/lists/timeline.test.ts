/** `cb orders get` on a terminal: a line for each transaction of a receipt, and details on request. */
import { expect, test } from 'vitest';
import { home, sandboxHome } from '../../support/cb.ts';
import { linesOf } from '../../support/lines.ts';
import { serve } from '../../support/server.ts';

const env = { NO_COLOR: '1' };
const person = { columns: 80, env };

/** A service with these transactions of a receipt. */
async function shop(rows: readonly object[]) {
  const server = await serve((reply) => reply.end(JSON.stringify({ orderData: rows })));
  return { columns: 80, env: { ...server.env, ...env } };
}

/** The payments of a monthly subscription, in the order in which ClickBank sends them. */
function subscription(rebills: number) {
  return Array.from({ length: rebills + 1 }, (_, i) => ({
    receipt: i === 0 ? 'AAAA1111' : `AAAA1111-B${String(i + 1).padStart(3, '0')}`,
    transactionType: i === 0 ? 'SALE' : 'BILL',
    transactionTime: `${2025 + Math.floor((i + 2) / 12)}-${String(((i + 2) % 12) + 1).padStart(2, '0')}-05T10:00:00-08:00`,
    totalOrderAmount: '29.00',
    currency: 'USD',
    role: 'VENDOR',
    fullName: 'Ada Sample',
    affiliate: 'TOPAFF1',
    lineItemData: [
      {
        ...{ itemNo: 'CLUB-M', productTitle: 'Garden Club', recurring: 'true', status: 'ACTIVE' },
        ...{
          accountAmount: '12.91',
          quantity: '1',
          processedPayments: '13',
          futurePayments: '999',
        },
        nextPaymentDate: '2026-04-05T10:00:00-07:00',
      },
    ],
  }));
}

test('fits a subscription with twelve rebills on a screen of 24 lines', async () => {
  const { out } = await home().cb('orders get AAAA1111', await shop(subscription(12)));
  const lines = linesOf(out);
  expect(lines.length).toBeLessThanOrEqual(23);
  expect(lines.filter((line) => / 29\.00 USD +12\.91/.test(line))).toHaveLength(13);
  expect(out).toContain('Subscription  active, next payment 2026-04-05, 13 payments made');
  expect(lines.at(-1)).toBe('13 transactions; you earn 167.83 USD; customer paid 377.00 USD');
});

test('shows transactions in order of time, whatever order they were sent in', async () => {
  const sent = subscription(5);
  const sorted = await home().cb('orders get AAAA1111', await shop(sent));
  const reversed = await home().cb('orders get AAAA1111', await shop(sent.toReversed()));
  expect(reversed.out).toBe(sorted.out);
  expect(sorted.out.indexOf('AAAA1111-B002')).toBeLessThan(sorted.out.indexOf('AAAA1111-B003'));
});

test('names what happened to each payment', async () => {
  const { cb } = await sandboxHome(60);
  const { out } = await cb('--sandbox orders get REFUND01 CHARGE01 CART0003', person);
  expect(out).toMatch(/Sale +REFUND01 +37\.00 USD +16\.61 +refunded\n/);
  expect(out).toMatch(/Refund +REFUND01 +-37\.00 USD +-16\.61\n/);
  expect(out).toMatch(/Sale +CHARGE01 +37\.00 USD +16\.61 +charged back\n/);
  expect(out).toMatch(/Chargeback +CHARGE01 +-37\.00 USD +-16\.61\n/);
  expect(out).toMatch(/Fee +CHARGE01 +-15\.00 USD\n/);
  expect(out).toMatch(/Sale +CART0003 +55\.90 USD +24\.34 +refundable\n/);
  expect(out).toContain('Starter Kit: Soil (KIT-01), Starter Kit: Seeds (KIT-02)');
});

test('shows a payment with only part of it refunded', async () => {
  const [sale] = subscription(0);
  const refund = { ...sale, transactionType: 'RFND', totalOrderAmount: '-5.00' };
  const { out } = await home().cb('orders get AAAA1111', await shop([sale as object, refund]));
  expect(out).toMatch(/Sale .* partly refunded\n/);
});

test('never adds amounts of different currencies', async () => {
  const [sale, rebill] = subscription(1);
  const rows = [sale as object, { ...rebill, currency: 'EUR' }];
  const { out } = await home().cb('orders get AAAA1111', await shop(rows));
  expect(linesOf(out).slice(-2).join(' ')).toBe(
    '2 transactions; you earn 25.82 USD; customer paid 29.00 USD, 29.00 EUR (currencies disputed)',
  );
});

test('shows all fields with --full, for a rebill by its own receipt, and beside chosen fields', async () => {
  const { cb } = await sandboxHome(60);
  const full = await cb('--sandbox orders get MONTHLY1 --full', person);
  expect(full.out.match(/^Payment method +VISA$/gm)).toHaveLength(4);
  expect(full.out).toMatch(/^Customer paid +29\.00 USD\nYou earn +12\.91 USD$/m);
  const rebill = await cb('--sandbox orders get MONTHLY1-B002', person);
  expect(rebill.out).toMatch(/^Receipt +MONTHLY1-B002$/m);
  expect(rebill.out).toMatch(/^Payment method +VISA$/m);
  const chosen = await cb('--sandbox orders get MONTHLY1 --fields receipt,youEarn', person);
  expect(chosen.out).toMatch(/^Receipt +MONTHLY1\nYou earn +12\.91\n\nReceipt/);
});

test('keeps the rows of other formats, with and without --full', async () => {
  const { cb } = await sandboxHome(60);
  for (const format of ['json', 'ndjson', 'csv', 'tsv']) {
    const plain = await cb(`--sandbox orders get MONTHLY1 -o ${format}`);
    const full = await cb(`--sandbox orders get MONTHLY1 --full -o ${format}`);
    expect(plain.out).toBe(full.out);
    expect(plain.out).not.toContain('youEarn');
  }
});

test('removes escape sequences from names and keeps lines within the terminal', async () => {
  const [sale] = subscription(0);
  const evil = '\u001b[2J\u202eEVIL\n日本語'.repeat(20);
  const hostile = {
    ...sale,
    ...{ fullName: evil, affiliate: evil, currency: evil, transactionType: evil },
    lineItemData: [{ productTitle: evil, itemNo: 'A', accountAmount: 'x', recurring: 'true' }],
  };
  const { code, out } = await home().cb('orders get AAAA1111', await shop([hostile]));
  expect(code).toBe(0);
  expect(out).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
});
