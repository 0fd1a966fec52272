/** Refunds of a sale: how it is found, what a refund or cancellation does, its amounts, and the ticket that requests it. */

import type { Client } from '../../../client/client.ts';
import { WorkflowError } from '../../../client/workflow-error.ts';
import type { Arguments } from '../../../operations/operation.ts';
import { orders } from '../../../operations/orders.ts';
import type { tickets } from '../../../operations/tickets.ts';
import {
  type Amounts,
  type LineItem,
  type Transaction,
  ticketsOf,
} from '../../../safe-write/reads.ts';
import { hasEnded, type ReceiptHistory } from '../../../safe-write/refundable.ts';
import { dayOf, money } from '../../../safe-write/sentence.ts';
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

/** Throws a WorkflowError of kind `not-found` if the receipt has no payment to this vendor. */
export async function readSale(client: Client, receipt: string): Promise<Sale> {
  const [transactions, found] = await Promise.all([
    client.call(orders.get, { receipt }),
    unlessRefused(() => ticketsOf(client, receipt)),
  ]);
  const sale = { receipt, transactions, tickets: found };
  if (paymentsOf(sale).length === 0) {
    throw notFound(`No payment to your account was found for ${receipt}.`);
  }
  return sale;
}

export function notFound(message: string): WorkflowError {
  return new WorkflowError('not-found', message, { hint: 'Nothing was sent.' });
}

const paymentTypes: readonly unknown[] = ['SALE', 'BILL', 'TEST_SALE', 'TEST_BILL'];

/** Only payments to the vendor can be refunded: an affiliate has no tickets. */
function isPayment({ transactionType, role }: Transaction): boolean {
  return paymentTypes.includes(transactionType) && (role ?? 'VENDOR') === 'VENDOR';
}

/** The payments of a receipt, each once, newest first. */
export function paymentsOf({ transactions }: Sale): Transaction[] {
  const byReceipt = new Map(transactions.filter(isPayment).map((one) => [one.receipt, one]));
  const instant = ({ transactionTime }: Transaction) => Date.parse(transactionTime ?? '') || 0;
  return [...byReceipt.values()].sort((a, b) => instant(b) - instant(a));
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

export function isDiscouraged({ customerRefundableState }: Transaction): boolean {
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
