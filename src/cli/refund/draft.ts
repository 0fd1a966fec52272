/** What the wizard knows so far: the sale that was found, and what to do about it. */
import type { Arguments, Reply } from '../../operations/operation.ts';
import type { orders } from '../../operations/orders.ts';
import type { tickets } from '../../operations/tickets.ts';

/** One transaction of a receipt, as the service answers it. */
export type Transaction = Reply<typeof orders.get.returns>[number];
export type LineItem = NonNullable<Transaction['lineItemData']>[number];
export type Ticket = Reply<typeof tickets.get.returns>;
export type Amounts = Reply<typeof tickets.refundAmounts.returns>;
export type TicketArguments = Arguments<typeof tickets.create.params>;

/** A receipt with all that happened to it. */
export interface Sale {
  readonly receipt: string;
  readonly transactions: readonly Transaction[];
  /** Of the receipt and its rebills; undefined where the key may not read them. */
  readonly tickets: readonly Ticket[] | undefined;
}

/** How the sale is searched for. */
export type SearchBy = 'receipt' | 'email' | 'lastName';

/** Grows from step to step; going back takes up an earlier one. */
export interface Draft {
  readonly searchBy?: SearchBy;
  /** What was typed to find it. */
  readonly term?: string;
  /** A period in words, as `--period` takes it. */
  readonly period?: string;
  readonly sale?: Sale;
  readonly payment?: Transaction;
  readonly item?: LineItem;
  /** The ticket to open; absent where a comment is added to one that is open. */
  readonly type?: 'rfnd' | 'cncl';
  /** The id of the open ticket that the comment is for. */
  readonly commentOn?: string;
  readonly refundType?: 'FULL' | 'PARTIAL_PERCENT' | 'PARTIAL_AMOUNT';
  /** Percent or amount, with the digits as typed. */
  readonly refundAmount?: string;
  /** What the service would pay back. */
  readonly amounts?: Amounts;
  readonly keeps?: boolean;
  readonly reason?: string;
  readonly comment?: string;
}

/** What the ticket is about, once it is chosen. */
export interface Subject {
  readonly sale: Sale;
  readonly payment: Transaction;
  readonly item: LineItem;
}

/** For the steps behind the choice of the item; throws before it. */
export function subjectOf({ sale, payment, item }: Draft): Subject {
  if (!sale || !payment || !item) throw new Error('no item is chosen yet');
  return { sale, payment, item };
}

/** A subscription that has no payments to come. */
export function hasEnded({ status }: LineItem): boolean {
  return status === 'CANCELED' || status === 'COMPLETED';
}

/** The item is named only where the payment was for several. */
export function skuOf(payment: Transaction, itemNo: string | null | undefined) {
  return (payment.lineItemData ?? []).length > 1 && itemNo ? { sku: itemNo } : {};
}
