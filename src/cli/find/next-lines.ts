/** The commands that can follow a search, ready to paste. */
import { kindOf } from '../../workflows/earnings/transaction.ts';
import type { Found, FoundOrder } from '../../workflows/find/find.ts';
import { isOpen, obstacleTo } from '../../workflows/refund/refundable.ts';
import { shellWord } from '../grammar/say.ts';
import type { CommandContext } from '../runtime/command-context.ts';

/** The newest order, the newest payment that can be refunded, and the newest open ticket. */
export function nextLines({ flags }: CommandContext, { orders, tickets }: Found): string[] {
  const [newest] = orders;
  const refundable = orders.find(
    (order) => isPayment(order) && !obstacleTo({ transactions: orders, tickets }, order),
  );
  const ticket = tickets.find(isOpen) ?? tickets[0];
  const lines = [
    newest?.receipt ? `cb orders get ${shellWord(newest.receipt)}` : '',
    refundable?.receipt ? `cb tickets refund ${shellWord(refundable.receipt)}` : '',
    ticket?.ticketid ? `cb tickets get ${shellWord(String(ticket.ticketid))}` : '',
  ];
  const { sandbox, profile } = flags;
  const service = [
    ...(sandbox ? ['--sandbox'] : []),
    ...(profile !== undefined ? [`--profile ${shellWord(profile)}`] : []),
  ];
  return lines.filter(Boolean).map((line) => [line, ...service].join(' '));
}

/** Only a vendor refunds, and only a payment. */
function isPayment({ transactionType, role }: FoundOrder): boolean {
  const kind = kindOf(transactionType);
  return (kind === 'sale' || kind === 'rebill') && (role ?? 'VENDOR') === 'VENDOR';
}
