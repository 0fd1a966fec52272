/** Compares orders with the events of the journal. */

import type { Database } from '../../storage/sqlite.ts';
import { eventText } from './event-text.ts';
import { type EventType, eventTypeNames } from './event-types.ts';
import { journaledEvent, type NewEvent } from './journal/journal.ts';
import { deliveriesOf, type EventEntry, eventsOf, stateOf } from './journal/journal-queries.ts';
import { encryptNotification } from './notification.ts';
import { eventOf, type OrderRow } from './sample-event.ts';

/**
 * - `missing`: no event came for the transaction
 * - `undelivered`: the event was reconstructed, and has not reached every receiver
 * - `late`: none has come yet, but ClickBank may still send it
 * - `amount`: the event of an order in US dollars has another amount
 * - `double`: more events than transactions
 * - `no order`: there is no transaction for the event
 */
type Problem = 'missing' | 'undelivered' | 'late' | 'amount' | 'double' | 'no order';

export type Difference = ReturnType<typeof differenceOf>;

const compared = ['SALE', 'BILL', 'RFND', 'CGBK', 'TEST_SALE', 'TEST_BILL', 'TEST_RFND'];

/** The type that the list of orders shows for an event: a returned electronic check is a chargeback there. */
export function orderTypeOf(eventType: unknown): unknown {
  return eventType === 'INSF' ? 'CGBK' : eventType;
}

/** Whether each event of a type belongs to one transaction of the list of orders. */
export function isCompared(type: unknown): boolean {
  return compared.includes(String(type));
}

/** `events` are those of the compared period and accounts; `isLate`: ClickBank may still send the event of a transaction. */
export function compare(
  rows: readonly OrderRow[],
  database: Database,
  events: readonly EventEntry[],
  isLate: (row: OrderRow) => boolean,
): readonly Difference[] {
  const groups = new Map<string, OrderRow[]>();
  for (const row of rows) {
    if (!isCompared(row.transactionType)) continue;
    const key = keyOf(row.receipt, row.transactionType);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const ofRows = [...groups.values()].flatMap((group) => ofTransactions(group, database, isLate));
  const others = events.filter(
    ({ type, receipt }) => isCompared(type) && !groups.has(keyOf(receipt, type)),
  );
  return [...ofRows, ...others.map((event) => differenceOf('no order', { event }))];
}

function keyOf(receipt: unknown, type: unknown): string {
  return `${String(type)} ${String(receipt)}`;
}

/** The rows have one receipt and type: several refunds of parts, for example. */
function ofTransactions(
  rows: readonly OrderRow[],
  database: Database,
  isLate: (row: OrderRow) => boolean,
): readonly Difference[] {
  const { receipt, transactionType } = rows[0] ?? {};
  const types = eventTypeNames.filter((type) => orderTypeOf(type) === transactionType);
  // The orders are those of the vendor, whose own referral sends a second event.
  const left = types
    .flatMap((type) => eventsOf(database, String(receipt), type))
    .filter(({ role }) => role !== 'AFFILIATE');
  const take = (fits: (event: EventEntry) => boolean) => {
    const at = left.findIndex(fits);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const undelivered: Difference[] = [];
  /** Whether an event fits the row; it may not have been delivered. */
  const isMatched = (row: OrderRow, event: EventEntry | undefined) => {
    if (event?.isReconstructed === 1) {
      // The copy has the order itself.
      const sent = deliveriesOf(database, event.id).filter(({ kind }) => kind !== 'sync');
      if (stateOf(sent) !== 'delivered')
        undelivered.push(differenceOf('undelivered', { row, event }));
    }
    return event !== undefined;
  };
  const any = () => take(() => true);
  const inexact = rows.filter((row) => {
    const event = take(({ amount }) => isSame(amount, amountOf(row)));
    return !isMatched(row, event);
  });
  const unmatched = inexact.filter((row) => !mayDiffer(row) || !isMatched(row, any()));
  const differences = unmatched.map((row) => {
    const event = any();
    return differenceOf(event ? 'amount' : isLate(row) ? 'late' : 'missing', { row, event });
  });
  const doubled = left.map((event) => differenceOf('double', { event }));
  return [...undelivered, ...differences, ...doubled];
}

/** With the time as ClickBank writes it, and the transaction unless there is none. */
function differenceOf(
  problem: Problem,
  { row, event }: { readonly row?: OrderRow; readonly event?: EventEntry | undefined },
) {
  return {
    problem,
    type: String(row?.transactionType ?? event?.type),
    receipt: String(row?.receipt ?? event?.receipt),
    time: String(row ? row.transactionTime : event?.eventTime),
    amount: row ? amountOf(row) : null,
    eventAmount: event?.amount ?? null,
    eventId: event?.id ?? null,
    ...(row && { row }),
  };
}

function amountOf({ totalOrderAmount: amount }: OrderRow): string | null {
  return amount === null || amount === undefined ? null : String(amount);
}

/** The list may send US dollars where the event has the customer's amount (docs/figures.md). */
function mayDiffer({ currency }: OrderRow): boolean {
  return currency !== null && currency !== undefined && currency !== 'USD';
}

/** Refunds can be negative on one side only. An event without an amount fits. */
function isSame(event: string | null, order: string | null): boolean {
  if (event === null || order === null || event === order) return true;
  return Math.abs(Number(event)) === Math.abs(Number(order));
}

/** Without a secret, the event can only be forwarded decrypted. `row` has a compared type. */
export function reconstructedEvent(row: OrderRow, now: Date, secret: string | undefined): NewEvent {
  const isReturnedCheck = row.transactionType === 'CGBK' && row.paytmentMethod === 'CHECK';
  const type = isReturnedCheck ? 'INSF' : (row.transactionType as EventType);
  const exact = eventOf(type, { now, from: [row] });
  const text = eventText(exact);
  const body = secret === undefined ? null : encryptNotification(text, secret);
  return journaledEvent({ exact, text, body, receivedAt: now.getTime(), isReconstructed: true });
}
