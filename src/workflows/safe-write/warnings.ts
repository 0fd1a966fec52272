/**
 * Warnings about a write: the ways in which it moves money that its name does not mention (section 3 of
 * the specification). They are read from the service before anything is sent.
 */
import type { Client as Api } from '../../api/client.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import { tickets } from '../../operations/tickets.ts';
import { itemsOf, type Looked, openReader, type Reader, type Ticket } from './reads.ts';

/**
 * - `refunds-sale`: a cancellation refunds something that was sold once
 * - `cancels-refund`: the write cancels a refund that is under way
 * - `full-refund`: the write turns a ticket into a full refund
 * - `reopens-refund`: the write asks for a closed refund again
 * - `prorated-refund`: a change of product refunds the unused part of the period
 * - `not-checked`: this key may not read what would have to be looked at; `message` says what is unknown
 * - `refused`: the service refuses to show what the write is about, and so will refuse the write
 */
export type WarningKind =
  | 'refunds-sale'
  | 'cancels-refund'
  | 'full-refund'
  | 'reopens-refund'
  | 'prorated-refund'
  | 'not-checked'
  | 'refused';

export interface Warning {
  readonly kind: WarningKind;
  /** One sentence without its final period. */
  readonly message: string;
  /** The receipt that it is about, where that is known. */
  readonly receipt?: string;
  /** The digits as the service sent them, where the amount is known. */
  readonly amount?: string;
  readonly currency?: string;
  /** The flag that must be given where no person confirms the write. */
  readonly requires?: 'allow-refund';
}

/**
 * Everything to warn about before this write is sent. Reads from the service; sends no write. A refusal
 * (4xx) is a warning too; an ApiError is thrown for every other failure of a read.
 */
export async function warningsFor(
  api: Api,
  operation: Operation,
  args: Arguments,
  reader: Reader = openReader(api),
): Promise<readonly Warning[]> {
  const warning = await checks.get(operation)?.(reader, args as Values);
  return warning ? [warning] : [];
}

type Values = Readonly<Record<string, string | boolean | undefined>>;
type Check = (reader: Reader, args: Values) => Promise<Warning | undefined>;

const checks: ReadonlyMap<unknown, Check> = new Map<unknown, Check>([
  [tickets.create, checkCreate],
  [tickets.close, checkClose],
  [tickets.change, checkChange],
  [tickets.reopen, checkReopen],
  [orders.changeProduct, checkChangeProduct],
]);

async function checkCreate(reader: Reader, { receipt, type, sku }: Values) {
  if (type !== 'cncl') return undefined;
  const action = `Canceling ${receipt}`;
  return checkCancellation(reader, String(receipt), sku as string | undefined, action);
}

async function checkClose(reader: Reader, { id }: Values): Promise<Warning | undefined> {
  const looked = await reader.ticket(String(id));
  if (looked.state !== 'found') return gap(looked, `whether closing ticket ${id} cancels a refund`);
  return isOpenRefund(looked.value)
    ? cancelsRefund(looked.value, `Closing ticket ${id}`)
    : undefined;
}

async function checkChange(reader: Reader, { id, type }: Values): Promise<Warning | undefined> {
  const looked = await reader.ticket(String(id));
  if (looked.state !== 'found') {
    const unknown = `whether changing ticket ${id} refunds a sale or cancels a refund`;
    return gap(looked, unknown, { mayRefund: type === 'cncl' });
  }
  const ticket = looked.value;
  const action = `Changing ticket ${id}`;
  if (type === 'rfnd') return becomesFullRefund(reader, ticket, action);
  const refunding =
    type === 'cncl' && ticket.type !== 'CANCEL'
      ? await checkTicketCancellation(reader, ticket, `${action} to a cancellation`)
      : undefined;
  if (refunding) return refunding;
  return isOpenRefund(ticket) ? cancelsRefund(ticket, action) : undefined;
}

async function checkReopen(reader: Reader, { id }: Values): Promise<Warning | undefined> {
  const looked = await reader.ticket(String(id));
  if (looked.state !== 'found') {
    return gap(looked, `whether reopening ticket ${id} refunds a sale`, { mayRefund: true });
  }
  const ticket = looked.value;
  const action = `Reopening ticket ${id}`;
  if (ticket.type === 'CANCEL') return checkTicketCancellation(reader, ticket, action);
  if (ticket.type !== 'REFUND') return undefined;
  return {
    kind: 'reopens-refund',
    message: `${action} requests the refund${amountOf(ticket)} for ${ticket.receipt} again`,
    ...aboutTicket(ticket),
    requires: 'allow-refund',
  };
}

