/** Rules for writes that create and change tickets: descriptions, warnings, and verifiers. */
import { isSameId, isSameItem } from '../operations/operation.ts';
import { orders } from '../operations/orders.ts';
import { tickets, ticketTypes } from '../operations/tickets.ts';
import {
  type Amounts,
  itemsOf,
  type LineItem,
  type Looked,
  type Order,
  type Reader,
  type RefundExtent,
  soldSku,
  type Ticket,
  ticketsOf,
} from './reads.ts';
import { hasEnded, isOpen, type Obstacle, obstacleTo } from './refundable.ts';
import {
  dayOf,
  irreversible,
  knownMoney,
  money,
  quoted,
  type Sentence,
  type Subject,
  subjectOf,
  ticketTypeNames,
  titlesOf,
} from './sentence.ts';
import {
  type Fields,
  unlessRefused,
  type Values,
  type WriteRules,
  type WriteVerifier,
} from './verifier.ts';
import { gap, itemProblems, refusedIf, type Warning } from './warnings.ts';

async function describeCreate(reader: Reader, args: Values): Promise<Sentence> {
  const subject = await subjectOf(reader, String(args.receipt), args.sku);
  const { order, items, name, at, gaps } = subject;
  if (args.type === 'rfnd') return describeRefund(reader, args, subject);
  if (args.type !== 'cncl') {
    return { action: `Open a technical support ticket for ${name}${at}`, gaps };
  }
  if (!order) return { action: `Cancel ${name}`, details: [irreversible], gaps };
  if (!areSubscriptions(items))
    return { action: `Cancel the order of ${name}${at}`, details: [irreversible] };
  const hasNoFuture = items.every(hasEnded);
  const noRefund = 'and nothing is refunded.';
  const isCanceled = items.every(({ status }) => status === 'CANCELED');
  return {
    action: `Cancel the subscription of ${name}${at}`,
    details: [`${hasNoFuture ? 'It has already ended' : 'Future billing ends'}, ${noRefund}`],
    ...(!hasNoFuture && { effects: [`${noPayments(items)}, ${noRefund}`] }),
    undo: {
      operation: orders.reinstate,
      args: { receipt: String(args.receipt), sku: soldSku(items, args.sku) },
    },
    gaps: refusedIf(isCanceled, `${args.receipt} is already canceled`),
  };
}

/** Whether items are subscriptions, all of them: canceling anything else refunds it. */
function areSubscriptions(items: readonly LineItem[]): boolean {
  return items.length > 0 && items.every(({ recurring }) => recurring);
}

function isBilled(items: readonly LineItem[]): boolean {
  return items.some((item) => item.recurring && !hasEnded(item));
}

/** "No more payments: the next one was due on 2026-12-24" */
function noPayments(items: readonly LineItem[]): string {
  const [day] = items.map(({ nextPaymentDate }) => dayOf(nextPaymentDate)).filter(Boolean);
  return day ? `The payment due on ${day} and later ones are not taken` : 'Future billing ends';
}

async function describeRefund(reader: Reader, args: Values, subject: Subject): Promise<Sentence> {
  const { order, items, name, gaps } = subject;
  const requested = await refundMoney(reader, args, subject);
  const vendor = order?.payment.vendor;
  const keeps = args.retainSubscription === true;
  const billing = keeps ? 'The subscription continues.' : 'Future billing ends.';
  const needsReturn = items.some(({ shippable }) => shippable === true);
  return {
    action: `Refund ${requested.words} ${order ? 'to' : 'of'} ${name}${vendor ? ` from ${vendor}` : ''}`,
    details: [
      ...(isBilled(items) ? [billing] : []),
      ...(needsReturn ? ['The refund completes after you acknowledge the return.'] : []),
      irreversible,
    ],
    needsReturn,
    gaps: [...gaps, ...(gaps.length === 0 ? requested.gaps : [])],
  };
}

/** The amount that the service would refund; if it can't be read, the requested amount. */
async function refundMoney(reader: Reader, args: Values, { order }: Subject) {
  const { refundType, refundAmount } = args;
  const looked = await reader.amounts(extentOf(args));
  const percent = refundType === 'PARTIAL_PERCENT' ? `${refundAmount} percent` : undefined;
  if (looked.state === 'found') {
    const { customerAmount, customerCurrency, usdAmount } = looked.value;
    const dollars = customerCurrency === 'USD' ? '' : money(usdAmount, 'USD');
    const parts = [money(customerAmount, customerCurrency), percent, dollars];
    const [amount = 'an unknown amount', ...notes] = parts.flatMap((part) => part || []);
    return { words: notes.length > 0 ? `${amount} (${notes.join(', ')})` : amount, gaps: [] };
  }
  const amount = money(String(refundAmount ?? ''), order?.payment.currency);
  const words = percent ?? (refundType === 'FULL' ? 'the full remaining amount' : amount);
  // A vendor without partial refunds may refund in full.
  const isBarred = refundType !== 'FULL' || looked.state !== 'refused' || looked.status !== 403;
  const why = isBarred ? looked : ({ state: 'unreadable' } as const);
  return { words, gaps: [gap(why, `the amount of a refund of ${args.receipt}`)] };
}

