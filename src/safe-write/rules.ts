/** The rules of every write: its description, its warnings, and its verifier. */

import type { services } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { products } from '../operations/products.ts';
import { notices, notices2, notices3 } from '../operations/shipping.ts';
import type { Looked, Reader, Ticket } from './reads.ts';
import { hasEnded } from './refundable.ts';
import {
  irreversible,
  money,
  quoted,
  type Sentence,
  type Subject,
  subjectOf,
  ticketTypeNames,
  titlesOf,
} from './sentence.ts';
import { subscriptionRules } from './subscriptions.ts';
import * as verify from './ticket-verifiers.ts';
import {
  extentOf,
  refundOf,
  warnOfChange,
  warnOfClose,
  warnOfCreate,
  warnOfReopen,
} from './ticket-warnings.ts';
import {
  type Fields,
  unlessRefused,
  type Values,
  type WriteRules,
  type WriteVerifier,
} from './verifier.ts';
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
  return async (reader: Reader, { id }: Values): Promise<Sentence> => {
    const looked = await reader.ticket(String(id));
    const gaps = looked.state === 'found' ? [] : [gap(looked, `ticket ${id}`)];
    return { action: `${verb} ${await ticketWords(reader, id, looked)}`, gaps };
  };
}

const kinds: Readonly<Record<string, string>> = {
  rfnd: 'a full refund',
  cncl: 'a cancellation',
  tech: 'a technical support ticket',
};

async function describeChange(reader: Reader, args: Values): Promise<Sentence> {
  const sentence = await action('Change')(reader, args);
  const details = args.type === 'tech' ? [] : [irreversible];
  return { ...sentence, action: `${sentence.action} to ${kinds[String(args.type)]}`, details };
}

/** Completes only refunds; the type of an unreadable ticket is unknown. */
async function describeReturned(reader: Reader, args: Values): Promise<Sentence> {
  const sentence = await action('Acknowledge the return for')(reader, args);
  const looked = await reader.ticket(String(args.id));
  const isRefund = looked.state !== 'found' || looked.value.type === 'REFUND';
  return {
    ...sentence,
    action: isRefund ? `${sentence.action} and complete its refund` : sentence.action,
    details: [irreversible],
  };
}

/** `ticket 1001 (refund of 37.00 USD for "Ada Sample", TICKET01, "The Guide") at GREENLEAF`. */
async function ticketWords(reader: Reader, id: unknown, looked: Looked<Ticket>): Promise<string> {
  if (looked.state !== 'found') return `ticket ${id}`;
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
  return `ticket ${id} (${what.filter(Boolean).join(', ')})${subject?.at ?? ''}`;
}

async function describeNotice(reader: Reader, args: Values) {
  const { name, at, gaps } = await subjectOf(reader, String(args.receipt), args.item);
  const parcel = [args.carrier, args.tracking].filter(Boolean).join(' ');
  const action = `Add a ship notice for ${name}${at}: ${parcel}, shipped on ${args.date}`;
  const details = args.fillOrder === true ? ['The whole order is marked as shipped.'] : [];
  return { action, details, gaps };
}

type List = typeof notices.list | typeof notices2.list | typeof notices3.list;

/** Identical notices are counted, since they can't be distinguished: one more than before is the new one. */
function addNotice(list: List): WriteVerifier {
  return {
    async look(client, args: Values) {
      const { receipt, carrier, tracking } = args;
      const found = await unlessRefused(
        () =>
          client.call(list as typeof notices2.list, { receipt: String(receipt) }) as Promise<
            Fields[]
          >,
      );
      if (!found) return undefined;
      const equal = found.filter(isLike(args));
      const isMatch = equal.length > 0 && tracking !== undefined;
      return {
        ...(isMatch && {
          existingMatch: `${receipt} already has a ship notice with ${carrier} ${tracking}`,
        }),
        snapshot: equal.length,
        find(wanted: Values, before) {
          const now = found.filter(isLike(wanted));
          const isNew = typeof before === 'number' && now.length > before;
          return isNew ? { reply: now.at(-1) } : undefined;
        },
      };
    },
    mayMistake({ carrier, tracking, item }: Values, later: Values) {
      return isLike(later)({ carrier, trackingId: tracking, itemNo: item });
    },
  };
}

