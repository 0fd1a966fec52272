/** Whether a payment can be refunded, as far as the service tells beforehand, and if not, why. */
import type { LineItem, Sale, Ticket, Transaction } from './draft.ts';

interface Obstacle {
  /** For a list: "too old". */
  readonly short: string;
  /** A clause about the payment: "it is too old". */
  readonly clause: string;
}

/** By `customerRefundableState`; the states that are missing here allow a refund. */
const obstacles: Readonly<Record<string, Obstacle>> = {
  UNREFUNDABLE: {
    short: 'not allowed by ClickBank',
    clause: 'ClickBank does not allow a refund of it',
  },
  ALREADY_REFUNDED: { short: 'already refunded', clause: 'it has already been refunded' },
  TOO_OLD: { short: 'too old', clause: 'it is too old' },
  REFUND_BLOCKED: { short: 'refunds blocked', clause: 'refunds are blocked for it' },
  HAS_OPEN_REFUND: { short: 'refund already open', clause: 'a refund of it is already open' },
  OVER_ELV_LIMIT: {
    short: 'over the debit limit',
    clause: 'it is over the limit for refunds of direct debits',
  },
  PROVIDER_DISCONNECTED: {
    short: 'provider disconnected',
    clause: 'the payment provider is disconnected',
  },
};

/** Why a refund of this payment can't succeed; undefined where nothing speaks against it. */
export function obstacleTo(
  { transactions, tickets = [] }: Pick<Sale, 'transactions' | 'tickets'>,
  payment: Transaction,
): Obstacle | undefined {
  const isOwn = ({ receipt }: { readonly receipt?: string | null | undefined }) =>
    receipt === payment.receipt;
  if (transactions.some((one) => one.transactionType === 'CGBK' && isOwn(one))) {
    return { short: 'charged back', clause: 'it has been charged back' };
  }
  const open = tickets.find((ticket) => isOpenRefund(ticket) && isOwn(ticket));
  if (open) {
    const clause = `a refund of it is already open (ticket ${open.ticketid})`;
    return { short: 'refund already open', clause };
  }
  const items = payment.lineItemData ?? [];
  const isBlocked = items.length > 0 && items.every(({ refundsBlocked }) => refundsBlocked);
  const state = isBlocked ? 'REFUND_BLOCKED' : (payment.customerRefundableState ?? '');
  return Object.hasOwn(obstacles, state) ? obstacles[state] : undefined;
}

/** The same for one item of the payment. */
export function obstacleToItem(
  sale: Sale,
  payment: Transaction,
  item: LineItem,
): Obstacle | undefined {
  const blocked = item.refundsBlocked ? obstacles.REFUND_BLOCKED : undefined;
  return obstacleTo(sale, payment) ?? blocked;
}

export function isOpen({ status }: Ticket): boolean {
  return status !== 'CLOSED';
}

function isOpenRefund(ticket: Ticket): boolean {
  return ticket.type === 'REFUND' && isOpen(ticket);
}
