/** analytics_days: figures by day and tracking ID, affiliate or vendor (section 4.1 of the specification). */
import { addDays, type Day, daysFrom } from '../../../dates/day.ts';
import { analytics } from '../../../operations/analytics.ts';
import { quickStat, quickstats } from '../../../operations/quickstats.ts';
import { resource } from '../../../operations/resource.ts';
import {
  type AccountReader,
  type Column,
  column,
  type DatedSource,
  type Days,
  distinctBy,
  earlier,
  elementsOf,
  pacificDayOf,
  type Reading,
  type RowPages,
  type ServiceRow,
  type Table,
} from './table.ts';

const since = 2;

/** A figure of the row by its name in analytics, such as `HOP_COUNT`. */
function figure(attribute: string) {
  const figures = elementsOf('data');
  return ({ row }: { readonly row: ServiceRow }) =>
    figures(row).find((one) => one.attribute === attribute)?.value;
}

function count(attribute: string, comment: string): Column {
  return column(attribute.toLowerCase(), 'integer', comment, figure(attribute));
}

function amount(attribute: string, comment: string): Column {
  return column(attribute.toLowerCase(), 'numeric', comment, figure(attribute));
}

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
  since,
  key: ['nickname', 'role', 'dimension', 'day', 'dimension_value'],
  day: 'day',
  columns: [
    column('nickname', 'text', 'Nickname whose figures these are', 'nickname'),
    column('role', 'text', 'Its role: VENDOR or AFFILIATE', 'role'),
    column('dimension', 'text', 'TRACKING_ID, AFFILIATE or VENDOR', 'dimension'),
    column('day', 'day', 'Pacific day', (facts) => facts.day),
    column(
      'dimension_value',
      'text',
      'The tracking ID or nickname; Not Set without one',
      ({ row }) => dimensionValueOf(row),
    ),
    ...figures,
  ],
  indexes: [{ name: 'analytics_days_by_day', columns: ['account', 'day'], since }],
};

function dimensionValueOf({ dimensionValue, dimensionIdentifier }: ServiceRow): string {
  return String(dimensionValue ?? dimensionIdentifier ?? '');
}

/** The partner of a vendor is the affiliate, and that of an affiliate is the vendor. */
const dimensions = {
  VENDOR: ['TRACKING_ID', 'AFFILIATE'],
  AFFILIATE: ['TRACKING_ID', 'VENDOR'],
} as const;

const roles = ['VENDOR', 'AFFILIATE'] as const;

type Role = (typeof roles)[number];
type Dimension = (typeof dimensions)[Role][number];

interface Question extends Days {
  readonly nickname: string;
  readonly role: Role;
  readonly dimension: Dimension;
}

/** A list has the sums of its days, so each day is a list of its own. */
async function* readDay(
  { client, signal }: AccountReader,
  { nickname, role, dimension, first: day }: Question,
): RowPages {
  const asked = { account: nickname, role, dimension, startDate: day, endDate: day };
  const distinct = distinctBy(dimensionValueOf);
  for await (const { rows } of client.pages(analytics.dimension, asked, { signal })) {
    yield { rows: distinct(rows).map((row) => ({ nickname, role, dimension, day, ...row })) };
  }
}

/** Most nicknames have one role: the other one costs a single request for the whole window. */
async function hasFigures(
  { client, signal }: AccountReader,
  { nickname, role, dimension, first, last }: Question,
): Promise<boolean> {
  const asked = { account: nickname, role, dimension, startDate: first, endDate: last };
  const pages = client.pages(analytics.dimension, asked, { signal, expectedRows: 1 });
  for await (const { rows } of pages) if (rows.length > 0) return true;
  return false;
}

async function* read(reader: AccountReader, { days }: Reading): RowPages {
  // Today is read tomorrow, when it is complete: a day is read again until it was read after its end.
  const yesterday = addDays(reader.today, -1);
  const { first } = days;
  const last = earlier(days.last, yesterday);
  if (last < first) return;
  for (const nickname of reader.nicknames) {
    for (const role of roles) {
      const question = { nickname, role, dimension: 'TRACKING_ID', first, last } as const;
      if (first < last && !(await hasFigures(reader, question))) continue;
      yield* readRole(reader, nickname, role, daysFrom(first, last));
    }
  }
}

async function* readRole(
  reader: AccountReader,
  nickname: string,
  role: Role,
  days: readonly Day[],
): RowPages {
  for (const day of days) {
    for (const dimension of dimensions[role]) {
      let isEmpty = true;
      for await (const page of readDay(reader, {
        nickname,
        role,
        dimension,
        first: day,
        last: day,
      })) {
        if (page.rows.length > 0) isEmpty = false;
        yield page;
      }
      // A day without tracking IDs, not even Not Set, has no figures at all.
      if (isEmpty) break;
    }
  }
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
  resource: resource('row', [], {
    ...analytics.dimension.returns.resource.fields,
    // A row does not repeat what was asked for.
    nickname: { kind: 'text', nillable: false },
    role: { kind: 'text', nillable: false },
    dimension: { kind: 'text', nillable: false },
    day: { kind: 'text', nillable: false },
  }),
  isDaily: true,
  isJoined: true,
  changesFor: 3,
  keeps: 364,
  // With today and the days that are read again, a run has one window.
  windowDays: 40,
  // A nickname can have both roles.
  requestsOf: (_rows, days, nicknames) => (4 * days + 2) * nicknames,
  dayOf: ({ day }) => String(day),
  read,
  idOf: ({ nickname, role, dimension, day, ...row }) =>
    [nickname, role, dimension, day, dimensionValueOf(row)].join('.'),
};

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

const trendKey = (row: ServiceRow) =>
  [row.askedNickname, row.role, row.businessDate, productOf(row)].join('.');

async function* readTrends(
  { client, nicknames, signal }: AccountReader,
  { days }: Reading,
): RowPages {
  const distinct = distinctBy(trendKey);
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
  read: readTrends,
  idOf: trendKey,
};

const quickstatsTable: Table = {
  name: 'quickstats',
  comment: 'Sales, refunds and chargebacks by nickname and day; a day without any has no row',
  since: 2,
  key: ['nickname', 'day'],
  day: 'day',
  columns: [
    column('nickname', 'text', 'Nickname whose figures these are', 'nickName'),
    column('day', 'day', 'Pacific day', (facts) => facts.day),
    column('sale', 'numeric', 'What sales and rebills earned, in US dollars', 'sale'),
    column('refund', 'numeric', 'What refunds took back, in US dollars, positive', 'refund'),
    column(
      'chargeback',
      'numeric',
      'What chargebacks took back, in US dollars, positive',
      'chargeback',
    ),
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
  resource: resource('quickstatsData', [], {
    ...quickStat.fields,
    // A row of the list is an account with its days; in the copy, each day names its account.
    nickName: { kind: 'text', nillable: false },
  }),
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