async function checkChangeProduct(_: Reader, args: Values): Promise<Warning | undefined> {
  const { applyProratedRefund: asked } = args;
  if (asked === false) return undefined;
  const receipt = String(args.receipt);
  const message = `Changing the product of ${receipt} refunds the unused part of the current period; pass --no-apply-prorated-refund to prevent it`;
  // The service refunds by default: without the flag nobody has said that money may move.
  const isChosen = asked === true;
  return {
    kind: 'prorated-refund',
    message,
    receipt,
    ...(!isChosen && { requires: 'allow-refund' }),
  };
}

function checkTicketCancellation(reader: Reader, ticket: Ticket, action: string) {
  const sku = ticket.productItemNo ?? undefined;
  return checkCancellation(reader, ticket.receipt ?? '', sku, action);
}

/** Canceling something that was sold once refunds it. */
async function checkCancellation(
  reader: Reader,
  receipt: string,
  sku: string | undefined,
  action: string,
): Promise<Warning | undefined> {
  const looked = await reader.order(receipt);
  if (looked.state !== 'found') {
    const unknown = `whether ${action.charAt(0).toLowerCase()}${action.slice(1)} refunds a sale`;
    return { ...gap(looked, unknown, { mayRefund: true }), receipt };
  }
  const { payment } = looked.value;
  const items = itemsOf(looked.value, sku);
  if (items.length > 0 && items.every(({ recurring }) => recurring)) return undefined;
  const isWhole = items.length === (payment.lineItemData ?? []).length;
  const amount = (isWhole ? payment.totalOrderAmount : items[0]?.customerAmount) ?? undefined;
  const paid = [amount, payment.currency].filter(Boolean).join(' ');
  const sale = action.endsWith(receipt) ? 'the sale' : `the sale ${receipt}`;
  return {
    kind: 'refunds-sale',
    message: `${action} refunds ${sale}${paid && ` (${paid})`} because it is not a subscription`,
    receipt,
    ...(amount !== undefined && { amount }),
    ...(payment.currency && { currency: payment.currency }),
    requires: 'allow-refund',
  };
}

function isOpenRefund({ type, status }: Ticket): boolean {
  return type === 'REFUND' && status !== 'CLOSED';
}

async function becomesFullRefund(
  reader: Reader,
  ticket: Ticket,
  action: string,
): Promise<Warning | undefined> {
  if (ticket.type === 'REFUND' && ticket.refundType === 'FULL') return undefined;
  const receipt = ticket.receipt ?? '';
  const sku = ticket.productItemNo ?? undefined;
  // The specification requires an amount for a full refund too, where it decides nothing.
  const full = { refundType: 'FULL', refundAmount: '0' } as const;
  const looked = await reader.amounts({ receipt, ...(sku && { sku }), ...full });
  const { customerAmount, customerCurrency } = looked.state === 'found' ? looked.value : {};
  const amount = customerAmount ?? undefined;
  const paid = [amount, customerCurrency].filter(Boolean).join(' ');
  return {
    kind: 'full-refund',
    message: `${action} to a refund requests a full refund of ${receipt}${paid && ` (${paid})`}`,
    receipt,
    ...(amount !== undefined && { amount }),
    ...(customerCurrency && { currency: customerCurrency }),
  };
}

function cancelsRefund(ticket: Ticket, action: string): Warning {
  const message = `${action} cancels the open refund${amountOf(ticket)} for ${ticket.receipt}`;
  return { kind: 'cancels-refund', message, ...aboutTicket(ticket) };
}

/** The service does not name the currency of a ticket's amount. */
function amountOf({ refundAmount }: Ticket): string {
  return refundAmount ? ` of ${refundAmount}` : '';
}

function aboutTicket({ receipt, refundAmount }: Ticket): Pick<Warning, 'receipt' | 'amount'> {
  return {
    ...(receipt && { receipt }),
    ...(refundAmount && { amount: refundAmount }),
  };
}

/** What could not be looked at. Where that may refund a sale, the flag is needed as if it surely did. */
export function gap(
  looked: Exclude<Looked<unknown>, { state: 'found' }>,
  unknown: string,
  { mayRefund = false } = {},
): Warning {
  if (looked.state === 'refused')
    return { kind: 'refused', message: sentenceStart(looked.message) };
  return {
    kind: 'not-checked',
    message: `Not checked: ${unknown} (this key may not read it)`,
    ...(mayRefund && { requires: 'allow-refund' as const }),
  };
}

function sentenceStart(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
