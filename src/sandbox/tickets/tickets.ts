/** The service tickets (section 4.2 of the specification). */
import { partialRefund, ticket, type tickets } from '../../operations/tickets.ts';
import { convert } from '../money/currency.ts';
import type { Handlers } from '../request/handlers.ts';
import { getProduct } from '../store/products/product.ts';
import { countTickets, findTickets } from '../store/tickets/ticket-search.ts';
import { answerTickets } from './ticket-answer.ts';
import { answerOne, findOwn, ticketChanges } from './ticket-change.ts';
import { begin } from './ticket-effect.ts';
import { openTicket } from './ticket-opening.ts';
import { refundCents } from './ticket-refund.ts';
import { checkReceipt, filterOf } from './ticket-search.ts';
import { assertAllowed, assertOneLine, findSubject } from './ticket-subject.ts';
import { readReason, readRefund, readType } from './ticket-words.ts';

export const ticketsHandlers: Handlers<typeof tickets> = {
  list({ db }, { args, page }, { caller }) {
    checkReceipt(args.receipt);
    const { rows, more } = findTickets(db, filterOf(args, caller.accounts), page);
    return { content: answerTickets(db, rows), more };
  },

  count: ({ db }, { args }, { caller }) => countTickets(db, filterOf(args, caller.accounts)),

  get(state, { args }, context) {
    return answerOne(state.db, findOwn(state, args.id, context).id);
  },

  create({ db }, { args }, { caller, now }) {
    const type = readType(args.type);
    const reason = readReason(type, args.reason);
    // A cancellation that refunds gives everything back; only rfnd says how much.
    const refund = readRefund(type === 'REFUND' ? args.refundType : 'FULL', args.refundAmount);
    const subject = findSubject(db, args.receipt, args.sku, caller);
    assertAllowed(db, subject, refund);
    if (type !== 'TECH_SUPPORT') assertOneLine(subject);
    const retainSubscription = args.retainSubscription ?? false;
    const effect = begin(db, subject, { type, refund, retainSubscription, now });
    const ticketId = openTicket(db, subject, {
      type,
      reason,
      effect,
      openedBy: 'VENDOR',
      source: 'API',
      retainSubscription,
      comment: args.comment ?? null,
      now,
    });
    return answerOne(db, ticketId);
  },

  refundAmounts({ db }, { args }, { caller }) {
    const refund = readRefund(args.refundType, args.refundAmount);
    const subject = findSubject(db, args.receipt, args.sku, caller);
    assertAllowed(db, subject, refund);
    assertOneLine(subject);
    const cents = refundCents(db, subject, refund);
    const { currency } = subject.txn;
    const product = getProduct(db, subject.line?.productId ?? 0);
    return {
      usdAmount: convert(cents, currency, 'USD'),
      customerAmount: cents,
      customerCurrency: currency,
      productAmount: convert(cents, currency, product.currency),
      productCurrency: product.currency,
    };
  },

  ...ticketChanges,
  schema: () => ticket,
  partialRefundSchema: () => partialRefund,
};
