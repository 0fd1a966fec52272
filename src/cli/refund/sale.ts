/** What a receipt comes to: its payments, what went back already, and all of it on a card. */
import type { Numeral } from '../../operations/resource.ts';
import { addDecimals } from '../../output/decimal-sum.ts';
import { hasEnded, type LineItem, type Sale, type Ticket, type Transaction } from './draft.ts';

const payments: Readonly<Record<string, string>> = {
  SALE: 'sale',
  BILL: 'rebill',
  TEST_SALE: 'test sale',
  TEST_BILL: 'test rebill',
};

const reversals: Readonly<Record<string, string>> = {
  RFND: 'refunded',
  TEST_RFND: 'refunded',
  CGBK: 'charged back',
};

/** Only what was paid to the vendor can be refunded: an affiliate has no tickets. */
export function isPayment({ transactionType, role }: Transaction): boolean {
  return (transactionType ?? '') in payments && (role ?? 'VENDOR') === 'VENDOR';
}

/** The payments of a receipt, each once, the one that was asked for first. */
export function paymentsOf({ receipt, transactions }: Sale): Transaction[] {
  const byReceipt = new Map(transactions.filter(isPayment).map((one) => [one.receipt, one]));
  const asked = byReceipt.get(receipt);
  return [...new Set([...(asked ? [asked] : []), ...byReceipt.values()])];
}

/** A payment on one line, to choose from. */
export function paymentLine(payment: Transaction): string {
  const { receipt, transactionType, fullName, lineItemData = [] } = payment;
  const items = (lineItemData ?? []).map(({ productTitle, itemNo }) => productTitle ?? itemNo);
  const kind = payments[transactionType ?? ''] ?? transactionType;
  const words = [receipt, dayOf(payment.transactionTime), paid(payment), kind, fullName, ...items];
  return words.filter(Boolean).join('  ');
}

export function money(amount: Numeral | string | null | undefined, currency?: string | null) {
  const digits = typeof amount === 'object' ? amount?.value : amount;
  return [digits, currency].filter(Boolean).join(' ');
}

function paid({ totalOrderAmount, currency }: Transaction): string {
  return money(totalOrderAmount, currency);
}

export function dayOf(time: string | null | undefined): string {
  return (time ?? '').slice(0, 10);
}

/** Of an item: what it is, what was paid for it, whether it recurs or ships. */
export function itemLine(item: LineItem, { currency }: Transaction): string {
  const { itemNo, productTitle, customerAmount } = item;
  const words = [itemNo, productTitle, money(customerAmount, currency), natureOf(item)];
  return words.filter(Boolean).join('  ');
}

function natureOf(item: LineItem): string {
  const { recurring, shippable, status, nextPaymentDate, refundsBlocked } = item;
  const next = nextPaymentDate && !hasEnded(item) && `next payment ${dayOf(nextPaymentDate)}`;
  return [
    recurring ? ['subscription', status, next].filter(Boolean).join(', ') : 'sold once',
    shippable && 'ships',
    refundsBlocked && 'refunds blocked',
  ]
    .filter(Boolean)
    .join(', ');
}

/** What went back of a payment: a line for each refund and chargeback, and their sum. */
function reversedLines({ transactions }: Sale, { receipt, currency }: Transaction): string[] {
  const own = transactions.filter(
    (one) => one.receipt === receipt && (one.transactionType ?? '') in reversals,
  );
  const lines = own.map((one) => {
    const items = (one.lineItemData ?? []).map(({ itemNo }) => itemNo).join(', ');
    const what = reversals[one.transactionType ?? ''];
    return `${paid(one).replace(/^-/, '')} ${what} on ${dayOf(one.transactionTime)} (${items})`;
  });
  const sum = addDecimals(own.map(({ totalOrderAmount }) => totalOrderAmount?.value ?? '0'));
  if (own.length > 1 && sum) lines.push(`${money(sum.replace(/^-/, ''), currency)} in all`);
  return lines.length > 0 ? lines : ['nothing so far'];
}

/** The tickets that are not closed, of the receipt and its rebills. */
function ticketLines({ tickets }: Sale): string[] {
  if (!tickets) return ["can't be shown: the key may not read them"];
  const open = tickets.filter(({ status }) => status !== 'CLOSED');
  return open.length > 0 ? open.map(ticketLine) : ['none'];
}

function ticketLine(ticket: Ticket): string {
  const { ticketid, receipt, type, productItemNo, refundAmount, openedDate } = ticket;
  const amount = refundAmount && `of ${refundAmount.value}`;
  const since = openedDate && `since ${dayOf(openedDate)}`;
  return [ticketid?.value, type, amount, 'on', receipt, productItemNo, since]
    .filter(Boolean)
    .join(' ');
}

/** Why the service may refuse a refund, by the state that it tells. */
const refusals: Readonly<Record<string, string>> = {
  SUGGESTED_REFUND_BLOCK: 'yes, though the service suggests not to',
  UNREFUNDABLE: 'no',
  ALREADY_REFUNDED: 'no: refunded already',
  TOO_OLD: 'too old for the customer to ask; you may try',
  REFUND_BLOCKED: 'no: refunds are blocked',
  HAS_OPEN_REFUND: 'a refund is open already',
  OVER_ELV_LIMIT: 'no: over the limit of direct debits',
  PROVIDER_DISCONNECTED: 'no: the payment provider is gone',
};

/** A payment as labelled lines: customer, dates, what was paid and what went back. */
export function cardOf(sale: Sale, payment: Transaction): readonly (readonly [string, string])[] {
  const { fullName, email, country, paytmentMethod, transactionType, vendor } = payment;
  const state = payment.customerRefundableState ?? '';
  const each = (label: string, texts: readonly string[]) =>
    texts.map((text, i) => [i === 0 ? label : '', text] as const);
  return [
    ['Receipt', [payment.receipt, payments[transactionType ?? '']].filter(Boolean).join(', ')],
    ['Customer', [fullName, email, country].filter(Boolean).join(', ')],
    [
      'Date',
      [dayOf(payment.transactionTime), vendor && `sold by ${vendor}`].filter(Boolean).join(', '),
    ],
    ['Paid', [paid(payment), paytmentMethod].filter(Boolean).join(', ')],
    ...each('Refunded', reversedLines(sale, payment)),
    ...(refusals[state] ? [['Refundable', refusals[state]] as const] : []),
    ...each(
      'Items',
      (payment.lineItemData ?? []).map((item) => itemLine(item, payment)),
    ),
    ...each('Open tickets', ticketLines(sale)),
  ];
}
