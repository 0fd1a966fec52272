/** analytics_days: figures by day and tracking ID, affiliate or vendor (section 4.1 of the specification). */
import { addDays, daysFrom, earlier } from '../../../dates/day.ts';
import { analytics } from '../../../operations/analytics.ts';
import { quickStat, quickstats } from '../../../operations/quickstats.ts';
import {
  column,
  type DatedSource,
  type Days,
  distinctBy,
  elementsOf,
  pacificDayOf,
  type RowPages,
  type ServiceRow,
  type Table,
  withTexts,
} from './table.ts';

const { day, integer, numeric, text } = column;

/** A figure of the row by its name in analytics, such as `HOP_COUNT`. */
function figure(attribute: string) {
  const figures = elementsOf('data');
  return ({ row }: { readonly row: ServiceRow }) =>
    figures(row).find((one) => one.attribute === attribute)?.value;
}

const count = (attribute: string, comment: string) =>
  integer(attribute.toLowerCase(), comment, figure(attribute));

const amount = (attribute: string, comment: string) =>
  numeric(attribute.toLowerCase(), comment, figure(attribute));

const dollars = "the account's share in US dollars";

const figures = [
  count('HOP_COUNT', 'Clicks on links of affiliates'),
  count('ORDER_IMPRESSION', 'Order forms that were shown'),
  count('INITIAL_ORDER_IMPRESSION', 'Order forms that were shown first'),
  count('UPSELL_ORDER_IMPRESSION', 'Upsells that were shown'),
  count('TOTAL_ORDER_IMPRESSION', 'Order forms and upsells that were shown'),
  count('ORDER_SUBMISSION', 'Order forms that were submitted'),
  count('SALE_COUNT', 'Sales without upsells'),
  amount('SALE_AMOUNT', `Sales without upsells, ${dollars}`),
  count('UPSELL_COUNT', 'Upsells'),
  amount('UPSELL_AMOUNT', `Upsells, ${dollars}`),
  count('REBILL_COUNT', 'Rebills'),
  amount('REBILL_AMOUNT', `Rebills, ${dollars}`),
  count('GROSS_SALE_COUNT', 'Sales, upsells and rebills'),
  amount('GROSS_SALE_AMOUNT', `Sales, upsells and rebills, ${dollars}`),
  count('REFUND_COUNT', 'Refunds of this day'),
  amount('REFUND_AMOUNT', `Refunds of this day, ${dollars}, positive`),
  amount('REFUND_RATE', 'Refunds in percent of payments, as ClickBank computes it'),
  count('CHARGEBACK_COUNT', 'Chargebacks of this day'),
  amount('CHARGEBACK_AMOUNT', `Chargebacks of this day, ${dollars}, positive`),
  amount('CHARGEBACK_RATE', 'Chargebacks in percent of payments, as ClickBank computes it'),
  count('NET_SALE_COUNT', 'Payments minus refunds and chargebacks'),
  amount('NET_SALE_AMOUNT', `Payments minus refunds and chargebacks, ${dollars}`),
  amount('EARNINGS_PER_HOP', 'Earnings for each hop, as ClickBank computes them'),
  amount('EARNINGS_PER_CLICK', 'Earnings for each click, as ClickBank computes them'),
  amount('HOPS_PER_SALE', 'Hops for each sale, as ClickBank computes them'),
  amount(
    'HOPS_PER_ORDER_FORM_IMPRESSION',
    'Hops for each order form shown, as ClickBank computes them',
  ),
  amount('ORDER_FORM_SALE_CONVERSION', 'Sales in percent of order forms shown'),
];

const analyticsTable: Table = {
  name: 'analytics_days',
  comment:
    'Figures of complete days by tracking ID, affiliate or vendor; values beyond the 150 largest are in the row Other',
  key: ['nickname', 'role', 'dimension', 'day', 'dimension_value'],
  day: 'day',
  columns: [
    text('nickname', 'Nickname whose figures these are'),
    text('role', 'Its role: VENDOR or AFFILIATE'),
    text('dimension', 'TRACKING_ID, AFFILIATE or VENDOR'),
    day('day', 'Pacific day', (facts) => facts.day),
    text('dimension_value', 'The tracking ID or nickname; Not Set without one', ({ row }) =>
      dimensionValueOf(row),
    ),
    ...figures,
  ],
  indexes: { analytics_days_by_day: ['account', 'day'] },
};

