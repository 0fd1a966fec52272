/** The service tickets (section 4.2 of the specification). */
import { group } from 'd3-array';
import { daysBetween, endOf, instantOf } from '../../dates/day.ts';
import type { Row } from '../../operations/resource.ts';
import { partialRefund, ticket, tickets } from '../../operations/tickets.ts';
import type { Database } from '../../storage/sqlite.ts';
import { assertFacts, assertOr, assertValid } from '../http/arguments.ts';
import type { Call, Context, Handlers, Sent, State } from '../http/handlers.ts';
import { getProduct } from '../store/product.ts';
import { type Stored, select } from '../store/schema.ts';
import {
  type Condition,
  countRows,
  findPage,
  given,
  insertRow,
  joined,
  like,
  type NewRow,
  ONE_OF,
  updateRow,
  within,
} from '../store/statements.ts';
import {
  findPending,
  findTicket,
  type RefundType,
  TICKET,
  type Ticket,
  type TicketType,
} from '../store/ticket.ts';
import { convert } from './money.ts';
import {
  assertAllowed,
  assertOneLine,
  begin,
  type Effect,
  FULL,
  findSubject,
  isPhysical,
  leftOf,
  NO_EFFECT,
  openTicket,
  type RefundRequest,
  refundCents,
  settleTicket,
  subjectOfTicket,
} from './refunds.ts';

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

function currentTicket(db: Database, id: number): SentTicket {
  const ticket = findTicket(db, id);
  const [row] = ticket ? ticketRows(db, [ticket]) : [];
  if (!row) throw new Error(`Ticket ${id} does not exist.`);
  return row;
}

/** Changes a ticket, and adds the action to its log. */
function act(
  { db }: State,
  ticket: Ticket,
  { now: time }: Context,
  [action, comment]: readonly [action: string, comment?: string | undefined],
  change: NewRow<'ticket'> = {},
) {
  const { id: ticketId } = ticket;
  updateRow(db, ['ticket', 'id', ticketId], { ...change, updated: time });
  insertRow(db, 'ticket_comment', { ticketId, time, action, role: 'VENDOR', comment });
  return currentTicket(db, ticketId);
}

/** Reopening repeats a canceled refund if possible, but not a completed one. */
function effectOfReopening({ db }: State, ticket: Ticket, { now }: Context): Partial<Effect> {
  if (ticket.refundState === 'DONE' || ticket.type === 'TECH_SUPPORT') return {};
  const subject = subjectOfTicket(db, ticket);
  const { txn, line } = subject;
  const isRefund = ticket.type === 'REFUND' || (line !== undefined && line.soldAs === null);
  if (!isRefund) return {};
  assertOneLine(subject);
  assertValid(!findPending(db, txn.id), 'Refund ticket already open');
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
  const subject = subjectOfTicket(db, ticket);
  assertOneLine(subject);
  const wish = { type, refund: FULL, retainSubscription: false, now, ticketId: ticket.id };
  return begin(db, subject, wish);
}

