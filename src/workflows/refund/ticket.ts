/** The ticket that refunds or cancels: which types can succeed, the amount, and the arguments. */
import type { Client } from '../../client/client.ts';
import type { Arguments } from '../../operations/operation.ts';
import { tickets } from '../../operations/tickets.ts';
import {
  type Amounts,
  type Looked,
  openReader,
  type RefundExtent,
  type Transaction,
} from '../safe-write/reads.ts';
import { money } from '../safe-write/sentence.ts';
import { hasEnded } from './refundable.ts';
import type { Subject } from './sale.ts';

type TicketArguments = Arguments<typeof tickets.create.params>;

export type MoneyTicket = Extract<TicketArguments['type'], 'rfnd' | 'cncl'>;

export type RefundType = RefundExtent['refundType'];

export interface Decision extends Omit<TicketArguments, 'receipt' | 'sku' | 'type'> {
  readonly type: MoneyTicket;
}

/** The ticket types that can succeed. A cancellation of a one-time sale is a refund. */
export function possibleTickets({ item }: Subject, isRefundable: boolean): MoneyTicket[] {
  const canCancel = item.recurring ? !hasEnded(item) : isRefundable;
  return [...(isRefundable ? (['rfnd'] as const) : []), ...(canCancel ? (['cncl'] as const) : [])];
}

export function refundsMoney(type: MoneyTicket, { item }: Subject): boolean {
  return type === 'rfnd' || !item.recurring;
}

/** Reads the amounts that would be refunded, or why that is refused. Sends no write. */
export function quoteRefund(
  client: Client,
  { payment, item }: Subject,
  extent: Pick<RefundExtent, 'refundType' | 'refundAmount'>,
): Promise<Looked<Amounts>> {
  const receipt = payment.receipt ?? '';
  return openReader(client).amounts({ receipt, ...extent, ...skuOf(payment, item.itemNo) });
}

/** Checks an amount or percentage against the rules of the catalogue and the full amount. */
export function problemWithAmount(
  receipt: string,
  extent: { readonly refundType: RefundType; readonly refundAmount: string },
  { customerAmount, customerCurrency }: Amounts,
  today: string,
): string | undefined {
  const findings = tickets.refundAmounts.check?.({ receipt, ...extent }, today) ?? [];
  const problem = findings.find((one) => one && one.weight === 'problem');
  if (problem) return `The value ${problem.says}.`;
  if (extent.refundType !== 'PARTIAL_AMOUNT' || !customerAmount) return undefined;
  const isTooMuch = Number(extent.refundAmount) > Number(customerAmount);
  return isTooMuch
    ? `The amount must be at most ${money(customerAmount, customerCurrency)}.`
    : undefined;
}

/** The arguments of `tickets create`. The item is named only if the payment was for several. */
export function ticketArguments({ payment, item }: Subject, decision: Decision): TicketArguments {
  return { receipt: payment.receipt ?? '', ...decision, ...skuOf(payment, item.itemNo) };
}

function skuOf({ lineItemData }: Transaction, itemNo: string | null | undefined) {
  return (lineItemData ?? []).length > 1 && itemNo ? { sku: itemNo } : {};
}