/** `Close ticket 1001 (refund of 37.00 USD for "Ada Sample", TICKET01, "The Guide") at GREENLEAF`. */
async function describeAction(verb: string, reader: Reader, { id }: Values) {
  const looked = await reader.ticket(String(id));
  if (looked.state !== 'found') {
    return { action: `${verb} ticket ${id}`, gaps: [gap(looked, `ticket ${id}`)] };
  }
  const { type, receipt, productItemNo, refundAmount, status } = looked.value;
  const subject = receipt
    ? await subjectOf(reader, receipt, productItemNo ?? undefined)
    : undefined;
  const payment = subject?.order?.payment;
  const kind = ticketTypeNames[type ?? ''] ?? type;
  const amount = refundAmount && ` of ${money(refundAmount, payment?.currency)}`;
  const what = [
    `${status === 'CLOSED' ? 'closed ' : ''}${kind}${amount ?? ''}${payment?.fullName ? ` for ${quoted(payment.fullName)}` : ''}`,
    receipt,
    ...titlesOf(subject?.items).map(quoted),
  ];
  const words = `ticket ${id} (${what.filter(Boolean).join(', ')})${subject?.at ?? ''}`;
  const gaps = (subject?.gaps ?? []).filter(({ kind }) => kind === 'not-checked');
  return { action: `${verb} ${words}`, items: subject?.items, gaps };
}

const kinds: Readonly<Record<string, string>> = {
  rfnd: 'a full refund',
  cncl: 'a cancellation',
  tech: 'a technical support ticket',
};

async function warnOfCreate(reader: Reader, { receipt, type, sku }: Values): Promise<Warning[]> {
  const sale = { receipt: String(receipt), sku: sku?.toString() };
  if (type !== 'rfnd' && type !== 'cncl') return [];
  const looked = await reader.order(sale.receipt);
  const isCanceled = type === 'cncl';
  const given = isCanceled ? await warnOfCancellation(reader, sale, `Canceling ${receipt}`) : [];
  if (looked.state !== 'found') {
    return isCanceled ? given : [gap(looked, `the order ${receipt}`)];
  }
  const order = looked.value;
  const obstacle = obstacleOf(order, sale.sku);
  // The read before the write finds the ticket of an open refund.
  const isFound = isCanceled || obstacle?.state === 'HAS_OPEN_REFUND';
  const refund = isFound ? [] : notRefundable(order, obstacle);
  return [...given, ...refund, ...itemProblems(order, sale.sku)];
}

/** The amounts that the ticket would refund; undefined if it refunds nothing or the amounts are unknown. */
async function refundOf(reader: Reader, args: Values): Promise<Amounts | undefined> {
  const warnings = await warnOfCreate(reader, args);
  const refunds = warnings.some(({ kind }) => kind === 'refunds-sale') || args.type === 'rfnd';
  if (!refunds) return undefined;
  const looked = await reader.amounts(extentOf(args));
  return looked.state === 'found' ? looked.value : undefined;
}

/** A cancellation of a one-time sale refunds the full remaining amount. */
function extentOf({ receipt, sku, type, refundType, refundAmount }: Values): RefundExtent {
  return {
    receipt: String(receipt),
    sku: sku?.toString(),
    refundType: type === 'rfnd' ? (refundType as RefundExtent['refundType']) : 'FULL',
    ...(type === 'rfnd' && { refundAmount: refundAmount?.toString() }),
  };
}