export const ticketsHandlers: Handlers<typeof tickets> = {
  /** Newest first. */
  list({ db }, { args, page }, { caller }) {
    const { receipt } = args;
    assertValid(!receipt?.startsWith('%'), 'The parameter receipt must not start with %.');
    const length = receipt?.replaceAll('%', '').length ?? MIN_RECEIPT;
    assertValid(length >= MIN_RECEIPT, 'The parameter receipt needs 4 characters besides %.');
    const { sql, values } = conditionOf(args, caller.accounts);
    const ordered = `${TICKET} WHERE ${sql} ORDER BY k.opened DESC, k.id DESC`;
    const { rows, more } = findPage<Ticket>(db, { sql: ordered, values }, page);
    return { content: ticketRows(db, rows), more };
  },

  count({ db }, { args }, { caller }) {
    const { sql, values } = conditionOf(args, caller.accounts);
    const tables = 'FROM ticket k JOIN purchase p ON p.id = k.purchase_id';
    return countRows(db, { sql: `${tables} WHERE ${sql}`, values });
  },

  get(state, { args }, context) {
    return currentTicket(state.db, findOwn(state, args.id, context).id);
  },

  create({ db }, { args }, { caller, now }) {
    const type = translate(TYPES, 'type', args.type);
    const reason = readReason(type, args.reason);
    // A cancellation refunds in full; only rfnd has an amount.
    const refund = readRefund(type === 'REFUND' ? args.refundType : 'FULL', args.refundAmount);
    const subject = findSubject(db, args.receipt, args.sku, caller);
    assertAllowed(subject, refund);
    if (type !== 'TECH_SUPPORT') assertOneLine(subject);
    const ticketId = openTicket(db, subject, {
      ...{ type, reason, refund, now, openedBy: 'VENDOR' },
      retainSubscription: args.retainSubscription ?? false,
      comment: args.comment ?? null,
    });
    return currentTicket(db, ticketId);
  },

  refundAmounts({ db }, { args }, { caller }) {
    const refund = readRefund(args.refundType, args.refundAmount);
    const subject = findSubject(db, args.receipt, args.sku, caller);
    assertAllowed(subject, refund);
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
    assertValid(ticket.status !== 'CLOSED', 'The ticket is already closed.');
    return act(state, ticket, context, ['CLOSED', args.comment], {
      ...{ status: 'CLOSED', closed: context.now, settles: null },
      refundState: ticket.refundState === 'DONE' ? 'DONE' : null,
    });
  },

  reopen(state, { args }, context) {
    const ticket = findOwn(state, args.id, context);
    assertValid(ticket.status === 'CLOSED', 'The ticket is not closed.');
    const effect = effectOfReopening(state, ticket, context);
    const change = { ...effect, status: 'REOPENED', closed: null } as const;
    return act(state, ticket, context, ['REOPENED', args.comment], change);
  },

  change(state, { args }, context) {
    const ticket = findOwn(state, args.id, context);
    const type = translate(TYPES, 'type', args.type);
    const effect = effectOfChange(state, ticket, type, context);
    return act(state, ticket, context, ['CHANGED', args.comment], { ...effect, type });
  },

  /**
   * A PUT without action is a comment, and `comment` is optional (section 4.2 of the specification). So
   * without a text, it succeeds and returns the ticket unchanged.
   */
  comment(state, { args }, context) {
    const ticket = findOwn(state, args.id, context);
    if (args.comment === undefined) return currentTicket(state.db, ticket.id);
    return act(state, ticket, context, ['COMMENTED', args.comment]);
  },

  returned(state, { args }, context) {
    const { db } = state;
    const found = findTicket(db, readId(args.id));
    assertValid(found, 'The ticket does not exist.');
    const ticket = findOwn(state, args.id, context);
    assertValid(
      isPhysical(subjectOfTicket(db, ticket)),
      'The ticket is not for a physical purchase.',
    );
    assertValid(ticket.refundState === 'PENDING', 'The ticket has no refund to complete.');
    act(state, ticket, context, ['REFUND_ACKED']);
    settleTicket(db, ticket, context.now);
    return undefined;
  },

  schema: () => ticket,
  partialRefundSchema: () => partialRefund,
};

type SentTicket = Sent<Row<typeof ticket>>;

/** Keeps the order; each ticket has its log. `refundAmount` is always an amount, even if a percentage was requested. */
function ticketRows(db: Database, tickets: readonly Ticket[]): SentTicket[] {
  const log = db.all<Stored<'ticket_comment'>>(
    `SELECT ${select('c', 'ticket_comment')} FROM ticket_comment c
     WHERE c.ticket_id ${ONE_OF} ORDER BY c.time, c.id`,
    [JSON.stringify(tickets.map(({ id }) => id))],
  );
  const comments = group(log, ({ ticketId }) => ticketId);
  return tickets.map((ticket) => ({
    ...ticket,
    ticketid: ticket.id,
    description: reasons[ticket.reason] ?? ticket.reason,
    ...{ customerFirstName: ticket.firstName, customerLastName: ticket.lastName },
    emailAtOrderTime: ticket.email,
    // As in `en_US`: the language of the purchase, and the country if known.
    locale:
      ticket.language && [ticket.language.toLowerCase(), ticket.country].filter(Boolean).join('_'),
    note: null,
    productItemNo: ticket.itemNo,
    ...{ openedDate: ticket.opened, closedDate: ticket.closed, expirationDate: ticket.settles },
    updateTime: ticket.updated,
    refundAmount: ticket.refundCents,
    comments: (comments.get(ticket.id) ?? []).map(({ id, time, role, ...entry }) => ({
      ...{ ...entry, commentId: id, date: time, commentRole: role },
    })),
  }));
}

