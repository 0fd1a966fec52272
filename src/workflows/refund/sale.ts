/** Finds the sale to refund by receipt or customer, with its rebills, refunds, and tickets. */
import type { Client } from '../../client/client.ts';
import { orders } from '../../operations/orders.ts';
import { tickets } from '../../operations/tickets.ts';
import { WorkflowError } from '../errors.ts';
import type { Days } from '../period.ts';
import type { LineItem, Ticket, Transaction } from '../safe-write/reads.ts';
import { unlessRefused } from '../safe-write/verifier.ts';
import type { ReceiptHistory } from './refundable.ts';

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
    unlessRefused(() => readTickets(client, receipt)),
  ]);
  const sale = { receipt, transactions, tickets: found };
  if (paymentsOf(sale).length === 0) {
    throw notFound(`No payment to your account was found for ${receipt}.`);
  }
  return sale;
}

async function readTickets(client: Client, receipt: string): Promise<Ticket[]> {
  const found: Ticket[] = [];
  for await (const { rows } of client.pages(tickets.list, { receipt })) found.push(...rows);
  return found;
}

export interface PaymentQuery {
  readonly by: 'email' | 'lastName';
  /** The value or its start. */
  readonly text: string;
  readonly days: Days | undefined;
}

/**
 * The first payments to this vendor that match, and whether there are more than `limit`. Throws a
 * WorkflowError of kind `not-found` if there are none.
 */
export async function searchPayments(
  client: Client,
  { by, text, days }: PaymentQuery,
  limit: number,
): Promise<{ readonly payments: readonly Transaction[]; readonly hasMore: boolean }> {
  const pages = client.pages(orders.list, {
    role: 'VENDOR',
    startDate: days?.first,
    endDate: days?.last,
    [by]: `${text.replace(/%+$/, '')}%`,
  });
  const found: Transaction[] = [];
  for await (const { rows } of pages) {
    found.push(...rows.filter(isPayment));
    if (found.length > limit) break;
  }
  if (found.length === 0) throw notFound(`No payment by '${text}' was found in that period.`);
  return { payments: found.slice(0, limit), hasMore: found.length > limit };
}

function notFound(message: string): WorkflowError {
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
