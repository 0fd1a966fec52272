/** What the views of a copy answer, in both databases. */
import { describe, expect, test } from 'vitest';
import { addDays, addMonths, daysFrom } from '../../../../src/dates/day.ts';
import { updateCopy } from '../../../../src/features/sync/database/copy.ts';
import { metaOf, setMeta } from '../../../../src/features/sync/database/schema.ts';
import type { ServiceRow } from '../../../../src/features/sync/tables/table.ts';
import { queryOf } from '../../../../src/features/sync/views/missing-days.ts';
import type { CopyView } from '../../../../src/features/sync/views/view.ts';
import { views } from '../../../../src/features/sync/views/views.ts';
import { kinds, postgres } from '../database/databases.ts';
import { openShop, subscription, testIn, transaction } from './shop.ts';

describe.each(kinds)('in $name', (kind) => {
  const check = testIn(kind);

  check('returns no rows for an empty copy', async (shop) => {
    for (const { name } of views) expect([name, await shop.view(name)]).toEqual([name, []]);
  });

  check('has the documented columns, in their order', async (shop) => {
    const email = 'ada@example.com';
    const first = '2026-01-01';
    await shop.orders([first, '2026-01-02'].map((day) => transaction(day, { email })));
    const trial = subscription('bob@example.com', '10.00', first, { trialPeriod: 7 });
    await shop.subscriptions([subscription(email, '10.00', first), trial], '2026-02-01');
    const day = { nickname: 'MAKER', role: 'VENDOR', dimension: 'TRACKING_ID', day: '2026-01-01' };
    await shop.clicks([{ ...day, dimensionValue: 'spring', data: [] }]);
    for (const { name, columns } of views) {
      const [row = {}] = await shop.view(name, []);
      expect([name, Object.keys(row)]).toEqual([name, columns.map((column) => column.name)]);
    }
  });

  check('counts a product once in a transaction, and never a test', async (shop) => {
    const paid = (type: string, ...items: string[]) =>
      transaction('2026-01-05', {
        type,
        items: items.map((one) => one.split(' ') as [string, string]),
      });
    await shop.orders([
      paid('SALE', 'A 1.10', 'B 2.20', 'A 3.30'),
      ...[paid('BILL', 'A 0.10'), paid('RFND', 'A -1.10'), paid('TEST_SALE', 'A 100.00')],
      ...[paid('FEE', 'A -7.00'), paid('SOMETHING_NEW', 'A 7.00')],
    ]);
    const day = { day: '2026-01-05', month: '2026-01-01', vendor: 'MAKER', chargebacks: 0 };
    expect(await shop.view('sales_by_day_and_product')).toEqual([
      {
        ...{ ...day, product: 'A', sales: 1, rebills: 1, refunds: 1 },
        ...{ earned: 4.5, refunded: 1.1, charged_back: 0, net: 3.4 },
      },
      {
        ...{ ...day, product: 'B', sales: 1, rebills: 0, refunds: 0 },
        ...{ earned: 2.2, refunded: 0, charged_back: 0, net: 2.2 },
      },
    ]);
    expect(await shop.view('rates_by_affiliate')).toMatchObject([
      { sales: 1, rebills: 1, refunds: 1, refund_rate_percent: 50, earned: 6.7, net: 5.6 },
    ]);
  });

  check('has one payment for a sale between two own nicknames', async (shop) => {
    const [time, receipt, affiliate] = ['2026-01-05T09:00:00-08:00', 'SHARED', 'ADA'];
    const email = 'ada@example.com';
    const paid = (row: ServiceRow, totalOrderAmount: string) => ({ ...row, totalOrderAmount });
    const sold = transaction(time, { receipt, affiliate, email, items: [['A', '30.00']] });
    const referred = { receipt, affiliate, role: 'AFFILIATE', items: [['A', '20.10']] } as const;
    await shop.orders([
      paid(sold, '70.00'),
      transaction(time, referred),
      // A second sale of the same second, as ClickBank may list it.
      paid(sold, '70.00'),
      transaction(time, referred),
      paid(transaction('2026-01-06', { type: 'RFND', receipt, items: [['A', '-30']] }), '-70'),
      paid(transaction('2026-01-06', { type: 'TEST_SALE' }), '9.00'),
      paid(transaction('2026-01-06', { type: 'FEE', items: [['A', '-7.00']] }), '7.00'),
    ]);
    const shared = { receipt, vendor: 'MAKER', currency: 'USD', charged_back: 0 };
    const sale = {
      ...{ ...shared, day: '2026-01-05', month: '2026-01-01', transaction_type: 'SALE', affiliate },
      ...{ customer: email, customer_paid: 70, paid_back: 0, earned: 50.1, refunded: 0, net: 50.1 },
    };
    expect(await shop.view('payments')).toMatchObject([
      sale,
      sale,
      {
        ...{ ...shared, day: '2026-01-06', transaction_type: 'RFND', customer: null },
        ...{ customer_paid: 0, paid_back: 70, earned: 0, refunded: 30, net: -30 },
      },
    ]);
  });

  check(
    'lists a month when all of its days were read after they ended',
    async ({ sql, view, subscriptions }) => {
      // Midnight is at 8 a.m. UTC, and at 7 a.m. during daylight time.
      const months = [
        ['2026-02', '2026-03-01T08:00:00Z'],
        ['2026-03', '2026-04-01T07:00:00Z'],
        ['2026-10', '2026-11-01T07:00:00Z'],
        ['2026-11', '2026-12-01T08:00:00Z'],
        ['2026-12', '2027-01-01T08:00:00Z'],
      ] as const;
      for (const [month, end] of months) {
        const before = new Date(Date.parse(end) - 1).toISOString();
        const days = daysFrom(`${month}-01`, addDays(addMonths(`${month}-01`, 1), -1));
        for (const [account, at] of Object.entries({ LATE: end, EARLY: before })) {
          const rows = days.map((day) => `('${account}', 'orders', '${day}', 0, '${at}')`);
          await sql.query(
            `INSERT INTO sync_days (account, source, day, row_count, synced_at) VALUES ${rows.join(', ')}`,
          );
        }
      }
      await sql.query("DELETE FROM sync_days WHERE day = '2026-12-13'");
      await subscriptions([subscription('a@example.com', '1.00', '2026-01-30')], '2026-03-18');
      const found = await view('complete_months', []);
      expect(found.filter(({ source }) => source === 'orders')).toEqual(
        months
          .slice(0, -1)
          .map(([month]) => ({ ...{ account: 'LATE', source: 'orders', month: `${month}-01` } })),
      );
      await sql.query(
        `INSERT INTO sync_accounts (account, nicknames) VALUES ('LATE', '["MAKER", "SHOP"]')`,
      );
      await sql.query(`UPDATE sync_days SET nicknames = '["SHOP", "CLUB", "MAKER"]'`);
      await sql.query(`UPDATE sync_days SET nicknames = '["SHOP"]' WHERE day = '2026-11-07'`);
      const read = await view('complete_months', []);
      expect(read.flatMap(({ source, month }) => (source === 'orders' ? month : []))).toEqual(
        months.slice(0, -2).map(([month]) => `${month}-01`),
      );
      // The list was read on March 18.
      expect(found.filter(({ source }) => source === 'subscriptions')).toMatchObject([
        { month: '2026-01-01' },
        { month: '2026-02-01' },
      ]);
    },
  );

  check('sorts missing values first, as SQLite does', async (shop) => {
    const affiliates = ['B', null, 'A'];
    await shop.orders(affiliates.map((affiliate) => transaction('2026-01-05', { affiliate })));
    const view = views.find(({ name }) => name === 'rates_by_affiliate') as CopyView;
    const { text } = queryOf(view, { account: undefined, first: undefined, last: undefined });
    const rows = await shop.sql.query<{ affiliate: string | null }>(text);
    expect(rows.map(({ affiliate }) => affiliate)).toEqual([null, 'A', 'B']);
  });

  check('assigns Pacific days, across changes of the clock', async (shop) => {
    const times = {
      '2026-03-01T07:59:59Z': '2026-02-28',
      '2026-03-01T08:00:00Z': '2026-03-01',
      // Daylight time begins on March 8 and ends on November 1.
      '2026-03-09T06:59:59Z': '2026-03-08',
      '2026-03-09T07:00:00Z': '2026-03-09',
      '2026-11-01T06:59:59Z': '2026-10-31',
      '2026-11-02T07:59:59Z': '2026-11-01',
      '2026-12-31T23:59:59-08:00': '2026-12-31',
    };
    await shop.orders(Object.keys(times).map((time) => transaction(time)));
    const rows = await shop.view('sales_by_day_and_product');
    expect(rows.map(({ day, month }) => [day, month])).toEqual(
      Object.values(times).map((day) => [day, `${day.slice(0, 7)}-01`]),
    );
  });

  check('keeps hostile and missing names apart', async (shop) => {
    const names = ["O'Brien", '"; DROP VIEW cohorts; --', '%_', '🌱', 'ümlaut', null];
    await shop.orders(
      names.map((affiliate) => transaction('2026-01-05', { affiliate, items: [[affiliate, '1']] })),
    );
    const affiliates = await shop.view('rates_by_affiliate');
    expect(new Set(affiliates.map(({ affiliate }) => affiliate))).toEqual(new Set(names));
    const products = await shop.view('rates_by_product');
    expect(new Set(products.map(({ product }) => product))).toEqual(new Set(names));
    expect(await shop.view('cohorts')).toEqual([]);
  });

  check('follows customers from the month of their first sale', async (shop) => {
    const [ada, bob, cyd] = ['ada@example.com', 'bob@example.com', 'cyd@example.com'];
    const unpaid = { email: 'dee@example.com', items: [['SKU', null]] } as const;
    await shop.orders([
      transaction('2026-01-05', { email: 'Ada@Example.com' }),
      transaction('2026-02-05', { email: ada, type: 'BILL' }),
      transaction('2026-02-06', { email: ada, type: 'RFND', items: [['SKU', '-4.00']] }),
      transaction('2026-02-07', { email: ada }),
      transaction('2026-01-06', { email: bob }),
      transaction('2026-02-08', { email: cyd, items: [['SKU', '9.00']] }),
      ...['2026-02-09', '2026-02-10'].map((day) => transaction(day, unpaid)),
      transaction('2026-02-11', { email: bob, type: 'BILL', items: [['SKU', '5.00']] }),
      // In March, nobody pays.
      transaction('2026-03-05', { email: bob, type: 'RFND', items: [['SKU', '-5.00']] }),
      transaction('2026-03-06', { ...unpaid, type: 'RFND' }),
      // A rebill of a sale that is older than the copy makes nobody a new customer, nor does a sale after it.
      transaction('2026-01-07', { email: 'old@example.com', type: 'BILL' }),
      transaction('2026-01-09', { email: 'old@example.com' }),
      // Affiliates do not see the customer; nor does a sale without an address count.
      transaction('2026-01-08', { email: ada, role: 'AFFILIATE' }),
      transaction('2026-01-08'),
    ]);
    expect(await shop.view('cohorts', ['account'])).toEqual([
      {
        ...{ cohort: '2026-01-01', month: '2026-01-01', months_after: 0, customers: 2 },
        ...{ active_customers: 2, retention_percent: 100, earned: 20, earned_so_far: 20, ltv: 10 },
      },
      {
        ...{ cohort: '2026-01-01', month: '2026-02-01', months_after: 1, customers: 2 },
        ...{ active_customers: 2, retention_percent: 100, earned: 21, earned_so_far: 41 },
        ltv: 20.5,
      },
      {
        ...{ cohort: '2026-01-01', month: '2026-03-01', months_after: 2, customers: 2 },
        ...{ active_customers: 0, retention_percent: 0, earned: -5, earned_so_far: 36, ltv: 18 },
      },
      {
        ...{ cohort: '2026-02-01', month: '2026-02-01', months_after: 0, customers: 2 },
        ...{ active_customers: 2, retention_percent: 100, earned: 9, earned_so_far: 9, ltv: 4.5 },
      },
      {
        ...{ cohort: '2026-02-01', month: '2026-03-01', months_after: 1, customers: 2 },
        ...{ active_customers: 0, retention_percent: 0, earned: 0, earned_so_far: 9, ltv: 4.5 },
      },
    ]);
    expect(await shop.view('customer_value_by_month')).toEqual([
      {
        ...{ month: '2026-01-01', customers: 2, new_customers: 2, customers_so_far: 2 },
        ...{ net: 20, net_per_customer: 10, ltv: 10 },
      },
      {
        ...{ month: '2026-02-01', customers: 4, new_customers: 2, customers_so_far: 4 },
        ...{ net: 30, net_per_customer: 7.5, ltv: 12.5 },
      },
      {
        ...{ month: '2026-03-01', customers: 0, new_customers: 0, customers_so_far: 4 },
        ...{ net: -5, net_per_customer: null, ltv: 11.25 },
      },
    ]);
    expect(await shop.view('repeat_customers')).toEqual([
      {
        ...{ customer: ada, orders: 2, payments: 3, refunds: 1, net: 26 },
        ...{ first_day: '2026-01-05', last_day: '2026-02-07' },
      },
      {
        ...{ customer: 'dee@example.com', orders: 2, payments: 2, refunds: 1, net: 0 },
        ...{ first_day: '2026-02-09', last_day: '2026-03-06' },
      },
    ]);
  });

  check('counts no customers in a copy without personal data', async (shop) => {
    const email = 'ada@example.com';
    const rows = [transaction('2026-01-05', { email }), transaction('2026-01-06', { email })];
    await shop.orders(rows, { anonymous: true });
    expect(await shop.view('cohorts')).toEqual([]);
    expect(await shop.view('repeat_customers')).toEqual([]);
    expect(await shop.view('rates_by_affiliate')).toMatchObject([{ sales: 2 }]);
  });

  check('counts currencies, and subscriptions of unknown price, separately', async (shop) => {
    const nothing = { email: null, currencyCode: null };
    const listed = [
      subscription('a@example.com', '10.00', '2026-01-05'),
      subscription('b@example.com', '10.00', '2026-01-05', { frequency: 'EVERY OTHER MOON' }),
      subscription('c@example.com', '10.00', '2026-01-05', { currencyCode: 'EUR' }),
      // A trial of which nothing was paid yet, and one that is still running.
      subscription('d@example.com', '1.00', '2026-01-05', { trialPeriod: '14 DAYS' }),
      subscription('e@example.com', '1.00', '2026-01-20', { trialPeriod: '14 DAYS' }),
      // Canceled within its trial, so it was never active.
      subscription('f@example.com', '1', '2026-01-05', { trialPeriod: 7, stop: '2026-01-09' }),
      subscription('g@example.com', '1', '2026-01-05', { stop: '2026-01-05' }),
      ...['', ''].map((one) => subscription(one, '10', '2026-01-05', nothing)),
    ];
    await shop.subscriptions(listed, '2026-01-31');
    const ended = { ended_subscriptions: 0, active_customers: 1, mrr: 10 };
    expect(await shop.view('subscriptions_by_month')).toMatchObject([
      { ...ended, currency: 'EUR', active_subscriptions: 1, without_mrr: 0 },
      { ...ended, currency: 'USD', active_subscriptions: 3, without_mrr: 2 },
      { ...ended, currency: 'unknown', active_subscriptions: 2, active_customers: 2, mrr: 20 },
    ]);
  });

  check('follows customers who leave, return and change, until today', async (shop) => {
    const sold = (customer: string, price: string, first: string, stop?: string) =>
      subscription(`${customer}@example.com`, price, first, stop === undefined ? {} : { stop });
    const listed = [
      sold('A', '10.00', '2026-01-05', '2026-02-10'),
      sold('a', '10.00', '2026-03-05'),
      sold('b', '20.00', '2026-01-05', '2026-02-12'),
      sold('b', '20.00', '2026-03-06'),
      sold('c', '30.00', '2026-01-05'),
      // One subscription replaces another.
      sold('d', '40.00', '2026-01-05', '2026-02-11'),
      sold('d', '60.00', '2026-02-11', '2026-03-31'),
      sold('e', '7.00', '2026-01-05', '2026-02-20'),
      sold('f', '5.00', '2026-03-31'),
    ];
    await shop.subscriptions(listed, '2026-03-31');
    expect(await shop.view('subscriptions_by_month')).toMatchObject([
      {
        ...{ active_subscriptions: 5, new_subscriptions: 5, ended_subscriptions: 0 },
        ...{ active_customers: 5, new_customers: 5, new_mrr: 107, mrr: 107 },
      },
      {
        ...{ active_subscriptions: 2, new_subscriptions: 1, ended_subscriptions: 4 },
        ...{ active_customers: 2, churned_customers: 3, churned_mrr: 37, mrr: 90 },
        ...{ expansion_mrr: 20, contraction_mrr: 0 },
      },
      {
        ...{ active_subscriptions: 4, new_subscriptions: 3, ended_subscriptions: 1 },
        ...{ active_customers: 4, new_customers: 1, churned_customers: 1 },
        ...{ reactivated_customers: 2, reactivation_mrr: 30, new_mrr: 5, churned_mrr: 60 },
        ...{ expansion_mrr: 0, contraction_mrr: 0, mrr: 65 },
      },
    ]);
  });

  check('keeps plans of a fixed number of payments out of MRR and churn', async (shop) => {
    const plan = { duration: 3, itemNo: 'PLAN' };
    const completed = { status: 'COMPLETED', subEndDate: '2026-02-05T12:00:00-08:00' };
    const listed = [
      subscription('a@example.com', '10.00', '2026-01-05', { duration: 999 }),
      subscription('b@example.com', '20.00', '2026-01-05', { ...plan, ...completed }),
      subscription('c@example.com', '30.00', '2026-02-05', plan),
      subscription('d@example.com', '40.00', '2026-02-06', plan),
      subscription('e@example.com', '10.00', '2026-01-05', { frequency: 'EVERY OTHER MOON' }),
      subscription('f@example.com', '10.00', '2026-02-05', { frequency: 'EVERY OTHER MOON' }),
    ];
    await shop.subscriptions(listed, '2026-02-28');
    const recurring = { active_customers: 1, mrr: 10, churned_mrr: 0 };
    expect(await shop.view('subscriptions_by_month')).toMatchObject([
      {
        ...{ month: '2026-01-01', ...recurring, active_subscriptions: 2, without_mrr: 1 },
        ...{ installment_plans: 1, installments: 20 },
      },
      {
        ...{ month: '2026-02-01', ...recurring, ended_subscriptions: 0, churned_customers: 0 },
        ...{ active_subscriptions: 3, without_mrr: 2, installment_plans: 2, installments: 70 },
      },
    ]);
  });

  check('adds up what subscriptions earn, over all currencies', async (shop) => {
    const club = { receipt: 'CLUB0001', itemNo: 'CLUB', pubNickName: 'MAKER' };
    const year = { ...club, receipt: 'YEAR0001', itemNo: 'YEAR', frequency: 'EVERY YEAR' };
    const trial = { ...club, currencyCode: 'EUR', trialPeriod: 7, affNickName: 'ADA' };
    const running = { ...club, receipt: 'CLUB0008', trialPeriod: 30 };
    const others = [
      ['OTHER', '1.00'],
      ['YEAR', '12.00'],
      ['CLUB', '12.00'],
    ] as const;
    const paid = (receipt: string, sku: string, amount: string, type = 'BILL') =>
      transaction('2026-01-20', { receipt, type, items: [[sku, amount], ...others] });
    await shop.orders([
      // The first payment of a trial is not what a rebill earns; returns are not, either.
      paid('CLUB0001', 'CLUB', '0.50', 'SALE'),
      paid('CLUB0001-B002', 'CLUB', '6.00'),
      paid('CLUB0001-B003', 'CLUB', '9.00'),
      // The share of an own affiliate.
      { ...paid('CLUB0001-B003', 'CLUB', '4.00'), role: 'AFFILIATE' },
      paid('CLUB0001-B003', 'CLUB', '-9.00', 'RFND'),
      paid('YEAR0001', 'YEAR', '60.00', 'SALE'),
      // Of another subscription.
      paid('CLUB00012-B002', 'CLUB', '100.00'),
    ]);
    const listed = [
      subscription('a@example.com', '9.00', '2026-01-01', trial),
      subscription('b@example.com', '99.00', '2026-01-05', year),
      // Nothing was paid yet.
      subscription('c@example.com', '9.00', '2026-01-05', { ...club, receipt: 'CLUB0009' }),
      subscription('d@example.com', '9.00', '2026-01-20', running),
    ];
    await shop.subscriptions(listed, '2026-01-31');
    expect(await shop.view('mrr_by_month', ['account'])).toMatchObject([
      // (6 + 9) / 2 + 12 a month, and 60 + 12 a year.
      { role: 'VENDOR', active_subscriptions: 3, without_mrr: 1, mrr: 25.5, new_customers: 2 },
    ]);
    const one = { vendor: 'MAKER', active_subscriptions: 1 };
    expect(await shop.view('mrr_by_product')).toMatchObject([
      { ...one, product: 'CLUB', affiliate: 'ADA', mrr: 19.5 },
      { ...one, product: 'CLUB', affiliate: null, mrr: 0, without_mrr: 1 },
      { ...one, product: 'YEAR', affiliate: null, mrr: 6 },
    ]);
  });

  check('adds up orders, upsells, trials and refunds', async (shop) => {
    const row = (day: string, receipt: string, amount: string, lineItemType = 'ORIGINAL') => ({
      ...transaction(day, { receipt, type: amount.startsWith('-') ? 'RFND' : 'SALE' }),
      lineItemData: [{ itemNo: 'SKU', accountAmount: amount, lineItemType }],
    });
    await shop.orders([
      row('2026-01-05', 'A', '30.00'),
      row('2026-01-05', 'B', '20.00'),
      row('2026-01-05', 'C', '10.00', 'UPSELL'),
      row('2026-02-04', 'A', '-30.00'),
      row('2026-01-10', 'B', '-5.00'),
    ]);
    expect(await shop.view('order_value_by_month')).toEqual([
      {
        ...{ month: '2026-01-01', orders: 2, upsells: 1, earned: 60 },
        ...{ earned_per_order: 30, upsell_percent: 16.67 },
      },
    ]);
    // 30 and 5 days.
    expect(await shop.view('rates_by_month_of_sale')).toMatchObject([
      { refunds: 2, days_to_refund: 17.5 },
    ]);
    expect((await shop.view('rates_by_product'))[0]).toMatchObject({
      ...{ earned: 60, refunded: 5, refunded_percent: 8.33, refund_rate_percent: 33.33 },
    });
    expect((await shop.view('rates_by_affiliate'))[0]).toMatchObject({
      ...{ refunded_percent: 8.33, charged_back_percent: 0 },
    });
    const trial = { trialPeriod: 7 };
    const listed = [
      subscription('a@example.com', '1.00', '2026-01-20', { ...trial, rebillSaleCount: 1 }),
      subscription('b@example.com', '1.00', '2026-01-20', { ...trial, stop: '2026-01-22' }),
      // Its last day is today, and that of the next one is still to come.
      subscription('e@example.com', '1.00', '2026-01-24', { ...trial, rebillSaleCount: 1 }),
      subscription('c@example.com', '1.00', '2026-01-30', trial),
      subscription('d@example.com', '1.00', '2026-01-20'),
      subscription('a@example.com', '1.00', '2026-01-20', { ...trial, role: 'AFFILIATE' }),
    ];
    await shop.subscriptions(listed, '2026-01-31');
    expect(await shop.view('trials_by_month')).toEqual([
      { month: '2026-01-01', trials: 1, paid: 0, trial_to_paid_percent: 0 },
      { month: '2026-01-01', trials: 3, paid: 2, trial_to_paid_percent: 66.67 },
    ]);
  });

  check('divides the earnings of a tracking ID by its clicks', async (shop) => {
    const row = (day: string, dimensionValue: string, hops: number, net: string) => ({
      ...{ nickname: 'MAKER', role: 'AFFILIATE', dimension: 'TRACKING_ID', day, dimensionValue },
      data: [
        { attribute: 'HOP_COUNT', value: hops },
        { attribute: 'SALE_COUNT', value: 1 },
        { attribute: 'NET_SALE_AMOUNT', value: net },
      ],
    });
    await shop.clicks([
      row('2026-01-05', 'spring', 150, '60.00'),
      row('2026-01-06', 'spring', 50, '15.00'),
      row('2026-01-06', 'Not Set', 0, '5.00'),
      { ...row('2026-01-06', 'ADA', 7, '1.00'), dimension: 'AFFILIATE' },
    ]);
    expect(await shop.view('earnings_by_tracking_id')).toMatchObject([
      { tracking_id: 'Not Set', clicks: 0, net: 5, earnings_per_click: null },
      { tracking_id: 'spring', clicks: 200, net: 75, earnings_per_click: 0.38, sales_percent: 1 },
    ]);
  });

  check('creates a view again that somebody has dropped', async ({ sql, view }) => {
    await sql.query('DROP VIEW cohorts');
    await updateCopy(sql);
    expect(await view('cohorts')).toEqual([]);
  });

  check('replaces views of another version of cb, and keeps those of the user', async ({ sql }) => {
    const text = await metaOf(sql, 'views');
    const before = JSON.parse(text ?? '');
    await sql.query('CREATE VIEW of_former_cb AS SELECT account FROM orders');
    await sql.query('CREATE VIEW of_the_user AS SELECT account FROM orders');
    await sql.query('DROP VIEW cohorts');
    await sql.query('CREATE VIEW cohorts AS SELECT account FROM orders');
    before.views.of_former_cb = '';
    await setMeta(sql, 'views', JSON.stringify(before));
    await updateCopy(sql);
    expect(await sql.query('SELECT earned_so_far FROM cohorts')).toEqual([]);
    expect(await sql.query('SELECT * FROM of_the_user')).toEqual([]);
    await expect(sql.query('SELECT * FROM of_former_cb')).rejects.toThrow();
    expect(await metaOf(sql, 'views')).toBe(text);
  });
});

