/** Sales: how they are found and described, what a refund or cancellation does, and the tickets that request it. */
import type { Client } from '../../../client/client.ts';
import { WorkflowError } from '../../../client/workflow-error.ts';
import { addDecimals } from '../../../decimals/decimals.ts';
import type { Arguments } from '../../../operations/operation.ts';
import { orders } from '../../../operations/orders.ts';
import type { tickets } from '../../../operations/tickets.ts';
import {
  type Amounts,
  type LineItem,
  type Ticket,
  type Transaction,
  ticketsOf,
} from '../../../safe-write/reads.ts';
import {
  hasEnded,
  isOpen,
  obstacleTo,
  type ReceiptHistory,
} from '../../../safe-write/refundable.ts';
import { dayOf, money, titlesOf } from '../../../safe-write/sentence.ts';
import { unlessRefused } from '../../../safe-write/verifier.ts';

/** A receipt with its rebills; `tickets` is undefined if the key may not read them. */
export interface Sale extends ReceiptHistory {
  readonly receipt: string;
}

export interface Subject {
  readonly sale: Sale;
  readonly payment: Transaction;
  readonly item: LineItem;
}

export async function readHistory(client: Client, receipt: string): Promise<Sale> {
  const [transactions, found] = await Promise.all([
    client.call(orders.get, { receipt }),
    unlessRefused(() => ticketsOf(client, receipt)),
  ]);
  return { receipt, transactions, tickets: found };
}

/** Throws a WorkflowError of kind `not-found` if the receipt has no payment to this vendor. */
export async function readSale(client: Client, receipt: string): Promise<Sale> {
  const sale = await readHistory(client, receipt);
  if (paymentsOf(sale).length === 0) {
    throw notFound(`No payment to your account was found for ${receipt}.`);
  }
  return sale;
}

export function notFound(message: string): WorkflowError {
  return new WorkflowError('not-found', message, { hint: 'Nothing was sent.' });
}

const paymentNames: Readonly<Record<string, string>> = {
  SALE: 'sale',
  BILL: 'rebill',
  TEST_SALE: 'test sale',
  TEST_BILL: 'test rebill',
};

/** Only payments to the vendor can be refunded: an affiliate has no tickets. */
export function isPayment({ transactionType, role }: Transaction): boolean {
  return (transactionType ?? '') in paymentNames && (role ?? 'VENDOR') === 'VENDOR';
}

/** The payments of a receipt, each once, newest first. */
export function paymentsOf({ transactions }: Sale): Transaction[] {
  const byReceipt = new Map(transactions.filter(isPayment).map((one) => [one.receipt, one]));
  return [...byReceipt.values()].sort((a, b) => instantOf(b) - instantOf(a));
}

function instantOf({ transactionTime }: Transaction): number {
  return Date.parse(transactionTime ?? '') || 0;
}

export function oldestFirst(transactions: readonly Transaction[]): Transaction[] {
  return transactions.toSorted((a, b) => instantOf(a) - instantOf(b));
}

/** The receipt, or one of its items if it has several. */
function nameOf({ payment, item }: Subject): string {
  const isOneOfSeveral = (payment.lineItemData ?? []).length > 1;
  return isOneOfSeveral ? `${item.itemNo} of ${payment.receipt}` : `${payment.receipt}`;
}

export function refundEffect(subject: Subject): string {
  const { item } = subject;
  const billing = hasEnded(item)
    ? '; its subscription has already ended'
    : ' and ends future billing, unless you keep the subscription';
  const returned = ', once the item is returned and you acknowledge that';
  const effect = `${item.recurring ? billing : ''}${item.shippable ? returned : ''}`;
  return `A refund pays back ${nameOf(subject)}${effect}.${adviceOn(subject)}`;
}

function isDiscouraged({ customerRefundableState }: Transaction): boolean {
  return customerRefundableState === 'SUGGESTED_REFUND_BLOCK';
}

function adviceOn({ payment }: Subject): string {
  return isDiscouraged(payment) ? ' ClickBank advises against it.' : '';
}

export function cancelEffect(subject: Subject): string {
  const { item } = subject;
  if (!item.recurring) {
    const returned = item.shippable ? ', once the item is returned' : '';
    return `A cancellation refunds ${nameOf(subject)} in full${returned}, because it is not a subscription.${adviceOn(subject)}`;
  }
  if (hasEnded(item)) return 'There is nothing to cancel: the subscription has already ended.';
  const next = item.nextPaymentDate ? ` (next payment ${dayOf(item.nextPaymentDate)})` : '';
  return `A cancellation only ends future billing${next}; it refunds nothing.`;
}

/** The customer's amount, followed by the amounts in dollars and in the product's currency if they differ. */
export function amountsInWords(amounts: Amounts): string {
  const { customerAmount, customerCurrency, usdAmount, productAmount, productCurrency } = amounts;
  const customer = money(customerAmount, customerCurrency);
  const others = [money(usdAmount, 'USD'), money(productAmount, productCurrency)];
  const different = [...new Set(others)].filter((text) => text && text !== customer);
  return different.length > 0 ? `${customer} (${different.join(', ')})` : customer;
}

export type TicketArguments = Arguments<typeof tickets.create.params>;

export type MoneyTicket = Extract<TicketArguments['type'], 'rfnd' | 'cncl'>;

/** The ticket types that can succeed. A cancellation of a one-time sale is a refund. */
export function possibleTickets({ item }: Subject, isRefundable: boolean): MoneyTicket[] {
  const canCancel = item.recurring ? !hasEnded(item) : isRefundable;
  return [...(isRefundable ? (['rfnd'] as const) : []), ...(canCancel ? (['cncl'] as const) : [])];
}

export function refundsMoney(type: MoneyTicket, { item }: Subject): boolean {
  return type === 'rfnd' || !item.recurring;
}

const reversals: Readonly<Record<string, string>> = {
  RFND: 'refunded',
  TEST_RFND: 'refunded',
  CGBK: 'charged back',
};

/** Describes a payment in one line, in a list with several customers. */
export function paymentLine(payment: Transaction): string {
  const { receipt, transactionType, fullName, lineItemData } = payment;
  const items = titlesOf(lineItemData);
  const kind = paymentNames[transactionType ?? ''] ?? transactionType;
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
    const kind = paymentNames[transactionType ?? ''] ?? transactionType;
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
  const kind = recurring ? listed('subscription', status, next) : 'one-time';
  return listed(kind, shippable && 'ships', refundsBlocked && 'refunds blocked');
}

/** The words that are there, with commas between them. */
export function listed(...words: readonly (string | boolean | null | undefined)[]): string {
  return words.filter(Boolean).join(', ');
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
    ['Receipt', listed(payment.receipt, paymentNames[transactionType ?? ''])],
    ['Customer', listed(fullName, email, country)],
    ['Date', listed(dayOf(payment.transactionTime), vendor && `sold by ${vendor}`)],
    ['Paid', listed(paid(payment), paytmentMethod)],
    ...each('Refunded', reversedLines(sale, payment)),
    ['Refundable', refundable],
    ...each(
      'Items',
      (payment.lineItemData ?? []).map((item) => itemLine(item, payment)),
    ),
    ...each('Open tickets', ticketLines(sale)),
  ];
}
