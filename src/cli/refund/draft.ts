/** What the wizard knows so far: the sale that was found, and what to do about it. */
import type { PaymentQuery, Sale, Subject } from '../../workflows/refund/sale.ts';
import type { Decision, MoneyTicket } from '../../workflows/refund/ticket.ts';
import type { Amounts, LineItem, Transaction } from '../../workflows/safe-write/reads.ts';

/** How the sale is searched for. */
export type SearchBy = 'receipt' | PaymentQuery['by'];

/** Grows from step to step; going back takes up an earlier one. */
export interface Draft extends Partial<Omit<Decision, 'type'>> {
  readonly searchBy?: SearchBy;
  /** What was typed to find it. */
  readonly term?: string;
  /** A period in words, as `--period` takes it. */
  readonly period?: string;
  readonly sale?: Sale;
  readonly payment?: Transaction;
  readonly item?: LineItem;
  /** The ticket to open; absent where a comment is added to one that is open. */
  readonly type?: MoneyTicket;
  /** The id of the open ticket that the comment is for. */
  readonly commentOn?: string;
  /** What the service would pay back. */
  readonly amounts?: Amounts;
}

/** What the ticket is about, for the steps behind the choice of the item; throws before it. */
export function subjectOf({ sale, payment, item }: Draft): Subject {
  if (!sale || !payment || !item) throw new Error('no item is chosen yet');
  return { sale, payment, item };
}
