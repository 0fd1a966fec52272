/** Determines from data of the service whether a payment can be refunded, and if not, why. */
import type { LineItem, Ticket, Transaction } from './reads.ts';

export interface Obstacle {
  readonly state: string;
  readonly short: string;
  /** A clause about the payment: "it is too old". */
  readonly clause: string;
}

/** By `customerRefundableState`; all other states allow a refund. */
const clauses: Readonly<Record<string, readonly [short: string, clause: string]>> = {
  UNREFUNDABLE: ['not allowed by ClickBank', 'ClickBank does not allow it'],
  ALREADY_REFUNDED: ['already refunded', 'it has already been refunded'],
  CHARGED_BACK: ['charged back', 'it has been charged back'],
  TOO_OLD: ['too old', 'it is too old'],
  REFUND_BLOCKED: ['refunds blocked', 'refunds are blocked for it'],
  HAS_OPEN_REFUND: ['refund already open', 'it already has an open refund'],
  OVER_ELV_LIMIT: ['over the debit limit', 'it exceeds the limit for refunds of direct debits'],
  PROVIDER_DISCONNECTED: ['provider disconnected', 'the payment provider is disconnected'],
};

/** The data of a receipt and its rebills; `tickets` is undefined if the key may not read them. */
export interface ReceiptHistory {
  readonly transactions: readonly Transaction[];
  readonly tickets?: readonly Ticket[] | undefined;
}

/** Why a refund of these items of a payment can't succeed; undefined if nothing is known to prevent it. */
export function obstacleTo(
  { transactions, tickets = [] }: ReceiptHistory,
  { receipt, customerRefundableState, lineItemData }: Transaction,
  items: readonly LineItem[] = lineItemData ?? [],
): Obstacle | undefined {
  const isChargedBack = transactions.some(
    (one) => one.transactionType === 'CGBK' && one.receipt === receipt,
  );
  if (isChargedBack) return obstacle('CHARGED_BACK');
  const open = tickets.find(
    (ticket) => ticket.type === 'REFUND' && isOpen(ticket) && ticket.receipt === receipt,
  );
  if (open) return obstacle('HAS_OPEN_REFUND', ` (ticket ${open.ticketid})`);
  const isBlocked = items.length > 0 && items.every(({ refundsBlocked }) => refundsBlocked);
  return obstacle(isBlocked ? 'REFUND_BLOCKED' : (customerRefundableState ?? ''));
}

function obstacle(state: string, detail = ''): Obstacle | undefined {
  if (!Object.hasOwn(clauses, state)) return undefined;
  const [short = '', clause = ''] = clauses[state] ?? [];
  return { state, short, clause: `${clause}${detail}` };
}

export function isOpen({ status }: Ticket): boolean {
  return status !== 'CLOSED';
}

/** Whether a subscription has no future payments. */
export function hasEnded({ status }: Pick<LineItem, 'status'>): boolean {
  return status === 'CANCELED' || status === 'COMPLETED';
}
