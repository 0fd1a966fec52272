/** Questions to the journal. */
import type { Database, Value } from '../../../storage/sqlite.ts';
import type { DeliveryKind, NewEvent } from './journal.ts';

/** A row of the journal, without the event itself. */
export interface EventEntry
  extends Omit<NewEvent, 'text' | 'body' | 'fingerprint' | 'isReconstructed'> {
  readonly id: number;
  readonly isReconstructed: 0 | 1;
  readonly copies: number;
  readonly duplicateOf: number | null;
}

export type EventContent = Pick<NewEvent, 'text' | 'body' | 'receivedAt'>;

export interface DeliveryEntry {
  readonly kind: DeliveryKind;
  readonly state: 'pending' | 'done' | 'failed';
  readonly attempts: number;
  readonly dueAt: number;
  readonly lastAt: number | null;
  readonly result: string | null;
}

export interface EventFilter {
  readonly types?: readonly string[] | undefined;
  readonly receipt?: string | undefined;
  /** Milliseconds since 1970. */
  readonly since?: number | undefined;
  /** The last attempt to deliver it failed, or was stopped. */
  readonly isUndelivered?: boolean | undefined;
  /** It is not tried again. */
  readonly isFailed?: boolean | undefined;
}

const columns = `id, received_at AS receivedAt, type, receipt, event_time AS eventTime, amount, currency, vendor, role,
  reconstructed AS isReconstructed, copies, duplicate_of AS duplicateOf`;

const pageSize = 100;

function entries(database: Database, which: string, values: readonly Value[]) {
  return database.all<EventEntry>(`SELECT ${columns} FROM event WHERE ${which}`, values);
}

/** Pages of events, the latest first. */
export function* eventPages(
  database: Database,
  filter: EventFilter,
): Generator<readonly EventEntry[]> {
  const { sql, values } = conditionOf(filter);
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const which = `id < ?${sql} ORDER BY id DESC LIMIT ${pageSize}`;
    const page = entries(database, which, [before, ...values]);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    before = last.id;
  }
}

/** The IDs of events, the earliest first. */
export function eventIds(database: Database, filter: EventFilter): readonly number[] {
  const { sql, values } = conditionOf(filter);
  const rows = database.all<{ id: number }>(
    `SELECT id FROM event WHERE true${sql} ORDER BY id`,
    values,
  );
  return rows.map(({ id }) => id);
}

export function eventEntry(database: Database, id: number): EventEntry | undefined {
  return entries(database, 'id = ?', [id])[0];
}

export function eventContent(database: Database, id: number): EventContent | undefined {
  return database.first<EventContent>(
    'SELECT text, body, received_at AS receivedAt FROM event WHERE id = ?',
    [id],
  );
}

export function deliveriesOf(database: Database, id: number): readonly DeliveryEntry[] {
  return database.all<DeliveryEntry>(
    `SELECT kind, state, attempts, due_at AS dueAt, last_at AS lastAt, result FROM delivery
     WHERE event_id = ? ORDER BY kind DESC`,
    [id],
  );
}

/** The events of a receipt and type, in the order received, without exact duplicates. */
export function eventsOf(database: Database, receipt: string, type: string): EventEntry[] {
  const which = 'receipt = ? AND type = ? AND duplicate_of IS NULL ORDER BY id';
  return entries(database, which, [receipt, type]);
}

/** The events whose transactions were in a period of Pacific days, without exact duplicates. */
export function eventsBetween(database: Database, first: string, last: string): EventEntry[] {
  const which = 'event_day BETWEEN ? AND ? AND duplicate_of IS NULL ORDER BY event_time, id';
  return entries(database, which, [first, last]);
}

function conditionOf({ types, receipt, since, isUndelivered, isFailed }: EventFilter) {
  const delivery = (which: string) => `id IN (SELECT event_id FROM delivery WHERE ${which})`;
  const conditions = [
    ...(types ? [`type IN (${types.map(() => '?').join()})`] : []),
    ...(receipt === undefined ? [] : ['receipt = ?']),
    ...(since === undefined ? [] : ['received_at >= ?']),
    ...(isUndelivered ? [delivery("state <> 'done' AND last_at IS NOT NULL")] : []),
    ...(isFailed ? [delivery("state = 'failed'")] : []),
  ];
  return {
    sql: conditions.map((sql) => ` AND ${sql}`).join(''),
    values: [types ?? [], receipt ?? [], since ?? []].flat(),
  };
}

/** `retrying` and `failed` are what --undelivered selects; `kept` was not to be delivered anywhere. */
export function stateOf(deliveries: readonly DeliveryEntry[]): string {
  if (deliveries.length === 0) return 'kept';
  if (deliveries.some(({ state }) => state === 'failed')) return 'failed';
  const open = deliveries.filter(({ state }) => state === 'pending');
  if (open.length === 0) return 'delivered';
  return open.some(({ lastAt }) => lastAt !== null) ? 'retrying' : 'waiting';
}
