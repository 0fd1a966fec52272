/** The service tickets (section 4.2 of the specification). */
import { partialRefund, ticket, type tickets } from '../operations/tickets.ts';
import { convert } from './currency.ts';
import type { Handlers } from './handlers.ts';
import { moneyText } from './money.ts';
import { getProduct } from './store/product.ts';
import { countTickets, findTickets } from './store/ticket-search.ts';
import { answerTickets } from './ticket-answer.ts';
import {
  alone,
  answerOne,
  change,
  close,
  comment,
  findOwn,
  reopen,
  returned,
} from './ticket-change.ts';
import { begin } from './ticket-effect.ts';
import { openTicket } from './ticket-opening.ts';
import { refundCents } from './ticket-refund.ts';
import { checkReceipt, filterOf, periodsOf } from './ticket-search.ts';
import { findSubject, insistAllowed, insistOneLine } from './ticket-subject.ts';
import { readReason, readRefund, readType } from './ticket-words.ts';

const create: Handlers<typeof tickets>['create'] = ({ db }, { args }, { caller, now }) => {
  const type = readType(args.type);
  const reason = readReason(type, args.reason);
  // A cancellation that refunds gives everything back; only rfnd says how much.
  const refund = readRefund(type === 'REFUND' ? args.refundType : 'FULL', args.refundAmount);
  const subject = findSubject(db, args.receipt, args.sku, caller);
  insistAllowed(db, subject, refund);
  if (type !== 'TECH_SUPPORT') insistOneLine(subject);
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
};

export const ticketsHandlers: Handlers<typeof tickets> = {
  list({ db }, { args, page }, { caller }) {
    checkReceipt(args.receipt);
    const filter = { ...filterOf(args, caller.accounts), ...periodsOf(args) };
    const { rows, more } = findTickets(db, filter, page);
    return { rows: answerTickets(db, rows), more };
  },

  count: ({ db }, { args }, { caller }) => countTickets(db, filterOf(args, caller.accounts)),

  get(state, { args }, context) {
    return answerOne(state.db, findOwn(state, args.id, context).id);
  },

  create: alone(create),

  refundAmounts({ db }, { args }, { caller }) {
    const refund = readRefund(args.refundType, args.refundAmount);
    const subject = findSubject(db, args.receipt, args.sku, caller);
    insistAllowed(db, subject, refund);
    insistOneLine(subject);
    const cents = refundCents(db, subject, refund);
    const { currency } = subject.txn;
    const product = getProduct(db, subject.line?.productId ?? 0);
    return {
      usdAmount: moneyText(convert(cents, currency, 'USD')),
      customerAmount: moneyText(cents),
      customerCurrency: currency,
      productAmount: moneyText(convert(cents, currency, product.currency)),
      productCurrency: product.currency,
    };
  },

  close,
  reopen,
  change,
  comment,
  returned,
  schema: () => ticket,
  partialRefundSchema: () => partialRefund,
};
