/** The service tickets (section 4.2 of the specification). */

import { partialRefund, ticket, type tickets } from '../../operations/tickets.ts';
import type { Database } from '../../storage/sqlite.ts';
import { convert } from '../money/money.ts';
import type { Context, Handlers, State } from '../request/handlers.ts';
import { assertOr } from '../request/refusal.ts';
import { getProduct } from '../store/products/product.ts';
import {
  addComment,
  findPending,
  findTicket,
  type Ticket,
  updateTicket,
} from '../store/tickets/ticket.ts';
import { countTickets, findTickets } from '../store/tickets/ticket-search.ts';
import {
  begin,
  type Effect,
  isPhysical,
  NO_EFFECT,
  openTicket,
  settleTicket,
  subjectOf,
} from './ticket-effect.ts';
import { checkReceipt, filterOf, readReason, readRefund, readType } from './ticket-parameters.ts';
import { assertAllowed, assertOneLine, findSubject, leftOf, refundCents } from './ticket-refund.ts';
import { type SentTicket, ticketRows } from './ticket-row.ts';

const FULL = { type: 'FULL', amount: undefined } as const;

function readId(id: string): number {
  return /^\d{1,15}$/.test(id) ? Number(id) : -1;
}

/** 403 for a ticket that does not exist or belongs to another vendor. */
function findOwn({ db }: State, id: string, { caller }: Context): Ticket {
  const ticket = findTicket(db, readId(id));
  const own = ticket && caller.accounts.includes(ticket.vendor);
  assertOr(own, 403, 'The ticket does not exist, or this key may not act on it.');
  return ticket;
}

/** The current state of a ticket, with its log. */
function currentTicket(db: Database, id: number): SentTicket {
  const ticket = findTicket(db, id);
  const [row] = ticket ? ticketRows(db, [ticket]) : [];
  if (!row) throw new Error(`Ticket ${id} does not exist.`);
  return row;
}

function log({ db }: State, ticket: Ticket, action: string, { now }: Context, comment?: string) {
  addComment(db, {
    ticketId: ticket.id,
    time: now,
    action,
    role: 'VENDOR',
    comment: comment ?? null,
  });
  return currentTicket(db, ticket.id);
}

/** Reopening repeats a canceled refund if possible, but not a completed one. */
function effectOfReopening({ db }: State, ticket: Ticket, { now }: Context): Partial<Effect> {
  if (ticket.refundState === 'DONE' || ticket.type === 'TECH_SUPPORT') return {};
  const subject = subjectOf(db, ticket);
  const { txn, line } = subject;
  const isRefund = ticket.type === 'REFUND' || (line !== undefined && line.soldAs === null);
  if (!isRefund) return {};
  assertOneLine(subject);
  assertOr(!findPending(db, txn.id), 400, 'Refund ticket already open');
  const left = txn.reversed === null ? leftOf(db, subject).totalCents : 0;
  if (left <= 0) return {};
  const retainSubscription = ticket.retainSubscription === 1;
  const wish = { type: ticket.type, refund: FULL, retainSubscription, now };
  const effect = begin(db, subject, wish);
  const cents = Math.min(ticket.refundCents ?? left, left);
  return { ...effect, refundType: ticket.refundType ?? 'FULL', refundCents: cents };
}

/** The new type of a closed ticket takes effect when it is reopened. */
function effectOfChange({ db }: State, ticket: Ticket, type: Ticket['type'], { now }: Context) {
  if (ticket.refundState === 'DONE') return {};
  const closed = ticket.status === 'CLOSED';
  if (closed || type === 'TECH_SUPPORT') {
    return { ...NO_EFFECT, refundType: type === 'REFUND' ? FULL.type : null };
  }
  const subject = subjectOf(db, ticket);
  assertOneLine(subject);
  return begin(db, subject, {
    type,
    refund: FULL,
    retainSubscription: false,
    now,
    ticketId: ticket.id,
  });
}

export const ticketsHandlers: Handlers<typeof tickets> = {
  list({ db }, { args, page }, { caller }) {
    checkReceipt(args.receipt);
    const { rows, more } = findTickets(db, filterOf(args, caller.accounts), page);
    return { content: ticketRows(db, rows), more };
  },

  count: ({ db }, { args }, { caller }) => countTickets(db, filterOf(args, caller.accounts)),

  get(state, { args }, context) {
    return currentTicket(state.db, findOwn(state, args.id, context).id);
  },

  create({ db }, { args }, { caller, now }) {
    const type = readType(args.type);
    const reason = readReason(type, args.reason);
    // A cancellation refunds in full; only rfnd has an amount.
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
    return currentTicket(db, ticketId);
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

  close(state, { args }, context) {
    const ticket = findOwn(state, args.id, context);
    assertOr(ticket.status !== 'CLOSED', 400, 'The ticket is already closed.');
    updateTicket(state.db, ticket, {
      status: 'CLOSED',
      updated: context.now,
      closed: context.now,
      settles: null,
      refundState: ticket.refundState === 'DONE' ? 'DONE' : null,
    });
    return log(state, ticket, 'CLOSED', context, args.comment);
  },

  reopen(state, { args }, context) {
    const ticket = findOwn(state, args.id, context);
    assertOr(ticket.status === 'CLOSED', 400, 'The ticket is not closed.');
    updateTicket(state.db, ticket, {
      ...effectOfReopening(state, ticket, context),
      status: 'REOPENED',
      updated: context.now,
      closed: null,
    });
    return log(state, ticket, 'REOPENED', context, args.comment);
  },

  change(state, { args }, context) {
    const ticket = findOwn(state, args.id, context);
    const type = readType(args.type);
    const effect = effectOfChange(state, ticket, type, context);
    updateTicket(state.db, ticket, { ...effect, type, updated: context.now });
    return log(state, ticket, 'CHANGED', context, args.comment);
  },

  /**
   * A PUT without action is a comment, and `comment` is optional (section 4.2 of the specification). So
   * without a text, it succeeds and returns the ticket unchanged.
   */
  comment(state, { args }, context) {
    const ticket = findOwn(state, args.id, context);
    if (args.comment === undefined) return currentTicket(state.db, ticket.id);
    updateTicket(state.db, ticket, { updated: context.now });
    return log(state, ticket, 'COMMENTED', context, args.comment);
  },

  returned(state, { args }, context) {
    const { db } = state;
    const found = findTicket(db, readId(args.id));
    assertOr(found, 400, 'The ticket does not exist.');
    const ticket = findOwn(state, args.id, context);
    assertOr(isPhysical(subjectOf(db, ticket)), 400, 'The ticket is not for a physical purchase.');
    assertOr(ticket.refundState === 'PENDING', 400, 'The ticket has no refund to complete.');
    log(state, ticket, 'REFUND_ACKED', context);
    settleTicket(db, ticket, context.now);
    return undefined;
  },

  schema: () => ticket,
  partialRefundSchema: () => partialRefund,
};