async function warnOfChange(reader: Reader, { id, type }: Values): Promise<Warning[]> {
  const looked = await reader.ticket(String(id));
  if (looked.state !== 'found') {
    const unknown = `whether changing ticket ${id} refunds a sale or cancels a refund`;
    return [gap(looked, unknown, { mayRefund: type === 'cncl' })];
  }
  const ticket = looked.value;
  const sale = saleOf(ticket);
  const action = `Changing ticket ${id}`;
  if (type === 'rfnd') {
    if (ticket.type === 'REFUND' && ticket.refundType === 'FULL') return [];
    const known = await fullAmount(reader, sale);
    const paid = money(known.amount, known.currency);
    const message = `${action} to a refund requests a full refund of ${sale.receipt}${paid && ` (${paid})`}`;
    const looked = await reader.order(sale.receipt);
    const obstacles =
      looked.state === 'found'
        ? notRefundable(looked.value, obstacleOf(looked.value, sale.sku, ticket))
        : [];
    return [{ kind: 'full-refund', message, receipt: sale.receipt, ...known }, ...obstacles];
  }
  if (type === 'cncl' && ticket.type === 'CANCEL') return [];
  const refunding =
    type === 'cncl'
      ? await warnOfCancellation(reader, sale, `${action} to a cancellation`, ticket)
      : [];
  return refunding.length > 0 ? refunding : cancelsRefund(reader, ticket, action);
}

type Sale = Pick<RefundExtent, 'receipt' | 'sku'>;

function saleOf({ receipt, productItemNo }: Ticket): Sale {
  return { receipt: receipt ?? '', sku: productItemNo ?? undefined };
}

/** Canceling a one-time sale refunds the full remaining amount. */
async function warnOfCancellation(
  reader: Reader,
  { receipt, sku }: Sale,
  action: string,
  changed?: Ticket,
): Promise<Warning[]> {
  const looked = await reader.order(receipt);
  if (looked.state !== 'found') {
    const unknown = `whether ${lowered(action)} refunds a sale`;
    return [{ ...gap(looked, unknown, { mayRefund: true }), receipt }];
  }
  const order = looked.value;
  if (areSubscriptions(itemsOf(order, sku))) return [];
  const obstacle = obstacleOf(order, sku, changed);
  const obstacles = notRefundable(order, obstacle);
  if (['ALREADY_REFUNDED', 'CHARGED_BACK'].includes(obstacle?.state ?? '')) return obstacles;
  // What the customer paid is no substitute: its currency is disputed, and a part may be refunded already.
  const left = await fullAmount(reader, { receipt, sku });
  const words = money(left.amount, left.currency);
  const sale = action.endsWith(receipt) ? 'the sale' : `the sale ${receipt}`;
  const warning: Warning = {
    kind: 'refunds-sale',
    message: `${action} refunds ${sale}${words && ` (${words})`} because it is not a subscription`,
    receipt,
    ...left,
    requires: 'allow-refund',
  };
  return [warning, ...obstacles];
}

/** An open refund may be that of the ticket that is changed. */
function obstacleOf(order: Order, sku: string | undefined, changed?: Ticket): Obstacle | undefined {
  const obstacle = obstacleTo(order, order.payment, itemsOf(order, sku));
  const isRefund = changed && isOpen(changed) && changed.type !== 'TECH_SUPPORT';
  return isRefund && obstacle?.state === 'HAS_OPEN_REFUND' ? undefined : obstacle;
}

function notRefundable({ receipt }: Order, obstacle: Obstacle | undefined): Warning[] {
  if (!obstacle) return [];
  const message = `${receipt} can't be refunded: ${obstacle.clause}`;
  return [{ kind: 'not-refundable', message, receipt }];
}

async function fullAmount(
  reader: Reader,
  sale: Sale,
): Promise<Pick<Warning, 'amount' | 'currency'>> {
  const looked = await reader.amounts({ ...sale, refundType: 'FULL' });
  if (looked.state !== 'found') return {};
  return knownMoney(looked.value.customerAmount, looked.value.customerCurrency);
}

function lowered(action: string): string {
  return action.charAt(0).toLowerCase() + action.slice(1);
}

/** Whether a ticket refunds a payment: a refund, or a cancellation of a one-time sale. */
async function refunds(reader: Reader, ticket: Ticket): Promise<Looked<boolean>> {
  if (ticket.type !== 'CANCEL') return { state: 'found', value: ticket.type === 'REFUND' };
  const { receipt, sku } = saleOf(ticket);
  const looked = await reader.order(receipt);
  if (looked.state !== 'found') return looked;
  return { state: 'found', value: !areSubscriptions(itemsOf(looked.value, sku)) };
}

async function cancelsRefund(reader: Reader, ticket: Ticket, action: string): Promise<Warning[]> {
  if (ticket.status === 'CLOSED') return [];
  const looked = await refunds(reader, ticket);
  if (looked.state !== 'found') {
    const unknown = `whether ${lowered(action)} cancels a refund`;
    // What ClickBank refuses to show is the order, not the ticket that changes.
    return [gap({ state: 'unreadable' }, unknown)];
  }
  if (!looked.value) return [];
  const message = `${action} cancels the open refund${amountOf(ticket)} for ${ticket.receipt}`;
  return [{ kind: 'cancels-refund', message, ...aboutTicket(ticket) }];
}