function dimensionValueOf({ dimensionValue, dimensionIdentifier }: ServiceRow): string {
  return String(dimensionValue ?? dimensionIdentifier ?? '');
}

/** The partner of a vendor is the affiliate, and that of an affiliate is the vendor. */
const dimensions = {
  VENDOR: ['TRACKING_ID', 'AFFILIATE'],
  AFFILIATE: ['TRACKING_ID', 'VENDOR'],
} as const;

function nicknamesAndRoles(nicknames: readonly string[]) {
  const roles = ['VENDOR', 'AFFILIATE'] as const;
  return nicknames.flatMap((nickname) => roles.map((role) => [nickname, role] as const));
}

async function isEmpty(pages: RowPages): Promise<boolean> {
  for await (const { rows } of pages) if (rows.length > 0) return false;
  return true;
}

/**
 * ClickBank keeps 365 days. A month of them is read in each of the first runs, at two requests a day for a nickname.
 */
export const analyticsSource: DatedSource = {
  name: 'analytics_days',
  kind: 'days',
  tables: [analyticsTable],
  identity: 'day',
  owner: 'nickname',
  // A row does not repeat what was asked for.
  resource: withTexts(
    analytics.dimension.returns.resource,
    ...['nickname', 'role', 'dimension', 'day'],
  ),
  isDaily: true,
  isJoined: true,
  changesFor: 3,
  keeps: 364,
  // With today and the days that are read again, a run has one window.
  windowDays: 40,
  // A nickname can have both roles.
  requestsOf: (_rows, days, nicknames) => (4 * days + 2) * nicknames,
  dayOf: ({ day }) => String(day),
  async *read({ client, nicknames, signal, today }, { days: { first, last: asked } }) {
    // The figures of today are read tomorrow, when they are complete.
    const last = earlier(asked, addDays(today, -1));
    if (last < first) return;
    for (const [nickname, role] of nicknamesAndRoles(nicknames)) {
      const list = (
        dimension: (typeof dimensions)[typeof role][number],
        days: Days,
        options = {},
      ) =>
        client.pages(
          analytics.dimension,
          { account: nickname, role, dimension, startDate: days.first, endDate: days.last },
          { signal, ...options },
        );
      // Most nicknames have one role: the other one costs a single request for the whole window.
      const sums = () => list('TRACKING_ID', { first, last }, { expectedRows: 1 });
      if (first < last && (await isEmpty(sums()))) continue;
      // A list has the sums of its days, so each day is a list of its own.
      for (const day of daysFrom(first, last)) {
        for (const dimension of dimensions[role]) {
          const distinct = distinctBy(dimensionValueOf);
          let count = 0;
          for await (const { rows } of list(dimension, { first: day, last: day })) {
            count += rows.length;
            yield {
              rows: distinct(rows).map((row) => ({ nickname, role, dimension, day, ...row })),
            };
          }
          // A day without tracking IDs, not even Not Set, has no figures at all.
          if (count === 0) break;
        }
      }
    }
  },
  idOf: ({ nickname, role, dimension, day, ...row }) =>
    [nickname, role, dimension, day, dimensionValueOf(row)].join('.'),
};

