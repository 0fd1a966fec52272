/** `cb analytics …` */
import type { Command } from 'commander';
import { analytics, answerOnlyFigures } from '../../operations/analytics.ts';
import type { Arguments } from '../../operations/operation.ts';
import { decimal, type Field, type Resource, text } from '../../operations/resource.ts';
import type { Row, Value } from '../../output/rows/rows.ts';
import type { ChartFacts } from '../display/chart.ts';
import type { Summing, View } from '../display/view.ts';
import { addEndpoints } from '../endpoint/endpoint-command.ts';
import { addHelp } from '../help/help-text.ts';
import type { Call } from '../runtime/command-context.ts';

/** What a person wants to see first of the 24 figures. */
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

/** A line a product where the rows are by day, else a bar. */
const trendsChart: ChartFacts = {
  day: 'businessDate',
  names: ['itemNo'],
  figures: Object.entries<Field>(analytics.trends.returns.resource.fields)
    .filter(([, { kind }]) => kind === 'decimal')
    .map(([name]) => name),
  standard: ['netSales'],
};

/** A row a value of the dimension, with a column for each figure that was asked for. */
function figuresView({ select }: Arguments<typeof analytics.dimension.params>): View {
  // The value of the dimension is a column of its own.
  const figures = select?.filter((name) => name !== 'DIMENSION_VALUE') ?? [
    ...figureNames,
    ...answerOnlyFigures,
  ];
  const fields: Record<string, Field> = {
    dimensionValue: text,
    dimensionIdentifier: text,
    accountNickName: text,
  };
  for (const name of figures) fields[name] = decimal;
  const headline = select ? figures : telling;
  const resource: Resource = {
    element: 'figures',
    headline: ['dimensionValue', ...headline],
    fields,
  };
  return { resource, reshape: (rows) => rows.map(flat), summing: serviceTotals };
}

/** The fields of the row itself, then a field for each figure. */
function flat({ data, ...fields }: Row): Row {
  return { ...fields, ...byName((data ?? []) as readonly Row[]) };
}

/** A list of names and values as fields. */
function byName(figures: readonly Row[]): Row {
  const known = figures.filter(({ attribute }) => attribute !== 'DIMENSION_VALUE');
  return Object.fromEntries(
    known.map(({ attribute, value }) => [String(attribute), value as Value]),
  );
}

/** The service sums up itself: what stands beside the rows of any page is over all of them. */
function serviceTotals(): Summing {
  let last: readonly Row[] = [];
  return {
    add: (_, totals) => {
      last = totals;
    },
    row: () => (last.length === 0 ? undefined : { dimensionValue: 'TOTAL', ...byName(last) }),
  };
}

const as = '--role VENDOR --account GREENLEAF --period last-month';

export function addAnalytics(group: Command, call: Call): void {
  addHelp(group, () => ({
    asks: true,
    examples: [
      'cb analytics dimension AFFILIATE --role VENDOR --account GREENLEAF --period last-month',
      'cb analytics subscriptions canceled-30 --role VENDOR --account GREENLEAF',
    ],
    topics: ['dates', 'output'],
  }));
  addEndpoints(group, call, Object.values(analytics), {
    special: {
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
      subscriptions: 'List subscriptions, by what happened to them or will',
      schema: 'Print an XML Schema',
    },
  });
}
