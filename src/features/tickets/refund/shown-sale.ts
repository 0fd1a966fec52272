/** Describes a sale: its payments, its refunds, and a card with all details. */
import { addDecimals } from '../../../decimals/decimals.ts';
import type { LineItem, Ticket, Transaction } from '../../../safe-write/reads.ts';
import { hasEnded, isOpen, obstacleTo } from '../../../safe-write/refundable.ts';
import { dayOf, money, titlesOf } from '../../../safe-write/sentence.ts';
import { isDiscouraged, type Sale } from './refund.ts';

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

/** Describes a payment in one line, in a list with several customers. */
export function paymentLine(payment: Transaction): string {
  const { receipt, transactionType, fullName, lineItemData } = payment;
  const items = titlesOf(lineItemData);
  const kind = payments[transactionType ?? ''] ?? transactionType;
  const words = [receipt, dayOf(payment.transactionTime), paid(payment), kind, fullName, ...items];
  return words.filter(Boolean).join('  ');
}

/** Describes each payment of a subscription in one line, with whether it can be refunded. */
export function rebillLines(sale: Sale, rebills: readonly Transaction[]): string[] {
  const widest = Math.max(...rebills.map(({ receipt }) => (receipt ?? '').length));
  return rebills.map((payment) => {
    const { receipt, transactionTime, transactionType } = payment;
    const obstacle = obstacleTo(sale, payment)?.short;
    const state = obstacle === undefined ? 'refundable' : `not refundable: ${obstacle}`;
    const kind = payments[transactionType ?? ''] ?? transactionType;
    const words = [dayOf(transactionTime), paid(payment), state, kind].filter(Boolean);
    return [(receipt ?? '').padEnd(widest), ...words].join('  ');
  });
}

function paid({ totalOrderAmount, currency }: Transaction): string {
  return money(totalOrderAmount, currency);
}

export function itemLine(item: LineItem, { currency }: Transaction): string {
  const { itemNo, productTitle, customerAmount } = item;
  const words = [itemNo, productTitle, money(customerAmount, currency), natureOf(item)];
  return words.filter(Boolean).join('  ');
}

/** "subscription, ACTIVE, next payment 2026-03-20, ships" */
export function natureOf(item: LineItem): string {
  const { recurring, shippable, status, nextPaymentDate, refundsBlocked } = item;
  const next = nextPaymentDate && !hasEnded(item) && `next payment ${dayOf(nextPaymentDate)}`;
  return [
    recurring ? ['subscription', status, next].filter(Boolean).join(', ') : 'one-time',
    shippable && 'ships',
    refundsBlocked && 'refunds blocked',
  ]
    .filter(Boolean)
    .join(', ');
}

/** Describes each refund and chargeback of a payment in one line, and their total. */
function reversedLines({ transactions }: Sale, { receipt, currency }: Transaction): string[] {
  const own = transactions.filter(
    (one) => one.receipt === receipt && (one.transactionType ?? '') in reversals,
  );
  const lines = own.map((one) => {
    const items = (one.lineItemData ?? []).map(({ itemNo }) => itemNo).join(', ');
    const what = reversals[one.transactionType ?? ''];
    return `${paid(one).replace(/^-/, '')} ${what} on ${dayOf(one.transactionTime)} (${items})`;
  });
  const sum = addDecimals(own.map(({ totalOrderAmount }) => totalOrderAmount ?? '0'));
  if (own.length > 1 && sum) lines.push(`${money(sum.replace(/^-/, ''), currency)} in total`);
  return lines.length > 0 ? lines : ['nothing'];
}

function ticketLines({ tickets }: Sale): string[] {
  if (!tickets) return ['unknown: this key may not read tickets'];
  const open = tickets.filter(isOpen);
  return open.length > 0 ? open.map(ticketLine) : ['none'];
}

export function ticketLine(ticket: Ticket): string {
  const { ticketid, receipt, type, productItemNo, refundAmount, openedDate } = ticket;
  const amount = refundAmount && `of ${refundAmount}`;
  const since = openedDate && `since ${dayOf(openedDate)}`;
  return [ticketid, type, amount, 'on', receipt, productItemNo, since].filter(Boolean).join(' ');
}

/** Describes a payment as labeled lines: customer, date, amount paid, and amount refunded. */
export function cardOf(sale: Sale, payment: Transaction): readonly (readonly [string, string])[] {
  const { fullName, email, country, paytmentMethod, transactionType, vendor } = payment;
  const obstacle = obstacleTo(sale, payment)?.clause;
  const refundable = obstacle
    ? `no: ${obstacle}`
    : `yes${isDiscouraged(payment) ? ', but ClickBank advises against it' : ''}`;
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
    ['Refundable', refundable],
    ...each(
      'Items',
      (payment.lineItemData ?? []).map((item) => itemLine(item, payment)),
    ),
    ...each('Open tickets', ticketLines(sale)),
  ];
}
