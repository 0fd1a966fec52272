/** The worked examples of the sources that docs/metrics.md names, in both databases. */
import { describe, expect } from 'vitest';
import { kinds } from '../database/databases.ts';
import { subscription, testIn, transaction } from './shop.ts';

const times = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));

describe.each(kinds)('in $name', (kind) => {
  const check = testIn(kind);

  check('computes gross and net MRR churn as ChartMogul does: 20 % and 10 %', async (shop) => {
    const listed = [
      subscription('leaves@example.com', '10.00', '2026-01-10', { stop: '2026-02-03' }),
      subscription('shrinks@example.com', '10.00', '2026-01-10'),
      subscription('shrinks@example.com', '10.00', '2026-01-11', { stop: '2026-02-20' }),
      subscription('grows@example.com', '10.00', '2026-01-10'),
      subscription('grows@example.com', '10.00', '2026-02-14'),
      subscription('stays@example.com', '60.00', '2026-01-10'),
    ];
    await shop.subscriptions(listed, '2026-02-28');
    expect(await shop.view('subscriptions_by_month')).toMatchObject([
      { month: '2026-01-01', mrr_at_start: 0, mrr: 100, gross_mrr_churn_percent: null },
      {
        ...{ month: '2026-02-01', mrr_at_start: 100, new_mrr: 0, churned_mrr: 10, mrr: 90 },
        ...{ contraction_mrr: 10, expansion_mrr: 10, reactivation_mrr: 0 },
        ...{ gross_mrr_churn_percent: 20, net_mrr_churn_percent: 10 },
        ...{ active_customers: 3, churned_customers: 1, customer_churn_percent: 25 },
      },
    ]);
  });

  check('classifies the changes of Syncalytics as ChartMogul does', async (shop) => {
    const customer = 'syncalytics@example.com';
    const yearly = { frequency: 'EVERY YEAR' };
    const listed = [
      subscription(customer, '2000.00', '2025-01-05', { stop: '2026-01-05', ...yearly }),
      subscription(customer, '60.00', '2025-01-08', { stop: '2025-01-22' }),
      subscription(customer, '150.00', '2026-02-10'),
    ];
    await shop.subscriptions(listed, '2026-02-28');
    const rows = await shop.view('subscriptions_by_month');
    const byMonth = new Map(rows.map((row) => [row.month, row]));
    expect(rows).toHaveLength(14);
    expect(byMonth.get('2025-01-01')).toMatchObject({
      ...{ new_mrr: 166.67, expansion_mrr: 60, contraction_mrr: 60, churned_mrr: 0 },
      ...{ mrr: 166.67, active_customers: 1, new_customers: 1 },
    });
    expect(byMonth.get('2025-07-01')).toMatchObject({
      ...{ mrr_at_start: 166.67, mrr: 166.67, active_subscriptions: 1, gross_mrr_churn_percent: 0 },
    });
    expect(byMonth.get('2026-01-01')).toMatchObject({
      ...{ churned_mrr: 166.67, mrr: 0, active_customers: 0, customer_churn_percent: 100 },
    });
    expect(byMonth.get('2026-02-01')).toMatchObject({
      ...{ reactivation_mrr: 150, new_mrr: 0, reactivated_customers: 1, new_customers: 0 },
      ...{ mrr_at_start: 0, mrr: 150, net_mrr_churn_percent: null },
    });
  });

  check('computes 0.80 % for 4 chargebacks and 500 sales in a month', async (shop) => {
    await shop.orders([
      ...times(500, () => transaction('2026-01-15')),
      ...times(4, () => transaction('2026-01-20', { type: 'CGBK', items: [['SKU', '-10.00']] })),
    ]);
    const expected = { sales: 500, chargebacks: 4, chargeback_rate_percent: 0.8 };
    expect(await shop.view('rates_by_product')).toMatchObject([expected]);
    expect(await shop.view('rates_by_affiliate')).toMatchObject([
      { ...expected, earned: 5000, charged_back: 40, net: 4960 },
    ]);
  });

  check('counts a return in its own month, or in the month of its sale', async (shop) => {
    const returned = { type: 'CGBK', items: [['SKU', '-10.00']] } as const;
    await shop.orders([
      ...times(10, (i) => transaction('2026-01-25', { receipt: `TEN${i}` })),
      transaction('2026-02-04', { ...returned, receipt: 'TEN1' }),
      transaction('2026-02-28', { ...returned, receipt: 'TEN2' }),
      transaction('2026-02-05', { receipt: 'OTHER' }),
      // Its sale is older than the copy.
      transaction('2026-02-06', { ...returned, type: 'RFND', receipt: 'OLDER' }),
    ]);
    expect(await shop.view('rates_by_month_of_sale')).toMatchObject([
      { month: '2026-01-01', sales: 10, chargebacks: 2, chargeback_rate_percent: 20 },
      { month: '2026-02-01', sales: 1, chargebacks: 0, refunds: 0, refund_rate_percent: 0 },
    ]);
    expect(await shop.view('rates_by_affiliate')).toMatchObject([
      { month: '2026-01-01', chargebacks: 0, chargeback_rate_percent: 0 },
      { month: '2026-02-01', sales: 1, chargebacks: 2, refunds: 1, refund_rate_percent: 100 },
    ]);
  });
});
