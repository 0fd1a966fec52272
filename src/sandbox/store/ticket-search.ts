/** Searching tickets: the filters of list and count. */
import type { Database, Value } from './driver.ts';
import { TICKET, type Ticket, type TicketStatus, type TicketType } from './ticket.ts';

const PAGE_SIZE = 100;

/** Instants, the end exclusive. */
export interface Period {
  readonly from: number;
  readonly until: number;
}

export interface TicketFilter {
  /** The nicknames of the caller: one of them must be the vendor. */
  readonly accounts: readonly string[];
  readonly type?: TicketType | undefined;
  readonly status?: TicketStatus | undefined;
  /** A pattern that knows `%`; a sale's receipt finds the tickets of its rebills too. */
  readonly receipt?: string | undefined;
  readonly opened?: Period | undefined;
  readonly updated?: Period | undefined;
  readonly closed?: Period | undefined;
}

type Condition = readonly [sql: string, ...values: Value[]];

function equals(column: string, value: string | undefined): Condition[] {
  return value === undefined ? [] : [[`${column} = ?`, value]];
}

function within(column: string, period: Period | undefined): Condition[] {
  return period ? [[`${column} >= ? AND ${column} < ?`, period.from, period.until]] : [];
}

/** `%` is the only wildcard: LIKE's own `_` is taken literally. */
function about(receipt: string | undefined): Condition[] {
  if (receipt === undefined) return [];
  const pattern = receipt.replaceAll(/[\\_]/g, '\\$&');
  const like = (column: string) => `${column} LIKE ? ESCAPE '\\'`;
  return [[`(${like('k.receipt')} OR ${like('p.receipt')})`, pattern, pattern]];
}

function whereOf(filter: TicketFilter): { where: string; values: Value[] } {
  const conditions: Condition[] = [
    ['k.vendor IN (SELECT value FROM json_each(?))', JSON.stringify(filter.accounts)],
    ...equals('k.type', filter.type),
    ...equals('k.status', filter.status),
    ...about(filter.receipt),
    ...within('k.opened', filter.opened),
    ...within('k.updated', filter.updated),
    ...within('k.closed', filter.closed),
  ];
  return {
    where: conditions.map(([sql]) => sql).join(' AND '),
    values: conditions.flatMap(([, ...values]) => values),
  };
}

export function countTickets(db: Database, filter: TicketFilter): number {
  const { where, values } = whereOf(filter);
  const row = db.first<{ n: number }>(
    `SELECT count(*) n FROM ticket k JOIN purchase p ON p.id = k.purchase_id WHERE ${where}`,
    values,
  );
  return row?.n ?? 0;
}

/** One page, newest first, and whether there are more. */
export function findTickets(
  db: Database,
  filter: TicketFilter,
  page: number,
): { rows: Ticket[]; more: boolean } {
  const { where, values } = whereOf(filter);
  const rows = db.all<Ticket>(
    `${TICKET} WHERE ${where} ORDER BY k.opened DESC, k.id DESC LIMIT ? OFFSET ?`,
    [...values, PAGE_SIZE + 1, (page - 1) * PAGE_SIZE],
  );
  return { rows: rows.slice(0, PAGE_SIZE), more: rows.length > PAGE_SIZE };
}