/** Generation 1 shows no item numbers. */
function isLike({ carrier, tracking, item }: Values): (notice: Fields) => boolean {
  return (notice) =>
    notice.carrier === carrier &&
    (notice.trackingId ?? undefined) === tracking &&
    (item === undefined || notice.itemNo === undefined || notice.itemNo === item);
}

/** If the key may read products and the service refuses this one, the product is new. */
async function describeSave(reader: Reader, args: Values) {
  const { sku, site, title, price, currency } = args;
  const looked = await reader.product(String(sku), String(site));
  const verbs = { found: 'Change', refused: 'Create', unreadable: 'Save' } as const;
  const product = `product ${sku} (${title}) of ${site}`;
  return {
    action: `${verbs[looked.state]} ${product} with a price of ${money(String(price), String(currency))}`,
    gaps: looked.state === 'unreadable' ? [gap(looked, `product ${sku}`)] : [],
  };
}

async function describeDelete(reader: Reader, { sku, site }: Values) {
  const looked = await reader.product(String(sku), String(site));
  const title = looked.state === 'found' && looked.value.title ? ` (${looked.value.title})` : '';
  return {
    action: `Delete product ${sku}${title} of ${site}`,
    details: [irreversible],
    gaps: looked.state === 'found' ? [] : [gap(looked, `product ${sku}`)],
  };
}

/** Verifies that an existing product is gone. */
const deleteProduct: WriteVerifier = {
  refusedIfThere: /already|not exist/i,
  async look(client, { sku, site }: Values) {
    // Reading the product itself is not enough: its 403 may mean too many requests.
    const found = await unlessRefused(() => client.call(products.list, { site: String(site) }));
    if (!found) return undefined;
    const exists = found.some((product) => product.sku === sku);
    return {
      snapshot: { exists },
      isThere: !exists,
      find: (_, before) => {
        const existed = (before as { readonly exists: boolean } | null)?.exists === true;
        return existed && !exists ? {} : undefined;
      },
    };
  },
};

type Services = typeof services;
type AnyOperation = { [S in keyof Services]: Services[S][keyof Services[S]] }[keyof Services];

/** The commands of all operations whose method is not GET or HEAD. */
type WriteCommand = Exclude<AnyOperation, { readonly method: 'GET' | 'HEAD' }>['command'];

/** Complete: a new write operation does not compile without an entry. */
const rules: Readonly<Record<WriteCommand, WriteRules>> = {
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
  'tickets comment': {
    describe: (reader, args: Values) =>
      action(`Add the comment '${args.comment}' to`)(reader, args),
    verify: verify.commentTicket,
  },
  'tickets returned': { describe: describeReturned, verify: verify.returnTicket },
  ...subscriptionRules,
  'products save': {
    describe: describeSave,
    verify: 'the product may have had the same values before',
  },
  'products delete': { describe: describeDelete, verify: deleteProduct },
  'ship notice add --generation 1': { describe: describeNotice, verify: addNotice(notices.list) },
  'ship notice add --generation 2': { describe: describeNotice, verify: addNotice(notices2.list) },
  'ship notice add --generation 3': { describe: describeNotice, verify: addNotice(notices3.list) },
};

/** Returns undefined for a read. */
export function rulesOf({ command }: Pick<Operation, 'command'>): WriteRules | undefined {
  return Object.hasOwn(rules, command) ? rules[command as WriteCommand] : undefined;
}

/** Returns undefined if the write can't be verified; its outcome is unknown if the response is lost. */
export function verifierOf(operation: Pick<Operation, 'command'>): WriteVerifier | undefined {
  const verify = rulesOf(operation)?.verify;
  return typeof verify === 'object' ? verify : undefined;
}

/** Why the write can't be verified; undefined if it can. */
export function whyUnverifiable(operation: Pick<Operation, 'command'>): string | undefined {
  const verify = rulesOf(operation)?.verify;
  return typeof verify === 'string' ? verify : undefined;
}
