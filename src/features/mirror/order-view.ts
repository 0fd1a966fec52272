/** How orders are shown: what the customer paid, what you earn and the products; and one receipt as a timeline. */
import { group } from 'd3-array';
import { LosslessNumber } from 'lossless-json';
import { wallTime } from '../../dates/wall-time.ts';
import { negated } from '../../decimals/decimals.ts';
import { saleOf } from '../../operations/operation.ts';
import { endless, orders } from '../../operations/orders.ts';
import { renderOne } from '../../output/render.ts';
import type { RenderOptions } from '../../output/render-options.ts';
import type { DerivedField, Row, Shape, TableColumns, Value } from '../../output/rows/rows.ts';
import { digitsOf } from '../../output/series.ts';
import { wrap } from '../../output/table/display-width.ts';
import { summaryOf } from '../../shell/display/summary.ts';
import { amountText, firstAndCount, itemsOf } from '../../shell/display/texts.ts';
import type { SummedAmount, View } from '../../shell/display/view.ts';
import {
  accountCurrency,
  customerPaid,
  isPaidBack,
  kindOf,
  type TransactionKind,
  youEarn,
} from '../earnings/transaction.ts';

/** A fee is paid by you. ClickBank does not tell how much that is in the currency of the account. */
const isFee = isKind('fee');

function isKind(kind: TransactionKind): (row: Row) => boolean {
  return ({ transactionType }) => kindOf(transactionType) === kind;
}

/** What the customer paid for the row; for the item, without tax and shipping, if the items are expanded. */
function paid(row: Row): Value {
  const { lineItemData } = row;
  const isExpanded = lineItemData !== undefined && !Array.isArray(lineItemData);
  if (isExpanded && !isFee(row)) return itemsOf(lineItemData)[0]?.customerAmount;
  return customerPaid(row);
}

const orderFields = {
  customerPaid: {
    kind: 'text',
    isAmount: true,
    card: { at: 'totalOrderAmount' },
    replaces: 'lineItemData.customerAmount',
    from: (row) => amountText(paid(row), row.currency),
    order: paid,
  },
  youEarn: {
    kind: 'decimal',
    card: { at: 'totalOrderAmount', unit: accountCurrency },
    replaces: 'lineItemData.accountAmount',
    from: (row) => {
      const sum = youEarn(row);
      return sum === undefined ? undefined : new LosslessNumber(sum);
    },
  },
  product: {
    kind: 'text',
    least: 8,
    replaces: 'lineItemData.productTitle',
    from: (row) =>
      isFee(row)
        ? `Fee ${amountText(row.totalOrderAmount, row.currency) ?? ''}`
        : firstAndCount(itemsOf(row.lineItemData).map((one) => one.productTitle ?? one.itemNo)),
  },
} as const satisfies Readonly<Record<string, DerivedField>>;

const aboutSale = ['fullName', 'affiliate', 'vendor', 'country', 'email', 'trackingId'];

const aboutReferral = ['vendor', 'trackingId', 'country', 'affiliate'];

/** An affiliate sees first what is his; ClickBank does not tell him who the customers are. The amount of a fee is in `product`. */
function shownFirst(rows: readonly Row[]) {
  if (rows.length > 0 && rows.every(isFee)) return { amounts: [], about: aboutSale };
  const isReferred = rows.length > 0 && rows.every(({ role }) => role === 'AFFILIATE');
  return isReferred
    ? { amounts: ['youEarn', 'customerPaid'], about: aboutReferral }
    : { amounts: ['customerPaid', 'youEarn'], about: aboutSale };
}

function columns(rows: readonly Row[]): TableColumns {
  const { amounts, about } = shownFirst(rows);
  return {
    shown: ['transactionTime', 'receipt', 'transactionType', 'product', ...amounts, ...about],
    needed: ['receipt', ...amounts, 'transactionTime', 'transactionType', 'product'],
    wanted: about.slice(0, 2),
    more: about.slice(2),
  };
}

const isReturned = ({ transactionType }: Row) => isPaidBack(kindOf(transactionType));

const ofCustomer = {
  currency: ({ currency }: Row) => String(currency ?? ''),
  undisputed: accountCurrency,
  /** An account with several roles in a transaction has a row for each role. */
  identity: ({ receipt, transactionType, transactionTime, totalOrderAmount }: Row) =>
    [receipt, transactionType, transactionTime, String(totalOrderAmount)].join(' '),
};

const orderSums: readonly SummedAmount[] = [
  { label: 'you earn', amount: youEarn, currency: () => accountCurrency },
  {
    ...{ label: 'customers paid', ...ofCustomer },
    amount: (row) => (isReturned(row) ? undefined : digitsOf(customerPaid(row))),
  },
  {
    ...{ label: 'paid back', ...ofCustomer },
    amount: (row) => {
      const digits = isReturned(row) ? digitsOf(customerPaid(row)) : undefined;
      return digits === undefined ? undefined : negated(digits);
    },
  },
];

export const orderView: View = {
  resource: orders.list.returns.resource,
  derived: orderFields,
  columns,
  sums: orderSums,
  unsummed: [
    { noun: 'fee', is: isFee },
    { noun: 'test transaction', is: isKind('test') },
  ],
  subtracted: [
    { noun: 'refund', is: isKind('refund') },
    { noun: 'chargeback', is: isKind('chargeback') },
  ],
};

/** Draws each receipt with its rebills; a rebill that was requested by its own receipt is shown with all its fields. */
export async function timelines(rows: readonly Row[], options: RenderOptions): Promise<string> {
  const drawn = [...group(rows, saleIn).values()].map((group) =>
    group.every((row) => row.receipt !== saleIn(row))
      ? renderOne('table', group, { ...options, layout: 'cards' })
      : timeline(group, options),
  );
  return (await Promise.all(drawn)).join('\n');
}

