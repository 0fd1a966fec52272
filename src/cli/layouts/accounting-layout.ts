/** `--layout accounting`: what a bookkeeper books, a row for each transaction. */

import { spreadsheetTime } from '../../dates/spreadsheet-time.ts';
import { negated } from '../../decimals/decimals.ts';
import type { Arrangement } from '../../output/render-options.ts';
import { cellText } from '../../output/rows/cell.ts';
import type { Row, Shape, Value } from '../../output/rows/rows.ts';
import {
  accountCurrency,
  customerPaid,
  earningAccount,
  kindOf,
} from '../../workflows/earnings/transaction.ts';
import {
  decimal,
  earningsOf,
  type Fields,
  integer,
  itemsOf,
  numeral,
  sumOf,
  text,
} from './order-fields.ts';
import { titlesOf } from './orders-layout.ts';

const columns: Fields = {
  date: { kind: 'day' },
  time: { kind: 'time' },
  receipt: { ...text, names: 'receipt' },
  kind: text,
  product: text,
  quantity: integer,
  customerPaid: decimal,
  currency: text,
  tax: decimal,
  shipping: decimal,
  fees: decimal,
  youEarn: decimal,
  accountCurrency: text,
  month: text,
  role: text,
  account: { ...text, names: 'account' },
};

/** Days and months are those of the zone. With several profiles, their names come first. */
export function accountingLayout({ fields }: Shape, zone: string): Arrangement {
  const { profile } = fields;
  return {
    name: 'Accounting',
    shape: { headline: [], fields: { ...(profile && { profile }), ...columns } },
    rows: (page) =>
      page.map((order) => ({
        ...(profile && { profile: order.profile }),
        ...bookedOf(order, zone),
      })),
  };
}

function bookedOf(order: Row, zone: string): Row {
  const time = cellText(order.transactionTime);
  const date = (spreadsheetTime(time, zone) ?? time).slice(0, 'yyyy-mm-dd'.length);
  return {
    date: date || undefined,
    time: order.transactionTime,
    receipt: order.receipt,
    kind: kindOf(order.transactionType),
    product: titlesOf(order) || undefined,
    quantity: numeral(sumOf(itemsOf(order).map(({ quantity }) => quantity))),
    customerPaid: customerPaid(order),
    currency: order.currency,
    tax: order.totalTaxAmount,
    shipping: order.totalShippingAmount,
    fees: feesOf(order),
    ...earningsOf(order),
    month: date.slice(0, 'yyyy-mm'.length) || undefined,
    role: order.role,
    account: earningAccount(order),
  };
}

/**
 * What the customer paid and you don't earn, or the amount of a fee. Empty in another currency than that of the
 * account, and for an affiliate, whose difference is the share of the vendor.
 */
function feesOf(order: Row): Value {
  const { youEarn } = earningsOf(order);
  const amount = cellText(order.totalOrderAmount);
  if (kindOf(order.transactionType) === 'fee')
    return amount === '' ? undefined : numeral(negated(amount));
  const { totalOrderAmount: paid, currency, role } = order;
  if (paid === null || paid === undefined || youEarn === undefined) return undefined;
  if (currency !== accountCurrency || role === 'AFFILIATE') return undefined;
  return numeral(sumOf([paid, negated(cellText(youEarn))]));
}
