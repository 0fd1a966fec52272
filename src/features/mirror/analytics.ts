/** `cb analytics …` */
import { daysText } from '../../dates/day-texts.ts';
import { analytics, answerOnlyFigures } from '../../operations/analytics.ts';
import type { Arguments } from '../../operations/operation.ts';
import {
  alike,
  decimal,
  type Field,
  headed,
  type Resource,
  text,
} from '../../operations/resource.ts';
import { sentence } from '../../output/rows/columns.ts';
import type { Row, Value } from '../../output/rows/rows.ts';
import type { Summing } from '../../output/stream.ts';
import type { GroupSpec } from '../../shell/define.ts';
import type { ChartFacts } from '../../shell/display/chart.ts';
import type { View, ViewFacts } from '../../shell/display/view.ts';
import { endpointCommands } from './endpoint-command.ts';
import { accountTitle, figuresTitle } from './figures-title.ts';

const telling = ['SALE_COUNT', 'SALE_AMOUNT', 'REFUND_COUNT', 'NET_SALE_AMOUNT', 'HOP_COUNT'];

const figureNames = Object.keys(analytics.dimension.params.select.values ?? {}).filter(
  (name) => name !== 'DIMENSION_VALUE',
);

const figuresChart: ChartFacts = {
  names: ['dimensionValue'],
  figures: figureNames,
  standard: ['SALE_AMOUNT'],
  orderedBy: 'orderBy',
};

const trendsChart: ChartFacts = {
  day: 'businessDate',
  names: ['itemNo'],
  figures: Object.entries<Field>(analytics.trends.returns.resource.fields)
    .filter(([, { kind }]) => kind === 'decimal')
    .map(([name]) => name),
  standard: ['netSales'],
};

/** A row for each value of the dimension, with a column for each figure. */
function figuresView(
  args: Arguments<typeof analytics.dimension.params>,
  facts: Partial<ViewFacts> = {},
): View {
  const { select } = args;
  // The value of the dimension is a column of its own.
  const figures = select?.filter((name) => name !== 'DIMENSION_VALUE') ?? [
    ...figureNames,
    ...answerOnlyFigures,
  ];
  const names = ['dimensionValue', 'dimensionIdentifier', 'accountNickName'];
  const fields = {
    ...alike(text, ...names),
    dimensionValue: headed(sentence(args.dimension ?? 'dimension'), text),
    ...alike(decimal, ...figures),
  };
  const headline = ['dimensionValue', ...(select ? figures : telling)];
  const resource: Resource = { element: 'figures', headline, fields };
  return {
    resource,
    reshape: (rows) =>
      rows.map(({ data, ...rest }) => ({ ...rest, ...byName((data ?? []) as readonly Row[]) })),
    title: figuresTitle(args, facts, 1),
    summing: serviceTotals,
  };
}

/** The command says the period, as in `by-start-date`; amounts are in the currency of each subscription. */
function subscriptionView(args: Arguments): View {
  const { startDate, endDate } = args;
  const isDated = typeof startDate === 'string' && typeof endDate === 'string';
  const days = isDated ? [daysText({ first: startDate, last: endDate })] : [];
  return {
    resource: analytics.subscriptions.returns.resource,
    title: [[...days, accountTitle(args)].join(', ')],
    columns: () => ({
      shown: analytics.subscriptions.returns.resource.headline,
      needed: ['receipt', 'status', 'subValue', 'currencyCode', 'nextPaymentDate'],
      wanted: ['customerDisplayName', 'itemNo'],
      more: ['frequency', 'purchaseDate'],
    }),
  };
}

function byName(figures: readonly Row[]): Row {
  const known = figures.filter(({ attribute }) => attribute !== 'DIMENSION_VALUE');
  return Object.fromEntries(
    known.map(({ attribute, value }) => [String(attribute), value as Value]),
  );
}

/** Reads the totals that the service sends with each page: they cover all rows. */
function serviceTotals(): Summing {
  let last: readonly Row[] = [];
  return {
    add: (_, totals) => {
      last = totals;
    },
    row: () => (last.length === 0 ? undefined : { dimensionValue: 'TOTAL', ...byName(last) }),
  };
}

const subscriptionLists = Object.values(analytics)
  .map(({ command }) => command)
  .filter((command) => command.startsWith('analytics subscriptions '));

const as = '--role VENDOR --account GREENLEAF --period last-month';

export const analyticsGroup: GroupSpec = {
  words: 'analytics',
  help: {
    asks: true,
    examples: [
      'cb analytics dimension AFFILIATE --role VENDOR --account GREENLEAF --period last-month',
      'cb analytics subscriptions canceled-30 --role VENDOR --account GREENLEAF',
    ],
    topics: ['dates', 'output'],
  },
  commands: endpointCommands(Object.values(analytics), {
    special: {
      ...Object.fromEntries(subscriptionLists.map((words) => [words, { view: subscriptionView }])),
      'analytics dimension': {
        view: figuresView,
        chart: figuresChart,
        examples: [`cb analytics dimension TRACKING_ID ${as} --chart HOP_COUNT`],
      },
      'analytics summary': { view: figuresView, chart: figuresChart },
      'analytics trends': {
        chart: trendsChart,
        examples: [`cb analytics trends ${as} --group-by DATE --chart`],
      },
    },
    groups: {
      subscriptions: 'List subscriptions by status or date',
      schema: 'Print an XML Schema',
    },
  }),
};