function saleIn({ receipt }: Row): string {
  return saleOf(String(receipt ?? ''));
}

async function timeline(rows: readonly Row[], options: RenderOptions): Promise<string> {
  const timeOf = ({ transactionTime }: Row) => Date.parse(String(transactionTime));
  const ordered = [...rows].sort((one, other) => timeOf(one) - timeOf(other));
  const plain: RenderOptions = { ...options, layout: 'rows', isWhole: false, onColumns: () => {} };
  const head = await renderOne('table', headOf(ordered, options), { ...plain, shape: headShape });
  const shape = timelineShape(ordered);
  const table = await renderOne('table', ordered, { ...plain, shape });
  return `${head}\n${table}${sumsOf(ordered, options)}`;
}

const headNames = ['receipt', 'customer', 'product', 'vendor', 'affiliate', 'subscription'];
const headShape: Shape = {
  headline: [],
  fields: Object.fromEntries(headNames.map((name) => [name, { kind: 'text' }])),
};

/** The latest payment has the current state of a subscription. */
function headOf(rows: readonly Row[], { zone }: RenderOptions): Row {
  const [first] = rows;
  const latest = rows.findLast(isPayment) ?? first;
  const present = (values: readonly Value[]) => values.filter((value) => (value ?? '') !== '');
  const { fullName, email, country, role, vendor, affiliate } = first ?? {};
  const items = itemsOf(first?.lineItemData);
  const subscriptions = itemsOf(latest?.lineItemData).filter(({ recurring }) => recurring === true);
  const day = (time: string) => (zone ? wallTime(time, zone.name) : time).slice(0, 10);
  return {
    receipt: first && saleIn(first),
    customer: (fullName ?? email) ? present([fullName, email, country]) : undefined,
    product: items.map(({ quantity, productTitle, itemNo }) => {
      const count = Number(quantity ?? 1) > 1 ? `${String(quantity)} × ` : '';
      return `${count}${String(productTitle ?? itemNo ?? '')} (${String(itemNo ?? '')})`;
    }),
    vendor: role === 'AFFILIATE' ? vendor : undefined,
    affiliate,
    subscription: subscriptions.map((item) => subscriptionOf(item, day)),
  };
}

/** As in `active, next payment 2026-11-30, 3 of 7 payments made`. */
function subscriptionOf(item: Row, day: (time: string) => string): string {
  const { status, nextPaymentDate, processedPayments, futurePayments } = item;
  const [made, future] = [Number(processedPayments ?? 0), Number(futurePayments ?? endless)];
  const all = future >= endless ? '' : ` of ${made + future}`;
  const state = String(status ?? 'unknown state').replaceAll('_', ' ');
  return [
    state.toLowerCase(),
    ...(typeof nextPaymentDate === 'string' ? [`next payment ${day(nextPaymentDate)}`] : []),
    `${made}${all} ${made === 1 && all === '' ? 'payment' : 'payments'} made`,
  ].join(', ');
}

const isPayment = ({ transactionType }: Row) =>
  ['SALE', 'BILL', 'TEST_SALE', 'TEST_BILL'].includes(String(transactionType));

function timelineShape(rows: readonly Row[]): Shape {
  return {
    ...orderView.resource,
    derived: {
      ...orderFields,
      event: { kind: 'text', from: eventOf },
      state: { kind: 'text', from: (row) => stateOf(row, rows) },
    },
    columns(some) {
      const { amounts } = shownFirst(some);
      return {
        shown: ['transactionTime', 'event', 'receipt', ...amounts, 'state'],
        needed: ['event', ...amounts, 'transactionTime', 'receipt', 'state'],
        more: [],
      };
    },
  };
}

/** `Sale`, `Rebill` or `Test sale`; a type that cb does not know as it was sent. */
function eventOf({ transactionType }: Row): string {
  const type = String(transactionType ?? '');
  const kind = kindOf(type.replace(/^TEST_/, ''));
  const word = kind === 'other' || kind === 'test' ? type : kind;
  const text = type.startsWith('TEST_') ? `test ${word}` : word;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const states: Readonly<Record<string, string>> = {
  REFUNDABLE: 'refundable',
  SUGGESTED_REFUND_BLOCK: 'refundable',
  ALREADY_REFUNDED: 'refunded',
  HAS_OPEN_REFUND: 'refund requested',
  REFUND_BLOCKED: 'refunds blocked',
};

/** What became of a payment; empty if it can't be refunded any more. For a fee, its amount. */
export function stateOf(row: Row, rows: readonly Row[]): string | undefined {
  if (isFee(row)) return amountText(row.totalOrderAmount, row.currency);
  if (!isPayment(row)) return undefined;
  const later = rows.filter(({ receipt }) => receipt === row.receipt);
  const has = (type: string) =>
    later.some(({ transactionType }) => String(transactionType).endsWith(type));
  if (has('CGBK')) return 'charged back';
  const state = states[String(row.customerRefundableState)];
  return state !== 'refunded' && has('RFND') ? 'partly refunded' : state;
}

/** The sums of several lines, as below a list of orders. */
function sumsOf(rows: readonly Row[], { width = Number.POSITIVE_INFINITY }: RenderOptions): string {
  if (rows.length < 2) return '';
  const sums = orderSums.map((sum) => ({
    ...sum,
    label: sum.label.replace('customers', 'customer'),
  }));
  const resource = { ...orderView.resource, counted: { noun: 'transaction' } };
  const summary = summaryOf({ ...orderView, resource, sums });
  summary?.add(rows);
  const lines = wrap(summary?.line(false) ?? '', width);
  return `\n${lines.map((line) => `${line}\n`).join('')}`;
}
