/** Rules for writes that create and change tickets: descriptions, warnings, and verifiers. */
import { hasEnded } from '../refund/refundable.ts';
import type { Looked, Reader, Ticket } from './reads.ts';
import {
  irreversible,
  money,
  quoted,
  type Sentence,
  type Subject,
  subjectOf,
  titlesOf,
} from './sentence.ts';
import * as verify from './ticket-verifiers.ts';
import {
  extentOf,
  refundOf,
  warnOfChange,
  warnOfClose,
  warnOfCreate,
  warnOfReopen,
} from './ticket-warnings.ts';
import type { Values, WriteRules } from './verifier.ts';
import { gap } from './warnings.ts';

async function describeCreate(reader: Reader, args: Values): Promise<Sentence> {
  const subject = await subjectOf(reader, String(args.receipt), args.sku);
  if (args.type === 'rfnd') return describeRefund(reader, args, subject);
  if (args.type === 'cncl') return describeCancellation(subject);
  return {
    action: `Open a technical support ticket for ${subject.name}${subject.at}`,
    gaps: subject.gaps,
  };
}

async function describeRefund(reader: Reader, args: Values, subject: Subject): Promise<Sentence> {
  const { order, items, name, gaps } = subject;
  const requested = await refundMoney(reader, args, subject);
  const vendor = order?.payment.vendor;
  const needsReturn = items.some(({ shippable }) => shippable === true);
  return {
    action: `Refund ${requested.words} ${order ? 'to' : 'of'} ${name}${vendor ? ` from ${vendor}` : ''}`,
    details: [
      ...billingDetails(items, args.retainSubscription === true),
      ...(needsReturn ? ['The refund completes after you acknowledge the return.'] : []),
      irreversible,
    ],
    needsReturn,
    gaps: [...gaps, ...(gaps.length === 0 ? requested.gaps : [])],
  };
}

function billingDetails(items: Subject['items'], keeps: boolean): string[] {
  if (!items.some((item) => item.recurring && !hasEnded(item))) return [];
  return [keeps ? 'The subscription continues.' : 'Future billing ends.'];
}

/** The amount that the service would refund; if it can't be read, the requested amount. */
async function refundMoney(reader: Reader, args: Values, { order }: Subject) {
  const { refundType, refundAmount } = args;
  const looked = await reader.amounts(extentOf(args));
  const percent = refundType === 'PARTIAL_PERCENT' ? `${refundAmount} percent` : undefined;
  if (looked.state === 'found') {
    const { customerAmount, customerCurrency, usdAmount } = looked.value;
    const dollars = customerCurrency === 'USD' ? '' : money(usdAmount, 'USD');
    const notes = [percent, dollars].filter(Boolean).join(', ');
    const words = `${money(customerAmount, customerCurrency)}${notes && ` (${notes})`}`;
    return { words, gaps: [] };
  }
  const amount = money(String(refundAmount ?? ''), order?.payment.currency);
  const words = percent ?? (refundType === 'FULL' ? 'the full remaining amount' : amount);
  return { words, gaps: [gap(looked, `the amount of a refund of ${args.receipt}`)] };
}

function describeCancellation({ order, items, name, at, gaps }: Subject): Sentence {
  if (!order) return { action: `Cancel ${name}`, details: [irreversible], gaps };
  const recurs = items.length > 0 && items.every(({ recurring }) => recurring);
  if (!recurs) return { action: `Cancel the order of ${name}${at}`, details: [irreversible] };
  return {
    action: `Cancel the subscription of ${name}${at}`,
    details: ['Future billing ends, and nothing is refunded.'],
  };
}

function action(verb: string) {
  return (reader: Reader, args: Values) => describeAction(reader, args, verb);
}

async function describeAction(reader: Reader, { id }: Values, verb: string): Promise<Sentence> {
  const looked = await reader.ticket(String(id));
  const gaps = looked.state === 'found' ? [] : [gap(looked, `ticket ${id}`)];
  return { action: `${verb} ${await ticketWords(reader, id, looked)}`, gaps };
}

const kinds: Readonly<Record<string, string>> = {
  rfnd: 'a full refund',
  cncl: 'a cancellation',
  tech: 'a technical support ticket',
};

async function describeChange(reader: Reader, args: Values): Promise<Sentence> {
  const sentence = await describeAction(reader, args, 'Change');
  const details = args.type === 'tech' ? [] : [irreversible];
  return { ...sentence, action: `${sentence.action} to ${kinds[String(args.type)]}`, details };
}

async function describeComment(reader: Reader, args: Values): Promise<Sentence> {
  return describeAction(reader, args, `Add the comment '${args.comment}' to`);
}

/** Completes only refunds; the type of an unreadable ticket is unknown. */
async function describeReturned(reader: Reader, args: Values): Promise<Sentence> {
  const sentence = await describeAction(reader, args, 'Acknowledge the return for');
  const looked = await reader.ticket(String(args.id));
  const isRefund = looked.state !== 'found' || looked.value.type === 'REFUND';
  return {
    ...sentence,
    action: isRefund ? `${sentence.action} and complete its refund` : sentence.action,
    details: [irreversible],
  };
}

const types: Readonly<Record<string, string>> = {
  REFUND: 'refund',
  CANCEL: 'cancellation',
  TECH_SUPPORT: 'technical support',
};

/** `ticket 1001 (refund of 37.00 USD for "Ada Sample", TICKET01, "The Guide") at GREENLEAF`. */
async function ticketWords(reader: Reader, id: unknown, looked: Looked<Ticket>): Promise<string> {
  if (looked.state !== 'found') return `ticket ${id}`;
  const { type, receipt, productItemNo, refundAmount, status } = looked.value;
  const subject = receipt
    ? await subjectOf(reader, receipt, productItemNo ?? undefined)
    : undefined;
  const payment = subject?.order?.payment;
  const kind = types[type ?? ''] ?? type;
  const amount = refundAmount && ` of ${money(refundAmount, payment?.currency)}`;
  const what = [
    `${status === 'CLOSED' ? 'closed ' : ''}${kind}${amount ?? ''}${payment?.fullName ? ` for ${quoted(payment.fullName)}` : ''}`,
    receipt,
    ...titlesOf(subject?.items).map(quoted),
  ];
  return `ticket ${id} (${what.filter(Boolean).join(', ')})${subject?.at ?? ''}`;
}

export const ticketRules = {
  'tickets create': {
    describe: describeCreate,
    warn: warnOfCreate,
    refund: refundOf,
    verify: verify.createTicket,
  },
  'tickets close': { describe: action('Close'), warn: warnOfClose, verify: verify.closeTicket },
  'tickets reopen': { describe: action('Reopen'), warn: warnOfReopen, verify: verify.reopenTicket },
  'tickets change': {
    describe: describeChange,
    warn: warnOfChange,
    verify: verify.changeTicketType,
  },
  'tickets comment': { describe: describeComment, verify: verify.commentTicket },
  'tickets returned': { describe: describeReturned, verify: verify.returnTicket },
} satisfies Record<string, WriteRules>;
