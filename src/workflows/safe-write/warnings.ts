/**
 * Warnings about a write: the ways in which it moves money that its name does not mention (section 3 of
 * the specification). They are read from the service before anything is sent.
 */
import type { Api } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import type { Arguments, Operation, Reply } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import { tickets } from '../../operations/tickets.ts';

/**
 * - `refunds-sale`: a cancellation refunds something that was sold once
 * - `cancels-refund`: the write cancels a refund that is under way
 * - `full-refund`: the write turns a ticket into a full refund
 * - `reopens-refund`: the write asks for a closed refund again
 * - `prorated-refund`: a change of product refunds the unused part of the period
 * - `not-checked`: the service did not let cb look; `message` says what is not known
 */
export type WarningKind =
  | 'refunds-sale'
  | 'cancels-refund'
  | 'full-refund'
  | 'reopens-refund'
  | 'prorated-refund'
  | 'not-checked';

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
 * Everything to warn about before this write is sent. Reads from the service; sends no write. Throws an
 * ApiError where a read fails for any reason other than a refusal (403).
 */
export async function warningsFor(
  api: Api,
  operation: Operation,
  args: Arguments,
): Promise<readonly Warning[]> {
  const warning = await checks.get(operation)?.(api, args as Values);
  return warning ? [warning] : [];
}

type Values = Readonly<Record<string, string | boolean | undefined>>;
type Check = (api: Api, args: Values) => Promise<Warning | undefined>;
type Ticket = Reply<typeof tickets.get.returns>;
type Transaction = Reply<typeof orders.get.returns>[number];

const checks: ReadonlyMap<unknown, Check> = new Map<unknown, Check>([
  [tickets.create, checkCreate],
  [tickets.close, checkClose],
  [tickets.change, checkChange],
  [tickets.reopen, checkReopen],
  [orders.changeProduct, checkChangeProduct],
]);

async function checkCreate(api: Api, { receipt, type, sku }: Values) {
  if (type !== 'cncl') return undefined;
  return checkCancellation(api, String(receipt), sku as string | undefined, 'Canceling');
}

async function checkClose(api: Api, { id }: Values): Promise<Warning | undefined> {
  const ticket = await readTicket(api, id);
  if (!ticket) return notChecked(`whether closing ticket ${id} cancels a refund`);
  return isOpenRefund(ticket) ? cancelsRefund(ticket, `Closing ticket ${id}`) : undefined;
}

async function checkChange(api: Api, { id, type }: Values): Promise<Warning | undefined> {
  const ticket = await readTicket(api, id);
  if (!ticket) {
    const warning = notChecked(`whether changing ticket ${id} refunds a sale or cancels a refund`);
    return type === 'cncl' ? { ...warning, requires: 'allow-refund' } : warning;
  }
  const action = `Changing ticket ${id}`;
  if (type === 'rfnd') {
    if (ticket.type === 'REFUND' && ticket.refundType === 'FULL') return undefined;
    return {
      kind: 'full-refund',
      message: `${action} to a refund asks for a full refund of ${ticket.receipt}`,
      ...aboutTicket(ticket),
    };
  }
  const canceling =
    type === 'cncl' && ticket.type !== 'CANCEL'
      ? await checkTicketCancellation(api, ticket, `${action} to a cancellation`)
      : undefined;
  if (canceling) return canceling;
  return isOpenRefund(ticket) ? cancelsRefund(ticket, action) : undefined;
}

async function checkReopen(api: Api, { id }: Values): Promise<Warning | undefined> {
  const ticket = await readTicket(api, id);
  if (!ticket) {
    const warning = notChecked(`whether reopening ticket ${id} refunds a sale`);
    return { ...warning, requires: 'allow-refund' };
  }
  const action = `Reopening ticket ${id}`;
  if (ticket.type === 'CANCEL') return checkTicketCancellation(api, ticket, action);
  if (ticket.type !== 'REFUND') return undefined;
  return {
    kind: 'reopens-refund',
    message: `${action} asks for the refund${amountOf(ticket)} of ${ticket.receipt} again`,
    ...aboutTicket(ticket),
    requires: 'allow-refund',
  };
}

