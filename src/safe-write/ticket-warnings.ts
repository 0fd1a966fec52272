/** Warnings about tickets, based on reads before anything is sent. */

import {
  type Amounts,
  itemsOf,
  type Order,
  type Reader,
  type RefundExtent,
  type Ticket,
} from './reads.ts';
import { type Obstacle, obstacleTo } from './refundable.ts';
import { money } from './sentence.ts';
import type { Values } from './verifier.ts';
import { gap, type Warning } from './warnings.ts';

export async function warnOfCreate(reader: Reader, { receipt, type, sku }: Values) {
  const subject = { receipt: String(receipt), sku: sku?.toString() };
  if (type !== 'rfnd' && type !== 'cncl') return [];
  const looked = await reader.order(subject.receipt);
  if (type === 'cncl') {
    const given = await warnOfCancellation(reader, subject, `Canceling ${receipt}`);
    return looked.state === 'found'
      ? [...given, ...severalItems(looked.value, subject.sku)]
      : given;
  }
  if (looked.state !== 'found') return [];
  const warnings = notRefundable(looked.value, obstacleOf(looked.value, subject.sku));
  return [...warnings, ...severalItems(looked.value, subject.sku)];
}

/** The amounts that the ticket would refund; undefined if it refunds nothing or the amounts are unknown. */
export async function refundOf(reader: Reader, args: Values): Promise<Amounts | undefined> {
  const warnings = await warnOfCreate(reader, args);
  const refunds = warnings.some(({ kind }) => kind === 'refunds-sale') || args.type === 'rfnd';
  if (!refunds) return undefined;
  const looked = await reader.amounts(extentOf(args));
  return looked.state === 'found' ? looked.value : undefined;
}

/** A cancellation of a one-time sale refunds the full remaining amount. */
export function extentOf({ receipt, sku, type, refundType, refundAmount }: Values): RefundExtent {
  return {
    receipt: String(receipt),
    sku: sku?.toString(),
    refundType: type === 'rfnd' ? (refundType as RefundExtent['refundType']) : 'FULL',
    ...(type === 'rfnd' && { refundAmount: refundAmount?.toString() }),
  };
}

export async function warnOfClose(reader: Reader, { id }: Values): Promise<Warning[]> {
  const looked = await reader.ticket(String(id));
  return looked.state === 'found'
    ? cancelsRefund(looked.value, `Closing ticket ${id}`)
    : [gap(looked, `whether closing ticket ${id} cancels a refund`)];
}

export async function warnOfChange(reader: Reader, { id, type }: Values): Promise<Warning[]> {
  const looked = await reader.ticket(String(id));
  if (looked.state !== 'found') {
    const unknown = `whether changing ticket ${id} refunds a sale or cancels a refund`;
    return [gap(looked, unknown, { mayRefund: type === 'cncl' })];
  }
  const ticket = looked.value;
  const action = `Changing ticket ${id}`;
  if (type === 'rfnd') return becomesFullRefund(reader, ticket, action);
  const refunding =
    type === 'cncl' && ticket.type !== 'CANCEL'
      ? await warnOfCancellation(reader, subjectOf(ticket), `${action} to a cancellation`)
      : [];
  return refunding.length > 0 ? refunding : cancelsRefund(ticket, action);
}

export async function warnOfReopen(reader: Reader, { id }: Values): Promise<Warning[]> {
  const looked = await reader.ticket(String(id));
  if (looked.state !== 'found') {
    return [gap(looked, `whether reopening ticket ${id} refunds a sale`, { mayRefund: true })];
  }
  const ticket = looked.value;
  const action = `Reopening ticket ${id}`;
  if (ticket.type === 'CANCEL') return warnOfCancellation(reader, subjectOf(ticket), action);
  if (ticket.type !== 'REFUND') return [];
  const message = `${action} requests the refund${amountOf(ticket)} for ${ticket.receipt} again`;
  return [{ kind: 'reopens-refund', message, ...aboutTicket(ticket), requires: 'allow-refund' }];
}

