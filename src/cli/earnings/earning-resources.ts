/** The columns of the rows that `cb summary`, `cb today` and `cb check` print. */
import * as field from '../../operations/resource.ts';
import type { Dimension } from '../../workflows/earnings/groups.ts';

const { alike, boolean, decimal, headed, integer, naming, resource, text } = field;

const rates = {
  refundRatePercent: headed('Refund %', decimal),
  chargebackRatePercent: headed('Chargeback %', decimal),
};

const figures = {
  ...alike(decimal, 'earned', 'refunded', 'chargedBack', 'net'),
  averageEarned: headed('Per payment', decimal),
  ...alike(integer, 'sales', 'rebills', 'refunds', 'chargebacks'),
  ...rates,
};

const before = {
  comparedEarned: headed('Earned on the days compared', decimal),
  previousEarned: headed('Earned before', decimal),
  changePercent: headed('Change %', decimal),
  currency: text,
};

export const metricResource = resource(
  'metric',
  ['metric', 'value', 'unit', 'previous', 'changePercent', 'compared', 'change'],
  {
    ...alike(text, 'metric'),
    value: decimal,
    unit: text,
    compared: decimal,
    previous: decimal,
    change: decimal,
    changePercent: headed('Change %', decimal),
  },
);

/** The name of the group comes first, then what a person compares. */
const headline = [
  ...(['earned', 'changePercent', 'net', 'refundRatePercent', 'sales', 'rebills'] as const),
  ...(['refunds', 'chargebackRatePercent', 'chargebacks'] as const),
];

const names: Readonly<Partial<Record<Dimension, field.Fields>>> = {
  day: { day: field.day, isFinished: headed('Finished', boolean) },
  product: {
    product: naming('sku', text),
    title: { ...text, room: 30 },
    vendor: naming('account', text),
  },
  affiliate: { affiliate: text },
  'tracking-id': { trackingId: text },
  country: { country: text },
  currency: { customerCurrency: headed('Customer paid in', text) },
};

/** The field that names the group. A currency is the one that the customer paid with. */
export const nameOf: Readonly<Record<Dimension, string>> = {
  day: 'day',
  product: 'product',
  affiliate: 'affiliate',
  'tracking-id': 'trackingId',
  country: 'country',
  currency: 'customerCurrency',
  vendor: 'vendor',
  account: 'account',
};

/** The columns of `--by`. */
export function groupResource(dimension: Dimension): field.Resource {
  const own = names[dimension] ?? { [nameOf[dimension]]: text };
  const shown = dimension === 'product' ? ['product', 'title'] : [nameOf[dimension]];
  const extra = dimension === 'day' ? { previousDay: field.day } : {};
  const fields = { ...own, ...figures, ...extra, ...before };
  return { element: 'group', headline: [...shown, ...headline], fields };
}

/** The columns of `cb check`. */
export const checkResource = resource(
  'check',
  [
    ...(['scope', 'name', 'exceeds', 'refundRatePercent', 'refundLimitPercent'] as const),
    ...(['chargebackRatePercent', 'chargebackLimitPercent', 'sales', 'rebills'] as const),
    ...(['refunds', 'chargebacks', 'title'] as const),
  ],
  {
    ...alike(text, 'scope', 'name', 'title', 'exceeds'),
    ...alike(integer, 'sales', 'rebills', 'refunds'),
    refundRatePercent: rates.refundRatePercent,
    refundLimitPercent: headed('Limit %', decimal),
    chargebacks: integer,
    chargebackRatePercent: rates.chargebackRatePercent,
    chargebackLimitPercent: headed('Chargeback limit %', decimal),
    startDate: field.day,
    endDate: field.day,
  },
);