const trendsTable: Table = {
  name: 'subscription_days',
  comment:
    "Subscriptions by day and product, as ClickBank sums them up; amounts are the account's share in US dollars",
  key: ['nickname', 'role', 'day', 'product_id'],
  day: 'day',
  columns: [
    text('nickname', 'Nickname whose figures these are', 'askedNickname'),
    text('role', 'Its role: VENDOR or AFFILIATE'),
    day('day', 'Pacific day', (facts) => facts.day),
    text('product_id', 'Identifies the product', ({ row }) => productOf(row)),
    text('vendor', 'Nickname of the vendor', 'nickname'),
    text('item_no', 'SKU of the product'),
    text('title', 'Title of the product'),
    text('description', 'Description of the product'),
    text('frequency', 'Billing frequency, such as EVERY MONTH'),
    integer('duration', 'Number of payments; 999 for no end'),
    text('trial_period', 'Trial period: a number of days, or a text'),
    numeric('total_sales_cnt', 'First sales and rebills of the day'),
    numeric('gross_sales', 'First sales and rebills'),
    numeric('net_sales', 'First sales and rebills minus returns'),
    numeric('initial_sale_amt', 'First sales'),
    numeric('initial_sale_cnt', 'Number of first sales'),
    numeric('recurring_sale_amt', 'Rebills'),
    numeric('recurring_sale_cnt', 'Number of rebills'),
    numeric('cancel_sub_cnt', 'Subscriptions canceled on the day'),
    numeric('avg_active_sub_cnt', 'Active subscriptions'),
    numeric('avg_sub_age', 'Average age of subscriptions, in days'),
    numeric('avg_sub_value', 'Average value of subscriptions'),
  ],
  indexes: { subscription_days_by_day: ['account', 'day'] },
};

function productOf({ productId, itemNo }: ServiceRow): string {
  return String(productId ?? itemNo ?? '');
}

const trendKey = (row: ServiceRow) =>
  [row.askedNickname, row.role, row.businessDate, productOf(row)].join('.');

export const trendSource: DatedSource = {
  name: 'subscription_days',
  kind: 'days',
  tables: [trendsTable],
  identity: 'day',
  owner: 'nickname',
  // A row names its vendor, but not whose list it is in.
  resource: withTexts(analytics.trends.returns.resource, 'askedNickname', 'role'),
  isDaily: true,
  isJoined: true,
  changesFor: 3,
  keeps: 364,
  windowDays: 182,
  dayOf: ({ businessDate }) => pacificDayOf(businessDate),
  async *read({ client, nicknames, signal }, { days }) {
    const distinct = distinctBy(trendKey);
    for (const [askedNickname, role] of nicknamesAndRoles(nicknames)) {
      const args = { account: askedNickname, role, groupBy: 'DATE' } as const;
      const asked = { ...args, startDate: days.first, endDate: days.last };
      for await (const { rows } of client.pages(analytics.trends, asked, { signal })) {
        yield { rows: distinct(rows.map((row) => ({ askedNickname, role, ...row }))) };
      }
    }
  },
  idOf: trendKey,
};

const quickstatsTable: Table = {
  name: 'quickstats',
  comment: 'Sales, refunds and chargebacks by nickname and day; a day without any has no row',
  key: ['nickname', 'day'],
  day: 'day',
  columns: [
    text('nickname', 'Nickname whose figures these are', 'nickName'),
    day('day', 'Pacific day', (facts) => facts.day),
    numeric('sale', 'What sales and rebills earned, in US dollars'),
    numeric('refund', 'What refunds took back, in US dollars, positive'),
    numeric('chargeback', 'What chargebacks took back, in US dollars, positive'),
  ],
};

const quickstatKey = ({ nickName, quickStatDate }: Readonly<Record<string, unknown>>) =>
  `${nickName}.${quickStatDate}`;

export const quickstatSource: DatedSource = {
  name: 'quickstats',
  kind: 'days',
  tables: [quickstatsTable],
  identity: 'day',
  owner: 'nickname',
  // A row of the list is an account with its days; in the copy, each day names its account.
  resource: withTexts(quickStat, 'nickName'),
  isDaily: true,
  isJoined: true,
  windowDays: 366,
  requestsOf: () => 1,
  dayOf: ({ quickStatDate }) => pacificDayOf(quickStatDate),
  async *read({ client, signal }, { days: { first, last } }) {
    const args = { startDate: first, endDate: last };
    const accounts = await client.call(quickstats.list, args, { signal });
    const rows = accounts.flatMap(({ nickName, quickStats }) =>
      (quickStats ?? []).map((stat) => ({ nickName, ...stat })),
    );
    yield { rows: distinctBy(quickstatKey)(rows) };
  },
  idOf: quickstatKey,
};