type Subject = Pick<RefundExtent, 'receipt' | 'sku'>;

function subjectOf({ receipt, productItemNo }: Ticket): Subject {
  return { receipt: receipt ?? '', sku: productItemNo ?? undefined };
}

/** Canceling a one-time sale refunds the full remaining amount. */
async function warnOfCancellation(
  reader: Reader,
  { receipt, sku }: Subject,
  action: string,
): Promise<Warning[]> {
  const looked = await reader.order(receipt);
  if (looked.state !== 'found') {
    const unknown = `whether ${action.charAt(0).toLowerCase()}${action.slice(1)} refunds a sale`;
    return [{ ...gap(looked, unknown, { mayRefund: true }), receipt }];
  }
  const order = looked.value;
  const { payment } = order;
  const items = itemsOf(order, sku);
  if (items.length > 0 && items.every(({ recurring }) => recurring)) return [];
  const obstacle = obstacleOf(order, sku);
  const obstacles = notRefundable(order, obstacle);
  if (['ALREADY_REFUNDED', 'CHARGED_BACK'].includes(obstacle?.state ?? '')) return obstacles;
  const left = await fullAmount(reader, { receipt, sku });
  const isWhole = items.length === (payment.lineItemData ?? []).length;
  const paid = isWhole ? payment.totalOrderAmount : items[0]?.customerAmount;
  const amount = left.amount ?? paid ?? undefined;
  const currency = left.currency ?? payment.currency;
  const words = money(amount, currency);
  const sale = action.endsWith(receipt) ? 'the sale' : `the sale ${receipt}`;
  const warning: Warning = {
    kind: 'refunds-sale',
    message: `${action} refunds ${sale}${words && ` (${words})`} because it is not a subscription`,
    receipt,
    ...(amount !== undefined && { amount }),
    ...(currency && { currency }),
    requires: 'allow-refund',
  };
  return [warning, ...obstacles];
}

function obstacleOf(order: Order, sku: string | undefined): Obstacle | undefined {
  return obstacleTo(order, order.payment, itemsOf(order, sku));
}

/** Excludes an open refund, since the read before the write finds its ticket. */
function notRefundable({ receipt }: Order, obstacle: Obstacle | undefined): Warning[] {
  if (!obstacle || obstacle.state === 'HAS_OPEN_REFUND') return [];
  const message = `${receipt} can't be refunded: ${obstacle.clause}`;
  return [{ kind: 'not-refundable', message, receipt }];
}

export function severalItems(order: Order, sku: string | undefined): Warning[] {
  const items = itemsOf(order, undefined).map(({ itemNo }) => itemNo);
  if (sku !== undefined || items.length < 2) return [];
  const { receipt } = order;
  return [
    { kind: 'several-items', message: `${receipt} has the items ${items.join(', ')}`, receipt },
  ];
}

async function becomesFullRefund(
  reader: Reader,
  ticket: Ticket,
  action: string,
): Promise<Warning[]> {
  if (ticket.type === 'REFUND' && ticket.refundType === 'FULL') return [];
  const subject = subjectOf(ticket);
  const known = await fullAmount(reader, subject);
  const paid = money(known.amount, known.currency);
  const message = `${action} to a refund requests a full refund of ${subject.receipt}${paid && ` (${paid})`}`;
  return [{ kind: 'full-refund', message, receipt: subject.receipt, ...known }];
}

async function fullAmount(
  reader: Reader,
  subject: Subject,
): Promise<Pick<Warning, 'amount' | 'currency'>> {
  const looked = await reader.amounts({ ...subject, refundType: 'FULL' });
  if (looked.state !== 'found') return {};
  const { customerAmount, customerCurrency } = looked.value;
  return {
    ...(customerAmount && { amount: customerAmount }),
    ...(customerCurrency && { currency: customerCurrency }),
  };
}

function cancelsRefund(ticket: Ticket, action: string): Warning[] {
  if (ticket.type !== 'REFUND' || ticket.status === 'CLOSED') return [];
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