const TYPES = { rfnd: 'REFUND', cncl: 'CANCEL', tech: 'TECH_SUPPORT' } as const;
const STATUSES = { open: 'OPEN', reopened: 'REOPENED', closed: 'CLOSED' } as const;

const reasons: Readonly<Record<string, string>> = tickets.create.params.reason.values ?? {};

/** Refuses an unknown value with 400. */
function translate<T>(words: Readonly<Record<string, T>>, name: string, word: string): T {
  const value = Object.hasOwn(words, word) ? words[word] : undefined;
  const known = Object.keys(words).join(', ');
  assertValid(value !== undefined, `The parameter ${name} must be one of ${known}.`);
  return value;
}

/** Refuses an unknown reason, or one of another ticket type, with 400. */
function readReason(type: TicketType, reason: string): string {
  const prefix = `ticket.type.${type.toLowerCase()}.`;
  const fits = Object.hasOwn(reasons, reason) && reason.startsWith(prefix);
  assertValid(fits, `The parameter reason must be a reason of this type, ${prefix}*.`);
  return reason;
}

/**
 * The requested refund. Its values are the same in requests and responses. Section 8: a percentage is 1 to 80 with at
 * most two decimal digits; an amount is above 0.
 */
function readRefund(type: RefundType | undefined, amount: string | undefined): RefundRequest {
  assertValid(type !== undefined, 'The parameter refundType is required for a refund.');
  assertFacts({ refundType: tickets.create.params.refundType }, { refundType: type });
  if (type === 'FULL') return { type, amount };
  const name = 'The parameter refundAmount';
  assertValid(amount !== undefined, `${name} is required for a partial refund.`);
  const value = Number(amount);
  if (type === 'PARTIAL_AMOUNT') {
    assertValid(value > 0, `${name} must be above 0.`);
    return { type, amount };
  }
  assertValid(value >= 1 && value <= 80, `${name} must be 1 to 80 percent.`);
  const digits = amount.split('.')[1] ?? '';
  assertValid(digits.length <= 2, `${name} has more than two decimal digits.`);
  return { type, amount };
}

const MAX_DAYS = 7;
const MIN_RECEIPT = 4;

type Search = Call<typeof tickets.list.params>['args'];

/** Days are Pacific and inclusive. */
function withinDays(
  column: string,
  name: string,
  from?: string,
  to?: string,
): Condition | undefined {
  const both = `The parameters ${name}From and ${name}To`;
  assertValid((from === undefined) === (to === undefined), `${both} go together.`);
  if (from === undefined || to === undefined) return undefined;
  assertValid(from <= to, `The parameter ${name}To must not be before ${name}From.`);
  const days = daysBetween(from, to) + 1;
  assertValid(days <= MAX_DAYS, `${both} span ${days} days; at most ${MAX_DAYS} are allowed.`);
  return within(column, { from: instantOf(from), until: endOf(to) });
}

/**
 * Refuses an unknown value, a missing end of a period, and a period that is too long with 400. The receipt of a sale
 * also finds the tickets of its rebills.
 */
function conditionOf(search: Search, accounts: readonly string[]): Condition {
  const { type, status, receipt } = search;
  return joined([
    given(`k.vendor ${ONE_OF}`, JSON.stringify(accounts)),
    given('k.type = ?', type && translate(TYPES, 'type', type)),
    given('k.status = ?', status && translate(STATUSES, 'status', status)),
    receipt === undefined
      ? undefined
      : joined([like('k.receipt', receipt), like('p.receipt', receipt)], 'OR'),
    withinDays('k.opened', 'createDate', search.createDateFrom, search.createDateTo),
    withinDays('k.updated', 'updateDate', search.updateDateFrom, search.updateDateTo),
    withinDays('k.closed', 'closeDate', search.closeDateFrom, search.closeDateTo),
  ]);
}