/** A ticket has no currency for its amount. */
function amountOf({ refundAmount }: Ticket): string {
  return refundAmount ? ` of ${refundAmount}` : '';
}

function aboutTicket({ receipt, refundAmount }: Ticket): Pick<Warning, 'receipt' | 'amount'> {
  return {
    ...(receipt && { receipt }),
    ...(refundAmount && { amount: refundAmount }),
  };
}

function typeOf({ type }: Values): string | undefined {
  return ticketTypes[String(type)];
}

/** Sources of tickets that may have been created over the API. */
const ownSources: readonly unknown[] = [undefined, null, 'API', 'UNKNOWN'];

/** Whether the ticket matches the request; a customer may open another one at the same time. */
function isFrom(one: Fields, wanted: Values): boolean {
  return (
    one.type === typeOf(wanted) &&
    isSameItem(one.productItemNo, wanted.sku) &&
    ownSources.includes(one.source) &&
    isSameExtent(one, wanted)
  );
}

function isSameExtent(one: Fields, { refundType, refundAmount }: Values): boolean {
  const isAnyType = one.refundType == null || refundType === undefined;
  const isAnyAmount = one.refundAmount == null || refundType !== 'PARTIAL_AMOUNT';
  return (
    (isAnyType || one.refundType === refundType) &&
    (isAnyAmount || Number(one.refundAmount) === Number(refundAmount))
  );
}

/** Verifies by a ticket of the same type that was not in the snapshot. */
const createTicket: WriteVerifier = {
  async look(client, args: Values) {
    const receipt = String(args.receipt);
    const listed = await unlessRefused(() => ticketsOf(client, receipt));
    if (!listed) return undefined;
    const found = listed.filter((one) => isSameId(one.receipt, receipt));
    const type = typeOf(args);
    // A cancellation of a one-time sale is a refund, too.
    const isLike = (one: Ticket) =>
      one.type === type || (type === 'REFUND' && one.type === 'CANCEL' && one.refundType != null);
    const allOpen = found.filter((one) => isLike(one) && isOpen(one));
    const open = allOpen.find((one) => isSameItem(one.productItemNo, args.sku)) ?? allOpen[0];
    const isOtherItem = open !== undefined && !isSameItem(open.productItemNo, args.sku);
    const isOtherAmount =
      open !== undefined && (args.refundType === 'PARTIAL_PERCENT' || !isSameExtent(open, args));
    const amount = isOtherAmount ? amountOf(open) : '';
    const item = isOtherItem ? ` for ${open.productItemNo}` : '';
    const existingMatch = `${args.receipt} already has an open ${open?.type} ticket${amount}${item} (${open?.ticketid})`;
    return {
      ...(open && { existingMatch, isOther: isOtherItem || isOtherAmount }),
      isThere: open !== undefined,
      snapshot: found.map(({ ticketid }) => String(ticketid)),
      find(wanted: Values, before) {
        if (!Array.isArray(before)) return undefined;
        const reply = found.find(
          (one) => isFrom(one, wanted) && !before.includes(String(one.ticketid)),
        );
        // A ticket shows the amount of a percentage, but not the percentage.
        return reply && { reply, isUnsure: wanted.refundType === 'PARTIAL_PERCENT' };
      },
    };
  },
  refusedIfThere: /already/i,
  mayMistake: (earlier: Values, later: Values) => typeOf(earlier) === typeOf(later),
};

interface TicketChange {
  /** Whether the ticket has the state after the write; always true if only the log shows the write. */
  holds?(ticket: Fields, args: Values): boolean;
  /** Whether a log entry of the ticket comes from such a write. */
  logs(entry: Fields, args: Values): boolean;
  readonly refusedIfThere?: RegExp;
}

/** Verifies by a changed state of the ticket, or by an additional log entry. */
function verifyChange({ holds, logs, ...refusal }: TicketChange): WriteVerifier {
  return {
    ...refusal,
    async look(client, args: Values) {
      const id = String(args.id);
      const ticket = await unlessRefused<Fields>(() => client.call(tickets.get, { id }));
      if (!ticket) return undefined;
      const log = (ticket.comments as readonly Fields[] | undefined) ?? [];
      const stateFor = (values: Values) => ({
        holds: holds?.(ticket, values) ?? true,
        entries: log.filter((entry) => logs(entry, values)).length,
      });
      const snapshot = stateFor(args);
      return {
        snapshot,
        isThere: holds ? snapshot.holds : snapshot.entries > 0,
        find(wanted: Values, before) {
          const old = before as ReturnType<typeof stateFor> | null;
          const now = stateFor(wanted);
          const isNew = old !== null && (!old.holds || now.entries > old.entries);
          return now.holds && isNew ? { reply: ticket } : undefined;
        },
      };
    },
  };
}

