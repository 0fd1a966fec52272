/** The order of a ticket with all its transactions, and everything else that is known about the customer. */
import { accountCurrency, kindOf, youEarn } from '../../workflows/earnings/transaction.ts';
import type { OtherRecords, TicketDetails } from '../../workflows/queue/ticket-details.ts';
import { paymentsOf } from '../../workflows/refund/sale.ts';
import type { Transaction } from '../../workflows/safe-write/reads.ts';
import { dayOf, money, titlesOf } from '../../workflows/safe-write/sentence.ts';
import { cardOf } from '../refund/sale.ts';
import { wholeConversation } from './conversation.ts';
import { type Line, labeled, wrapped } from './screen.ts';
import { typeOf } from './ticket-screen.ts';
import { timeOf, type WorkContext } from './work-context.ts';

export function orderLines(context: WorkContext, { sale }: TicketDetails): Line[] {
  if (!sale) return [{ text: 'The order of this ticket could not be read.' }];
  const transactions = sale.transactions.toSorted(byTime);
  return [
    { text: `Transactions of ${sale.receipt}`, color: 'cyan' },
    ...transactions.flatMap((one) => transactionLines(context, one)),
    ...paymentsOf(sale).flatMap((payment) => [
      { text: '' },
      ...labeled(context, cardOf(sale, payment), Number.POSITIVE_INFINITY),
    ]),
  ];
}

function byTime(a: Transaction, b: Transaction): number {
  return (Date.parse(a.transactionTime ?? '') || 0) - (Date.parse(b.transactionTime ?? '') || 0);
}

function transactionLines(context: WorkContext, one: Transaction): Line[] {
  const { receipt, transactionTime, transactionType, totalOrderAmount, currency } = one;
  const earned = youEarn(one);
  const words = [
    timeOf(context, transactionTime),
    receipt,
    kindOf(transactionType),
    money(totalOrderAmount, currency),
    earned && `you earn ${money(earned, accountCurrency)}`,
  ];
  return wrapped(context, words.filter(Boolean).join('  '), { lead: '  ' });
}

/** The whole conversation, and all other orders and tickets that were read. */
export function moreLines(
  context: WorkContext,
  { ticket }: TicketDetails,
  others: OtherRecords,
): Line[] {
  const orders = others.orders.map((payment) => {
    const { receipt, transactionTime, totalOrderAmount, currency, lineItemData } = payment;
    const titles = titlesOf(lineItemData);
    const paid = money(totalOrderAmount, currency);
    return [receipt, dayOf(transactionTime), paid, ...titles].filter(Boolean).join('  ');
  });
  const tickets = others.tickets.map((one) =>
    [one.ticketid, one.receipt, typeOf(one), (one.status ?? '').toLowerCase(), one.description]
      .filter(Boolean)
      .join('  '),
  );
  const more = others.hasMoreOrders ? ['and more'] : [];
  return [
    ...wholeConversation(context, ticket),
    ...section(context, 'Other orders in the last year', [...orders, ...more]),
    ...section(context, 'Other tickets', tickets),
    ...(others.problem ? wrapped(context, `Not all could be read: ${others.problem}`) : []),
  ];
}

function section(context: WorkContext, title: string, texts: readonly string[]): Line[] {
  const lines = texts.flatMap((text) => wrapped(context, text, { lead: '  ' }));
  const none = [{ text: '  none' }];
  return [{ text: '' }, { text: title, color: 'cyan' }, ...(lines.length > 0 ? lines : none)];
}
