/** `cb orders get` on a terminal: who bought what, and a line for each payment, refund and chargeback of a receipt. */
import { wallTime } from '../../../dates/wall-time.ts';
import { render, renderOne } from '../../../output/render.ts';
import type { RenderOptions } from '../../../output/render-options.ts';
import type { Row, Shape, TableColumns, Value } from '../../../output/rows/rows.ts';
import { wrap } from '../../../output/table/display-width.ts';
import { kindOf } from '../../../workflows/earnings/transaction.ts';
import { summaryOf } from '../../display/summary.ts';
import { amountText, itemsOf } from '../../display/texts.ts';
import { isFee, orderFields, orderSums, orderView } from './order-view.ts';

/** Draws each receipt with its rebills; a rebill that was requested by its own receipt is shown with all its fields. */
export async function timelines(rows: readonly Row[], options: RenderOptions): Promise<string> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const receipt = saleOf(row);
    const group = groups.get(receipt) ?? [];
    groups.set(receipt, [...group, row]);
  }
  const drawn = [...groups.values()].map((group) =>
    group.every(isRebill)
      ? render('table', group, { ...options, layout: 'cards' })
      : timeline(group, options),
  );
  return (await Promise.all(drawn)).join('\n');
}

/** The receipt of the sale: that of a rebill has a suffix such as -B002. */
function saleOf({ receipt }: Row): string {
  return String(receipt ?? '').replace(/-B\d+$/i, '');
}

function isRebill(row: Row): boolean {
  return row.receipt !== saleOf(row);
}

async function timeline(rows: readonly Row[], options: RenderOptions): Promise<string> {
  const ordered = [...rows].sort((one, other) => timeOf(one) - timeOf(other));
  const plain: RenderOptions = { ...options, layout: 'rows', onColumns: () => {} };
  const head = await renderOne('table', headOf(ordered, options), { ...plain, shape: headShape });
  const shape = timelineShape(ordered);
  const table = await render('table', ordered, { ...plain, shape });
  return `${head}\n${table}${sumsOf(ordered, options)}`;
}

function timeOf({ transactionTime }: Row): number {
  return Date.parse(String(transactionTime));
}

const headShape: Shape = {
  headline: [],
  fields: Object.fromEntries(
    ['receipt', 'customer', 'product', 'vendor', 'affiliate', 'subscription'].map((name) => [
      name,
      { kind: 'text' },
    ]),
  ),
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
    receipt: first && saleOf(first),
    customer: (fullName ?? email) ? present([fullName, email, country]) : undefined,
    product: items.map(productOf),
    vendor: role === 'AFFILIATE' ? vendor : undefined,
    affiliate,
    subscription: subscriptions.map((item) => subscriptionOf(item, day)),
  };
}

function productOf({ quantity, productTitle, itemNo }: Row): string {
  const count = Number(quantity ?? 1) > 1 ? `${String(quantity)} × ` : '';
  return `${count}${String(productTitle ?? itemNo ?? '')} (${String(itemNo ?? '')})`;
}

/** ClickBank writes 999 for a subscription without an end. */
const endless = 999;

/** As in `active, next payment 2026-11-30, 3 of 7 payments made`. */
function subscriptionOf(item: Row, day: (time: string) => string): string {
  const { status, nextPaymentDate, processedPayments, futurePayments } = item;
  const [made, future] = [Number(processedPayments ?? 0), Number(futurePayments ?? endless)];
  const all = future >= endless ? '' : ` of ${made + future}`;
  return [
    String(status ?? 'unknown state')
      .replaceAll('_', ' ')
      .toLowerCase(),
    ...(typeof nextPaymentDate === 'string' ? [`next payment ${day(nextPaymentDate)}`] : []),
    `${made}${all} ${made === 1 && all === '' ? 'payment' : 'payments'} made`,
  ].join(', ');
}

const isPayment = ({ transactionType }: Row) =>
  ['SALE', 'BILL', 'TEST_SALE', 'TEST_BILL'].includes(String(transactionType));

/** An affiliate sees first what is his. */
function columnsFor(rows: readonly Row[]): TableColumns {
  const isReferred = rows.every(({ role }) => role === 'AFFILIATE');
  const amounts = isReferred ? ['youEarn', 'customerPaid'] : ['customerPaid', 'youEarn'];
  return {
    shown: ['transactionTime', 'event', 'receipt', ...amounts, 'state'],
    needed: ['event', ...amounts, 'transactionTime', 'receipt', 'state'],
    more: [],
  };
}

function timelineShape(rows: readonly Row[]): Shape {
  return {
    ...orderView.resource,
    derived: {
      ...orderFields,
      event: { kind: 'text', from: eventOf },
      state: { kind: 'text', from: (row) => stateOf(row, rows) },
    },
    columns: columnsFor,
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
function stateOf(row: Row, rows: readonly Row[]): string | undefined {
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