export const ticketRules = {
  'tickets create': {
    describe: describeCreate,
    warn: warnOfCreate,
    refund: refundOf,
    verify: createTicket,
  },
  'tickets close': {
    describe: async (reader: Reader, args: Values) => ({
      ...(await describeAction('Close', reader, args)),
      undo: {
        operation: tickets.reopen,
        args: { id: String(args.id), comment: 'Closed by mistake' },
      },
    }),
    async warn(reader: Reader, { id }: Values) {
      const looked = await reader.ticket(String(id));
      if (looked.state !== 'found') {
        return [gap(looked, `whether closing ticket ${id} cancels a refund`)];
      }
      const ticket = looked.value;
      if (!isOpen(ticket)) return refusedIf(true, `Ticket ${id} is already closed`);
      return cancelsRefund(reader, ticket, `Closing ticket ${id}`);
    },
    verify: verifyChange({
      holds: ({ status }) => status === 'CLOSED',
      logs: ({ action }) => action === 'CLOSED',
      refusedIfThere: /already/i,
    }),
  },
  'tickets reopen': {
    describe: async (reader: Reader, args: Values) => ({
      ...(await describeAction('Reopen', reader, args)),
      undo: { operation: tickets.close, args: { id: String(args.id) } },
    }),
    async warn(reader: Reader, { id }: Values): Promise<Warning[]> {
      const looked = await reader.ticket(String(id));
      if (looked.state !== 'found') {
        return [gap(looked, `whether reopening ticket ${id} refunds a sale`, { mayRefund: true })];
      }
      const ticket = looked.value;
      if (isOpen(ticket)) return refusedIf(true, `Ticket ${id} is not closed`);
      const action = `Reopening ticket ${id}`;
      if (ticket.type === 'CANCEL') return warnOfCancellation(reader, saleOf(ticket), action);
      if (ticket.type !== 'REFUND') return [];
      const message = `${action} requests the refund${amountOf(ticket)} for ${ticket.receipt} again`;
      const about = aboutTicket(ticket);
      return [{ kind: 'reopens-refund', message, ...about, requires: 'allow-refund' }];
    },
    verify: verifyChange({
      holds: ({ status }) => status !== 'CLOSED',
      logs: ({ action }) => action === 'REOPENED',
      refusedIfThere: /already|not closed/i,
    }),
  },
  'tickets change': {
    async describe(reader: Reader, args: Values) {
      const { action, items = [], gaps } = await describeAction('Change', reader, args);
      const details = [
        ...(args.type !== 'tech' && isBilled(items) ? ['Future billing ends.'] : []),
        ...(args.type === 'tech' ? [] : [irreversible]),
      ];
      return { action: `${action} to ${kinds[String(args.type)]}`, details, gaps };
    },
    warn: warnOfChange,
    verify: verifyChange({
      holds: ({ type }, args) => type === typeOf(args),
      logs: ({ action }) => action === 'CHANGED',
    }),
  },
  'tickets comment': {
    describe: (reader: Reader, args: Values) =>
      describeAction(`Add the comment '${args.comment}' to`, reader, args),
    verify: verifyChange({ logs: ({ comment }, args) => comment === args.comment }),
  },
  'tickets returned': {
    /** Completes only refunds; the type of an unreadable ticket is unknown. */
    async describe(reader: Reader, args: Values) {
      const verb = 'Acknowledge the return for';
      const { action, items = [], gaps } = await describeAction(verb, reader, args);
      const looked = await reader.ticket(String(args.id));
      const refunding = looked.state === 'found' ? await refunds(reader, looked.value) : looked;
      const isRefund = refunding.state !== 'found' || refunding.value;
      const isClosed = looked.state === 'found' && !isOpen(looked.value);
      const isDigital = items.length > 0 && items.every(({ shippable }) => shippable === false);
      return {
        action: isRefund ? `${action} and complete its refund` : action,
        details: [irreversible],
        gaps: [
          ...gaps,
          ...refusedIf(isDigital, `Ticket ${args.id} is not for a physical purchase`),
          ...refusedIf(isClosed, `Ticket ${args.id} is already closed`),
        ],
      };
    },
    verify: verifyChange({
      logs: ({ action }) => action === 'REFUND_ACKED',
      refusedIfThere: /already|no refund/i,
    }),
  },
} satisfies Record<string, WriteRules>;
