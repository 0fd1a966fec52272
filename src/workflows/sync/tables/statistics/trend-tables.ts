/** subscription_days: subscriptions by day and product (section 4.1 of the specification). */
import { analytics } from '../../../../operations/analytics.ts';
import { resource } from '../../../../operations/resource.ts';
import { pacificDayOf } from '../cells.ts';
import { distinctBy } from '../distinct.ts';
import type { AccountReader, DatedSource, Reading, RowPages } from '../source.ts';
import { column, type ServiceRow, type Table } from '../table.ts';

const since = 2;

const trendsTable: Table = {
  name: 'subscription_days',
  comment:
    "Subscriptions by day and product, as ClickBank sums them up; amounts are the account's share in US dollars",
  since,
  key: ['nickname', 'role', 'day', 'product_id'],
  day: 'day',
  columns: [
    column('nickname', 'text', 'Nickname whose figures these are', 'askedNickname'),
    column('role', 'text', 'Its role: VENDOR or AFFILIATE', 'role'),
    column('day', 'day', 'Pacific day', (facts) => facts.day),
    column('product_id', 'text', 'Identifies the product', ({ row }) => productOf(row)),
    column('vendor', 'text', 'Nickname of the vendor', 'nickname'),
    column('item_no', 'text', 'SKU of the product', 'itemNo'),
    column('title', 'text', 'Title of the product', 'title'),
    column('description', 'text', 'Description of the product', 'description'),
    column('frequency', 'text', 'Billing frequency, such as EVERY MONTH', 'frequency'),
    column('duration', 'integer', 'Number of payments; 999 for no end', 'duration'),
    column('trial_period', 'text', 'Trial period: a number of days, or a text', 'trialPeriod'),
    column('total_sales_cnt', 'numeric', 'First sales and rebills of the day', 'totalSalesCnt'),
    column('gross_sales', 'numeric', 'First sales and rebills', 'grossSales'),
    column('net_sales', 'numeric', 'First sales and rebills minus returns', 'netSales'),
    column('initial_sale_amt', 'numeric', 'First sales', 'initialSaleAmt'),
    column('initial_sale_cnt', 'numeric', 'Number of first sales', 'initialSaleCnt'),
    column('recurring_sale_amt', 'numeric', 'Rebills', 'recurringSaleAmt'),
    column('recurring_sale_cnt', 'numeric', 'Number of rebills', 'recurringSaleCnt'),
    column('cancel_sub_cnt', 'numeric', 'Subscriptions canceled on the day', 'cancelSubCnt'),
    column('avg_active_sub_cnt', 'numeric', 'Active subscriptions', 'avgActiveSubCnt'),
    column('avg_sub_age', 'numeric', 'Average age of subscriptions, in days', 'avgSubAge'),
    column('avg_sub_value', 'numeric', 'Average value of subscriptions', 'avgSubValue'),
  ],
  indexes: [{ name: 'subscription_days_by_day', columns: ['account', 'day'], since }],
};

function productOf({ productId, itemNo }: ServiceRow): string {
  return String(productId ?? itemNo ?? '');
}

const keyOf = (row: ServiceRow) =>
  [row.askedNickname, row.role, row.businessDate, productOf(row)].join('.');

async function* read({ client, nicknames, signal }: AccountReader, { days }: Reading): RowPages {
  const distinct = distinctBy(keyOf);
  for (const askedNickname of nicknames) {
    for (const role of ['VENDOR', 'AFFILIATE'] as const) {
      const args = { account: askedNickname, role, groupBy: 'DATE' } as const;
      const asked = { ...args, startDate: days.first, endDate: days.last };
      for await (const { rows } of client.pages(analytics.trends, asked, { signal })) {
        yield { rows: distinct(rows.map((row) => ({ askedNickname, role, ...row }))) };
      }
    }
  }
}

export const trendSource: DatedSource = {
  name: 'subscription_days',
  kind: 'days',
  tables: [trendsTable],
  identity: 'day',
  owner: 'nickname',
  resource: resource('row', [], {
    ...analytics.trends.returns.resource.fields,
    // A row names its vendor, but not whose list it is in.
    askedNickname: { kind: 'text', nillable: false },
    role: { kind: 'text', nillable: false },
  }),
  isDaily: true,
  isJoined: true,
  changesFor: 3,
  keeps: 364,
  windowDays: 182,
  dayOf: ({ businessDate }) => pacificDayOf(businessDate),
  read,
  idOf: keyOf,
};