describe.skipIf(postgres.missing)('in PostgreSQL', () => {
  /** A copy as another version of cb left it, which rounded in another way. */
  async function formerCopy() {
    const { sql } = await openShop(postgres);
    const text = (await metaOf(sql, 'views')) ?? '';
    expect(text).toContain('round(');
    await setMeta(sql, 'views', text.replaceAll('round(', 'round( '));
    return sql;
  }

  test('keeps the views of users on metrics, and grants', async () => {
    const sql = await formerCopy();
    await sql.query('CREATE VIEW mine AS SELECT retention_percent FROM cohorts');
    await sql.query('GRANT SELECT ON cohorts TO PUBLIC');
    await updateCopy(sql);
    expect(await sql.query('SELECT * FROM mine')).toEqual([]);
    const isOfCohorts = "table_name = 'cohorts' AND table_schema = current_schema()";
    const grantees = `SELECT grantee FROM information_schema.table_privileges WHERE ${isOfCohorts}`;
    expect(await sql.query(grantees)).toContainEqual({ grantee: 'PUBLIC' });
    expect(await metaOf(sql, 'views')).toContain('round(');
  });

  test('adds columns at the end of a view that users read', async () => {
    const sql = await formerCopy();
    await sql.query('DROP VIEW cohorts');
    const columns = 'account, transaction_month AS cohort';
    await sql.query(`CREATE VIEW cohorts AS SELECT ${columns} FROM orders`);
    await sql.query('CREATE VIEW mine AS SELECT cohort FROM cohorts');
    await updateCopy(sql);
    expect(await sql.query('SELECT cohort FROM mine')).toEqual([]);
    expect(await sql.query('SELECT earned_so_far FROM cohorts')).toEqual([]);
  });

  test('names the view of the user if columns changed', async () => {
    const sql = await formerCopy();
    await sql.query('DROP VIEW cohorts');
    await sql.query('CREATE VIEW cohorts AS SELECT receipt AS gone FROM orders');
    await sql.query('CREATE VIEW mine AS SELECT gone FROM cohorts');
    const says = /^Cannot change .+ of the view cohorts in .+: view mine depends on /;
    await expect(updateCopy(sql)).rejects.toMatchObject({
      ...{ name: 'DestinationError', kind: 'unsuitable', message: expect.stringMatching(says) },
    });
    await sql.query('DROP VIEW mine');
    await updateCopy(sql);
    expect(await sql.query('SELECT earned_so_far FROM cohorts')).toEqual([]);
  });

  test('does not replace a view of the user with the name of a new one', async () => {
    const { sql } = await openShop(postgres);
    const before = JSON.parse((await metaOf(sql, 'views')) ?? '');
    delete before.views.payments;
    await setMeta(sql, 'views', JSON.stringify(before));
    const says = 'has other tables: relation "payments" already exists.';
    await expect(updateCopy(sql)).rejects.toThrow(says);
  });

  test('has a comment on every view and column', async () => {
    const { sql } = await openShop(postgres);
    for (const { name, summary, columns } of views) {
      const [found] = await sql.query(
        `SELECT obj_description('${name}'::regclass) AS summary, ${columns
          .map((_, i) => `col_description('${name}'::regclass, ${i + 1}) AS c${i}`)
          .join(', ')}`,
      );
      const comments = columns.map(({ comment }, i) => [`c${i}`, comment]);
      expect(found).toEqual({ summary, ...Object.fromEntries(comments) });
    }
  });
});