async function checkChangeProduct(_: Api, args: Values): Promise<Warning | undefined> {
  if (args.applyProratedRefund === false) return undefined;
  const receipt = String(args.receipt);
  const message = `Changing the product of ${receipt} refunds the unused part of the current period; pass --no-apply-prorated-refund to prevent it`;
  return { kind: 'prorated-refund', message, receipt };
}

function checkTicketCancellation(api: Api, ticket: Ticket, action: string) {
  return checkCancellation(api, ticket.receipt ?? '', ticket.productItemNo ?? undefined, action);
}

/** Canceling something that was sold once refunds it. */
async function checkCancellation(
  api: Api,
  receipt: string,
  sku: string | undefined,
  action: string,
): Promise<Warning | undefined> {
  const subject = action === 'Canceling' ? `${action} ${receipt}` : action;
  const found = await unlessForbidden(() => api.call(orders.get, { receipt }));
  const sale = found?.find((one) => isPayment(one, receipt)) ?? found?.[0];
  if (!sale) {
    const warning = notChecked(`whether ${lowerFirst(subject)} refunds a sale`);
    return { ...warning, receipt, requires: 'allow-refund' };
  }
  const items = itemsOf(sale, sku);
  if (items.length > 0 && items.every(({ recurring }) => recurring)) return undefined;
  const isWhole = items.length === (sale.lineItemData ?? []).length;
  const amount = (isWhole ? sale.totalOrderAmount : items[0]?.customerAmount)?.value;
  const currency = sale.currency ?? undefined;
  const paid = [amount, currency].filter(Boolean).join(' ');
  const refunds = action === 'Canceling' ? 'refunds the sale' : `refunds the sale ${receipt}`;
  return {
    kind: 'refunds-sale',
    message: `${subject} ${refunds}${paid && ` (${paid})`} because it is not a subscription`,
    receipt,
    ...(amount !== undefined && { amount }),
    ...(currency !== undefined && { currency }),
    requires: 'allow-refund',
  };
}

function isPayment({ receipt, transactionType }: Transaction, wanted: string): boolean {
  return receipt === wanted && /(SALE|BILL)$/.test(transactionType ?? '');
}

/** The item that was asked for; every item where none was, or where it is not listed. */
function itemsOf({ lineItemData }: Transaction, sku: string | undefined) {
  const all = lineItemData ?? [];
  const named = all.filter(({ itemNo }) => itemNo === sku);
  return sku !== undefined && named.length > 0 ? named : all;
}

function isOpenRefund({ type, status }: Ticket): boolean {
  return type === 'REFUND' && status !== 'CLOSED';
}

function cancelsRefund(ticket: Ticket, action: string): Warning {
  return {
    kind: 'cancels-refund',
    message: `${action} cancels the open refund${amountOf(ticket)} of ${ticket.receipt}`,
    ...aboutTicket(ticket),
  };
}

/** The service does not name the currency of a ticket's amount. */
function amountOf({ refundAmount }: Ticket): string {
  return refundAmount ? ` of ${refundAmount.value}` : '';
}

function aboutTicket({ receipt, refundAmount }: Ticket): Pick<Warning, 'receipt' | 'amount'> {
  return {
    ...(receipt && { receipt }),
    ...(refundAmount && { amount: refundAmount.value }),
  };
}

function readTicket(api: Api, id: unknown): Promise<Ticket | undefined> {
  return unlessForbidden(() => api.call(tickets.get, { id: String(id) }));
}

function notChecked(unknown: string): Warning {
  return { kind: 'not-checked', message: `Not checked: ${unknown} (this key may not read it)` };
}

/** Undefined where the service refuses: a key may write without reading. */
async function unlessForbidden<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined;
    throw error;
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
